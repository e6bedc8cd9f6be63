import Contracts
import Foundation
import GRDB
import Primitives

extension SQLiteAccountStore {
    package func openSession(
        _ session: NewSession, sessionsMax: Int, by cause: Cause
    ) async throws(Fault) -> Auth.SessionView? {
        try await write(by: cause) { database, facts in
            let account = session.account.account
            // Whoever logs in while the password is changed must not have a session that outlives the change.
            guard try Self.passwordHash(of: account, in: database) == session.passwordHash else { return nil }
            try Attempts.clearLogin(database, session.loginName)
            if let newHash = session.newPasswordHash {
                try Self.setPasswordHash(newHash, of: account, in: database)
            }
            try database.cachedStatement(sql: "DELETE FROM sessions WHERE account = ? AND expires <= ?")
                .execute(arguments: [account.column, cause.time.column])
            // Newest first; what stands behind the first `sessionsMax - 1` makes room for the new one.
            let surplus = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT id FROM sessions WHERE account = ? ORDER BY created DESC, id DESC LIMIT -1 OFFSET ?
                        """), arguments: [account.column, max(0, sessionsMax - 1)])
            for old in surplus.reversed() {
                _ = try Self.end(old.identifier(0), of: account, in: database, &facts)
            }
            try database.cachedStatement(
                sql: "INSERT INTO sessions (digest, id, account, created, expires) VALUES (?, ?, ?, ?, ?)"
            ).execute(arguments: [
                Data(session.digest), session.id.column, account.column, cause.time.column, session.expires.column
            ])
            return Auth.SessionView(
                session: session.id, account: account, role: session.account.role, expires: session.expires,
                pinVerifiedUntil: nil,
                transfersHeldUntil: try Self.heldUntil(account, in: database, at: cause.time))
        }
    }

    package func session(digest: [UInt8], at now: Timestamp) async throws(Fault) -> Auth.SessionView? {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT sessions.id, sessions.account, role, expires, pin_verified_until, until
                    FROM sessions JOIN accounts ON accounts.id = sessions.account
                        LEFT JOIN holds ON holds.account = sessions.account
                    WHERE digest = ? AND expires > ?
                    """)
            guard let row = try Row.fetchOne(statement, arguments: [Data(digest), now.column]) else { return nil }
            let (verifiedUntil, heldUntil) = (row.optionalTime(4), row.optionalTime(5))
            return Auth.SessionView(
                session: try row.identifier(0), account: try row.identifier(1), role: try Auth.Role(column: row[2]),
                expires: row.time(3), pinVerifiedUntil: verifiedUntil.flatMap { $0 > now ? $0 : nil },
                transfersHeldUntil: heldUntil.flatMap { $0 > now ? $0 : nil })
        }
    }

    package func closeSession(
        _ id: SessionID, of account: PartyID, by cause: Cause
    ) async throws(Fault) -> Bool {
        try await write(by: cause) { database, facts in try Self.end(id, of: account, in: database, &facts) }
    }

    /// Ends all sessions of the account but one, the oldest first.
    static func endAll(
        of account: PartyID, but staying: SessionID?, in database: Database, _ facts: inout FactWriter
    ) throws -> [SessionID] {
        let statement = try database.cachedStatement(
            sql: "SELECT id FROM sessions WHERE account = ? ORDER BY created, id")
        var ended: [SessionID] = []
        for row in try Row.fetchAll(statement, arguments: [account.column]) {
            let session: SessionID = try row.identifier(0)
            if session != staying, try end(session, of: account, in: database, &facts) { ended.append(session) }
        }
        return ended
    }

    /// Publishes that sessions of the account have changed, for services that keep copies of them.
    ///
    /// - Parameter condition: which of them; `?2` is the present time.
    static func tellChanged(
        _ account: PartyID, where condition: String, in database: Database, _ facts: inout FactWriter
    ) throws -> [SessionID] {
        let now = facts.cause.time
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT id FROM sessions WHERE account = ?1 AND \(condition)"),
            arguments: [account.column, now.column])
        return try rows.map { row in
            let session: SessionID = try row.identifier(0)
            try facts.append(Auth.SessionChanged(session: session, account: account, time: now), in: database)
            return session
        }
    }

    static func passwordHash(of account: PartyID, in database: Database) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT password FROM accounts WHERE id = ?"), arguments: [account.column])
    }

    static func setPasswordHash(_ hash: String, of account: PartyID, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE accounts SET password = ? WHERE id = ?")
            .execute(arguments: [hash, account.column])
    }

    /// False where there was nothing to end; an expired session has ended by itself, which everybody knows.
    private static func end(
        _ id: SessionID, of account: PartyID, in database: Database, _ facts: inout FactWriter
    ) throws -> Bool {
        try database.cachedStatement(sql: "DELETE FROM sessions WHERE id = ? AND account = ? AND expires > ?")
            .execute(arguments: [id.column, account.column, facts.cause.time.column])
        guard database.changesCount > 0 else { return false }
        try facts.append(
            Auth.SessionClosed(session: id, account: account, time: facts.cause.time), in: database)
        return true
    }
}
