import Contracts
import Foundation
import GRDB
import Primitives

extension SQLiteAccountStore {
    package func pinStanding(
        of account: PartyID, in session: SessionID?, at now: Timestamp
    ) async throws(Fault) -> PINStanding {
        try await read { database in
            let pin = try PINRow.fetch(database, account: account)
            let isHeld = try Self.heldUntil(account, in: database, at: now) != nil
            var isProved = false
            if let session {
                isProved =
                    try Bool.fetchOne(
                        database.cachedStatement(
                            sql: """
                                SELECT pin_verified_until > ?1 FROM sessions
                                WHERE id = ?2 AND account = ?3 AND expires > ?1
                                """), arguments: [now.column, session.column, account.column]) ?? false
            }
            let registered =
                try Int64.fetchOne(
                    database.cachedStatement(sql: "SELECT created FROM accounts WHERE id = ?"),
                    arguments: [account.column]) ?? now.milliseconds
            return PINStanding(
                isSet: pin != nil, isProved: isProved, isReplaceable: pin?.attempts.locked ?? false || isHeld,
                registered: Timestamp(milliseconds: registered))
        }
    }

    package func setPIN(_ change: PINChange, by cause: Cause) async throws(Fault) -> [SessionID]? {
        try await write(by: cause) { database, facts in
            let account = change.account
            guard try Self.passwordHash(of: account, in: database) == change.passwordHash else { return nil }
            try Attempts.clearLogin(database, change.loginName)
            let wasSet = try PINRow.fetch(database, account: account) != nil
            try database.cachedStatement(
                sql: """
                    INSERT INTO pins (account, hash, failures, next_try, locked) VALUES (?, ?, 0, NULL, 0)
                    ON CONFLICT (account) DO UPDATE SET hash = excluded.hash, failures = 0, next_try = NULL, locked = 0
                    """
            ).execute(arguments: [account.column, change.hash])
            var condition = "pin_verified_until > ?2"
            if wasSet || change.heldUntil != nil {
                try Self.tell(
                    .pin, of: account, at: Auth.Profile.fetch(database, of: account).email, change.letter,
                    in: database, &facts)
                if let until = change.heldUntil {
                    try Self.hold(account, until: until, in: database)
                    condition = "expires > ?2"
                }
            }
            let changed = try Self.tellChanged(account, where: condition, in: database, &facts)
            try database.cachedStatement(sql: "UPDATE sessions SET pin_verified_until = NULL WHERE account = ?")
                .execute(arguments: [account.column])
            return changed
        }
    }

    package func beginPIN(
        _ target: PINTarget, under policy: AttemptPolicy, by cause: Cause
    ) async throws(Fault) -> PINTry {
        try await write(by: cause) { database, facts in
            if let session = target.session {
                guard try Self.end(of: session, target.account, in: database, at: cause.time) != nil else {
                    return .noSession
                }
            }
            guard let pin = try PINRow.fetch(database, account: target.account, policy, at: cause.time) else {
                return .notSet
            }
            switch policy.decide(pin.attempts, at: cause.time) {
            case .wait(let seconds): return .wait(seconds: seconds)
            case .locked:
                if !pin.attempts.locked { try Self.lock(pin, in: database, &facts) }
                return .locked
            case .check:
                let counted = policy.counting(pin.attempts, at: cause.time)
                try pin.write(counted, in: database)
                return .check(hash: pin.hash, ticket: counted.failures)
            }
        }
    }

    package func refundPIN(of account: PartyID, ticket: Int, under policy: AttemptPolicy) async throws(Fault) {
        try await write { database in
            guard let pin = try PINRow.fetch(database, account: account) else { return }
            try pin.write(policy.refunding(pin.attempts, ticket: ticket), in: database)
        }
    }

    package func rejectPIN(
        of account: PartyID, under policy: AttemptPolicy, by cause: Cause
    ) async throws(Fault) -> Timestamp? {
        try await write(by: cause) { database, facts in
            guard let pin = try PINRow.fetch(database, account: account, policy, at: cause.time) else { return nil }
            let rejected = policy.rejecting(pin.attempts)
            if rejected.locked {
                if !pin.attempts.locked { try Self.lock(pin, in: database, &facts) }
                return nil
            }
            return rejected.nextTry.flatMap { $0 > cause.time ? $0 : nil }
        }
    }

    package func confirmPIN(_ proof: PINProof, by cause: Cause) async throws(Fault) -> PINConfirming {
        try await write { database in
            guard let pin = try PINRow.fetch(database, account: proof.target.account), pin.hash == proof.hash else {
                return .replaced
            }
            guard !pin.attempts.locked else { return .locked }
            try pin.write(Attempts(), hash: proof.newHash, in: database)
            guard let session = proof.target.session else { return .verified(until: proof.verifiedUntil) }
            guard let expires = try Self.end(of: session, proof.target.account, in: database, at: cause.time) else {
                return .noSession
            }
            let until = min(proof.verifiedUntil, expires)
            try database.cachedStatement(sql: "UPDATE sessions SET pin_verified_until = ? WHERE id = ?")
                .execute(arguments: [until.column, session.column])
            return .verified(until: until)
        }
    }

    /// Nil unless the session is the account's and open.
    private static func end(
        of session: SessionID, _ account: PartyID, in database: Database, at now: Timestamp
    ) throws -> Timestamp? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT expires FROM sessions WHERE id = ? AND account = ? AND expires > ?"),
            arguments: [session.column, account.column, now.column]
        ).map(Timestamp.init(milliseconds:))
    }

    /// Called once per lock, so the fact is told once.
    private static func lock(_ pin: PINRow, in database: Database, _ facts: inout FactWriter) throws {
        var locked = pin.attempts
        locked.locked = true
        try pin.write(locked, in: database)
        try facts.append(Auth.PINLocked(account: pin.account, time: facts.cause.time), in: database)
    }
}

private struct PINRow {
    let account: PartyID
    let hash: String
    let attempts: Attempts

    static func fetch(_ database: Database, account: PartyID) throws -> PINRow? {
        let statement = try database.cachedStatement(
            sql: "SELECT hash, failures, next_try, locked FROM pins WHERE account = ?")
        return try Row.fetchOne(statement, arguments: [account.column]).map { row in
            PINRow(
                account: account, hash: row[0],
                attempts: Attempts(failures: row[1], nextTry: row.optionalTime(2), locked: row[3]))
        }
    }

    /// With waits that the policy can have given; others are corrected in the row.
    static func fetch(
        _ database: Database, account: PartyID, _ policy: AttemptPolicy, at now: Timestamp
    ) throws -> PINRow? {
        guard let stored = try fetch(database, account: account) else { return nil }
        let attempts = policy.bounded(stored.attempts, at: now)
        if attempts != stored.attempts { try stored.write(attempts, in: database) }
        return PINRow(account: account, hash: stored.hash, attempts: attempts)
    }

    func write(_ attempts: Attempts, hash newHash: String? = nil, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE pins SET hash = ?, failures = ?, next_try = ?, locked = ? WHERE account = ?"
        ).execute(arguments: [
            newHash ?? hash, attempts.failures, attempts.nextTry?.column, attempts.locked, account.column
        ])
    }
}
