import Contracts
import Primitives

/// Forgets what has expired. To be called once a minute or so; being late harms nothing, since expired sessions are
/// refused all the same.
package struct AccountSweeper: Sendable {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    /// Rounds of at most `AccountSweep.rowsMax` until nothing is left, with room for log-ins between them.
    ///
    /// - Throws: `bus.unavailable`.
    @discardableResult
    package func sweep() async throws(Fault) -> AccountSweep.Swept {
        let now = service.clock.now()
        let sweep = AccountSweep(
            now: now, loginsBefore: now + (.zero - service.rules.loginMemory),
            loginNamesMax: service.rules.loginNamesMax)
        var total = AccountSweep.Swept(sessions: 0, loginNames: 0)
        while true {
            let swept = try await service.store.sweep(sweep)
            total.sessions += swept.sessions
            total.loginNames += swept.loginNames
            if !swept.isFull { return total }
        }
    }
}
