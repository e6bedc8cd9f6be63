import Bus
import Contracts
import Primitives

extension AskContext {
    /// Refuses an actor other than the account itself, whatever its role. A service acting for itself may act for
    /// anyone.
    func require(_ account: PartyID) throws(Fault) {
        guard let actor else { return }
        guard actor.party == account else { throw Fault(.forbidden) }
    }

    /// The same, but for administrators, who may look at anyone.
    func requireReader(of account: PartyID) throws(Fault) {
        guard actor?.role != .administrator else { return }
        try require(account)
    }

    /// Refuses every actor: for services that act for themselves, and the operator's commands.
    func requireService() throws(Fault) {
        guard actor == nil else { throw Fault(.forbidden) }
    }

    /// Refuses an actor who is no administrator.
    func requireAdministrator() throws(Fault) {
        guard let actor else { return }
        guard actor.role == .administrator else { throw Fault(.forbidden) }
    }
}
