import AuthService
import Bus
import Contracts
import GRDB
import Primitives
import TestKit
import Testing

@Suite("Letters to owners")
struct LetterTests {
    private let mail = Mailbox()

    private func alice(_ kind: StoreKind = .inMemory, in directory: TemporaryDirectory? = nil) async throws
        -> AuthHarness
    {
        let auth = try AuthHarness(kind, in: directory)
        try await auth.register(profile: Auth.Profile(email: "ada@example.com"))
        return auth
    }

    private func forget(_ auth: AuthHarness) async throws {
        _ = try await RequestResetHandler(auth.service).answer(
            .init(username: "alice", email: "ada@example.com"), in: auth.context())
    }

    private func changePassword(_ auth: AuthHarness) async throws {
        _ = try await ChangePasswordHandler(auth.service).answer(
            .init(account: .alice, session: nil, password: .right, newPassword: .right), in: auth.context())
    }

    private func queued(_ auth: AuthHarness) async throws -> [Auth.LetterQueued] {
        try await auth.facts().filter { $0.type == Auth.LetterQueued.type.name }
            .map { try Auth.LetterQueued(json: $0.data) }
    }

    @Test("a fact names each letter, its account and its kind, and nothing of what it says")
    func facts() async throws {
        let auth = try await alice()
        try await forget(auth)
        let code = try #require(try await queued(auth).first)
        #expect(
            code
                == .init(
                    letter: code.letter, account: .alice, kind: .code, expires: auth.clock.now + .seconds(900),
                    time: auth.clock.now))
        try await mail.collect(from: auth)
        try await changePassword(auth)
        #expect(try await queued(auth).map(\.kind) == [.code, .change])
        try await mail.collect(from: auth)
        #expect(mail.letters.count == 2)
        let secrets = ["ada@", "alice", try #require(mail.letters[0].code)]
        for fact in try await auth.facts() where fact.type == Auth.LetterQueued.type.name {
            let text = String(decoding: fact.json, as: UTF8.self)
            for secret in secrets { #expect(!text.contains(secret)) }
        }
    }

    @Test("a letter is read until it is confirmed; its code is good for its time all the same")
    func confirmed() async throws {
        let auth = try await alice()
        try await forget(auth)
        for _ in 0..<2 { try await mail.collect(from: auth, confirming: false) }
        try await mail.collect(from: auth)
        try await mail.collect(from: auth)
        #expect(mail.letters.count == 3 && Set(mail.letters.map(\.text)).count == 1)
        let letter = try #require(mail.letters.first?.id)
        for (id, confirmed) in [(letter, false), (LetterID(high: 9, low: 9), false)] {
            let reply = try await ConfirmLetterHandler(auth.service).answer(.init(letter: id), in: auth.context())
            #expect(reply.confirmed == confirmed)
        }
        #expect(try await auth.number("SELECT count(*) FROM resets") == 1)
    }

    @Test("a letter is gone with its code: used, replaced, or outlived", arguments: StoreKind.allCases)
    func gone(kind: StoreKind) async throws {
        let auth = try await alice(kind)
        try await forget(auth)
        try await forget(auth)
        try await mail.collect(from: auth, confirming: false)
        #expect(mail.letters.count == 1)
        auth.clock.advance(.seconds(900))
        try await mail.collect(from: auth)
        #expect(mail.letters.count == 1)
        try await forget(auth)
        try await changePassword(auth)
        // That of the password's change only.
        try await mail.collect(from: auth)
        #expect(mail.letters.count == 2 && mail.letters.last?.code == nil)
    }

    @Test("letters are for services only", arguments: Auth.Role.allCases)
    func forbidden(role: Auth.Role) async throws {
        let auth = try await alice()
        try await forget(auth)
        let letter = try #require(try await queued(auth).first?.letter)
        let context = auth.context(actor: Actor(role: role, party: .alice))
        #expect(
            await fault { () throws(Fault) in
                try await ReadLetterHandler(auth.service).admit(.init(letter: letter), in: context)
            } == Fault(.forbidden))
        #expect(
            await fault { () throws(Fault) in
                try await ConfirmLetterHandler(auth.service).admit(.init(letter: letter), in: context)
            } == Fault(.forbidden))
    }

    @Test("letters of a file from before there were facts of them are published when it is opened")
    func migrates() async throws {
        let directory = try TemporaryDirectory()
        do {
            let auth = try await alice(.file, in: directory)
            try await forget(auth)
            try await changePassword(auth)
            try await forget(auth)
            try await auth.close()
        }
        // As the fourth version left it.
        try await DatabaseQueue(path: directory.path + "/auth.db").write { database in
            try database.execute(sql: undoVersion6)
            try database.execute(
                sql: """
                    DELETE FROM facts WHERE CAST(envelope AS TEXT) LIKE '%auth.letter.queued.v1%';
                    CREATE INDEX resets_unsent ON resets (expires) WHERE sent = 0;
                    CREATE INDEX letters_by_time ON letters (time);
                    DELETE FROM grdb_migrations WHERE identifier LIKE '5:%';
                    """)
        }
        let auth = try AuthHarness(.file, in: directory)
        #expect(try await queued(auth).map(\.kind) == [.code, .change])
        try await mail.collect(from: auth)
        #expect(mail.letters.map { $0.code != nil } == [true, false])
    }
}
