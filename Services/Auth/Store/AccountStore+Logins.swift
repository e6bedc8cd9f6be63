import Contracts
import Primitives
import Storage

extension AccountStore {
    /// Counts a try at a name as wrong, unless it has to wait; the same for names that do not exist.
    package func beginLogin(
        _ name: LoginName, under policy: AttemptPolicy, at now: Timestamp
    ) async throws(Fault) -> LoginTry {
        try await store.write { transaction in
            switch try Attempts.count(transaction, name, under: policy, at: now) {
            case .wait(let seconds): .wait(seconds: seconds)
            case .counted(let ticket):
                .check(try AccountRecord.fetch(transaction, username: name.username), ticket: ticket)
            }
        }
    }

    /// Gives back a try that was never checked.
    package func refundLogin(_ name: LoginName, ticket: Int, under policy: AttemptPolicy) async throws(Fault) {
        try await store.write { transaction in
            let refunded = policy.refunding(try Attempts.ofLogin(transaction, name), ticket: ticket)
            if refunded.failures == 0 { return try Attempts.clearLogin(transaction, name) }
            try transaction.run(
                "UPDATE logins SET failures = ?, next_try = ? WHERE name = ?", refunded.failures, refunded.nextTry,
                name.digest)
        }
    }

    /// Forgets wrong tries after a right one.
    package func clearLogin(_ name: LoginName) async throws(Fault) {
        try await store.write { transaction in try Attempts.clearLogin(transaction, name) }
    }
}

extension Attempts {
    enum Counting {
        case counted(ticket: Int)
        case wait(seconds: Int)
    }

    /// Counts one more try under a name, unless it has to wait.
    static func count(
        _ transaction: Transaction, _ name: LoginName, under policy: AttemptPolicy, at now: Timestamp
    ) throws -> Counting {
        let stored = try ofLogin(transaction, name)
        let attempts = policy.bounded(stored, at: now)
        if attempts != stored {
            try transaction.run("UPDATE logins SET next_try = ? WHERE name = ?", attempts.nextTry, name.digest)
        }
        switch policy.decide(attempts, at: now) {
        case .wait(let seconds): return .wait(seconds: seconds)
        // A policy for passwords should not lock (see `AttemptPolicy.login`). If one does, people have to wait.
        case .locked: return .wait(seconds: policy.delayMaxSeconds)
        case .check:
            let counted = policy.counting(attempts, at: now)
            try transaction.run(
                """
                INSERT INTO logins (name, failures, next_try, last_try) VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET failures = excluded.failures, next_try = excluded.next_try,
                    last_try = excluded.last_try
                """, name.digest, counted.failures, counted.nextTry, now)
            return .counted(ticket: counted.failures)
        }
    }

    fileprivate static func ofLogin(_ transaction: Transaction, _ name: LoginName) throws -> Attempts {
        try transaction.first("SELECT failures, next_try FROM logins WHERE name = ?", name.digest) { row in
            Attempts(failures: try row[0], nextTry: try row[1])
        } ?? Attempts()
    }

    static func clearLogin(_ transaction: Transaction, _ name: LoginName) throws {
        try transaction.run("DELETE FROM logins WHERE name = ?", name.digest)
    }
}
