import Contracts
import Primitives
import Storage

extension AccountStore {
    /// Letters to owners that nobody has taken yet, the oldest first.
    package func unsentLetters(at now: Timestamp, limit: Int) async throws(Fault) -> [OwnerLetter] {
        try await store.read { transaction in
            return try transaction.all(
                """
                SELECT letters.id, username, email, credential, time, expires
                FROM letters JOIN accounts ON accounts.id = account WHERE expires > ? ORDER BY time LIMIT ?
                """, now, limit
            ) { row in
                OwnerLetter(
                    id: try row[0], username: try row[1], email: try row[2], credential: try row.choice(3),
                    time: try row[4], expires: try row[5])
            }
        }
    }

    package func letterSent(_ letter: LetterID) async throws(Fault) {
        try await store.write { transaction in
            try transaction.run("DELETE FROM letters WHERE id = ?", letter)
        }
    }

    /// Publishes that a credential was changed and writes a letter to the owner, unless there were too many lately.
    static func publishChange(
        _ credential: Auth.Credential, of account: PartyID, at email: String?, _ letter: LetterOrder,
        in transaction: Transaction, by cause: Cause
    ) throws {
        let now = cause.time
        try transaction.publish(Auth.CredentialChanged(account: account, credential: credential, time: now), by: cause)
        guard let email,
            case .counted = try Attempts.count(transaction, letter.name, under: letter.policy, at: now)
        else { return }
        try write(letter, about: credential, of: account, to: email, in: transaction, at: now)
    }

    static func write(
        _ letter: LetterOrder, about credential: Auth.Credential, of account: PartyID, to email: String,
        in transaction: Transaction, at now: Timestamp
    ) throws {
        try transaction.run(
            "INSERT INTO letters (id, account, email, credential, time, expires) VALUES (?, ?, ?, ?, ?, ?)", letter.id,
            account, email, credential.rawValue, now, letter.expires)
    }

    // MARK: Held transfers

    /// Never shortens a hold.
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
