import Bus
import Contracts
import Primitives
import Schemas
import Sodium
import Wire

/// A customer's form: what the three apps ask for.
package struct Registration: RequestBody, Equatable {
    package let username: String
    package let password: String
    package let confirmPassword: String
    package let name: String?
    package let firstName: String?
    package let lastName: String?
    package let email: String
    package let birthdate: CivilDate
    package let gender: Auth.Gender?
    package let student: Bool
    package let regId: String?
    package let type: Int64?

    static let notes = SchemaNote.profile.merging(SchemaNote.registration) { $1 }.merging(SchemaNote.phone) { $1 }

    fileprivate var form: RegistrationForm {
        RegistrationForm(
            username: username, password: password, confirmPassword: confirmPassword, name: name,
            profile: Auth.Profile(
                firstName: firstName, lastName: lastName, email: email, birthdate: birthdate, gender: gender,
                student: student))
    }
}

/// A merchant's form. Whether it may charge is an administrator's to say.
package struct MerchantRegistration: RequestBody, Equatable {
    package let username: String
    package let password: String
    package let confirmPassword: String
    package let name: String?
    package let firstName: String?
    package let lastName: String?
    package let email: String
    package let birthdate: CivilDate?
    package let gender: Auth.Gender?
    package let student: Bool?
    package let businessName: String?
    package let address: String
    package let productTypes: [String]
    package let latitude: Int64
    package let longitude: Int64

    static let notes = SchemaNote.profile.merging(SchemaNote.business) { $1 }.merging(SchemaNote.registration) { $1 }
        .merging(["latitude": .latitude, "longitude": .longitude]) { $1 }

    fileprivate var form: RegistrationForm {
        RegistrationForm(
            username: username, password: password, confirmPassword: confirmPassword, name: name,
            profile: Auth.Profile(
                firstName: firstName, lastName: lastName, email: email, birthdate: birthdate, gender: gender,
                student: student, businessName: businessName, address: address, productTypes: productTypes))
    }
}

extension SchemaNote {
    /// The fields of a form by which a phone registers for pushes.
    fileprivate static let phone: [String: SchemaNote] = [
        "regId": SchemaNote(
            "The registration id of the phone, with `type`. Pushes then go to that phone, as after "
                + "`POST /v1/endpoints`. An id that no push service gives out is ignored.", lengths: 1...1000,
            example: "fcm-token-of-the-phone"),
        "type": SchemaNote(
            "1 Android, 2 iOS; 3, a website, has its inbox and is pushed nothing before it subscribes.",
            constraints: [.init("minimum", 1), .init("maximum", 3)], example: 1)
    ]

    fileprivate static let registration: [String: SchemaNote] = [
        "username": .username,
        "password": .password,
        "confirmPassword": .confirmation("correct horse battery staple"),
        "name": SchemaNote(
            "The name that others see, such as a merchant's on receipts. Without it, a merchant's business name, or "
                + "the username.", lengths: 1...100, example: "Blue Bottle Coffee")
    ]
}

/// The account that a merchant's form made.
package struct RegisteredMerchant: WireMessage, Equatable {
    package let account: PartyID
    package let role: Auth.Role
    package let username: String
    package let name: String
    package let status: Auth.MerchantStatus?
    /// False where location could not take the place: repeat the request with its key, or add the place to
    /// `/v1/places`.
    package let placed: Bool

    init(_ account: Auth.AccountView, placed: Bool) {
        self.account = account.account
        role = account.role
        username = account.username
        name = account.name
        status = account.status
        self.placed = placed
    }
}

/// Whether a name can be registered.
package struct UsernameView: WireMessage, Equatable {
    package let username: String
    /// No account has it. Names that the set keeps for itself are refused by the registration only.
    package let free: Bool
}

/// What both forms come to.
private struct RegistrationForm {
    let username: String
    let password: String
    let confirmPassword: String
    let name: String?
    let profile: Auth.Profile
}

