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
            if let email: String = try transaction.value(
                "SELECT email FROM reminders WHERE id = ? AND expires > ?", id, now)
            {
                let names = try Self.usernames(of: email, in: transaction)
                guard let first = names.first else { return nil }
                let expires: Timestamp? = try transaction.value("SELECT expires FROM reminders WHERE id = ?", id)
                return OwnerLetter(
                    id: id, username: first, email: email, occasion: .usernames(names), expires: expires ?? now)
            }
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
            if try transaction.run("DELETE FROM reminders WHERE id = ?", id) > 0 { return true }
            // The code stays valid.
            return try transaction.run("UPDATE resets SET sent = 1 WHERE id = ? AND sent = 0", id) > 0
        }
    }

    /// Counts a request under the address and, where accounts have it, writes down a letter with their usernames.
    /// Seconds to wait, and nothing done, where there were too many. Commits whether or not there is a letter. Fact:
    /// `LetterQueued` where there is.
    package func requestUsernames(
        _ request: UsernamesRequest, under policy: AttemptPolicy, by cause: Cause
    ) async throws(Fault) -> Int? {
        try await store.write { transaction in
            if case .wait(let seconds) = try Attempts.count(transaction, request.name, under: policy, at: cause.time) {
                return seconds
            }
            let owner = try transaction.first(
                """
                SELECT account, email FROM profiles WHERE email IS NOT NULL AND lower(email) = lower(?)
                ORDER BY account LIMIT 1
                """,
                request.email
            ) { row in (account: try row[0] as PartyID, email: try row[1] as String) }
            guard let owner, EmailAddress.same(owner.email, request.email) else { return nil }
            try transaction.run(
                "INSERT INTO reminders (id, email, expires) VALUES (?, ?, ?)", request.id, owner.email,
                request.expires)
            try transaction.publish(
                Auth.LetterQueued(
                    letter: request.id, account: owner.account, kind: .code, expires: request.expires,
                    time: cause.time), by: cause)
            return nil
        }
    }

    /// Usernames that one letter lists, the oldest ones: far more than one person has. Anybody may register more with
    /// the address.
    private static let usernamesMax = 50

    private static func usernames(of email: String, in transaction: Transaction) throws -> [String] {
        try transaction.values(
            """
            SELECT username FROM profiles JOIN accounts ON accounts.id = account
            WHERE email IS NOT NULL AND lower(email) = lower(?) ORDER BY created, username LIMIT \(usernamesMax)
            """, email)
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
            ON CONFLICT (account) DO UPDATE SET until = max(holds.until, excluded.until)
            """, account, until)
    }

    static func heldUntil(_ account: PartyID, in transaction: Transaction, at now: Timestamp) throws -> Timestamp? {
        try transaction.value("SELECT until FROM holds WHERE account = ? AND until > ?", account, now)
    }
}
