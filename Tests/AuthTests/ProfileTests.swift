import AuthService
import Bus
import Contracts
import Primitives
import TestKit
import Testing

extension Auth.Profile {
    /// Every field of every form (001-24, 001-42, 001-56, 001-72, 001-82).
    static let full = Auth.Profile(
        firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", birthdate: CivilDate("2001-05-30"),
        gender: .female, student: true, businessName: "Engines, Inc.", address: "12 St James's Square",
        productTypes: ["engines", "cards"])
    /// A customer's.
    static let ada = Auth.Profile(
        firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", birthdate: CivilDate("2001-05-30"),
        gender: .female, student: true)
}

@Suite("Profiles (A38, A39)")
struct ProfileTests {
    private func read(_ auth: AuthHarness, _ account: PartyID = .alice, as actor: Actor? = nil) async throws(Fault)
        -> Auth.ProfileView
    {
        try await ReadProfileHandler(auth.service).admit(.init(account: account), in: auth.context(actor: actor))
    }

    private func update(
        _ auth: AuthHarness, _ profile: Auth.Profile, name: String? = nil, as actor: Actor? = nil
    ) async throws(Fault) -> Auth.ProfileView {
        try await UpdateProfileHandler(auth.service).admit(
            .init(account: .alice, name: name, profile: profile, password: .right), in: auth.context(actor: actor))
    }

    @Test(
        "a customer's form is kept, and told but for what is nobody's business (001-42, 001-82, 001-93 … 001-97, 001-100, 001-103)",
        arguments: StoreKind.allCases)
    func customer(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register(profile: .ada)
        #expect(
            try await read(auth)
                == .init(
                    account: .alice, role: .customer, username: "alice", name: "alice", profile: .ada, status: nil))
        let fact = try #require(try await auth.facts().first)
        #expect(
            try Auth.AccountRegistered(json: fact.data)
                == .init(
                    account: .alice, role: .customer, name: "alice", time: auth.clock.now, username: "alice",
                    birthdate: CivilDate("2001-05-30"), gender: .female, student: true, status: nil))
        let published = String(decoding: fact.json, as: UTF8.self)
        #expect(!published.contains("Lovelace") && !published.contains("ada@example.com"))
    }

    @Test(
        "a merchant's form is kept, birthday and student too (001-56, 001-64, 001-72, 001-104 … 001-107, A39)",
        arguments: StoreKind.allCases)
    func merchant(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let made = try await auth.register(.alice, .merchant, profile: .full)
        // Nobody said what it is called, but for the business.
        #expect(made.account.name == "Engines, Inc.")
        let view = try await read(auth)
        #expect((view.profile, view.status) == (.full, .pending))
    }

    @Test("a bare registration goes on working: nothing is known (A38)")
    func bare() async throws {
        let auth = try AuthHarness()
        try await auth.register()
        #expect(try await read(auth).profile == Auth.Profile())
        #expect(try await auth.number("SELECT count(*) FROM profiles") == 0)
    }

    @Test("a registration repeated is one; with another profile it is another", arguments: StoreKind.allCases)
    func repeated(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register(profile: .ada)
        #expect(try await auth.register(profile: .ada).replayed)
        for other in [nil, Auth.Profile(email: "ada@example.com")] {
            #expect(
                await fault { () throws(Fault) in try await auth.register(profile: other) }
                    == Fault(.registrationReused))
        }
    }

    @Test("settings replace all of it, and are told once (001-46, 001-64)", arguments: StoreKind.allCases)
    func updates(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register(profile: .ada)
        let changed = Auth.Profile(email: "countess@example.com", birthdate: CivilDate("2001-05-30"), student: false)
        for _ in 0..<2 {
            let view = try await update(auth, changed, name: "Countess", as: Actor(role: .customer, party: .alice))
            #expect((view.name, view.profile) == ("Countess", changed))
        }
        #expect(try await read(auth).profile == changed)
        let facts = try await auth.facts()
        #expect(
            facts.map(\.type) == [
                "auth.account.registered.v1", "auth.letter.queued.v1", "auth.credential.changed.v1",
                "auth.profile.changed.v1"
            ])
        #expect(
            try Auth.ProfileChanged(json: facts[3].data)
                == .init(
                    account: .alice, role: .customer, username: "alice", name: "Countess",
                    birthdate: CivilDate("2001-05-30"), gender: nil, student: false, time: auth.clock.now))
        // Without a name it keeps the one it has.
        #expect(try await update(auth, .ada).name == "Countess")
        #expect(try await update(auth, Auth.Profile()).profile == Auth.Profile())
        #expect(try await auth.number("SELECT count(*) FROM profiles") == 0)
    }

    @Test("a list of products is replaced, and none is no list (001-72)", arguments: StoreKind.allCases)
    func products(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register(.alice, .merchant, profile: .full)
        #expect(try await update(auth, Auth.Profile(productTypes: ["tea"])).profile.productTypes == ["tea"])
        #expect(try await read(auth).profile.productTypes == ["tea"])
        #expect(try await update(auth, Auth.Profile(productTypes: [])).profile.productTypes == nil)
        #expect(try await auth.number("SELECT count(*) FROM product_types") == 0)
    }

    @Test("only the account, administrators and services read it; only the account and services change it")
    func readers() async throws {
        let auth = try AuthHarness()
        try await auth.register(profile: .ada)
        for role in Auth.Role.allCases {
            let stranger = Actor(role: role, party: .bob)
            let read = await fault { () throws(Fault) in try await self.read(auth, as: stranger) }
            #expect(read == (role == .administrator ? nil : Fault(.forbidden)))
            let update = await fault { () throws(Fault) in try await self.update(auth, .ada, as: stranger) }
            #expect(update == Fault(.forbidden))
        }
        _ = try await read(auth, as: Actor(role: .customer, party: .alice))
        _ = try await read(auth)
    }

    @Test("nobody has a profile who has no account")
    func nobody() async throws {
        let auth = try AuthHarness()
        #expect(await fault { () throws(Fault) in try await read(auth) } == Fault(.partyNotFound))
        #expect(await fault { () throws(Fault) in try await update(auth, .ada) } == Fault(.partyNotFound))
    }

    private static let refused: [(Auth.Profile, FaultCode)] = [
        (.init(email: "ada"), .emailInvalid), (.init(email: ""), .emailInvalid),
        (.init(birthdate: CivilDate("1899-12-31")), .birthdateInvalid),
        // The harness's day, in UTC, and the one after it.
        (.init(birthdate: CivilDate("2027-01-15")), .birthdateInvalid),
        (.init(birthdate: CivilDate("2027-01-16")), .birthdateInvalid), (.init(firstName: " "), .profileInvalid),
        (.init(firstName: String(repeating: "x", count: 101)), .profileInvalid),
        (.init(lastName: "a\u{202E}b"), .profileInvalid), (.init(address: "a\nb"), .profileInvalid),
        (.init(address: String(repeating: "x", count: 251)), .profileInvalid),
        (.init(productTypes: ["tea", "tea"]), .profileInvalid), (.init(productTypes: [""]), .profileInvalid),
        (.init(productTypes: [String(repeating: "x", count: 41)]), .profileInvalid),
        (.init(productTypes: (1...21).map { "type \($0)" }), .profileInvalid)
    ]

    @Test("what is not valid is refused, when registering and later (001-25, 001-43)", arguments: refused)
    func invalid(profile: Auth.Profile, code: FaultCode) async throws {
        let auth = try AuthHarness()
        #expect(
            await fault { () throws(Fault) in try await auth.register(.alice, .merchant, profile: profile) }?.code
                == code)
        try await auth.register(.alice, .merchant, profile: .full)
        #expect(await fault { () throws(Fault) in try await update(auth, profile) }?.code == code)
        #expect(try await read(auth).profile == .full)
    }

    @Test("the ends of what is valid are")
    func ends() async throws {
        let auth = try AuthHarness()
        #expect(CivilDate(of: auth.clock.now) == CivilDate("2027-01-15"))
        try await auth.register(.alice, .merchant)
        for profile in [
            Auth.Profile(birthdate: CivilDate("1900-01-01")), Auth.Profile(birthdate: CivilDate("2027-01-14")),
            Auth.Profile(birthdate: CivilDate("2000-02-29"), address: String(repeating: "é", count: 125)),
            Auth.Profile(productTypes: (1...20).map { "type \($0)" })
        ] {
            #expect(try await update(auth, profile).profile == profile)
            #expect(try await read(auth).profile == profile)
        }
    }

    @Test("a business is a merchant's")
    func businesses() async throws {
        let auth = try AuthHarness()
        for profile in [Auth.Profile(businessName: "Ada"), Auth.Profile(productTypes: ["tea"])] {
            #expect(
                await fault { () throws(Fault) in try await auth.register(profile: profile) }?.code
                    == .profileInvalid)
        }
        try await auth.register(profile: Auth.Profile(address: "at home", productTypes: []))
    }
}

