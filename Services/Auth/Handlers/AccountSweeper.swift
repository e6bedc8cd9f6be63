import Contracts
import Primitives

/// Deletes expired rows. Call it about once a minute; a late call does no harm, as expired sessions are refused anyway.
package struct AccountSweeper: Sendable {
    private let service: AccountService

    package init(_ service: AccountService) { self.service = service }

    /// Runs rounds of at most `AccountSweep.rowsMax` until nothing is left. Log-ins can run between rounds.
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
