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
}
