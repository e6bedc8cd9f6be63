import AuthService
import Bus
import Contracts
import Foundation
import Primitives
import Sodium
import TestKit
import Testing

extension String {
    fileprivate static let another = "another horse entirely"
}

@Suite("Changing the password (001-64)")
struct ChangePasswordTests {
    private func change(
        _ auth: AuthHarness, _ password: String = .right, to new: String = .another, keeping session: SessionID? = nil,
        as actor: Actor? = Actor(role: .customer, party: .alice)
    ) async throws(Fault) -> [SessionID] {
        try await ChangePasswordHandler(auth.service).admit(
            .init(account: .alice, session: session, password: password, newPassword: new),
            in: auth.context(actor: actor)
        ).closed
    }

    @Test("the new one counts, and the other sessions have ended", arguments: StoreKind.allCases)
    func changes(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        let other = try await auth.logIn()
        auth.clock.advance(.seconds(1))
        let own = try await auth.logIn()
        #expect(try await change(auth, keeping: own.session.session) == [other.session.session])
        #expect(try await auth.readSession(own.token) == own.session)
        #expect(
            await fault { () throws(Fault) in try await auth.readSession(other.token) } == Fault(.sessionNotFound))
        #expect(await fault { () throws(Fault) in try await auth.logIn() } == Fault(.wrongCredentials))
        try await auth.logIn("alice", .another)
        let last = try #require(try await auth.facts().last)
        #expect(try Auth.SessionClosed(json: last.data).session == other.session.session)
        // Without one to keep, all end.
        #expect(try await change(auth, .another, to: .right).count == 2)
    }

    @Test("a wrong one counts as a log-in that failed, and changes nothing", arguments: StoreKind.allCases)
    func wrong(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        for _ in 0..<10 {
            #expect(await fault { () throws(Fault) in try await change(auth, .wrong) } == Fault(.wrongCredentials))
        }
        #expect(
            await fault { () throws(Fault) in try await change(auth) }
                == Fault(.tooManyAttempts, retryAfterSeconds: 30))
        auth.clock.advance(.seconds(30))
        try await auth.logIn()
    }

    @Test("is the account's own to do, and the new one has its rules too")
    func refused() async throws {
        let auth = try AuthHarness()
        try await auth.register()
        for role in Auth.Role.allCases {
            let stranger = Actor(role: role, party: .bob)
            #expect(await fault { () throws(Fault) in try await change(auth, as: stranger) } == Fault(.forbidden))
        }
        for short in ["", "1234567", String(repeating: "x", count: 129)] {
            #expect(await fault { () throws(Fault) in try await change(auth, to: short) }?.code == .passwordInvalid)
        }
        try await auth.logIn()
    }

    @Test("whoever logs in with the old one meanwhile gets no session", arguments: StoreKind.allCases)
    func overtaken(kind: StoreKind) async throws {
        let auth = try AuthHarness(kind)
        try await auth.register()
        auth.hasher.onVerify { () throws(Fault) in
            auth.hasher.onVerify(nil)
            _ = try await change(auth)
        }
        #expect(await fault { () throws(Fault) in try await auth.logIn() }?.code == .busy)
        #expect(try await auth.number("SELECT count(*) FROM sessions") == 0)
        #expect(await fault { () throws(Fault) in try await auth.logIn() } == Fault(.wrongCredentials))
    }
}

@Suite("A forgotten password (001-73, A42)")
struct ResetTests {
    private let mail = Mailbox()

    private func ask(
        _ auth: AuthHarness, _ username: String = "alice", _ email: String = "ada@example.com"
    ) async throws(Fault) -> Timestamp {
        try await RequestResetHandler(auth.service).admit(
            .init(username: username, email: email), in: auth.context()
        ).expires
    }

    @discardableResult
    private func use(
        _ auth: AuthHarness, _ code: String, _ username: String = "alice", password: String = .another
    ) async throws(Fault) -> Auth.UseReset.Reply {
        try await UseResetHandler(auth.service).admit(
            .init(username: username, code: code, newPassword: password), in: auth.context())
    }

    private func send(_ auth: AuthHarness) async throws { try await mail.collect(from: auth) }

    /// Asks for a code and has it sent.
    private func code(_ auth: AuthHarness) async throws -> String {
        _ = try await ask(auth)
        try await send(auth)
        return try #require(mail.letters.last { $0.code != nil }?.code)
    }

    private func alice(_ kind: StoreKind = .inMemory) async throws -> AuthHarness {
        let auth = try AuthHarness(kind)
        try await auth.register(profile: .ada)
        return auth
    }

