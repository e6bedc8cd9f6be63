import AuthService
import Contracts
import Primitives
import Sodium
import TestKit
import Testing

@Suite("Logging in (001-26, 001-44, 001-57, 001-71, 001-87, A41)")
struct LoginTests {
    @Test("right: a token, a session, no PIN", arguments: StoreKind.allCases)
    func right(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register(.alice, .merchant)
        let reply = try await auth.logIn()
        #expect((reply.session.account, reply.session.role) == (.alice, .merchant))
        #expect(reply.session.expires == auth.clock.now + .seconds(12 * 3600))
        #expect(reply.session.pinVerifiedUntil == nil)
        #expect(try await auth.readSession(reply.token) == reply.session)
    }

    @Test(
        "only on an exact, case-sensitive match of both (001-87)", arguments: StoreKind.allCases,
        [
            ("Alice", "Passw0rd"), ("ALICE", "Passw0rd"), ("alice ", "Passw0rd"), ("alice", "passw0rd"),
            ("alice", "PASSW0RD"), ("alice", "Passw0rd "), ("alice", ""), ("", ""), ("nobody", "Passw0rd"),
            ("alice\0", "Passw0rd"), (String(repeating: "x", count: 10_000), "Passw0rd")
        ])
    func exact(kind: StoreKind, pair: (String, String)) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register(password: "Passw0rd")
        let refused = await fault { () throws(Fault) in try await auth.logIn(pair.0, pair.1) }
        #expect(refused == Fault(.wrongCredentials))
        try await auth.logIn("alice", "Passw0rd")
    }

    @Test("unknown and wrong look the same and do the same", arguments: StoreKind.allCases)
    func indistinguishable(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        func run(_ username: String) async -> [Fault?] {
            var outcomes: [Fault?] = []
            for _ in 0..<12 {
                outcomes.append(await fault { () throws(Fault) in try await auth.logIn(username, .wrong) })
                auth.clock.advance(.seconds(10))
            }
            return outcomes
        }
        let before = auth.hasher.verifications.count
        let wrong = await run("alice")
        let between = auth.hasher.verifications.count
        let unknown = await run("mallory")
        #expect(wrong == unknown)
        #expect(between - before == auth.hasher.verifications.count - between)
        #expect(between - before == 10)
        #expect(auth.hasher.hashes.count == 1)  // the registration's
        // The table does not tell them apart either.
        #expect(try await auth.number("SELECT count(*) FROM logins WHERE failures = 10") == 2)
    }

    @Test(
        "after ten wrong ones a growing delay; right ones wait too; then all is forgotten",
        arguments: StoreKind.allCases)
    func delays(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        for _ in 0..<9 {
            #expect(
                await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) } == Fault(.wrongCredentials))
        }
        for delay in [30, 60, 120, 240, 480, 900, 900] {
            #expect(
                await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) } == Fault(.wrongCredentials))
            #expect(
                await fault { () throws(Fault) in try await auth.logIn() }
                    == Fault(.tooManyAttempts, retryAfterSeconds: delay))
            auth.clock.advance(.seconds(delay))
        }
        try await auth.logIn()
        #expect(
            await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) } == Fault(.wrongCredentials))
        #expect(try await auth.number("SELECT failures FROM logins") == 1)
    }

    @Test("a clock that was ahead for a while makes no wait longer", arguments: StoreKind.allCases)
    func clockWasAhead(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        auth.clock.advance(.seconds(10 * 86_400))
        for _ in 0..<10 { _ = await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) } }
        auth.clock.advance(.seconds(-10 * 86_400))
        for left in [30, 20] {
            #expect(
                await fault { () throws(Fault) in try await auth.logIn() }
                    == Fault(.tooManyAttempts, retryAfterSeconds: left))
            auth.clock.advance(.seconds(10))
        }
        auth.clock.advance(.seconds(10))
        try await auth.logIn()
    }

    @Test("others are not delayed")
    func others() async throws {
        let auth = try AuthHarness()
        try await auth.register()
        try await auth.register(.bob, username: "bob")
        for _ in 0..<11 { _ = await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) } }
        try await auth.logIn("bob")
    }

    @Test("counted, durably, before it is hashed")
    func countedFirst() async throws {
        let auth = try AuthHarness(.file)
        try await auth.register()
        let seen = Counter()
        auth.hasher.onVerify { [directory = auth.directory] () throws(Fault) in
            // What a crash at this moment would leave.
            if let copy = try? Crash(of: directory), (try? copy.number("SELECT failures FROM logins")) == 1 {
                seen.add()
            }
        }
        try await auth.logIn()
        #expect(seen.count == 1)
        #expect(try await auth.number("SELECT count(*) FROM logins") == 0)
    }

    @Test("many guesses at once are as many guesses", arguments: StoreKind.allCases)
    func parallel(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        let codes = await withTaskGroup(of: FaultCode?.self) { group in
            for _ in 0..<30 {
                group.addTask { await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) }?.code }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == .wrongCredentials } == 10)
        #expect(codes.count { $0 == .tooManyAttempts } == 20)
    }

    @Test("a hash of another cost is renewed")
    func rehashes() async throws {
        let cost = PasswordHash.Cost(passes: 2, memoryBytes: 16 * 1024)
        let directory = try TemporaryDirectory()
        do {
            let auth = try AuthHarness(.file, in: directory)
            try await auth.register()
            try await auth.close()
        }
        let auth = try AuthHarness(.file, in: directory, cost: cost)
        func outdated() async throws -> Bool {
            auth.hasher.needsRehash(try #require(try await auth.store.account(.alice)).passwordHash)
        }
        #expect(try await outdated())
        try await auth.logIn()
        #expect(try await !outdated())
        try await auth.logIn()
    }
}
