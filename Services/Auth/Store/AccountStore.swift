import Bus
import Contracts
import Primitives
import Storage

/// The data of auth. Each function is one transaction, durable with its facts when it returns. The functions are in
/// extensions by topic.
package struct AccountStore: Sendable {
    package let store: Store

    /// - Throws: as `Store.init`.
    package init(_ place: StorePlace) throws { store = try Store(place, migrations: AccountMigrations.all) }

    /// A store that ends with the process: for tests.
    package init() throws { store = try Store(forTests: AccountMigrations.all) }

    /// Deletes expired sessions, codes, letters, holds and login names, at most `AccountSweep.rowsMax` of each.
    package func sweep(_ sweep: AccountSweep) async throws(Fault) -> AccountSweep.Swept {
        try await store.write { transaction in
            let sessions = try transaction.run(
                """
                DELETE FROM sessions WHERE digest IN (
                    SELECT digest FROM sessions WHERE expires <= ? ORDER BY expires LIMIT ?)
                """, sweep.now, AccountSweep.rowsMax)
            for expired in [
                "resets WHERE id IN (SELECT id FROM resets WHERE expires <= ? LIMIT ?)",
                "restorations WHERE id IN (SELECT id FROM restorations WHERE expires <= ? LIMIT ?)",
                "reminders WHERE id IN (SELECT id FROM reminders WHERE expires <= ? LIMIT ?)",
                "letters WHERE id IN (SELECT id FROM letters WHERE expires <= ? LIMIT ?)",
                "holds WHERE account IN (SELECT account FROM holds WHERE until <= ? LIMIT ?)"
            ] {
                try transaction.run("DELETE FROM \(expired)", sweep.now, AccountSweep.rowsMax)
            }
            let names: Int = try transaction.value("SELECT count(*) FROM logins") ?? 0
            let forgotten = try transaction.run(
                """
                DELETE FROM logins WHERE name IN (
                    SELECT name FROM logins WHERE last_try < ? ORDER BY last_try LIMIT ?)
                """, sweep.loginsBefore, AccountSweep.rowsMax)
            let excess = min(names - forgotten - sweep.loginNamesMax, AccountSweep.rowsMax - forgotten)
            if excess > 0 {
                // Names tried least go first: a flood of other names must not forget the wrong tries at one.
                try transaction.run(
                    """
                    DELETE FROM logins WHERE name IN (
                        SELECT name FROM logins ORDER BY failures, last_try LIMIT ?)
                    """, excess)
            }
            return AccountSweep.Swept(sessions: sessions, loginNames: forgotten + max(0, excess))
        }
    }
}
