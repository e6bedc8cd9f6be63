import Bus
import Contracts
import Primitives
import Storage

extension AccountStore {
    /// Sets the password, clears the name's count, ends the other sessions and takes a mailed code back. The sessions
    /// that this ended; nil, and nothing done, where the account has another password hash by now than the one that was
    /// checked. Facts: `CredentialChanged`, `LetterQueued`, `SessionClosed` for each.
    package func changePassword(_ change: PasswordChange, by cause: Cause) async throws(Fault) -> [SessionID]? {
        try await store.write { transaction in
            guard let hash = try Self.passwordHash(of: change.account, in: transaction),
                hash == change.passwordHash ?? hash
            else { return nil }
            try Attempts.clearLogin(transaction, change.loginName)
            try Self.publishChange(
                .password, of: change.account, at: Auth.Profile.fetch(transaction, of: change.account).email,
                change.letter, in: transaction, by: cause)
            try Self.setPasswordHash(change.newPasswordHash, of: change.account, in: transaction)
            // A waiting letter's code would reopen what was just closed.
            try transaction.run("DELETE FROM resets WHERE account = ?", change.account)
            return try Self.endAll(of: change.account, but: change.staying, in: transaction, by: cause)
        }
    }

    /// Counts a request under the name and, where name and address are of one account, writes down a letter to be sent,
    /// in the place of an earlier one. Seconds to wait, and nothing done, where there were too many. Counts and commits
    /// the same whether or not they are. Fact: `LetterQueued` where they are.
    package func requestReset(
        _ request: ResetRequest, under policy: AttemptPolicy, by cause: Cause
    ) async throws(Fault) -> Int? {
        try await store.write { transaction in
            // Stored for every name, so that every request costs a commit.
            if case .wait(let seconds) = try Attempts.count(transaction, request.name, under: policy, at: cause.time) {
                return seconds
            }
            guard let account = try AccountRecord.fetch(transaction, username: request.name.username)?.view.account,
                let email = try Auth.Profile.fetch(transaction, of: account).email,
                EmailAddress.same(email, request.email)
            else { return nil }
            try transaction.run(
                """
                INSERT INTO resets (id, account, expires, sent) VALUES (?, ?, ?, 0)
                ON CONFLICT (account) DO UPDATE SET id = excluded.id, expires = excluded.expires, sent = 0
                """, request.id, account, request.expires)
            try transaction.publish(
                Auth.LetterQueued(
                    letter: request.id.reinterpreted(), account: account, kind: .code, expires: request.expires,
                    time: cause.time), by: cause)
            return nil
        }
    }

    /// The valid codes of a kind that were mailed to the account of a username; nil where there are none.
    package func mailedCodes(
        of username: String, _ kind: MailedCode, at now: Timestamp
    ) async throws(Fault) -> (ids: [ResetID], account: PartyID)? {
        try await store.read { transaction in
            guard let account = try AccountRecord.fetch(transaction, username: username)?.view.account else {
                return nil
            }
            let ids: [ResetID] = try transaction.values(kind.select, account, now)
            return ids.isEmpty ? nil : (ids, account)
        }
    }

    /// Counts a wrong code, of names that nobody has too.
    ///
    /// - Returns: the seconds to wait where there were too many before; this one is not counted then.
    package func countWrongCode(
        _ name: LoginName, under policy: AttemptPolicy, at now: Timestamp
    ) async throws(Fault) -> Int? {
        try await store.write { transaction in
            switch try Attempts.count(transaction, name, under: policy, at: now) {
            case .wait(let seconds): seconds
            case .counted: nil
            }
        }
    }

    /// Sets the password, clears the counts, ends all sessions and spends the code; puts the address back where the
    /// code is for that, and spends the codes of later changes. The sessions that this ended; nil, and nothing done,
    /// where the code is spent or expired by now. Facts: `CredentialChanged`, `LetterQueued`, `SessionClosed` for each.
    package func useReset(_ use: ResetUse, by cause: Cause) async throws(Fault) -> [SessionID]? {
        try await store.write { transaction -> [SessionID]? in
            switch use.kind {
            case .newPassword:
                let used = try transaction.run(
                    "DELETE FROM resets WHERE id = ? AND account = ? AND expires > ?", use.reset, use.account,
                    cause.time)
                guard used > 0 else { return nil }
            case .oldAddress:
                guard try Self.restore(use, in: transaction, at: cause.time) else { return nil }
            }
            try Attempts.clearLogin(transaction, use.codeName)
            try Attempts.clearLogin(transaction, use.loginName)
            try Self.hold(use.account, until: use.heldUntil, in: transaction)
            try Self.publishChange(
                use.kind == .oldAddress ? .restoredAddress : .resetPassword, of: use.account,
                at: Auth.Profile.fetch(transaction, of: use.account).email, use.letter, in: transaction, by: cause)
            try Self.setPasswordHash(use.newPasswordHash, of: use.account, in: transaction)
            return try Self.endAll(of: use.account, but: nil, in: transaction, by: cause)
        }
    }

    /// Restores the address. Spends the codes of later changes, which the person behind them may have, and not those of
    /// earlier changes.
    private static func restore(_ use: ResetUse, in transaction: Transaction, at now: Timestamp) throws -> Bool {
        let restoration = try transaction.first(
            "SELECT email, changed FROM restorations WHERE id = ? AND account = ? AND expires > ?", use.reset,
            use.account, now
        ) { row in (email: try row[0] as String, changed: try row[1] as Timestamp) }
        guard let (email, changed) = restoration else { return false }
        try transaction.run("DELETE FROM restorations WHERE account = ? AND changed >= ?", use.account, changed)
        try transaction.run("DELETE FROM resets WHERE account = ?", use.account)
        let profile = try Auth.Profile.fetch(transaction, of: use.account)
        try profile.replacing([.email], by: Auth.Profile(email: email)).write(of: use.account, in: transaction)
        return true
    }
}

extension MailedCode {
    /// The ids of an account's codes, those of the oldest changes first, as they are the owner's.
    fileprivate var select: String {
        switch self {
        case .newPassword: "SELECT id FROM resets WHERE account = ? AND expires > ?"
        case .oldAddress:
            "SELECT id FROM restorations WHERE account = ? AND expires > ? ORDER BY changed LIMIT \(Self.codesMax)"
        }
    }

    /// The number of codes that one try is compared with.
    private static let codesMax = 100
}
