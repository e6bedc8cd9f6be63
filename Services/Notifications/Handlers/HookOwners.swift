import Primitives
import Synchronization

/// The merchants with a web hook, in memory: every payment checks them.
package final class HookOwners: Sendable {
    private let merchants = Mutex<Set<PartyID>>([])

    package init() {}

    package func contains(_ merchant: PartyID) -> Bool { merchants.withLock { $0.contains(merchant) } }
    package func set(_ merchants: Set<PartyID>) { self.merchants.withLock { $0 = merchants } }
    func insert(_ merchant: PartyID) { _ = merchants.withLock { $0.insert(merchant) } }
}
