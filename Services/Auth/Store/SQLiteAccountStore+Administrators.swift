import Contracts
import Foundation
import GRDB
import Primitives

extension SQLiteAccountStore {
    package func administrators(after: PartyID?, limit: Int) async throws(Fault) -> [Auth.AdministratorView] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT id, username, created FROM accounts WHERE role = 'administrator' AND id > ?
                    ORDER BY id LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: [after?.column ?? Data(), limit]).map { row in
                Auth.AdministratorView(account: try row.identifier(0), username: row[1], registered: row.time(2))
            }
        }
    }

    package func removeAdministrator(
        named username: String, evenLast: Bool, by cause: Cause
    ) async throws(Fault) -> Removing {
        try await write(by: cause) { database, facts in
            guard let view = try AccountRecord.fetch(database, username: username)?.view,
                view.role == .administrator
            else { return .unknown }
            let count =
                try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM accounts WHERE role = 'administrator'") ?? 0
            guard evenLast || count > 1 else { return .last }
            let closed = try Self.endAll(of: view.account, but: nil, in: database, &facts)
            // Expired sessions that were not swept yet are left by `endAll`.
            for table in [
                "sessions", "pins", "product_types", "profiles", "resets", "restorations", "letters", "holds"
            ] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE account = ?", arguments: [view.account.column])
            }
            try database.execute(sql: "DELETE FROM accounts WHERE id = ?", arguments: [view.account.column])
            return .removed(view.account, closed: closed)
        }
    }
}
