import Bus
import Contracts
import Primitives
import Storage

extension AccountStore {
    package func pinStanding(
        of account: PartyID, in session: SessionID?, at now: Timestamp
    ) async throws(Fault) -> PINStanding {
        try await store.read { transaction in
            let pin = try PINRow.fetch(transaction, account: account)
            let isHeld = try Self.heldUntil(account, in: transaction, at: now) != nil
            var isProved = false
            if let session {
                isProved =
                    try transaction.value(
                        """
                        SELECT pin_verified_until > ?1 FROM sessions
                        WHERE id = ?2 AND account = ?3 AND expires > ?1
                        """, now, session, account) ?? false
            }
            let registered: Timestamp? = try transaction.value("SELECT created FROM accounts WHERE id = ?", account)
            return PINStanding(
                isSet: pin != nil, isProved: isProved, isReplaceable: pin?.attempts.locked ?? false || isHeld,
                registered: registered ?? now)
        }
    }

    /// Sets the PIN, clears its failures and lock, and the password's count. What the old PIN had opened is closed: the
    /// account's sessions count as without PIN. The sessions that this changed; nil, and nothing done, where the
    /// account has another password hash by now. Facts: `SessionChanged` for each; `CredentialChanged` and
    /// `LetterQueued` where there was a PIN before.
    package func setPIN(_ change: PINChange, by cause: Cause) async throws(Fault) -> [SessionID]? {
        try await store.write { transaction in
            let account = change.account
            guard try Self.passwordHash(of: account, in: transaction) == change.passwordHash else { return nil }
            try Attempts.clearLogin(transaction, change.loginName)
            let wasSet = try PINRow.fetch(transaction, account: account) != nil
            try transaction.run(
                """
                INSERT INTO pins (account, hash, failures, next_try, locked) VALUES (?, ?, 0, NULL, 0)
                ON CONFLICT (account) DO UPDATE SET hash = excluded.hash, failures = 0, next_try = NULL, locked = 0
                """, account, change.hash)
            var condition = "pin_verified_until > ?2"
            if wasSet || change.heldUntil != nil {
                try Self.publishChange(
                    .pin, of: account, at: Auth.Profile.fetch(transaction, of: account).email, change.letter,
                    in: transaction, by: cause)
                if let until = change.heldUntil {
                    try Self.hold(account, until: until, in: transaction)
                    condition = "expires > ?2"
                }
            }
            let changed = try Self.publishChanged(account, where: condition, in: transaction, by: cause)
            try transaction.run("UPDATE sessions SET pin_verified_until = NULL WHERE account = ?", account)
            return changed
        }
    }

    /// Counts a try as wrong, unless it may not be made. Fact: `PINLocked` where a lock is found missing (the process
    /// ended between the last try and its lock).
    package func beginPIN(
        _ target: PINTarget, under policy: AttemptPolicy, by cause: Cause
    ) async throws(Fault) -> PINTry {
        try await store.write { transaction in
            if let session = target.session {
                guard try Self.end(of: session, target.account, in: transaction, at: cause.time) != nil else {
                    return .noSession
                }
            }
            guard let pin = try PINRow.fetch(transaction, account: target.account, policy, at: cause.time) else {
                return .notSet
            }
            let isSimulated: Bool? = try transaction.value(
                "SELECT simulated FROM accounts WHERE id = ?", target.account)
            let ruling = isSimulated == true ? .off : policy
            switch ruling.decide(pin.attempts, at: cause.time) {
            case .wait(let seconds): return .wait(seconds: seconds)
            case .locked:
                if !pin.attempts.locked { try Self.lock(pin, in: transaction, by: cause) }
                return .locked
            case .check:
                let counted = ruling.counting(pin.attempts, at: cause.time)
                try pin.write(counted, in: transaction)
                return .check(hash: pin.hash, ticket: counted.failures, ruling)
            }
        }
    }

