import Contracts
import Foundation
import GRDB
import Primitives

extension SQLiteAccountStore {
    package func beginLogin(
        _ name: LoginName, under policy: AttemptPolicy, at now: Timestamp
    ) async throws(Fault) -> LoginTry {
        try await write { database in
            switch try Attempts.count(database, name, under: policy, at: now) {
            case .wait(let seconds): .wait(seconds: seconds)
            case .counted(let ticket):
                .check(try AccountRecord.fetch(database, username: name.username), ticket: ticket)
            }
        }
    }

    package func refundLogin(_ name: LoginName, ticket: Int, under policy: AttemptPolicy) async throws(Fault) {
        try await write { database in
            let refunded = policy.refunding(try Attempts.ofLogin(database, name), ticket: ticket)
            if refunded.failures == 0 { return try Attempts.clearLogin(database, name) }
            try database.cachedStatement(sql: "UPDATE logins SET failures = ?, next_try = ? WHERE name = ?")
                .execute(arguments: [refunded.failures, refunded.nextTry?.column, Data(name.digest)])
        }
    }

    package func clearLogin(_ name: LoginName) async throws(Fault) {
        try await write { database in try Attempts.clearLogin(database, name) }
    }
}

extension Attempts {
    enum Counting {
        case counted(ticket: Int)
        case wait(seconds: Int)
    }

    /// Counts one more try under a name, unless it has to wait.
    static func count(
        _ database: Database, _ name: LoginName, under policy: AttemptPolicy, at now: Timestamp
    ) throws -> Counting {
        let stored = try ofLogin(database, name)
        let attempts = policy.bounded(stored, at: now)
        if attempts != stored {
            try database.cachedStatement(sql: "UPDATE logins SET next_try = ? WHERE name = ?")
                .execute(arguments: [attempts.nextTry?.column, Data(name.digest)])
        }
        switch policy.decide(attempts, at: now) {
        case .wait(let seconds): return .wait(seconds: seconds)
        // A policy for passwords should not lock (see `AttemptPolicy.login`); one that does makes people wait.
        case .locked: return .wait(seconds: policy.delayMaxSeconds)
        case .check:
            let counted = policy.counting(attempts, at: now)
            try database.cachedStatement(
                sql: """
                    INSERT INTO logins (name, failures, next_try, last_try) VALUES (?, ?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET failures = excluded.failures, next_try = excluded.next_try,
                        last_try = excluded.last_try
                    """
            ).execute(arguments: [Data(name.digest), counted.failures, counted.nextTry?.column, now.column])
            return .counted(ticket: counted.failures)
        }
    }

    fileprivate static func ofLogin(_ database: Database, _ name: LoginName) throws -> Attempts {
        let statement = try database.cachedStatement(sql: "SELECT failures, next_try FROM logins WHERE name = ?")
        guard let row = try Row.fetchOne(statement, arguments: [Data(name.digest)]) else { return Attempts() }
        return Attempts(failures: row[0], nextTry: row.optionalTime(1))
    }

    static func clearLogin(_ database: Database, _ name: LoginName) throws {
        try database.cachedStatement(sql: "DELETE FROM logins WHERE name = ?")
            .execute(arguments: [Data(name.digest)])
    }
}
