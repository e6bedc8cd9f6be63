import Bus
import Contracts
import Foundation
import GRDB
import NotificationsService
import Primitives
import TestKit
import Testing

@Suite("what letters said is forgotten")
struct LetterTests {
    private static let code = "7K3M-9QXT-R0V2-HB4C-WZ81-N6FJ-D5PA"

    private func send(_ house: NoticesHarness, for span: Duration) async throws {
        _ = try await SendMailHandler(house.service).admit(
            .init(
                notice: .init(high: 7, low: 7), to: "ada@example.com", subject: "Your Billfold code",
                text: "The code: \(Self.code)\n", expires: house.clock.now + span), in: house.context())
    }

    /// Whether a text is in any of the store's files, its write-ahead log among them.
    private func isOnDisk(_ text: String, _ house: NoticesHarness) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: house.directory.path).contains { name in
            try Data(contentsOf: URL(fileURLWithPath: "\(house.directory.path)/\(name)"))
                .range(of: Data(text.utf8)) != nil
        }
    }

    @Test("a code leaves the database when its time is up, though the letter was never delivered")
    func expired() async throws {
        let house = try await NoticesHarness()
        try await send(house, for: .seconds(900))
        #expect(try isOnDisk(Self.code, house))
        house.clock.advance(.seconds(899))
        try await house.service.sweep()
        #expect(try isOnDisk(Self.code, house))
        house.clock.advance(.seconds(1))
        try await house.service.sweep()
        #expect(try !isOnDisk(Self.code, house))
    }

    @Test("a code leaves the database once its letter was delivered")
    func delivered() async throws {
        let house = try await NoticesHarness()
        try await send(house, for: .seconds(900))
        let letter = try #require(try await house.queued().first?.id)
        try await house.carrying { () async throws in _ = try await house.ended(letter) }
        try await house.service.sweep()
        #expect(try !isOnDisk(Self.code, house))
    }

    @Test("a file from before this opens, and forgets what it holds")
    func migrates() async throws {
        let directory = try TemporaryDirectory()
        do {
            let house = try await NoticesHarness(in: directory)
            try await send(house, for: .seconds(900))
            try await house.close()
        }
        // As the second version left it.
        try await DatabaseQueue(path: directory.path + "/notifications.sqlite").write { database in
            try database.execute(sql: "DROP INDEX deliveries_letters")
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '3:%'")
        }
        let house = try await NoticesHarness(in: directory)
        house.clock.advance(.seconds(900))
        try await house.service.sweep()
        #expect(try !isOnDisk(Self.code, house))
    }

    @Test("a letter that is a file goes when its time is up, and a draft of one; one without a time, after a week")
    func files() async throws {
        let directory = try TemporaryDirectory()
        let outbox = try OutboxProvider(directory: directory.path, from: try #require(MailAddress("b@example.com")))
        let old = "2026-11-01T00:00:00.000Z-\(String(repeating: "0", count: 32)).eml"
        let draft =
            "2026-11-07T23:59:00.000Z-\(String(repeating: "0", count: 32))-until-2026-11-08T00:14:00.000Z.eml.draft"
        for name in [old, draft, "notes.txt", "2026-11-01T00:00:00.000Z-copy.tar"] {
            #expect(FileManager.default.createFile(atPath: "\(directory.path)/\(name)", contents: Data()))
        }
        let start = try #require(Timestamp(rfc3339: Array("2026-11-07T23:59:00.000Z".utf8)))
        let delivery = Delivery(
            id: DeliveryID(high: 1, low: 1), notice: nil, account: nil, channel: .mail, address: "ada@example.com",
            endpoint: nil, p256dh: nil, auth: nil, secret: nil, kind: nil, title: "Your Billfold code",
            text: "The code: \(Self.code)", link: nil, created: start, expires: start + .seconds(900), attempts: 0)
        _ = await outbox.send(delivery, at: start)
        func files() throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: directory.path))
        }
        outbox.sweep(at: start + .seconds(59))
        #expect(try files().count == 5)
        outbox.sweep(at: start + .seconds(60))
        #expect(try files().count == 4 && !files().contains(old))
        outbox.sweep(at: start + .seconds(899))
        #expect(try files().count == 4)
        outbox.sweep(at: start + .seconds(900))
        #expect(try files() == ["notes.txt", "2026-11-01T00:00:00.000Z-copy.tar"])
    }

    private static let letter = LetterID(high: 7, low: 7)

    private func queued(_ sequence: Int64, for span: Duration = .seconds(900)) -> Envelope {
        .published(
            Auth.LetterQueued(
                letter: Self.letter, account: .alice, kind: .code, expires: NoticesHarness.start + span,
                time: NoticesHarness.start), sequence)
    }

    private func put(_ house: NoticesHarness, to address: String = "ada@example.com", subject: String = "Your code") {
        house.auth.put(
            Self.letter,
            .init(
                to: address, subject: subject, text: "The code: \(Self.code)\n",
                expires: NoticesHarness.start + .seconds(900)))
    }

    @Test("a letter that auth has queued is read, sent once and confirmed")
    func queuedLetter() async throws {
        let house = try await NoticesHarness()
        put(house)
        try await house.consume([queued(1)])
        #expect(house.auth.letters.isEmpty)
        try await house.carrying { () async throws in _ = try await house.ended(Self.letter.reinterpreted()) }
        // Read again, as from an older copy of this file: auth has it no more, and its key is known.
        put(house)
        try await house.consume([queued(2)])
        #expect(house.provider.sent.count == 1)
        let delivery = try #require(house.provider.sent.first)
        #expect(delivery.address == "ada@example.com" && delivery.text.contains(Self.code) && delivery.channel == .mail)
        #expect(delivery.expires == NoticesHarness.start + .seconds(900))
        #expect(try await house.facts().allSatisfy { !String(decoding: $0.json, as: UTF8.self).contains(Self.code) })
    }

    @Test("while auth is away the letter and all behind it wait")
    func away() async throws {
        let house = try await NoticesHarness()
        put(house)
        house.auth.refuse(Fault(.noWorker))
        await #expect(throws: Fault(.noWorker)) { try await house.consume([queued(1)]) }
        #expect(try await house.store.store.position(of: Auth.service).sequence == 0)
        house.auth.refuse(nil)
        try await house.consume([queued(1)])
        #expect(try await house.queued().count == 1)
        #expect(try await house.store.store.position(of: Auth.service).sequence == 1)
    }

    @Test("a letter that is over, gone or wrong is passed over, and holds up no other")
    func passedOver() async throws {
        let house = try await NoticesHarness()
        try await house.consume([queued(1)])  // auth does not have it
        put(house)
        try await house.consume([queued(2, for: .zero)])  // its time is up: nobody asks for it
        #expect(house.auth.letters.count == 1)
        put(house, to: "nobody")
        try await house.consume([queued(3)])
        put(house, subject: "two\nlines")
        try await house.consume([queued(4)])
        #expect(try await house.queued().isEmpty && house.auth.letters.isEmpty)
    }

    @Test(
        "an account with another password loses the endpoints of the last seven days, and so does one that is recovered",
        arguments: Auth.Credential.allCases)
    func endpointsOfStrangers(credential: Auth.Credential) async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "own", of: .alice, as: .test(1))
        house.clock.advance(NoticeStore.doubtfulAge)
        try await house.add(1, "strange", of: .alice, as: .test(2))
        try await house.add(1, "carol's", of: .carol, as: .test(3))
        let changed = Auth.CredentialChanged(account: .alice, credential: credential, time: house.clock.now)
        try await house.consume([.published(changed, 1)])
        let left = try await house.endpoints(.alice).map(\.endpoint)
        let endsStrangers = [.password, .resetPassword, .restoredAddress].contains(credential)
        #expect(left == (endsStrangers ? [.test(1)] : [.test(1), .test(2)]))
        #expect(try await house.endpoints(.carol).count == 1)
    }

    @Test("an owner reads in the inbox what was changed, that no money moved, and a way back")
    func notices() async throws {
        for credential in Auth.Credential.allCases {
            let changed = Auth.CredentialChanged(
                account: .alice, credential: credential, time: NoticesHarness.start)
            let house = try await NoticesHarness()
            try await house.consume([.published(changed, 1)])
            let notice = try #require(try await house.inbox(.alice).notices.first)
            #expect(notice.kind == .message && notice.title.contains("our"))
            #expect(notice.text.contains(NoticesHarness.start.rfc3339))
            #expect(notice.text.contains("No money was moved") && notice.text.contains("If it was not you"))
        }
    }
}