extension RouteTable {
    static let accounts = [
        Route(
            .post, "/v1/customers", "registerCustomer", "Makes a customer's account", for: .everyone, key: .optional,
            rate: .registration, status: 201, asks: [Auth.RegisterAccount.self, Notifications.AddEndpoint.self],
            faults: [.passwordsDiffer]
        ) { (call: Call, body: Registration) async throws(Fault) -> Given<Auth.AccountView> in
            let phone = try phone(body)
            let made = try await register(.customer, body.form, call)
            if let phone {
                let account = made.reply.account
                // The account exists whatever comes of this. Under its own id, so that a repeat adds no second one.
                let endpoint = Notifications.AddEndpoint(
                    endpoint: account.reinterpreted(), account: account, type: phone.type, address: phone.address)
                _ = await call.askForExtra(endpoint, as: Actor(role: .customer, party: account))
            }
            return made
        },
        Route(
            .post, "/v1/merchants", "registerMerchant", "Makes a merchant's account", for: .everyone, key: .optional,
            rate: .registration, status: 201,
            asks: [
                Auth.RegisterAccount.self, Wallet.OpenAccount.self, Location.ReadPlaces.self, Location.PutPlace.self
            ],
            faults: [.passwordsDiffer, .coordinateInvalid]
        ) { (call: Call, body: MerchantRegistration) async throws(Fault) -> Given<RegisteredMerchant> in
            guard let point = Coordinate(latitude: body.latitude, longitude: body.longitude) else {
                throw Fault(.coordinateInvalid)
            }
            guard !body.productTypes.isEmpty else { throw Fault(.profileInvalid, "'productTypes' has at least one") }
            try requireCategories(body.productTypes)
            let made = try await register(.merchant, body.form, call)
            // The account exists whatever comes of this. The first payment to it opens it too.
            let account = made.reply.account
            let actor = Actor(role: .merchant, party: account)
            _ = await call.askForExtra(Wallet.OpenAccount(merchant: account), as: actor)
            let placed = await place(made.reply, at: point, isNew: !made.replayed, for: actor, call)
            return Given(RegisteredMerchant(made.reply, placed: placed), replayed: made.replayed)
        },
        Route(
            .get, "/v1/usernames", "readUsername", "Whether a username is free", for: .everyone, rate: .username,
            query: [.username], asks: [Auth.ReadAccount.self], faults: [.usernameInvalid], unseen: [.partyNotFound]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<UsernameView> in
            let username = try call.query.username()
            guard (1...64).contains(username.utf8.count), username.utf8.allSatisfy(Alphabet.username.contains) else {
                throw Fault(.usernameInvalid)
            }
            try call.spend(username)
            do throws(Fault) {
                _ = try await call.ask(Auth.ReadAccount(username: username))
                return Given(UsernameView(username: username, free: false))
            } catch {
                guard error.code == .partyNotFound else { throw error }
                return Given(UsernameView(username: username, free: true))
            }
        }
    ]

    /// Adds a merchant's first place. A late repeat of the registration leaves places as they are.
    private static func place(
        _ merchant: Auth.AccountView, at point: Coordinate, isNew: Bool, for actor: Actor, _ call: Call
    ) async -> Bool {
        let read = Location.ReadPlaces(merchant: merchant.account)
        if !isNew, let known = try? await call.ask(read, as: actor), !known.places.isEmpty { return true }
        // Under the account's own id, so that a repeat adds no second one.
        let place = Location.PutPlace(
            place: merchant.account.reinterpreted(), merchant: merchant.account, name: merchant.name,
            latitude: Int64(point.latitude), longitude: Int64(point.longitude))
        return (try? await call.ask(place, as: actor)) != nil
    }

    /// Where the form says that pushes go; nil where it does not, and for a website.
    private static func phone(_ form: Registration) throws(Fault) -> (type: Int64, address: String)? {
        guard (form.regId == nil) == (form.type == nil) else {
            throw Fault(.malformed, "'regId' and 'type' go together")
        }
        guard let address = form.regId, let type = form.type else { return nil }
        guard (1...3).contains(type), (1...1000).contains(address.utf8.count) else {
            throw Fault(.malformed, "'type' is 1 to 3, and 'regId' has 1 to 1000 bytes")
        }
        return type == 3 ? nil : (type, address)
    }

    private static func register(
        _ role: Auth.Role, _ form: RegistrationForm, _ call: Call
    ) async throws(Fault) -> Given<Auth.AccountView> {
        try call.spend(form.username)
        try requireSame(form.password, form.confirmPassword)
        // Keys of people without an account are apart by the username: nobody's key can meet another's.
        let account: PartyID =
            call.key?.operation(of: call.route, username: form.username).reinterpreted()
            ?? Randomness.shared.identifier(at: call.now)
        let made = try await call.ask(
            Auth.RegisterAccount(
                account: account, role: role, username: form.username, password: form.password, name: form.name,
                profile: form.profile))
        return Given(made.account, replayed: made.replayed)
    }
}
