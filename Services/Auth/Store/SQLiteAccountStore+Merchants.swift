import Contracts
import Foundation
import GRDB
import Primitives

extension SQLiteAccountStore {
    package func decide(
        _ merchant: PartyID, _ status: Auth.MerchantStatus, reason: String?, by cause: Cause
    ) async throws(Fault) -> Auth.MerchantView? {
        try await write(by: cause) { database, facts in
            guard let before = try Auth.MerchantView.fetch(database, merchant) else { return nil }
            guard before.status != status || before.reason != reason else { return before }
            try database.cachedStatement(
                sql: "UPDATE approvals SET status = ?, reason = ?, decided = ? WHERE account = ?"
            ).execute(arguments: [status.rawValue, reason, cause.time.column, merchant.column])
            try facts.append(
                Auth.MerchantDecided(merchant: merchant, status: status, reason: reason, time: cause.time),
                in: database)
            return try Auth.MerchantView.fetch(database, merchant)
        }
    }

    package func merchants(
        _ status: Auth.MerchantStatus?, after: PartyID?, limit: Int
    ) async throws(Fault) -> [Auth.MerchantView] {
        try await read { database in
            // Each of the two goes along an index: `merchants_by_status`, or the table itself.
            let (condition, first) =
                status.map { ("status = ? AND", [$0.rawValue as any DatabaseValueConvertible]) } ?? ("", [])
            let start = after?.column ?? Data()
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        \(Auth.MerchantView.columns)
                        WHERE \(condition) account > ? ORDER BY account LIMIT ?
                        """), arguments: StatementArguments(first + [start, limit]))
            return try rows.map { try Auth.MerchantView($0, in: database) }
        }
    }
}

extension Auth.MerchantView {
    fileprivate static let columns = """
        SELECT account, username, name, status, created, decided, reason FROM approvals JOIN accounts ON id = account
        """

    fileprivate static func fetch(_ database: Database, _ merchant: PartyID) throws -> Auth.MerchantView? {
        let statement = try database.cachedStatement(sql: columns + " WHERE account = ?")
        return try Row.fetchOne(statement, arguments: [merchant.column]).map { try Auth.MerchantView($0, in: database) }
    }

    fileprivate init(_ row: Row, in database: Database) throws {
        let merchant: PartyID = try row.identifier(0)
        self.init(
            merchant: merchant, username: row[1], name: row[2], status: try Auth.MerchantStatus(column: row[3]),
            profile: try Auth.Profile.fetch(database, of: merchant), registered: row.time(4),
            decided: row.optionalTime(5), reason: row[6])
    }
}
