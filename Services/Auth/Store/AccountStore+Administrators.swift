import Bus
import Contracts
import Primitives
import Storage

extension AccountStore {
    /// In the order of their ids.
    package func administrators(after: PartyID?, limit: Int) async throws(Fault) -> [Auth.AdministratorView] {
        try await store.read { transaction in
            return try transaction.all(
                """
                SELECT id, username, created FROM accounts WHERE role = 'administrator' AND id > ?
                ORDER BY id LIMIT ?
                """, after?.bytes ?? [], limit
            ) { row in
                Auth.AdministratorView(account: try row[0], username: try row[1], registered: try row[2])
            }
        }
    }

    /// Removes an administrator's account and all of its data. Facts: `SessionClosed` for each of its sessions.
    package func removeAdministrator(
        named username: String, evenLast: Bool, by cause: Cause
    ) async throws(Fault) -> Removing {
        try await store.write { transaction in
            guard let view = try AccountRecord.fetch(transaction, username: username)?.view,
                view.role == .administrator
            else { return .unknown }
            let count =
                try transaction.value("SELECT count(*) FROM accounts WHERE role = 'administrator'", as: Int.self) ?? 0
            guard evenLast || count > 1 else { return .last }
            let closed = try Self.endAll(of: view.account, but: nil, in: transaction, by: cause)
            // `endAll` leaves expired sessions that were not swept yet.
            for table in [
                "sessions", "pins", "product_types", "profiles", "resets", "restorations", "letters", "holds"
            ] {
                try transaction.run("DELETE FROM \(table) WHERE account = ?", view.account)
            }
            try transaction.run("DELETE FROM accounts WHERE id = ?", view.account)
            return .removed(view.account, closed: closed)
        }
    }
}
