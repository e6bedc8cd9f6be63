import Bus
import Contracts
import Primitives
import Storage

extension AccountStore {
    /// Nil where there is no such account.
    package func profile(of account: PartyID) async throws(Fault) -> Auth.ProfileView? {
        try await store.read { transaction in
            try AccountRecord.fetch(transaction, id: account).map { record in
                try record.with(Auth.Profile.fetch(transaction, of: account))
            }
        }
    }

    /// Changes fields of a profile; the name too, where one is given. Facts: `ProfileChanged` where that changed
    /// anything; `CredentialChanged`, `LetterQueued` and `SessionChanged` for each session where it changed the
    /// address.
    package func updateProfile(_ update: ProfileUpdate, by cause: Cause) async throws(Fault) -> ProfileUpdating {
        try await store.write { transaction in
            let account = update.account
            guard let record = try AccountRecord.fetch(transaction, id: account) else { return .unknown }
            let view = record.view
            let before = record.with(try Auth.Profile.fetch(transaction, of: account))
            let profile = before.profile.replacing(update.fields, by: update.profile)
            if !EmailAddress.same(profile.email, before.profile.email) {
                guard let proof = update.proof, record.passwordHash == proof.passwordHash else { return .overtaken }
                let letter = proof.letter
                if case .wait(let seconds) = try Attempts.count(
                    transaction, letter.name, under: letter.policy, at: cause.time)
                {
                    return .wait(seconds: seconds)
                }
                try Attempts.clearLogin(transaction, proof.loginName)
                try Self.replace(before.profile.email, of: account, proof, in: transaction, by: cause)
            } else if let proof = update.proof {
                try Attempts.clearLogin(transaction, proof.loginName)
            }
            let after = Auth.ProfileView(
                account: account, role: view.role, username: view.username, name: update.name ?? view.name,
                profile: profile, status: view.status, reason: record.reason)
            guard after != before else { return .updated(after) }
            try transaction.run("UPDATE accounts SET name = ? WHERE id = ?", after.name, account)
            try profile.write(of: account, in: transaction)
            try transaction.publish(
                Auth.ProfileChanged(
                    account: account, role: view.role, username: view.username, name: after.name,
                    birthdate: profile.birthdate, gender: profile.gender, student: profile.student, time: cause.time,
                    productTypes: profile.productTypes), by: cause)
            return .updated(after)
        }
    }

    /// Does what a new address requires: queues a code that restores the old address and holds transfers, if there was
    /// one, and cancels a waiting code for a new password.
    private static func replace(
        _ email: String?, of account: PartyID, _ proof: AddressProof, in transaction: Transaction, by cause: Cause
    ) throws {
        let letter = proof.letter
        if let email {
            try transaction.run(
                "INSERT INTO restorations (id, account, email, changed, expires) VALUES (?, ?, ?, ?, ?)", letter.id,
                account, email, cause.time, letter.expires)
            try queue(letter, about: .address, of: account, to: email, in: transaction, by: cause)
            try hold(account, until: proof.heldUntil, in: transaction)
        }
        try transaction.run("DELETE FROM resets WHERE account = ?", account)
        try transaction.publish(
            Auth.CredentialChanged(account: account, credential: .address, time: cause.time), by: cause)
        _ = try publishChanged(account, where: "expires > ?2", in: transaction, by: cause)
    }
}

extension Auth.Profile {
    /// Takes the named fields from another profile.
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

extension AccountRecord {
    fileprivate func with(_ profile: Auth.Profile) -> Auth.ProfileView {
        Auth.ProfileView(
            account: view.account, role: view.role, username: view.username, name: view.name, profile: profile,
            status: view.status, reason: reason)
    }
}

extension Auth.Profile {
    /// An account without a row has an empty profile.
    static func fetch(_ transaction: Transaction, of account: PartyID) throws -> Auth.Profile {
        let types: [String] = try transaction.values(
            "SELECT type FROM product_types WHERE account = ? ORDER BY place", account)
        return try transaction.first(
            """
            SELECT first_name, last_name, email, birthdate, gender, student, business_name, address
            FROM profiles WHERE account = ?
            """, account
        ) { row in
            let birthdate = try (row[3] as String?).map { text in
                guard let date = CivilDate(text) else { throw row.damage(3) }
                return date
            }
            return Auth.Profile(
                firstName: try row[0], lastName: try row[1], email: try row[2], birthdate: birthdate,
                gender: try row.choiceIfAny(4), student: try row[5], businessName: try row[6], address: try row[7],
                productTypes: types.isEmpty ? nil : types)
        } ?? Auth.Profile()
    }

    /// Replaces the stored profile.
    func write(of account: PartyID, in transaction: Transaction) throws {
        try transaction.run("DELETE FROM product_types WHERE account = ?", account)
        guard self != Auth.Profile() else {
            try transaction.run("DELETE FROM profiles WHERE account = ?", account)
            return
        }
        try transaction.run(
            """
            INSERT INTO profiles
                (account, first_name, last_name, email, birthdate, gender, student, business_name, address)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account) DO UPDATE SET first_name = excluded.first_name, last_name = excluded.last_name,
                email = excluded.email, birthdate = excluded.birthdate, gender = excluded.gender,
                student = excluded.student, business_name = excluded.business_name, address = excluded.address
            """, account, firstName, lastName, email, birthdate?.description, gender?.rawValue, student, businessName,
            address)
        for (place, type) in (productTypes ?? []).enumerated() {
            try transaction.run(
                "INSERT INTO product_types (account, place, type) VALUES (?, ?, ?)", account, place, type)
        }
    }
}
