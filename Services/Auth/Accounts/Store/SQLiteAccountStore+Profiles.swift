import Contracts
import Foundation
import GRDB
import Primitives

extension SQLiteAccountStore {
    package func profile(of account: PartyID) async throws(Fault) -> Auth.ProfileView? {
        try await read { database in
            try AccountRecord.fetch(database, id: account).map { record in
                try record.view.with(Auth.Profile.fetch(database, of: account))
            }
        }
    }

    package func updateProfile(
        _ profile: Auth.Profile, name: String?, of account: PartyID, by cause: Cause
    ) async throws(Fault) -> Auth.ProfileView? {
        try await write(by: cause) { database, facts in
            guard let view = try AccountRecord.fetch(database, id: account)?.view else { return nil }
            let before = view.with(try Auth.Profile.fetch(database, of: account))
            let after = Auth.ProfileView(
                account: account, role: view.role, username: view.username, name: name ?? view.name, profile: profile,
                status: view.status)
            guard after != before else { return after }
            try database.cachedStatement(sql: "UPDATE accounts SET name = ? WHERE id = ?")
                .execute(arguments: [after.name, account.column])
            try profile.write(of: account, in: database)
            try facts.append(
                Auth.ProfileChanged(
                    account: account, role: view.role, username: view.username, name: after.name,
                    birthdate: profile.birthdate, gender: profile.gender, student: profile.student, time: cause.time,
                    productTypes: profile.productTypes),
                in: database)
            return after
        }
    }
}

extension Auth.AccountView {
    fileprivate func with(_ profile: Auth.Profile) -> Auth.ProfileView {
        Auth.ProfileView(
            account: account, role: role, username: username, name: name, profile: profile, status: status)
    }
}

extension Auth.Profile {
    /// An account without a row has said nothing.
    static func fetch(_ database: Database, of account: PartyID) throws -> Auth.Profile {
        let statement = try database.cachedStatement(
            sql: """
                SELECT first_name, last_name, email, birthdate, gender, student, business_name, address
                FROM profiles WHERE account = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [account.column]) else { return Auth.Profile() }
        let types = try String.fetchAll(
            database.cachedStatement(sql: "SELECT type FROM product_types WHERE account = ? ORDER BY place"),
            arguments: [account.column])
        return Auth.Profile(
            firstName: row[0], lastName: row[1], email: row[2],
            birthdate: try (row[3] as String?).map { text in
                guard let date = CivilDate(text) else { throw UnreadableColumn() }
                return date
            },
            gender: try (row[4] as String?).map { text in
                guard let gender = Auth.Gender(rawValue: text) else { throw UnreadableColumn() }
                return gender
            },
            student: row[5], businessName: row[6], address: row[7], productTypes: types.isEmpty ? nil : types)
    }

    /// Puts this in the place of what was written before.
    func write(of account: PartyID, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM product_types WHERE account = ?")
            .execute(arguments: [account.column])
        guard self != Auth.Profile() else {
            return try database.cachedStatement(sql: "DELETE FROM profiles WHERE account = ?")
                .execute(arguments: [account.column])
        }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO profiles
                    (account, first_name, last_name, email, birthdate, gender, student, business_name, address)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            account.column, firstName, lastName, email, birthdate?.description, gender?.rawValue, student, businessName,
            address
        ])
        for (place, type) in (productTypes ?? []).enumerated() {
            try database.cachedStatement(sql: "INSERT INTO product_types (account, place, type) VALUES (?, ?, ?)")
                .execute(arguments: [account.column, place, type])
        }
    }
}