@Suite("E-mail addresses (001-43)")
struct EmailAddressTests {
    @Test(
        "valid",
        arguments: [
            "a@b.co", "ada.lovelace@example.com", "Ada+wallet@mail-1.example.co.uk", "o'hara@example.com",
            "x_{}|~!#$%&*/=?^`@example.com", "a@xn--bcher-kva.example", "1@1.com"
        ])
    func valid(text: String) { #expect(EmailAddress.isOne(text)) }

    @Test(
        "not valid",
        arguments: [
            "", "a", "@", "a@", "@b.co", "a@b", "a@b.", "a@.co", "a@b..co", ".a@b.co", "a.@b.co", "a..b@b.co",
            "a b@c.de",
            "a@b c.de", "a@@b.co", "a@b@c.de", "a@-b.co", "a@b-.co", "a@b.co\n", "a@b.co\0", "\"a\"@b.co",
            "a@[127.0.0.1]",
            "a@127.0.0.1", "ä@b.co", "a@ä.de", "a@b_c.de", "a,b@c.de", "<a@b.co>", "a@b.co, c@d.de",
            String(repeating: "a", count: 65) + "@b.co", "a@" + String(repeating: "b", count: 64) + ".co",
            "a@" + String(repeating: "b.", count: 126) + "co"
        ])
    func invalid(text: String) { #expect(!EmailAddress.isOne(text)) }

    @Test("are compared without regard to the case of ASCII letters")
    func same() {
        #expect(EmailAddress.same("Ada@Example.com", "ada@eXample.COM"))
        #expect(!EmailAddress.same("ada@example.com", "ada@example.co"))
        #expect(!EmailAddress.same("[@example.com", "{@example.com"))
        #expect(!EmailAddress.same("ada@example.com", ""))
    }
}
