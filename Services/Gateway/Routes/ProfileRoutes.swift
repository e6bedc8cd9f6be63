import Contracts
import NIOCore
import Primitives
import Schemas
import Wire

/// What an account says of itself, as one form: what is left out stays as it is, and null erases.
package struct AccountSettings: RequestBody, Equatable {
    package let name: String?
    package let firstName: String?
    package let lastName: String?
    package let email: String?
    package let birthdate: CivilDate?
    package let gender: Auth.Gender?
    package let student: Bool?
    package let businessName: String?
    package let address: String?
    package let productTypes: [String]?
    package let password: String?
    package let pin: String?

    static let notes: [String: SchemaNote] = SchemaNote.profile.merging(SchemaNote.businessUnlessCustomer) { $1 }
        .merging([
            "name": SchemaNote(
                "What others see; as it was where none is given. It cannot be erased.", lengths: 1...100,
                example: "Ada"),
            "email": SchemaNote(
                "Where codes for a new password are mailed to. Another one, or null, needs `password` too, and the PIN of an "
                    + "account that has one. The old address gets a code that puts it back.",
                constraints: [.init("minLength", 3), .init("maxLength", 254)], example: nil),
            "password": SchemaNote(
                "The present one. For another `email` only.",
                constraints: [.init("minLength", 8), .init("maxLength", 128)], example: nil),
            "pin": SchemaNote(
                "For another `email`, where the PIN was not entered in this session lately.",
                constraints: [.init("pattern", "^[0-9]{4}$")], example: nil)
        ]) { $1 }

    /// Those of the profile that a body holds, with a value or null.
    static func fields(in body: ByteBuffer) throws(Fault) -> [Auth.ProfileField] {
        do throws(WireError) {
            guard case .object(let members) = try JSONValue(parsing: Array(body.readableBytesView)) else { return [] }
            return members.compactMap { Auth.ProfileField(rawValue: $0.key) }
        } catch {
            throw Fault(error)
        }
    }

    var profile: Auth.Profile {
        Auth.Profile(
            firstName: firstName, lastName: lastName, email: email, birthdate: birthdate, gender: gender,
            student: student, businessName: businessName, address: address, productTypes: productTypes)
    }
}

/// The same as it is shown.
package struct AccountSettingsView: WireMessage, Equatable {
    package let username: String
    package let role: Auth.Role
    /// A merchant's.
    package let status: Auth.MerchantStatus?
    /// The administrator's words with the decision about a merchant.
    package let reason: String?
    package let name: String
    package let firstName: String?
    package let lastName: String?
    package let email: String?
    package let birthdate: CivilDate?
    package let gender: Auth.Gender?
    package let student: Bool?
    package let businessName: String?
    package let address: String?
    package let productTypes: [String]?

    init(_ view: Auth.ProfileView) {
        username = view.username
        role = view.role
        status = view.status
        reason = view.reason
        name = view.name
        firstName = view.profile.firstName
        lastName = view.profile.lastName
        email = view.profile.email
        birthdate = view.profile.birthdate
        gender = view.profile.gender
        student = view.profile.student
        businessName = view.profile.businessName
        address = view.profile.address
        productTypes = view.profile.productTypes
    }
}

package struct PasswordSettings: RequestBody, Equatable {
    package let password: String
    package let newPassword: String
    package let confirmPassword: String?
    package let pin: String?

    static let notes: [String: SchemaNote] = [
        "password": SchemaNote("The present one.", lengths: 8...128, example: "correct horse battery staple"),
        "newPassword": SchemaNote("8 to 128 bytes of UTF-8.", lengths: 8...128, example: "wrong donkey tractor pin"),
        "confirmPassword": .confirmation("wrong donkey tractor pin"),
        "pin": SchemaNote(
            "Where the account has one, and it was not entered in this session lately.", pattern: "^[0-9]{4}$",
            example: "4711")
    ]
}