    /// Gives back a try that was never checked.
    package func refundPIN(of account: PartyID, ticket: Int, under policy: AttemptPolicy) async throws(Fault) {
        try await store.write { transaction in
            guard let pin = try PINRow.fetch(transaction, account: account) else { return }
            try pin.write(policy.refunding(pin.attempts, ticket: ticket), in: transaction)
        }
    }

    /// Settles a wrong try. Returns when the next is accepted, if that is later than now. Fact: `PINLocked`, once.
    package func rejectPIN(
        of account: PartyID, under policy: AttemptPolicy, by cause: Cause
    ) async throws(Fault) -> Timestamp? {
        try await store.write { transaction in
            guard let pin = try PINRow.fetch(transaction, account: account, policy, at: cause.time) else { return nil }
            let rejected = policy.rejecting(pin.attempts)
            if rejected.locked {
                if !pin.attempts.locked { try Self.lock(pin, in: transaction, by: cause) }
                return nil
            }
            return rejected.nextTry.flatMap { $0 > cause.time ? $0 : nil }
        }
    }

    /// Settles a right try: clears the count and marks the session.
    package func confirmPIN(_ proof: PINProof, by cause: Cause) async throws(Fault) -> PINConfirming {
        try await store.write { transaction in
            guard let pin = try PINRow.fetch(transaction, account: proof.target.account), pin.hash == proof.hash else {
                return .replaced
            }
            guard !pin.attempts.locked else { return .locked }
            try pin.write(Attempts(), hash: proof.newHash, in: transaction)
            guard let session = proof.target.session else { return .verified(until: proof.verifiedUntil) }
            guard let expires = try Self.end(of: session, proof.target.account, in: transaction, at: cause.time) else {
                return .noSession
            }
            let until = min(proof.verifiedUntil, expires)
            try transaction.run("UPDATE sessions SET pin_verified_until = ? WHERE id = ?", until, session)
            return .verified(until: until)
        }
    }

    /// Nil unless the session is open and belongs to the account.
    private static func end(
        of session: SessionID, _ account: PartyID, in transaction: Transaction, at now: Timestamp
    ) throws -> Timestamp? {
        try transaction.value(
            "SELECT expires FROM sessions WHERE id = ? AND account = ? AND expires > ?", session, account, now)
    }

    /// Called once for each lock, so the fact is published once.
    private static func lock(_ pin: PINRow, in transaction: Transaction, by cause: Cause) throws {
        var locked = pin.attempts
        locked.locked = true
        try pin.write(locked, in: transaction)
        try transaction.publish(Auth.PINLocked(account: pin.account, time: cause.time), by: cause)
    }
}

private struct PINRow {
    let account: PartyID
    let hash: String
    let attempts: Attempts

    static func fetch(_ transaction: Transaction, account: PartyID) throws -> PINRow? {
        return try transaction.first("SELECT hash, failures, next_try, locked FROM pins WHERE account = ?", account) {
            row in
            PINRow(
                account: account, hash: try row[0],
                attempts: Attempts(failures: try row[1], nextTry: try row[2], locked: try row[3]))
        }
    }

    /// Corrects delays in the row that the policy cannot have caused.
    static func fetch(
        _ transaction: Transaction, account: PartyID, _ policy: AttemptPolicy, at now: Timestamp
    ) throws -> PINRow? {
        guard let stored = try fetch(transaction, account: account) else { return nil }
        let attempts = policy.bounded(stored.attempts, at: now)
        if attempts != stored.attempts { try stored.write(attempts, in: transaction) }
        return PINRow(account: account, hash: stored.hash, attempts: attempts)
    }

    func write(_ attempts: Attempts, hash newHash: String? = nil, in transaction: Transaction) throws {
        try transaction.run(
            "UPDATE pins SET hash = ?, failures = ?, next_try = ?, locked = ? WHERE account = ?", newHash ?? hash,
            attempts.failures, attempts.nextTry, attempts.locked, account)
    }
}
