import Contracts
import Foundation
import GRDB
import Primitives

extension SQLiteAccountStore {
    package func changePassword(_ change: PasswordChange, by cause: Cause) async throws(Fault) -> [SessionID]? {
        try await write(by: cause) { database, facts in
            guard let hash = try Self.passwordHash(of: change.account, in: database),
                hash == change.passwordHash ?? hash
            else { return nil }
            try Attempts.clearLogin(database, change.loginName)
            try Self.tell(
                .password, of: change.account, at: Auth.Profile.fetch(database, of: change.account).email,
                change.letter, in: database, &facts)
            try Self.setPasswordHash(change.newPasswordHash, of: change.account, in: database)
            // A letter that is on its way would open what was closed just now.
            try database.cachedStatement(sql: "DELETE FROM resets WHERE account = ?")
                .execute(arguments: [change.account.column])
            return try Self.endAll(of: change.account, but: change.staying, in: database, &facts)
        }
    }

    package func requestReset(
        _ request: ResetRequest, under policy: AttemptPolicy, by cause: Cause
    ) async throws(Fault) -> Int? {
        try await write(by: cause) { database, facts in
            // Written down for every name, so that every request costs a commit.
            if case .wait(let seconds) = try Attempts.count(database, request.name, under: policy, at: cause.time) {
                return seconds
            }
            guard let account = try AccountRecord.fetch(database, username: request.name.username)?.view.account,
                let email = try Auth.Profile.fetch(database, of: account).email,
                EmailAddress.same(email, request.email)
            else { return nil }
            try database.cachedStatement(
                sql: """
                    INSERT INTO resets (id, account, expires, sent) VALUES (?, ?, ?, 0)
                    ON CONFLICT (account) DO UPDATE SET id = excluded.id, expires = excluded.expires, sent = 0
                    """
            ).execute(arguments: [request.id.column, account.column, request.expires.column])
            try facts.append(
                Auth.LetterQueued(
                    letter: request.id.reinterpreted(), account: account, kind: .code, expires: request.expires,
                    time: cause.time),
                in: database)
            return nil
        }
    }

    package func beginReset(
        _ name: LoginName, _ kind: MailedCode, under policy: AttemptPolicy, at now: Timestamp
    ) async throws(Fault) -> ResetTry {
        try await write { database in
            switch try Attempts.count(database, name, under: policy, at: now) {
            case .wait(let seconds): return .wait(seconds: seconds)
            case .counted(let ticket):
                guard let account = try AccountRecord.fetch(database, username: name.username)?.view.account else {
                    return .check(nil, ticket: ticket)
                }
                let rows = try Row.fetchAll(
                    database.cachedStatement(sql: kind.select), arguments: [account.column, now.column])
                let ids: [ResetID] = try rows.map { try $0.identifier(0) }
                return .check(ids.isEmpty ? nil : (ids, account), ticket: ticket)
            }
        }
    }

    package func useReset(_ use: ResetUse, by cause: Cause) async throws(Fault) -> [SessionID]? {
        try await write(by: cause) { database, facts in
            switch use.kind {
            case .newPassword:
                try database.cachedStatement(sql: "DELETE FROM resets WHERE id = ? AND account = ? AND expires > ?")
                    .execute(arguments: [use.reset.column, use.account.column, cause.time.column])
                guard database.changesCount > 0 else { return nil }
            case .oldAddress:
                guard try Self.restore(use, in: database, at: cause.time) else { return nil }
            }
            try Attempts.clearLogin(database, use.codeName)
            try Attempts.clearLogin(database, use.loginName)
            try Self.hold(use.account, until: use.heldUntil, in: database)
            try Self.tell(
                use.kind == .oldAddress ? .restoredAddress : .resetPassword, of: use.account,
                at: Auth.Profile.fetch(database, of: use.account).email, use.letter, in: database, &facts)
            try Self.setPasswordHash(use.newPasswordHash, of: use.account, in: database)
            return try Self.endAll(of: use.account, but: nil, in: database, &facts)
        }
    }

    /// Puts the address back. Codes of later changes are spent, as the person behind those changes may have them; codes of
    /// earlier changes are not.
    private static func restore(_ use: ResetUse, in database: Database, at now: Timestamp) throws -> Bool {
        guard
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT email, changed FROM restorations WHERE id = ? AND account = ? AND expires > ?"),
                arguments: [use.reset.column, use.account.column, now.column])
        else { return false }
        let changed: Int64 = row[1]
        try database.cachedStatement(sql: "DELETE FROM restorations WHERE account = ? AND changed >= ?")
            .execute(arguments: [use.account.column, changed])
        try database.cachedStatement(sql: "DELETE FROM resets WHERE account = ?")
            .execute(arguments: [use.account.column])
        let profile = try Auth.Profile.fetch(database, of: use.account)
        try profile.replacing([.email], by: Auth.Profile(email: row[0])).write(of: use.account, in: database)
        return true
    }
}

extension MailedCode {
    /// The ids of an account's codes, those of the oldest changes first: they are its owner's.
    fileprivate var select: String {
        switch self {
        case .newPassword: "SELECT id FROM resets WHERE account = ? AND expires > ?"
        case .oldAddress:
            "SELECT id FROM restorations WHERE account = ? AND expires > ? ORDER BY changed LIMIT \(Self.codesMax)"
        }
    }

    /// Codes that one try is compared with.
    private static let codesMax = 100
}
