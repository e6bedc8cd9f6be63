import AuthService
import Bus
import Contracts
import Primitives
import TestKit
import Testing

@Suite("what pages ask of accounts")
struct PageTests {
    private func ask(_ auth: AuthHarness, _ email: String) async throws(Fault) -> Auth.RequestUsernames.Reply {
        try await RequestUsernamesHandler(auth.service).admit(.init(email: email), in: auth.context())
    }

    private func sessions(_ auth: AuthHarness) async throws(Fault) -> [Auth.SessionSummary] {
        try await ReadSessionsHandler(auth.service).admit(.init(account: .alice), in: auth.context()).sessions
    }

    @Test("A90: all usernames of an address, in capitals or not; for another address nothing, and the same answer")
    func usernames() async throws {
        let auth = try AuthHarness()
        let mail = Mailbox()
        try await auth.register(profile: Auth.Profile(email: "owner@example.com"))
        try await auth.register(.bob, username: "bob", profile: Auth.Profile(email: "Owner@example.com"))
        let expires = auth.clock.now + .seconds(900)
        #expect(try await ask(auth, "OWNER@example.com").expires == expires)
        #expect(try await ask(auth, "nobody@example.com").expires == expires)
        try await mail.collect(from: auth)
        let letter = try #require(mail.letters.first)
        #expect(mail.letters.count == 1)
        #expect(letter.to.lowercased() == "owner@example.com")
        #expect(letter.text.contains("\nalice\nbob\n"))
        // Confirmed: what it says is not kept.
        #expect(try await auth.number("SELECT count(*) FROM reminders") == 0)
    }

    @Test("A90: the letter has the oldest names, whatever was registered with the address since")
    func usernamesOfOthers() async throws {
        let auth = try AuthHarness()
        let mail = Mailbox()
        let profile = Auth.Profile(email: "owner@example.com")
        try await auth.register(username: "zoe", profile: profile)
        auth.clock.advance(.seconds(1))
        for number in 10..<60 {
            try await auth.register(PartyID(high: 5, low: UInt64(number)), username: "a\(number)", profile: profile)
        }
        _ = try await ask(auth, "owner@example.com")
        try await mail.collect(from: auth)
        let letter = try #require(mail.letters.first)
        #expect(letter.text.contains("\nzoe\n") && !letter.text.contains("a59"))
    }

    @Test("A90: the address of a request whose letter was not sent goes when its time is up")
    func requestsThatExpire() async throws {
        let auth = try AuthHarness()
        try await auth.register(profile: Auth.Profile(email: "owner@example.com"))
        _ = try await ask(auth, "owner@example.com")
        #expect(try await auth.number("SELECT count(*) FROM reminders") == 1)
        auth.clock.advance(.seconds(901))
        _ = try await AccountSweeper(auth.service).sweep()
        #expect(try await auth.number("SELECT count(*) FROM reminders") == 0)
    }

    @Test("A90: too many requests for one address have to wait, whether or not somebody has it")
    func usernamesLimited() async throws {
        let auth = try AuthHarness()
        for _ in 0..<5 { _ = try await ask(auth, "nobody@example.com") }
        #expect(
            await fault { () throws(Fault) in try await ask(auth, "Nobody@example.com") }?.code == .tooManyAttempts)
        _ = try await ask(auth, "other@example.com")
    }

    @Test("sessions are listed, newest first, without those that have ended", arguments: StoreKind.allCases)
    func list(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        let first = try await auth.logIn().session
        auth.clock.advance(.seconds(1))
        let second = try await OpenSessionHandler(auth.service).admit(
            .init(username: "alice", password: .right, client: "Firefox on Linux"), in: auth.context()
        ).session
        let listed = try await sessions(auth)
        #expect(listed.map(\.session) == [second.session, first.session])
        #expect(listed.map(\.client) == ["Firefox on Linux", nil])
        #expect(listed.map(\.opened) == [auth.clock.now, auth.clock.now - .seconds(1)])
        auth.clock.advance(.seconds(12 * 3600 - 1))
        #expect(try await sessions(auth).map(\.session) == [second.session])
    }

    @Test("A100: wrong PINs of a simulated account cost neither a delay nor a lock, and those of others do")
    func simulated() async throws {
        let auth = try AuthHarness()
        _ = try await RegisterAccountHandler(auth.service).admit(
            .init(
                account: .alice, role: .customer, username: "alice", password: .right, name: nil, simulated: true),
            in: auth.context())
        try await auth.setPIN()
        let session = try await auth.logIn().session.session
        for _ in 0..<12 {
            #expect(
                await fault { () throws(Fault) in try await auth.verifyPIN("9999", session) } == PINTests.wrong)
        }
        _ = try await auth.verifyPIN("1234", session)
    }

    @Test("A100: only services make a simulated account")
    func simulatedByServices() async throws {
        let auth = try AuthHarness()
        let customer = Actor(role: .customer, party: .alice)
        #expect(
            await fault { () throws(Fault) in
                try await RegisterAccountHandler(auth.service).admit(
                    .init(
                        account: .alice, role: .customer, username: "alice", password: .right, name: nil,
                        simulated: true), in: auth.context(actor: customer))
            }?.code == .forbidden)
    }
}
