import AuthService
import Bus
import Contracts
import Primitives
import TestKit
import Testing

@Suite("PINs (000-2, 000-57, A6, A9)")
struct PINTests {
    static let wrong = Fault(.pinWrong, "Invalid Pin")

    @Test("the right one opens a quarter of an hour", arguments: StoreKind.allCases)
    func right(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        try await auth.setPIN()
        let reply = try await auth.logIn()
        let until = try await auth.verifyPIN("1234", reply.session.session)
        #expect(until == auth.clock.now + .seconds(900))
        #expect(try await auth.readSession(reply.token).pinVerifiedUntil == until)
        // Another session of the same person has to enter it too.
        #expect(try await auth.readSession(auth.logIn().token).pinVerifiedUntil == nil)
        auth.clock.advance(.seconds(900))
        #expect(try await auth.readSession(reply.token).pinVerifiedUntil == nil)
    }

    @Test("never outlasts the session")
    func endsWithSession() async throws {
        let auth = try AuthHarness()
        let session = try await auth.aliceWithPIN()
        let expires = auth.clock.now + .seconds(12 * 3600)
        auth.clock.advance(.seconds(12 * 3600 - 60))
        #expect(try await auth.verifyPIN("1234", session) == expires)
        auth.clock.advance(.seconds(60))
        #expect(
            await fault { () throws(Fault) in try await auth.verifyPIN("1234", session) } == Fault(.sessionNotFound))
    }

    @Test("five wrong: 30 s, doubling; ten wrong: locked, told once; a new PIN unlocks", arguments: StoreKind.allCases)
    func locks(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let session = try await auth.aliceWithPIN()
        func attempt(_ pin: String) async -> Fault? {
            await fault { () throws(Fault) in try await auth.verifyPIN(pin, session) }
        }
        for _ in 0..<4 { #expect(await attempt("0000") == Self.wrong) }
        for delay in [30, 60, 120, 240, 480] {
            #expect(await attempt("0000") == Fault(.pinWrong, "Invalid Pin", retryAfterSeconds: delay))
            #expect(await attempt("1234") == Fault(.pinDelayed, retryAfterSeconds: delay))
            auth.clock.advance(.seconds(delay))
        }
        #expect(await attempt("0000") == Self.wrong)
        for _ in 0..<3 { #expect(await attempt("1234") == Fault(.pinLocked)) }
        auth.clock.advance(.seconds(3600 * 24 * 365))
        let later = try await auth.logIn().session.session
        #expect(
            await fault { () throws(Fault) in try await auth.verifyPIN("1234", later) } == Fault(.pinLocked))
        #expect(try await auth.factTypes() == ["auth.account.registered.v1", "auth.pin.locked.v1"])
        try await auth.setPIN("4321")
        try await auth.verifyPIN("4321", later)
        #expect(try await auth.number("SELECT failures FROM pins") == 0)
    }

    @Test("a clock that was ahead for a while makes no wait longer", arguments: StoreKind.allCases)
    func clockWasAhead(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let session = try await auth.aliceWithPIN()
        func attempt(_ pin: String) async -> Fault? {
            await fault { () throws(Fault) in try await auth.verifyPIN(pin, session) }
        }
        for _ in 0..<4 { #expect(await attempt("0000") == Self.wrong) }
        // Less than the session has left.
        auth.clock.advance(.seconds(6 * 3600))
        #expect(await attempt("0000") == Fault(.pinWrong, "Invalid Pin", retryAfterSeconds: 30))
        auth.clock.advance(.seconds(-6 * 3600))
        #expect(await attempt("1234") == Fault(.pinDelayed, retryAfterSeconds: 30))
        auth.clock.advance(.seconds(10))
        // It goes by, and does not begin again with each try.
        #expect(await attempt("1234") == Fault(.pinDelayed, retryAfterSeconds: 20))
        auth.clock.advance(.seconds(20))
        #expect(await attempt("1234") == nil)
        #expect(try await auth.number("SELECT failures FROM pins") == 0)
    }

    @Test("a clock that was behind for a while leaves the rules as they are")
    func clockWasBehind() async throws {
        let auth = try AuthHarness()
        let session = try await auth.aliceWithPIN()
        func attempt(_ pin: String) async -> Fault? {
            await fault { () throws(Fault) in try await auth.verifyPIN(pin, session) }
        }
        for _ in 0..<5 { _ = await attempt("0000") }
        auth.clock.advance(.seconds(-10 * 86_400))
        #expect(await attempt("1234") == Fault(.pinDelayed, retryAfterSeconds: 30))
        auth.clock.advance(.seconds(10 * 86_400))
        #expect(await attempt("0000") == Fault(.pinWrong, "Invalid Pin", retryAfterSeconds: 60))
    }

    @Test("a right one clears the count", arguments: StoreKind.allCases)
    func clears(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let session = try await auth.aliceWithPIN()
        for _ in 0..<5 {
            for _ in 0..<4 {
                #expect(
                    await fault { () throws(Fault) in try await auth.verifyPIN("0000", session) } == Self.wrong)
            }
            try await auth.verifyPIN("1234", session)
        }
        #expect(try await auth.factTypes().count == 1)
    }

    @Test("the simulator's profile never delays")
    func simulator() async throws {
        var rules = AccountRules()
        rules.pinPolicy = .off
        let auth = try AuthHarness(rules: rules)
        let session = try await auth.aliceWithPIN()
        for _ in 0..<20 {
            #expect(await fault { () throws(Fault) in try await auth.verifyPIN("0000", session) } == Self.wrong)
        }
        try await auth.verifyPIN("1234", session)
    }

    @Test("many guesses at once are as many guesses", arguments: StoreKind.allCases)
    func parallel(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let session = try await auth.aliceWithPIN()
        let codes = await withTaskGroup(of: FaultCode?.self) { group in
            for guess in 0..<40 {
                group.addTask {
                    await fault { () throws(Fault) in try await auth.verifyPIN("\(2000 + guess)", session) }?.code
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == .pinWrong } == 5)
        #expect(codes.count { $0 == .pinDelayed } == 35)
        #expect(try await auth.number("SELECT failures FROM pins") == 5)
    }

    @Test("without delays, parallel guesses still lock at ten and tell it once", arguments: StoreKind.allCases)
    func parallelLock(kind: StoreKind) async throws {
        var rules = AccountRules()
        rules.pinPolicy = AttemptPolicy(delayFrom: nil, lockAt: 10)
        let auth = try AuthHarness(kind, rules: rules)
        let session = try await auth.aliceWithPIN()
        let codes = await withTaskGroup(of: FaultCode?.self) { group in
            for guess in 0..<40 {
                group.addTask {
                    await fault { () throws(Fault) in try await auth.verifyPIN("\(2000 + guess)", session) }?.code
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == .pinWrong } == 10)
        #expect(codes.count { $0 == .pinLocked } == 30)
        #expect(try await auth.factTypes().count { $0 == "auth.pin.locked.v1" } == 1)
    }

    @Test("counted, durably, before it is hashed; a crash at the tenth locks all the same")
    func countedFirst() async throws {
        let auth = try AuthHarness(.file)
        let session = try await auth.aliceWithPIN()
        for _ in 0..<9 {
            _ = await fault { () throws(Fault) in try await auth.verifyPIN("0000", session) }
            auth.clock.advance(.seconds(960))
        }
        let crash = Crashes()
        auth.hasher.onVerify { [directory = auth.directory] () throws(Fault) in
            crash.keep(try? Crash(of: directory))
        }
        try await auth.verifyPIN("1234", session)
        let left = try #require(crash.last)
        #expect(try left.number("SELECT failures FROM pins") == 10)

        let revived = try AuthHarness(.file, in: left.directory)
        revived.clock.advance(.seconds(9 * 960))
        func attempt() async -> Fault? {
            await fault { () throws(Fault) in try await revived.verifyPIN("1234", session) }
        }
        #expect(await attempt() == Fault(.pinDelayed, retryAfterSeconds: 960))
        revived.clock.advance(.seconds(960))
        for _ in 0..<3 { #expect(await attempt() == Fault(.pinLocked)) }
        #expect(try await revived.factTypes() == ["auth.account.registered.v1", "auth.pin.locked.v1"])
        #expect(revived.announcements.count == 1)
    }

    @Test("a PIN replaced while it is checked proves nothing", arguments: StoreKind.allCases)
    func replaced(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let session = try await auth.aliceWithPIN()
        auth.hasher.onVerify { () throws(Fault) in
            auth.hasher.onVerify(nil)
            try await auth.setPIN("9999", replacing: "1234")
        }
        #expect(await fault { () throws(Fault) in try await auth.verifyPIN("1234", session) } == Self.wrong)
    }

    @Test("a right one does not undo the lock that another try has led to meanwhile", arguments: StoreKind.allCases)
    func lockStays(kind: StoreKind) async throws {
        var rules = AccountRules()
        rules.pinPolicy = AttemptPolicy(delayFrom: nil, lockAt: 2)
        let auth = try AuthHarness(kind, rules: rules)
        let session = try await auth.aliceWithPIN()
        auth.hasher.onVerify { () throws(Fault) in
            auth.hasher.onVerify(nil)
            _ = await fault { () throws(Fault) in try await auth.verifyPIN("0000", session) }
        }
        for _ in 0..<2 {
            #expect(
                await fault { () throws(Fault) in try await auth.verifyPIN("1234", session) } == Fault(.pinLocked))
        }
    }

    @Test("a session closed while the PIN is checked stays closed", arguments: StoreKind.allCases)
    func closed(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        let session = try await auth.aliceWithPIN()
        auth.hasher.onVerify { () throws(Fault) in
            auth.hasher.onVerify(nil)
            _ = try await auth.close(session)
        }
        #expect(
            await fault { () throws(Fault) in try await auth.verifyPIN("1234", session) } == Fault(.sessionNotFound))
    }

    @Test("a new PIN has to be entered anew", arguments: StoreKind.allCases)
    func reset(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        try await auth.setPIN()
        let reply = try await auth.logIn()
        try await auth.verifyPIN("1234", reply.session.session)
        #expect(try await auth.setPIN("4321", in: reply.session.session) == [reply.session.session])
        #expect(try await auth.readSession(reply.token).pinVerifiedUntil == nil)
        #expect(
            await fault { () throws(Fault) in try await auth.verifyPIN("1234", reply.session.session) } == Self.wrong)
    }

    @Test("setting needs the password, and guesses at it count as log-ins", arguments: StoreKind.allCases)
    func setting(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        for _ in 0..<10 {
            #expect(
                await fault { () throws(Fault) in try await auth.setPIN("1234", password: .wrong) }
                    == Fault(.wrongCredentials))
        }
        #expect(
            await fault { () throws(Fault) in try await auth.setPIN() }
                == Fault(.tooManyAttempts, retryAfterSeconds: 30))
        #expect(
            await fault { () throws(Fault) in try await auth.logIn() }
                == Fault(.tooManyAttempts, retryAfterSeconds: 30))
        auth.clock.advance(.seconds(30))
        try await auth.setPIN()
        #expect(try await auth.number("SELECT count(*) FROM logins") == 0)
    }

    @Test("refusals before anything is counted", arguments: StoreKind.allCases)
    func refusals(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        try await auth.register(.bob, username: "bob")
        let session = try await auth.logIn().session.session
        func verify(_ pin: String, _ session: SessionID, _ account: PartyID, _ actor: Actor?) async -> Fault? {
            await fault { () throws(Fault) in try await auth.verifyPIN(pin, session, of: account, actor: actor) }
        }
        #expect(await verify("1234", session, .alice, nil) == Fault(.pinNotSet))
        try await auth.setPIN()
        try await auth.setPIN(of: .bob)
        #expect(await verify("123", session, .alice, nil)?.code == .pinInvalid)
        #expect(await verify("1234", session, .bob, nil) == Fault(.sessionNotFound))
        #expect(await verify("1234", SessionID(high: 0, low: 0), .alice, nil) == Fault(.sessionNotFound))
        let bob = Actor(role: .customer, party: .bob)
        #expect(await verify("1234", session, .alice, bob) == Fault(.forbidden))
        #expect(await fault { () throws(Fault) in try await auth.setPIN(actor: bob) } == Fault(.forbidden))
        #expect(await fault { () throws(Fault) in try await auth.setPIN("12345") }?.code == .pinInvalid)
        #expect(
            await fault { () throws(Fault) in try await auth.setPIN(of: PartyID(high: 9, low: 9)) }
                == Fault(.partyNotFound))
        #expect(try await auth.number("SELECT CAST(sum(failures) AS INTEGER) FROM pins") == 0)
        #expect(try await auth.number("SELECT count(*) FROM logins") == 0)
    }
}
