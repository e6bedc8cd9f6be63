import AuthService
import Bus
import Contracts
import Primitives
import TestKit
import Testing

@Suite("Registering (A37, A38, A41)")
struct RegistrationTests {
    @Test("makes an account and tells it", arguments: StoreKind.allCases)
    func registers(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let reply = try await auth.register(.bob, .merchant, username: "bob", name: "Bob's Burgers")
        let view = Auth.AccountView(
            account: .bob, role: .merchant, username: "bob", name: "Bob's Burgers", status: .pending)
        #expect(reply == .init(account: view, replayed: false))
        let fact = try #require(try await auth.facts().first)
        #expect(fact.type == "auth.account.registered.v1")
        #expect((fact.source, fact.sequence, fact.time) == ("auth", 1, auth.clock.now))
        #expect((fact.correlationID, fact.causationID) == ("touch-1", "ask-1"))
        #expect(
            try Auth.AccountRegistered(json: fact.data)
                == .init(
                    account: .bob, role: .merchant, name: "Bob's Burgers", time: auth.clock.now, username: "bob",
                    status: .pending))
        #expect(auth.announcements.count == 1)
        let read = ReadAccountHandler(auth.service)
        #expect(try await read.admit(.init(account: .bob), in: auth.context()) == view)
        #expect(try await read.admit(.init(username: "bob"), in: auth.context()) == view)
    }

    @Test("an absent name is the username")
    func nameless() async throws {
        #expect(try await AuthHarness().register().account.name == "alice")
    }

    @Test("asked again it says so and tells nothing new", arguments: StoreKind.allCases)
    func replays(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let first = try await auth.register(name: "Alice")
        let again = try await auth.register(name: "Alice")
        #expect(again == .init(account: first.account, replayed: true))
        #expect(try await auth.facts().count == 1)
        #expect(try await auth.number("SELECT count(*) FROM logins") == 0)
    }

    @Test("asked many times at once it makes one account", arguments: StoreKind.allCases)
    func races(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let replies = try await withThrowingTaskGroup(of: Auth.RegisterAccount.Reply.self) { group in
            for _ in 0..<8 { group.addTask { try await auth.register() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.count { !$0.replayed } == 1)
        #expect(try await auth.facts().count == 1)
    }

    @Test("the same id for something else is refused", arguments: StoreKind.allCases)
    func reused(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        let refusals = [
            await fault { () throws(Fault) in try await auth.register(username: "alicia") },
            await fault { () throws(Fault) in try await auth.register(.alice, .merchant) },
            await fault { () throws(Fault) in try await auth.register(name: "Alice") },
            await fault { () throws(Fault) in try await auth.register(name: "alice") },
            await fault { () throws(Fault) in try await auth.register(password: .wrong) }
        ]
        for refusal in refusals { #expect(refusal == Fault(.registrationReused)) }
    }

    @Test("is no way to guess a password: tries count as log-ins", arguments: StoreKind.allCases)
    func noOracle(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        for _ in 0..<10 {
            #expect(
                await fault { () throws(Fault) in try await auth.register(password: .wrong) }
                    == Fault(.registrationReused))
        }
        #expect(
            await fault { () throws(Fault) in try await auth.register() }
                == Fault(.tooManyAttempts, retryAfterSeconds: 30))
    }

    @Test("usernames are unique over all roles, and differ by case", arguments: StoreKind.allCases)
    func taken(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        #expect(
            await fault { () throws(Fault) in try await auth.register(.bob, .merchant, username: "alice") }
                == Fault(.usernameTaken))
        try await auth.register(.bob, .merchant, username: "Alice")
        for unknown in ["ALICE", "alice ", "alice\0", "alic", ""] {
            await #expect(throws: Fault(.partyNotFound)) {
                try await ReadAccountHandler(auth.service).admit(.init(username: unknown), in: auth.context())
            }
        }
    }

    @Test("administrators are not made on an actor's behalf")
    func administrators() async throws {
        let auth = try AuthHarness()
        for role in Auth.Role.allCases {
            let actor = Actor(role: role, party: .bob)
            #expect(
                await fault { () throws(Fault) in try await auth.register(.alice, .administrator, actor: actor) }
                    == Fault(.forbidden))
        }
        #expect(try await auth.register(.alice, .administrator).account.role == .administrator)
    }

    @Test(
        "usernames",
        arguments: [
            ("a", true), ("Ann.O'Hara", false), ("ann.o_hara+1@mail-x.org", true), ("", false), ("a b", false),
            ("ä", false), ("а", false), ("a\0", false), ("a\n", false),
            (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false)
        ])
    func usernames(text: String, allowed: Bool) async throws {
        let auth = try AuthHarness()
        let refused = await fault { () throws(Fault) in try await auth.register(username: text) }
        #expect(refused?.code == (allowed ? nil : .usernameInvalid))
    }

    @Test(
        "passwords, by bytes",
        arguments: [
            ("1234567", false), ("12345678", true), ("ääää", true), (String(repeating: "p", count: 128), true),
            (String(repeating: "p", count: 129), false), (String(repeating: "ä", count: 65), false)
        ])
    func passwords(text: String, allowed: Bool) async throws {
        let auth = try AuthHarness()
        let refused = await fault { () throws(Fault) in try await auth.register(password: text) }
        #expect(refused?.code == (allowed ? nil : .passwordInvalid))
    }

    @Test(
        "names",
        arguments: [
            ("Zoë 👩‍🍳", true), ("", false), ("  ", false), ("a\u{7}", false), ("a\u{85}b", false), ("a\nb", false),
            ("a\u{202E}b", false), ("a\u{2066}b", false), ("a\u{2028}b", false), ("a\u{200B}b", false),
            ("a\u{200F}b", false),
            (String(repeating: "é", count: 50), true), (String(repeating: "é", count: 51), false)
        ])
    func names(text: String, allowed: Bool) async throws {
        let auth = try AuthHarness()
        let refused = await fault { () throws(Fault) in try await auth.register(name: text) }
        #expect(refused?.code == (allowed ? nil : .nameInvalid))
    }

    @Test("an account is read by exactly one of id and username")
    func readOne() async throws {
        let auth = try AuthHarness()
        try await auth.register()
        let read = ReadAccountHandler(auth.service)
        for ask in [Auth.ReadAccount(), Auth.ReadAccount(account: .alice, username: "alice")] {
            #expect(
                await fault { () throws(Fault) in try await read.admit(ask, in: auth.context()) }?.code
                    == .malformed)
        }
        #expect(
            await fault { () throws(Fault) in try await read.admit(.init(account: .bob), in: auth.context()) }
                == Fault(.partyNotFound))
    }
}
