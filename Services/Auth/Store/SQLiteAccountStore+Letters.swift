import Contracts
import Foundation
import GRDB
import Primitives

extension SQLiteAccountStore {
    package func unsentLetters(at now: Timestamp, limit: Int) async throws(Fault) -> [OwnerLetter] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT letters.id, username, email, credential, time, expires
                    FROM letters JOIN accounts ON accounts.id = account WHERE expires > ? ORDER BY time LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: [now.column, limit]).map { row in
                guard let credential = Auth.Credential(rawValue: row[3]) else { throw UnreadableColumn() }
                return OwnerLetter(
                    id: try row.identifier(0), username: row[1], email: row[2], credential: credential,
                    time: row.time(4), expires: row.time(5))
            }
        }
    }

    package func letterSent(_ letter: LetterID) async throws(Fault) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM letters WHERE id = ?").execute(arguments: [letter.column])
        }
    }

    /// Publishes that a credential was changed and writes a letter to the owner, unless there were too many lately.
    static func tell(
        _ credential: Auth.Credential, of account: PartyID, at email: String?, _ letter: LetterOrder,
        in database: Database, _ facts: inout FactWriter
    ) throws {
        let now = facts.cause.time
        try facts.append(Auth.CredentialChanged(account: account, credential: credential, time: now), in: database)
        guard let email,
            case .counted = try Attempts.count(database, letter.name, under: letter.policy, at: now)
        else { return }
        try write(letter, about: credential, of: account, to: email, in: database, at: now)
    }

    static func write(
        _ letter: LetterOrder, about credential: Auth.Credential, of account: PartyID, to email: String,
        in database: Database, at now: Timestamp
    ) throws {
        try database.cachedStatement(
            sql: "INSERT INTO letters (id, account, email, credential, time, expires) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            letter.id.column, account.column, email, credential.rawValue, now.column, letter.expires.column
        ])
    }

    // MARK: Held transfers

    /// Never shortens a hold.
    static func hold(_ account: PartyID, until: Timestamp, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO holds (account, until) VALUES (?, ?)
                ON CONFLICT (account) DO UPDATE SET until = max(until, excluded.until)
                """
        ).execute(arguments: [account.column, until.column])
    }

    static func heldUntil(_ account: PartyID, in database: Database, at now: Timestamp) throws -> Timestamp? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT until FROM holds WHERE account = ? AND until > ?"),
            arguments: [account.column, now.column]
        ).map(Timestamp.init(milliseconds:))
    }
}
