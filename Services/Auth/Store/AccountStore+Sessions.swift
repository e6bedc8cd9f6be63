import Bus
import Contracts
import Primitives
import Storage

extension AccountStore {
    /// Opens a session and clears the name's count; ends the account's oldest sessions beyond `sessionsMax`. Nil, and
    /// nothing done, where the account has another password hash by now than the one that was checked.
    /// Facts: `SessionClosed` for each of those.
    package func openSession(
        _ session: NewSession, sessionsMax: Int, by cause: Cause
    ) async throws(Fault) -> Auth.SessionView? {
        try await store.write { transaction in
            let account = session.account.account
            // A log-in during a change of the password must not get a session that outlives the change.
            guard try Self.passwordHash(of: account, in: transaction) == session.passwordHash else { return nil }
            try Attempts.clearLogin(transaction, session.loginName)
            if let newHash = session.newPasswordHash {
                try Self.setPasswordHash(newHash, of: account, in: transaction)
            }
            try transaction.run("DELETE FROM sessions WHERE account = ? AND expires <= ?", account, cause.time)
            let others: [SessionID] = try transaction.values(
                "SELECT id FROM sessions WHERE account = ? ORDER BY created, id", account)
            for old in others.dropLast(max(0, sessionsMax - 1)) {
                _ = try Self.end(old, of: account, in: transaction, by: cause)
            }
            try transaction.run(
                "INSERT INTO sessions (digest, id, account, created, expires, client) VALUES (?, ?, ?, ?, ?, ?)",
                session.digest, session.id, account, cause.time, session.expires, session.client)
            return Auth.SessionView(
                session: session.id, account: account, role: session.account.role, expires: session.expires,
                pinVerifiedUntil: nil,
                transfersHeldUntil: try Self.heldUntil(account, in: transaction, at: cause.time))
        }
    }

    /// Nil for an ended or expired session.
    package func session(digest: [UInt8], at now: Timestamp) async throws(Fault) -> Auth.SessionView? {
        try await store.read { transaction in
            try transaction.first(
                """
                SELECT sessions.id, sessions.account, role, expires, pin_verified_until, until
                FROM sessions JOIN accounts ON accounts.id = sessions.account
                    LEFT JOIN holds ON holds.account = sessions.account
                WHERE digest = ? AND expires > ?
                """, digest, now
            ) { row in
                let (verifiedUntil, heldUntil): (Timestamp?, Timestamp?) = (try row[4], try row[5])
                return Auth.SessionView(
                    session: try row[0], account: try row[1], role: try row.choice(2), expires: try row[3],
                    pinVerifiedUntil: verifiedUntil.flatMap { $0 > now ? $0 : nil },
                    transfersHeldUntil: heldUntil.flatMap { $0 > now ? $0 : nil })
            }
        }
    }

    /// Newest first, without those that have expired.
    package func sessions(of account: PartyID, at now: Timestamp) async throws(Fault) -> [Auth.SessionSummary] {
        try await store.read { transaction in
            try transaction.all(
                """
                SELECT id, created, expires, client FROM sessions WHERE account = ? AND expires > ?
                ORDER BY created DESC, id DESC
                """, account, now
            ) { row in
                Auth.SessionSummary(session: try row[0], opened: try row[1], expires: try row[2], client: try row[3])
            }
        }
    }

    /// Whether the account had this session. Fact if so: `SessionClosed`.
    package func closeSession(
        _ id: SessionID, of account: PartyID, by cause: Cause
    ) async throws(Fault) -> Bool {
        try await store.write { transaction in try Self.end(id, of: account, in: transaction, by: cause) }
    }

    /// Ends all sessions of an account but one, the oldest first.
    static func endAll(
        of account: PartyID, but staying: SessionID?, in transaction: Transaction, by cause: Cause
    ) throws -> [SessionID] {
        let sessions: [SessionID] = try transaction.values(
            "SELECT id FROM sessions WHERE account = ? ORDER BY created, id", account)
        return try sessions.filter { try $0 != staying && end($0, of: account, in: transaction, by: cause) }
    }

    /// Publishes that sessions of the account have changed, for services that keep copies of them.
    ///
    /// - Parameter condition: selects the sessions; `?2` is the present time.
    static func publishChanged(
        _ account: PartyID, where condition: String, in transaction: Transaction, by cause: Cause
    ) throws -> [SessionID] {
        let now = cause.time
        let sessions: [SessionID] = try transaction.values(
            "SELECT id FROM sessions WHERE account = ?1 AND \(condition) ORDER BY created", account, now)
        for session in sessions {
            try transaction.publish(Auth.SessionChanged(session: session, account: account, time: now), by: cause)
        }
        return sessions
    }

    static func passwordHash(of account: PartyID, in transaction: Transaction) throws -> String? {
        try transaction.value("SELECT password FROM accounts WHERE id = ?", account)
    }

    static func setPasswordHash(_ hash: String, of account: PartyID, in transaction: Transaction) throws {
        try transaction.run("UPDATE accounts SET password = ? WHERE id = ?", hash, account)
    }

    /// False if there was no open session. An expired session has ended by itself, without a fact.
    private static func end(
        _ id: SessionID, of account: PartyID, in transaction: Transaction, by cause: Cause
    ) throws -> Bool {
        let ended = try transaction.run(
            "DELETE FROM sessions WHERE id = ? AND account = ? AND expires > ?", id, account, cause.time)
        guard ended > 0 else { return false }
        try transaction.publish(
            Auth.SessionClosed(session: id, account: account, time: cause.time), by: cause)
        return true
    }
}
