import Contracts
import Foundation
import GRDB
import Primitives

extension SQLiteAccountStore {
    package func account(_ id: PartyID) async throws(Fault) -> AccountRecord? {
        try await read { database in try AccountRecord.fetch(database, id: id) }
    }

    package func account(named username: String) async throws(Fault) -> AccountRecord? {
        try await read { database in try AccountRecord.fetch(database, username: username) }
    }

    package func register(
        _ registration: Registration, passwordHash: String, by cause: Cause
    ) async throws(Fault) -> Registering {
        try await write(by: cause) { database, facts in
            if let existing = try AccountRecord.fetch(database, id: registration.account) { return .exists(existing) }
            guard try AccountRecord.fetch(database, username: registration.username) == nil else {
                return .usernameTaken
            }
            try database.cachedStatement(
                sql: """
                    INSERT INTO accounts (id, role, username, name, password, fingerprint, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                registration.account.column, registration.role.rawValue, registration.username, registration.name,
                passwordHash, Data(registration.fingerprint), cause.time.column
            ])
            let profile = registration.profile
            try profile.write(of: registration.account, in: database)
            if let status = registration.status {
                try database.cachedStatement(sql: "INSERT INTO approvals (account, status) VALUES (?, ?)")
                    .execute(arguments: [registration.account.column, status.rawValue])
            }
            try facts.append(
                Auth.AccountRegistered(
                    account: registration.account, role: registration.role, name: registration.name,
                    time: cause.time, username: registration.username, birthdate: profile.birthdate,
                    gender: profile.gender, student: profile.student, status: registration.status,
                    productTypes: profile.productTypes),
                in: database)
            return .registered(
                Auth.AccountView(
                    account: registration.account, role: registration.role, username: registration.username,
                    name: registration.name, status: registration.status))
        }
    }
}

extension AccountRecord {
    private static let columns = """
        SELECT id, role, username, name, password, fingerprint, status
        FROM accounts LEFT JOIN approvals ON account = id
        """

    static func fetch(_ database: Database, id: PartyID) throws -> AccountRecord? {
        let statement = try database.cachedStatement(sql: columns + " WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id.column]).map(AccountRecord.init)
    }

    static func fetch(_ database: Database, username: String) throws -> AccountRecord? {
        // GRDB hands text over up to its first NUL: "alice\0…" would find alice, and with a count of its own for each
        // of its endings.
        guard Registration.isUsername(username) else { return nil }
        let statement = try database.cachedStatement(sql: columns + " WHERE username = ?")
        return try Row.fetchOne(statement, arguments: [username]).map(AccountRecord.init)
    }

    private init(_ row: Row) throws {
        view = Auth.AccountView(
            account: try row.identifier(0), role: try Auth.Role(column: row[1]), username: row[2], name: row[3],
            status: try (row[6] as String?).map(Auth.MerchantStatus.init(column:)))
        passwordHash = row[4]
        fingerprint = [UInt8](row[5] as Data)
    }
}

extension Auth.Role {
    /// The schema lets no other text in; a file from elsewhere might hold one.
    init(column: String) throws {
        guard let role = Auth.Role(rawValue: column) else { throw UnreadableColumn() }
        self = role
    }
}

extension Auth.MerchantStatus {
    init(column: String) throws {
        guard let status = Auth.MerchantStatus(rawValue: column) else { throw UnreadableColumn() }
        self = status
    }
}
