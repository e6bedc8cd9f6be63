import Contracts
import Primitives
import Synchronization

/// Accounts, as far as a service has met them: asked of auth once and remembered, for the sake of their names.
///
/// Names only adorn what a service says, so that auth is not waited for long: all else is known without it.
package final class KnownAccounts: Sendable {
    /// Accounts remembered. When full, all are forgotten and asked for again: simpler than a queue, and rare.
    package static let countMax = 100_000

    private let bus: any Asking
    private let clock: WallClock
    private let patience: Duration
    private let accounts = Mutex<[PartyID: Auth.AccountView]>([:])

    /// - Parameter patience: how long one call may wait for all that it asks for.
    package init(asking bus: any Asking, clock: WallClock, patience: Duration) {
        self.bus = bus
        self.clock = clock
        self.patience = patience
    }

    /// To be called when an account has another name.
    package func forget(_ account: PartyID) { accounts.withLock { $0[account] = nil } }

    /// Those of some accounts that can be found out about.
    package func of(
        _ wanted: some Sequence<PartyID>, in context: AskContext = AskContext(deadline: Timestamp(milliseconds: .max))
    ) async -> [PartyID: Auth.AccountView] {
        let own = context.onOwnBehalf.by(clock.now() + patience)
        var found: [PartyID: Auth.AccountView] = [:]
        for account in wanted where found[account] == nil {
            if let known = accounts.withLock({ $0[account] }) {
                found[account] = known
                continue
            }
            do throws(Fault) {
                let view = try await bus.ask(Auth.ReadAccount(account: account), in: own)
                found[account] = view
                accounts.withLock { accounts in
                    if accounts.count >= Self.countMax { accounts.removeAll() }
                    accounts[account] = view
                }
            } catch {
                // Nobody of that id, or auth is not there: in that case the others need not wait for it too.
                if error.code != .partyNotFound { break }
            }
        }
        return found
    }
}
