import Contracts
import Foundation
import GRDB
import Primitives

extension SQLiteAccountStore {
    package func letter(_ id: LetterID, at now: Timestamp) async throws(Fault) -> OwnerLetter? {
        try await read { database in
            if let code = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT username, email, expires FROM resets
                        JOIN accounts ON accounts.id = resets.account JOIN profiles ON profiles.account = resets.account
                        WHERE resets.id = ? AND sent = 0 AND expires > ? AND email IS NOT NULL
                        """), arguments: [id.column, now.column])
            {
                return OwnerLetter(
                    id: id, username: code[0], email: code[1], occasion: .newPassword, expires: code.time(2))
            }
            let change = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT username, email, credential, time, expires
                        FROM letters JOIN accounts ON accounts.id = account WHERE letters.id = ? AND expires > ?
                        """), arguments: [id.column, now.column])
            return try change.map { row in
                guard let credential = Auth.Credential(rawValue: row[2]) else { throw UnreadableColumn() }
                return OwnerLetter(
                    id: id, username: row[0], email: row[1], occasion: .changed(credential, at: row.time(3)),
                    expires: row.time(4))
            }
        }
    }

    package func confirmLetter(_ id: LetterID) async throws(Fault) -> Bool {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM letters WHERE id = ?").execute(arguments: [id.column])
            if database.changesCount > 0 { return true }
            // The code itself can be used on.
            try database.cachedStatement(sql: "UPDATE resets SET sent = 1 WHERE id = ? AND sent = 0")
                .execute(arguments: [id.column])
            return database.changesCount > 0
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
        try queue(letter, about: credential, of: account, to: email, in: database, &facts)
    }

    /// Writes a letter to the owner and publishes that it waits.
    static func queue(
        _ letter: LetterOrder, about credential: Auth.Credential, of account: PartyID, to email: String,
        in database: Database, _ facts: inout FactWriter
    ) throws {
        let now = facts.cause.time
        try database.cachedStatement(
            sql: "INSERT INTO letters (id, account, email, credential, time, expires) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            letter.id.column, account.column, email, credential.rawValue, now.column, letter.expires.column
        ])
        try facts.append(
            Auth.LetterQueued(letter: letter.id, account: account, kind: .change, expires: letter.expires, time: now),
            in: database)
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
