import Bus
import Contracts
import Primitives
import Storage

extension AccountStore {
    /// A letter that waits to be sent; nil once it is confirmed or has expired.
    package func letter(_ id: LetterID, at now: Timestamp) async throws(Fault) -> OwnerLetter? {
        try await store.read { transaction -> OwnerLetter? in
            let code = try transaction.first(
                """
                SELECT username, email, expires FROM resets
                JOIN accounts ON accounts.id = resets.account JOIN profiles ON profiles.account = resets.account
                WHERE resets.id = ? AND sent = 0 AND expires > ? AND email IS NOT NULL
                """, id, now
            ) { row in
                OwnerLetter(
                    id: id, username: try row[0], email: try row[1], occasion: .newPassword, expires: try row[2])
            }
            if let code { return code }
            return try transaction.first(
                """
                SELECT username, email, credential, time, expires
                FROM letters JOIN accounts ON accounts.id = account WHERE letters.id = ? AND expires > ?
                """, id, now
            ) { row in
                OwnerLetter(
                    id: id, username: try row[0], email: try row[1],
                    occasion: .changed(try row.choice(2), at: try row[3]), expires: try row[4])
            }
        }
    }

    /// Confirms a letter. Returns whether it still waited.
    package func confirmLetter(_ id: LetterID) async throws(Fault) -> Bool {
        try await store.write { transaction -> Bool in
            if try transaction.run("DELETE FROM letters WHERE id = ?", id) > 0 { return true }
            // The code stays valid.
            return try transaction.run("UPDATE resets SET sent = 1 WHERE id = ? AND sent = 0", id) > 0
        }
    }

    /// Publishes that a credential was changed, and queues a letter to the owner unless there were too many lately.
    static func publishChange(
        _ credential: Auth.Credential, of account: PartyID, at email: String?, _ letter: LetterOrder,
        in transaction: Transaction, by cause: Cause
    ) throws {
        let now = cause.time
        try transaction.publish(Auth.CredentialChanged(account: account, credential: credential, time: now), by: cause)
        guard let email,
            case .counted = try Attempts.count(transaction, letter.name, under: letter.policy, at: now)
        else { return }
        try queue(letter, about: credential, of: account, to: email, in: transaction, by: cause)
    }

    /// Queues a letter to the owner and publishes that.
    static func queue(
        _ letter: LetterOrder, about credential: Auth.Credential, of account: PartyID, to email: String,
        in transaction: Transaction, by cause: Cause
    ) throws {
        try transaction.run(
            "INSERT INTO letters (id, account, email, credential, time, expires) VALUES (?, ?, ?, ?, ?, ?)", letter.id,
            account, email, credential.rawValue, cause.time, letter.expires)
        try transaction.publish(
            Auth.LetterQueued(
                letter: letter.id, account: account, kind: .change, expires: letter.expires, time: cause.time),
            by: cause)
    }

    // MARK: Held transfers

    /// Holds transfers. Never shortens a hold.
    static func hold(_ account: PartyID, until: Timestamp, in transaction: Transaction) throws {
        try transaction.run(
            """
            INSERT INTO holds (account, until) VALUES (?, ?)
            ON CONFLICT (account) DO UPDATE SET until = max(until, excluded.until)
            """, account, until)
    }

    static func heldUntil(_ account: PartyID, in transaction: Transaction, at now: Timestamp) throws -> Timestamp? {
        try transaction.value("SELECT until FROM holds WHERE account = ? AND until > ?", account, now)
    }
}
