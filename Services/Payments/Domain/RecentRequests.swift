import Contracts
import Primitives
import Synchronization

/// Charges that this process has recorded as requested and that nobody has tried to decide: whoever decides one need
/// not wait for the store, which may be within a commit.
///
/// The store has all of them. A charge that is not here is read there.
package final class RecentRequests: Sendable {
    /// Requests remembered.
    package static let requestsMax = 65_536

    private let charges = Mutex(Remembered<ChargeID, Charge>(atMost: requestsMax))

    package init() {}

    /// - Parameter charge: is durable.
    package func note(_ charge: Charge) {
        charges.withLock { $0[charge.id] = charge }
    }

    /// The charge as it was requested, for one of its parties, once: after the first attempt only the store knows what
    /// became of it.
    package func take(_ id: ChargeID, for party: PartyID) -> Charge? {
        charges.withLock { charges in
            guard let charge = charges[id], charge.isParty(party) else { return nil }
            charges[id] = nil
            return charge
        }
    }
}
