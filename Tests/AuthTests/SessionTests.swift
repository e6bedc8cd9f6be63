import AuthService
import Bus
import Contracts
import Primitives
import TestKit
import Testing

@Suite("Sessions")
struct SessionTests {
    @Test("ends when its time is up", arguments: StoreKind.allCases)
    func expires(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        let reply = try await auth.logIn()
        auth.clock.advance(.seconds(12 * 3600) - .milliseconds(1))
        #expect(try await auth.readSession(reply.token) == reply.session)
        auth.clock.advance(.milliseconds(1))
        #expect(
            await fault { () throws(Fault) in try await auth.readSession(reply.token) } == Fault(.sessionNotFound))
        #expect(try await !auth.close(reply.session.session))
        #expect(try await auth.factTypes() == ["auth.account.registered.v1"])
    }

    @Test("is closed once, by its owner only, and says whether it was (001-70, A57)", arguments: StoreKind.allCases)
    func closes(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        try await auth.register(.bob, username: "bob")
        let reply = try await auth.logIn()
        let session = reply.session.session
        #expect(try await !auth.close(session, of: .bob, actor: Actor(role: .customer, party: .bob)))
        #expect(
            await fault { () throws(Fault) in
                try await auth.close(session, actor: Actor(role: .customer, party: .bob))
            } == Fault(.forbidden))
        #expect(try await auth.readSession(reply.token) == reply.session)
        #expect(try await auth.close(session, actor: Actor(role: .customer, party: .alice)))
        #expect(try await !auth.close(session))
        #expect(
            await fault { () throws(Fault) in try await auth.readSession(reply.token) } == Fault(.sessionNotFound))
        let fact = try #require(try await auth.facts().last)
        #expect(
            try Auth.SessionClosed(json: fact.data)
                == .init(session: session, account: .alice, time: auth.clock.now))
        #expect(auth.announcements.count == 3)
    }

    @Test("one too many ends the oldest", arguments: StoreKind.allCases)
    func bounded(kind: StoreKind) async throws {
        var rules = AccountRules()
        rules.sessionsPerAccountMax = 3
        let auth = try AuthHarness(kind, rules: rules)
        try await auth.register()
        try await auth.register(.bob, username: "bob")
        let other = try await auth.logIn("bob")
        var replies: [Auth.OpenSession.Reply] = []
        for _ in 0..<5 {
            auth.clock.advance(.seconds(1))
            replies.append(try await auth.logIn())
        }
        #expect(try await auth.number("SELECT count(*) FROM sessions") == 4)
        for gone in replies.prefix(2) {
            #expect(
                await fault { () throws(Fault) in try await auth.readSession(gone.token) } == Fault(.sessionNotFound))
        }
        for kept in replies.suffix(3) + [other] { _ = try await auth.readSession(kept.token) }
        let closed = try await auth.facts().filter { $0.type == Auth.SessionClosed.type.name }
            .map { try Auth.SessionClosed(json: $0.data).session }
        #expect(closed == replies.prefix(2).map(\.session.session))
    }

    @Test("a digest is 64 lowercase hex digits", arguments: ["", "00", String(repeating: "G", count: 64)])
    func malformed(digest: String) async throws {
        let auth = try AuthHarness()
        #expect(
            await fault { () throws(Fault) in
                try await ReadSessionHandler(auth.service).admit(.init(tokenDigest: digest), in: auth.context())
            }?.code == .malformed)
    }

    @Test("sweeping forgets what is over and nothing else", arguments: StoreKind.allCases)
    func sweeps(kind: StoreKind) async throws {
        var rules = AccountRules()
        rules.loginNamesMax = 3
        let auth = try AuthHarness(kind, rules: rules)
        try await auth.register()
        _ = try await auth.logIn()
        auth.clock.advance(.seconds(6 * 3600))
        let young = try await auth.logIn()
        _ = await fault { () throws(Fault) in try await auth.logIn("old", .wrong) }
        auth.clock.advance(.seconds(6 * 3600))
        #expect(try await AccountSweeper(auth.service).sweep() == .init(sessions: 1, loginNames: 0))
        _ = try await auth.readSession(young.token)
        auth.clock.advance(.seconds(18 * 3600 + 1))
        for name in ["a", "a", "b", "c", "d"] {
            _ = await fault { () throws(Fault) in try await auth.logIn(name, .wrong) }
            auth.clock.advance(.seconds(1))
        }
        // "old" is a day old, one is too many: "b", as "a" was tried more often.
        #expect(try await AccountSweeper(auth.service).sweep() == .init(sessions: 1, loginNames: 2))
        #expect(try await auth.number("SELECT count(*) FROM logins") == 3)
        #expect(try await auth.number("SELECT max(failures) FROM logins") == 2)
        #expect(try await AccountSweeper(auth.service).sweep() == .init(sessions: 0, loginNames: 0))
    }
}
