import Bus
import Contracts
import Primitives

/// Who may ask what. Services, which come without an actor, may ask anything; a user only what is theirs.
extension Envelope {
    /// - Throws: `bus.forbidden` for an actor who is none of those named.
    func allow(
        customer: PartyID? = nil, merchant: PartyID? = nil, administrator: Bool = false
    ) throws(Fault) {
        guard let actor else { return }
        let allowed =
            switch actor.role {
            case .customer: actor.party == customer
            case .merchant: actor.party == merchant
            case .administrator: administrator
            }
        guard allowed else { throw Fault(.forbidden) }
    }

    /// The same for a holder of money, in its own role.
    func allow(_ holder: Wallet.Holder, administrator: Bool = false) throws(Fault) {
        switch holder.role {
        case .customer: try allow(customer: holder.party, administrator: administrator)
        case .merchant: try allow(merchant: holder.party, administrator: administrator)
        }
    }
}
