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

    package func updateProfile(_ update: ProfileUpdate, by cause: Cause) async throws(Fault) -> ProfileUpdating {
        try await write(by: cause) { database, facts in
            let account = update.account
            guard let record = try AccountRecord.fetch(database, id: account) else { return .unknown }
            let view = record.view
            let before = view.with(try Auth.Profile.fetch(database, of: account))
            let profile = before.profile.replacing(update.fields, by: update.profile)
            if !EmailAddress.same(profile.email, before.profile.email) {
                guard let proof = update.proof, record.passwordHash == proof.passwordHash else { return .overtaken }
                let letter = proof.letter
                if case .wait(let seconds) = try Attempts.count(
                    database, letter.name, under: letter.policy, at: cause.time)
                {
                    return .wait(seconds: seconds)
                }
                try Attempts.clearLogin(database, proof.loginName)
                try Self.replace(before.profile.email, of: account, proof, in: database, &facts)
            } else if let proof = update.proof {
                try Attempts.clearLogin(database, proof.loginName)
            }
            let after = Auth.ProfileView(
                account: account, role: view.role, username: view.username, name: update.name ?? view.name,
                profile: profile, status: view.status)
            guard after != before else { return .updated(after) }
            try database.cachedStatement(sql: "UPDATE accounts SET name = ? WHERE id = ?")
                .execute(arguments: [after.name, account.column])
            try profile.write(of: account, in: database)
            try facts.append(
                Auth.ProfileChanged(
                    account: account, role: view.role, username: view.username, name: after.name,
                    birthdate: profile.birthdate, gender: profile.gender, student: profile.student, time: cause.time,
                    productTypes: profile.productTypes),
                in: database)
            return .updated(after)
        }
    }

    /// What goes with another address: a code that puts the old one back and held transfers, if there was an old one, and no
    /// code for a new password that is on its way.
    private static func replace(
        _ email: String?, of account: PartyID, _ proof: AddressProof, in database: Database, _ facts: inout FactWriter
    ) throws {
        let letter = proof.letter
        if let email {
            try database.cachedStatement(
                sql: "INSERT INTO restorations (id, account, email, changed, expires) VALUES (?, ?, ?, ?, ?)"
            ).execute(arguments: [
                letter.id.column, account.column, email, facts.cause.time.column, letter.expires.column
            ])
            try queue(letter, about: .address, of: account, to: email, in: database, &facts)
            try hold(account, until: proof.heldUntil, in: database)
        }
        try database.cachedStatement(sql: "DELETE FROM resets WHERE account = ?").execute(arguments: [account.column])
        try facts.append(
            Auth.CredentialChanged(account: account, credential: .address, time: facts.cause.time), in: database)
        _ = try tellChanged(account, where: "expires > ?2", in: database, &facts)
    }
}

extension Auth.Profile {
    /// With these fields as another profile has them.
    func replacing(_ fields: Set<Auth.ProfileField>, by other: Auth.Profile) -> Auth.Profile {
        func pick<Value>(_ field: Auth.ProfileField, _ path: KeyPath<Auth.Profile, Value?>) -> Value? {
            fields.contains(field) ? other[keyPath: path] : self[keyPath: path]
        }
        return Auth.Profile(
            firstName: pick(.firstName, \.firstName), lastName: pick(.lastName, \.lastName),
            email: pick(.email, \.email), birthdate: pick(.birthdate, \.birthdate), gender: pick(.gender, \.gender),
            student: pick(.student, \.student), businessName: pick(.businessName, \.businessName),
            address: pick(.address, \.address), productTypes: pick(.productTypes, \.productTypes))
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
