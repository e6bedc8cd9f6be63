import Bus
import Contracts
import Primitives
import Synchronization

/// Merchants' names, as far as notices have met them: asked of auth once and remembered.
///
/// They only adorn a notice, so that auth is not waited for long: that money is asked for is known without it.
package final class MerchantNames: Sendable {
    /// Names remembered. When full, all are forgotten and asked for again: simpler than a queue, and rare.
    package static let countMax = 100_000
    /// How long one group of facts may wait for all its names.
    package static let patience = Duration.milliseconds(500)

    private let bus: any Asking
    private let clock: WallClock
    private let names = Mutex<[PartyID: String]>([:])

    package init(asking bus: any Asking, clock: WallClock) {
        self.bus = bus
        self.clock = clock
    }

    /// To be called when an account has another name.
    package func forget(_ account: PartyID) { names.withLock { $0[account] = nil } }

    /// The names of those merchants whose names can be found out.
    package func of(_ merchants: some Sequence<PartyID>) async -> [PartyID: String] {
        let context = AskContext(deadline: clock.now() + Self.patience)
        var found: [PartyID: String] = [:]
        for merchant in merchants where found[merchant] == nil {
            if let known = names.withLock({ $0[merchant] }) {
                found[merchant] = known
                continue
            }
            do throws(Fault) {
                let name = try await bus.ask(Auth.ReadAccount(account: merchant), in: context).name
                found[merchant] = name
                names.withLock { names in
                    if names.count >= Self.countMax { names.removeAll() }
                    names[merchant] = name
                }
            } catch {
                // Nobody of that id, or auth is not there: in that case the others need not wait for it too.
                if error.code != .partyNotFound { break }
            }
        }
        return found
    }
}