    @Test("a code is mailed to the account's address and sets a new password, once", arguments: StoreKind.allCases)
    func resets(kind: StoreKind) async throws {
        let auth = try await alice(kind)
        let sessions = [try await auth.logIn(), try await auth.logIn()]
        for _ in 0..<10 { _ = await fault { () throws(Fault) in try await auth.logIn("alice", .wrong) } }
        let expires = try await ask(auth, "alice", "ADA@example.COM")
        #expect(expires == auth.clock.now + .seconds(900))
        try await send(auth)
        try await send(auth)
        let letter = try #require(mail.letters.first)
        #expect(mail.letters.count == 1)
        #expect((letter.to, letter.expires) == ("ada@example.com", expires))
        #expect(letter.text.contains("alice") && !letter.subject.contains("\n"))
        let code = try #require(letter.code)
        // 140 bits.
        #expect(code.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}/) != nil)

        let reply = try await use(auth, code)
        #expect(reply.account == .alice)
        #expect(Set(reply.closed) == Set(sessions.map(\.session.session)))
        #expect(await fault { () throws(Fault) in try await use(auth, code) } == Fault(.resetInvalid))
        // The failed log-ins are forgotten with the password that they were tried at.
        #expect(await fault { () throws(Fault) in try await auth.logIn() } == Fault(.wrongCredentials))
        try await auth.logIn("alice", .another)
        #expect(
            try await auth.factTypes() == [
                "auth.account.registered.v1", "auth.letter.queued.v1", "auth.credential.changed.v1",
                "auth.letter.queued.v1"
            ]
                + sessions.map { _ in "auth.session.closed.v1" })
    }

    @Test(
        "the answer does not tell whether name and address belong together: the same, and the same commits",
        arguments: StoreKind.allCases)
    func silent(kind: StoreKind) async throws {
        let auth = try await alice(kind)
        try await auth.register(.bob, username: "bob")  // without an address
        let pairs = [
            ("alice", "ada@example.com"), ("alice", "eve@example.com"), ("Alice", "ada@example.com"), ("bob", ""),
            ("bob", "ada@example.com"), ("nobody", "ada@example.com"), ("", ""), ("a\0", "a@b.co")
        ]
        var answers: Set<Timestamp> = []
        for pair in pairs { answers.insert(try await ask(auth, pair.0, pair.1)) }
        #expect(answers.count == 1)
        // Each name has its row, whatever came of it.
        #expect(try await auth.number("SELECT count(*) FROM logins") == Set(pairs.map(\.0)).count)
        #expect(try await auth.number("SELECT count(*) FROM resets") == 1)
        try await send(auth)
        #expect(mail.letters.map(\.to) == ["ada@example.com"])
    }

    @Test("five letters, then a growing delay, for names that nobody has too", arguments: StoreKind.allCases)
    func limited(kind: StoreKind) async throws {
        let auth = try await alice(kind)
        for (username, email) in [("alice", "ada@example.com"), ("alicia", "eve@example.com")] {
            for _ in 0..<5 { _ = try await ask(auth, username, email) }
            #expect(
                await fault { () throws(Fault) in try await ask(auth, username, email) }
                    == Fault(.tooManyAttempts, retryAfterSeconds: 60))
        }
        // Nobody is kept from logging in by that.
        try await auth.logIn()
        auth.clock.advance(.seconds(60))
        _ = try await ask(auth)
    }

    @Test("wrong codes are counted, apart from passwords, and keep no right one waiting", arguments: StoreKind.allCases)
    func guesses(kind: StoreKind) async throws {
        let auth = try await alice(kind)
        let code = try await code(auth)
        let wrong = ["", "x", "0000-0000-0000-0000-0000-0000-0000", String(code.dropLast()), code + "0", "é"]
        for index in 0..<10 {
            #expect(
                await fault { () throws(Fault) in try await use(auth, wrong[index % wrong.count]) }
                    == Fault(.resetInvalid))
        }
        #expect(
            await fault { () throws(Fault) in try await use(auth, wrong[0]) }
                == Fault(.tooManyAttempts, retryAfterSeconds: 30))
        try await auth.logIn()
        try await use(auth, code)
        // Those who nobody is are counted too.
        for _ in 0..<10 {
            #expect(await fault { () throws(Fault) in try await use(auth, code, "nobody") } == Fault(.resetInvalid))
        }
        #expect(await fault { () throws(Fault) in try await use(auth, code, "nobody") }?.code == .tooManyAttempts)
    }

    @Test("is typed in any case, with or without hyphens")
    func typed() async throws {
        for change: (String) -> String in [
            { $0.lowercased() }, { $0.replacing("-", with: "") }, { " " + $0.replacing("-", with: " ") + "\n" },
            { $0.replacing("0", with: "o").replacing("1", with: "l") }
        ] {
            let auth = try await alice()
            try await use(auth, change(try await code(auth)))
        }
    }

    @Test("is good for its time, its account and until the next one", arguments: StoreKind.allCases)
    func bounds(kind: StoreKind) async throws {
        let auth = try await alice(kind)
        try await auth.register(.bob, username: "bob", profile: Auth.Profile(email: "bob@example.com"))
        let first = try await code(auth)
        #expect(await fault { () throws(Fault) in try await use(auth, first, "bob") } == Fault(.resetInvalid))
        let second = try await code(auth)
        #expect(first != second)
        #expect(await fault { () throws(Fault) in try await use(auth, first) } == Fault(.resetInvalid))
        auth.clock.advance(.seconds(900) - .milliseconds(1))
        try await use(auth, second)
        let third = try await code(auth)
        auth.clock.advance(.seconds(900))
        #expect(await fault { () throws(Fault) in try await use(auth, third) } == Fault(.resetInvalid))
        try await AccountSweeper(auth.service).sweep()
        #expect(try await auth.number("SELECT count(*) FROM resets") == 0)
    }

    @Test("the new password has its rules; a bad one does not spend the code")
    func passwords() async throws {
        let auth = try await alice()
        let code = try await code(auth)
        for short in ["", "1234567", String(repeating: "x", count: 129)] {
            #expect(
                await fault { () throws(Fault) in try await use(auth, code, password: short) }?.code
                    == .passwordInvalid)
        }
        try await use(auth, code)
    }

    @Test("many at once with the right code set one password", arguments: StoreKind.allCases)
    func races(kind: StoreKind) async throws {
        let auth = try await alice(kind)
        let code = try await code(auth)
        let codes = await withTaskGroup(of: FaultCode?.self) { group in
            for number in 0..<8 {
                group.addTask {
                    await fault { () throws(Fault) in try await use(auth, code, password: "password \(number)") }?
                        .code
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == 1)
        #expect(codes.count { $0 == .resetInvalid } == 7)
    }

    @Test("a password that is changed takes the code with it")
    func changed() async throws {
        let auth = try await alice()
        let code = try await code(auth)
        _ = try await ChangePasswordHandler(auth.service).admit(
            .init(account: .alice, session: nil, password: .right, newPassword: .another), in: auth.context())
        #expect(await fault { () throws(Fault) in try await use(auth, code) } == Fault(.resetInvalid))
    }

    @Test("a letter that nobody has read is read later, after a restart too, and while its code is good")
    func retries() async throws {
        let directory = try TemporaryDirectory()
        do {
            let auth = try AuthHarness(.file, in: directory)
            try await auth.register(profile: .ada)
            _ = try await ask(auth)
            for _ in 0..<2 { try await mail.collect(from: auth, confirming: false) }
        }
        let auth = try AuthHarness(.file, in: directory)
        try await mail.collect(from: auth)
        // The same letter each time: one id, one code.
        #expect(mail.letters.count == 3)
        #expect(Set(mail.letters.map(\.id)).count == 1)
        #expect(Set(mail.letters.map(\.text)).count == 1)
        try await use(auth, try #require(mail.letters.last?.code))

        _ = try await ask(auth)
        auth.clock.advance(.seconds(900))
        try await mail.collect(from: auth)
        // The news that the password was changed is read, and a code that is over is not.
        #expect(mail.letters.count == 4 && mail.letters.last?.code == nil)
    }

    @Test("the code is nowhere in the files, and nothing that is told holds it")
    func secrets() async throws {
        let auth = try await alice(.file)
        let code = try await code(auth)
        let bare = code.replacing("-", with: "")
        #expect("\(try #require(ResetCode(typed: code)))" == "a code")
        for file in try auth.directory.files where file.contains("auth.db") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            for text in [code, bare] { #expect(bytes.range(of: Data(text.utf8)) == nil) }
        }
        let fault = try #require(await fault { () throws(Fault) in try await use(auth, bare + "0") })
        #expect(!String(decoding: fault.json, as: UTF8.self).contains(bare))
        // Another key gives another code: a copy of the database alone opens nothing.
        let other = ResetCode(of: ResetID(high: 1, low: 1), key: [UInt8](repeating: 1, count: 32))
        #expect(!other.matches(ResetCode(of: ResetID(high: 1, low: 1), key: [UInt8](repeating: 2, count: 32))))
        #expect(other.matches(ResetCode(of: ResetID(high: 1, low: 1), key: [UInt8](repeating: 1, count: 32))))
    }
}