extension SchemaNote {
    /// The fields of everybody's form.
    static let profile: [String: SchemaNote] = [
        "firstName": SchemaNote("At most 100 bytes of UTF-8.", lengths: 1...100, example: "Ada"),
        "lastName": SchemaNote("At most 100 bytes of UTF-8.", lengths: 1...100, example: "Lovelace"),
        "email": SchemaNote(
            "Where codes for a new password are mailed to.", lengths: 3...254, example: "ada@example.com"),
        "birthdate": SchemaNote("From 1900 on, and past."),
        "gender": SchemaNote("Whoever does not say gets what is for everybody."),
        "student": SchemaNote("Whether offers for students are wanted.", example: true)
    ]

    /// The further fields of a merchant's form.
    static let business: [String: SchemaNote] = [
        "businessName": SchemaNote(
            "What the business is called more exactly; at most 100 bytes of UTF-8.", lengths: 1...100,
            example: "Blue Bottle Coffee, Inc."),
        "address": SchemaNote(
            "The primary location in words; at most 250 bytes of UTF-8.", lengths: 1...250,
            example: "1 Aspen Avenue, Flagstaff"),
        "productTypes": SchemaNote(
            "What is sold; `GET /v1/categories` has the list.",
            constraints: [
                .init(
                    "items",
                    ["type": "string", "enum": .array(Category.allCases.map { .string($0.rawValue) })]),
                .init("maxItems", 20), .init("uniqueItems", true)
            ], example: ["coffee", "food"])
    ]

    /// The same where customers are shown the form too: it is no example for them.
    static var businessUnlessCustomer: [String: SchemaNote] {
        business.mapValues { note in
            SchemaNote(note.summary + " A merchant's.", constraints: note.constraints, example: nil)
        }
    }

    /// - Parameter password: the example of what is to be repeated.
    static func confirmation(_ password: String) -> SchemaNote {
        SchemaNote(
            "The new password once more: refused unless it is exactly the same (001-43).", lengths: 0...128,
            example: .string(password))
    }
}

extension RouteTable {
    static let profiles = [
        Route(
            .get, "/v1/settings/account", "readAccountSettings", "What the account says of itself", for: .loggedIn,
            asks: [Auth.ReadProfile.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<AccountSettingsView> in
            Given(AccountSettingsView(try await call.ask(Auth.ReadProfile(account: call.account))))
        },
        Route(
            .put, "/v1/settings/account", "changeAccountSettings",
            "Changes what the account says of itself: fields that are absent stay as they are, null erases",
            for: .loggedIn, rate: .login, asks: [Auth.UpdateProfile.self]
        ) { (call: Call, body: AccountSettings) async throws(Fault) -> Given<AccountSettingsView> in
            let session = call.login.view.session
            try requireCategories(body.productTypes)
            // A password costs auth a hash.
            if body.password != nil { try call.spend(call.account.hex) }
            let updated = try await call.ask(
                Auth.UpdateProfile(
                    account: call.account, name: body.name, profile: body.profile,
                    fields: try AccountSettings.fields(in: call.body), session: session, password: body.password,
                    pin: body.pin))
            // Before auth's fact arrives: with another address transfers are held from here on.
            if body.password != nil { call.edge.sessionChanged(session) }
            return Given(AccountSettingsView(updated))
        },
        Route(
            .put, "/v1/settings/password", "changePassword", "Sets another password and ends all other sessions",
            for: .loggedIn, rate: .login, status: 204, asks: [Auth.ChangePassword.self], faults: [.passwordsDiffer]
        ) { (call: Call, body: PasswordSettings) async throws(Fault) -> Given<Nothing> in
            try call.spend(call.account.hex)
            try requireSame(body.newPassword, body.confirmPassword)
            let changed = try await call.ask(
                Auth.ChangePassword(
                    account: call.account, session: call.login.view.session, password: body.password,
                    newPassword: body.newPassword, pin: body.pin))
            for session in changed.closed { call.edge.sessionEnded(session, of: call.account) }
            return Given(Nothing())
        }
    ]

    /// - Throws: `gateway.passwords_differ` where a confirmation is given that is another one, to the byte.
    static func requireSame(_ password: String, _ confirmation: String?) throws(Fault) {
        guard let confirmation else { return }
        guard password.utf8.elementsEqual(confirmation.utf8) else { throw Fault(.passwordsDiffer) }
    }
}
