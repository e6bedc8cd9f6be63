import Bus
import Contracts
import Primitives
import Storage

extension AccountStore {
    package func account(_ id: PartyID) async throws(Fault) -> AccountRecord? {
        try await store.read { transaction in try AccountRecord.fetch(transaction, id: id) }
    }

    /// Exact, case-sensitive match.
    package func account(named username: String) async throws(Fault) -> AccountRecord? {
        try await store.read { transaction in try AccountRecord.fetch(transaction, username: username) }
    }

    /// Fact: `AccountRegistered`.
    package func register(
        _ registration: Registration, passwordHash: String, by cause: Cause
    ) async throws(Fault) -> Registering {
        try await store.write { transaction in
            if let existing = try AccountRecord.fetch(transaction, id: registration.account) {
                return .exists(existing)
            }
            guard try AccountRecord.fetch(transaction, username: registration.username) == nil else {
                return .usernameTaken
            }
            try transaction.run(
                """
                INSERT INTO accounts (id, role, username, name, password, fingerprint, created, simulated)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, registration.account, registration.role.rawValue, registration.username, registration.name,
                passwordHash, registration.fingerprint, cause.time, registration.isSimulated)
            let profile = registration.profile
            try profile.write(of: registration.account, in: transaction)
            if let status = registration.status {
                try transaction.run(
                    "INSERT INTO approvals (account, status) VALUES (?, ?)", registration.account, status.rawValue)
            }
            try transaction.publish(
                Auth.AccountRegistered(
                    account: registration.account, role: registration.role, name: registration.name,
                    time: cause.time, username: registration.username, birthdate: profile.birthdate,
                    gender: profile.gender, student: profile.student, status: registration.status,
                    productTypes: profile.productTypes), by: cause)
            return .registered(
                Auth.AccountView(
                    account: registration.account, role: registration.role, username: registration.username,
                    name: registration.name, status: registration.status))
        }
    }
}

extension AccountRecord {
    private static let columns = """
        SELECT id, role, username, name, password, fingerprint, status, reason
        FROM accounts LEFT JOIN approvals ON account = id
        """

    static func fetch(_ transaction: Transaction, id: PartyID) throws -> AccountRecord? {
        return try transaction.first(columns + " WHERE id = ?", id, as: AccountRecord.init)
    }

    static func fetch(_ transaction: Transaction, username: String) throws -> AccountRecord? {
        // A text that cannot be a username names no account; its tries are counted apart.
        guard Registration.isUsername(username) else { return nil }
        return try transaction.first(columns + " WHERE username = ?", username, as: AccountRecord.init)
    }

    private init(_ row: Row) throws {
        view = Auth.AccountView(
            account: try row[0], role: try row.choice(1), username: try row[2], name: try row[3],
            status: try row.choiceIfAny(6))
        reason = try row[7]
        passwordHash = try row[4]
        fingerprint = try row[5]
    }
}
