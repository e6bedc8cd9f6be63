import Bus
import Contracts
import GRDB
import NotificationsService
import Primitives
import TestKit
import Testing

@Suite("inbox")
struct InboxTests {
    private let alice = Actor(role: .customer, party: .alice)

    @Test("facts become notices once, also when they are read again or after a restart")
    func once() async throws {
        let first = try await NoticesHarness()
        // Whose request is pushed tells the merchant nothing.
        try await first.add(1, "android", of: .alice, as: .test(1))
        try await first.consume([.requested(1), .captured(2), .requested(3)])
        try await first.consume([.requested(1), .captured(2), .requested(3)])
        #expect(try await first.inbox(.alice).notices.map(\.number) == [2, 1])
        #expect(try await first.store.store.position(of: "payments").sequence == 3)
        let again = try await first.inbox(.alice).notices
        let published = try await first.facts()
        #expect(published.map(\.type) == [String](repeating: Notifications.NoticeAdded.type.name, count: 2))
        #expect(published.allSatisfy { $0.correlationID == "touch-1" && $0.traceparent == "trace" })
        #expect(published.map(\.causationID) == ["payments-1", "payments-3"])
        #expect(first.auth.asked.count == 1)
        #expect(again.first?.title == "The Shop asks for $4.20")
    }

    @Test("payments without a web hook write nothing but a cursor now and then")
    func quick() async throws {
        let house = try await NoticesHarness()
        try await house.consume([.captured(1), .captured(2)])
        #expect(try await house.store.store.position(of: "payments").sequence == 2)
        try await house.consume([.captured(3)])
        #expect(try await house.store.store.position(of: "payments").sequence == 2)
        house.clock.advance(EventConsumer.cursorPause)
        try await house.consume([.captured(4)])
        #expect(try await house.store.store.position(of: "payments").sequence == 4)
        #expect(try await house.facts().isEmpty)
    }

    @Test("a fact that cannot be read keeps nothing back")
    func unreadable() async throws {
        let house = try await NoticesHarness()
        try await house.consume([.requested(1).with(data: Array("{}".utf8)), .requested(2)])
        #expect(house.unread.count == 1)
        #expect(try await house.inbox(.alice).notices.count == 1)
    }

    @Test("a merchant's new name is asked for again")
    func renamed() async throws {
        let house = try await NoticesHarness()
        try await house.consume([.requested(1)])
        try await house.consume([.requested(2)])
        #expect(house.auth.asked.count == 1)
        try await house.consume([
            .published(
                Auth.ProfileChanged(
                    account: .shop, role: .merchant, username: "shop", name: "Another", birthdate: nil, gender: nil,
                    student: nil, time: house.clock.now), 1)
        ])
        try await house.consume([.requested(3)])
        #expect(house.auth.asked.count == 2)
    }

    @Test("pages in both directions, unread ones, and how many they are")
    func pages() async throws {
        let house = try await NoticesHarness()
        try await house.consume((1...7).map { .requested(Int64($0), minor: Int64($0) * 100) })
        let newest = try await house.inbox(.alice, limit: 3)
        #expect(newest.notices.map(\.number) == [7, 6, 5] && newest.next == 5 && newest.head == 7 && newest.unread == 7)
        #expect(try await house.inbox(.alice, before: 2, limit: 3).next == nil)
        let behind = try await house.inbox(.alice, after: 2, limit: 3)
        #expect(behind.notices.map(\.number) == [3, 4, 5] && behind.next == 5)
        #expect(try await house.inbox(.alice, after: .max).notices.isEmpty)
        let id = newest.notices[0].notice
        let marked = try await MarkNoticeHandler(house.service).admit(
            .init(account: .alice, notice: id), in: house.context(alice))
        #expect(marked.read == house.clock.now)
        house.clock.advance(.seconds(1))
        let again = try await MarkNoticeHandler(house.service).admit(
            .init(account: .alice, notice: id), in: house.context(alice))
        #expect(again == marked)
        let unread = try await house.inbox(.alice, unread: true)
        #expect(unread.unread == 6 && unread.notices.map(\.number) == [6, 5, 4, 3, 2, 1])
        #expect(await refusal { () throws(Fault) in try await house.inbox(.alice, before: 1, after: 1) } == .malformed)
        #expect(await refusal { () throws(Fault) in try await house.inbox(.alice, limit: 101) } == .malformed)
    }

    /// Of another merchant each.
    private func many(_ numbers: ClosedRange<Int>) -> [Envelope] {
        numbers.map { .requested(Int64($0), merchant: .test(UInt64($0))) }
    }

    @Test("a thousand are kept, the newest where none was read, and numbers go on")
    func bounded() async throws {
        let house = try await NoticesHarness()
        let count = Notifications.inboxMax + 5
        try await house.consume(many(1...count))
        let oldest = try await house.inbox(.alice, after: 0, limit: 1)
        #expect(oldest.notices.map(\.number) == [6] && oldest.head == Int64(count))
        #expect(oldest.unread == Int64(Notifications.inboxMax))
        // What was forgotten does not come back with its fact.
        try await house.consume(many(1...1))
        #expect(try await house.inbox(.alice).head == Int64(count))
    }

    @Test("what was read goes before what is unread, the oldest of it first")
    func readGoFirst() async throws {
        let house = try await NoticesHarness()
        let full = Notifications.inboxMax
        try await house.consume(many(1...full))
        for notice in try await house.inbox(.alice, after: 500, limit: 3).notices {
            _ = try await MarkNoticeHandler(house.service).admit(
                .init(account: .alice, notice: notice.notice), in: house.context())
        }
        func numbers(after: Int64) async throws -> [Int64] {
            try await house.inbox(.alice, after: after, limit: 3).notices.map(\.number)
        }
        try await house.consume(many(full + 1...full + 2))
        #expect(try await numbers(after: 0) == [1, 2, 3])
        #expect(try await numbers(after: 499) == [500, 503, 504])
        try await house.consume(many(full + 3...full + 4))
        #expect(try await numbers(after: 0) == [2, 3, 4])
        #expect(try await numbers(after: 499) == [500, 504, 505])
        #expect(try await house.inbox(.alice, limit: 1).unread == Int64(full))
        // One that was read and the two oldest make room for three.
        let read = try await house.inbox(.alice, after: 504, limit: 1).notices[0].notice
        _ = try await MarkNoticeHandler(house.service).admit(.init(account: .alice, notice: read), in: house.context())
        try await house.consume(many(full + 5...full + 7))
        #expect(try await numbers(after: 0) == [4, 5, 6])
        #expect(try await numbers(after: 503) == [504, 506, 507])
        let (kept, rows): (Int?, Int?) = try await house.store.store.read { transaction in
            (
                try transaction.value("SELECT kept FROM inboxes WHERE account = ?", PartyID.alice),
                try transaction.value("SELECT count(*) FROM notices WHERE account = ?", PartyID.alice)
            )
        }
        #expect(kept == full && rows == full)
    }

    @Test("one merchant's flood leaves everybody else's notices, and its own newest")
    func flood() async throws {
        let house = try await NoticesHarness()
        try await house.consume([.requested(1, merchant: .bakery), .requested(2), .requested(3, of: .carol)])
        let flood = 1200
        try await house.consume((4...flood + 3).map { .requested(Int64($0), merchant: .bakery) })
        try await house.consume([.requested(Int64(flood) + 4)])
        let kept = Int64(house.store.rules.unreadPerSenderMax)
        let reply = try await house.inbox(.alice, after: 0)
        #expect(reply.unread == kept + 2)
        #expect(reply.notices.first?.title.contains("The Shop") == true && reply.notices.first?.number == 2)
        #expect(reply.notices.last?.title.contains("The Shop") == true)
        #expect(reply.notices.dropFirst().dropLast().map(\.number) == Array(Int64(flood) - kept + 3...Int64(flood) + 2))
        #expect(try await house.inbox(.carol).unread == 1)
    }

    private func incoming(_ house: NoticesHarness) async throws -> Int {
        try await house.store.store.read { try $0.value("SELECT count(*) FROM incoming") } ?? 0
    }

    @Test("an inbox has every new notice when it is read, also after a restart and what was rolled back")
    func filed() async throws {
        let directory = try TemporaryDirectory()
        do {
            let house = try await NoticesHarness(in: directory)
            try await house.consume(many(1...3))
            #expect(try await house.inbox(.alice).notices.map(\.number) == [3, 2, 1])
            try await house.consume(many(4...5))
            try await house.close()
        }
        let house = try await NoticesHarness(in: directory)
        try await house.consume(many(6...6))
        // A piece of work that adds a notice and fails takes its number back.
        await #expect(throws: Fault.self) {
            try await house.store.change { [store = house.store] transaction in
                let draft = Draft(
                    id: .test(99), account: .alice, kind: .message, title: "T", text: "t", link: nil,
                    time: house.clock.now)
                _ = try store.insert(draft, mayExist: false, because: nil, into: transaction, at: house.clock.now)
                throw Fault(.unavailable, "test")
            }
        }
        try await house.consume(many(7...7))
        #expect(try await house.inbox(.alice).notices.map(\.number) == Array((1...7).reversed()))
        let added = try await house.facts().map { try Notifications.NoticeAdded(json: $0.data) }
        #expect(added.filter { $0.account == .alice }.map(\.number) == Array(1...7))
    }

    @Test("new notices of those who do not read are filed when many have gathered, and their rows go")
    func rounds() async throws {
        var rules = DeliveryRules()
        rules.incomingMax = 40
        let directory = try TemporaryDirectory()
        let accounts = (1...12).map { PartyID.test(UInt64(1000 + $0)) }
        func consume(_ numbers: ClosedRange<Int64>, in house: NoticesHarness) async throws {
            for first in stride(from: numbers.lowerBound, through: numbers.upperBound, by: 5) {
                try await house.consume(
                    (first..<first + 5).map {
                        .requested($0, of: accounts[Int($0) % accounts.count], merchant: .test(UInt64($0)))
                    })
            }
        }
        do {
            let house = try await NoticesHarness(rules: rules, in: directory)
            try await consume(1...300, in: house)
            #expect(try await incoming(house) < 100)
        }
        // Begun rounds go on after a restart.
        let house = try await NoticesHarness(rules: rules, in: directory)
        try await consume(301...360, in: house)
        #expect(try await incoming(house) < 100)
        for account in accounts {
            let numbers = try await house.inbox(account).notices.map(\.number)
            #expect(numbers == Array((1...30).reversed()))
        }
    }

    @Test("facts that are applied again behind a cursor that was set back make no notice twice, also after a restart")
    func readAgain() async throws {
        let directory = try TemporaryDirectory()
        func isUnchanged(_ house: NoticesHarness, newest: Int64) async throws {
            let numbers = try await house.inbox(.alice).notices.map(\.number)
            #expect(numbers == Array((1...newest).reversed()))
            #expect(
                try await house.facts().map { try Notifications.NoticeAdded(json: $0.data) }
                    .filter { $0.account == .alice }.map(\.number) == Array(1...newest))
        }
        do {
            let house = try await NoticesHarness(in: directory)
            try await house.consume(many(1...3))
            // Filed by this reader; those behind them are not filed yet.
            try await isUnchanged(house, newest: 3)
            try await house.consume(many(4...5))
            try await house.store.setPosition(of: Payments.service, to: FactPosition(sequence: 0, mark: []))
            try await house.consume(many(1...2))
            try await isUnchanged(house, newest: 5)
        }
        let house = try await NoticesHarness(in: directory)
        try await house.consume(many(3...6))
        try await isUnchanged(house, newest: 6)
    }

    @Test("a file of the version before is opened with its notices, and goes on")
    func versionBefore() async throws {
        let directory = try TemporaryDirectory()
        do {
            let house = try await NoticesHarness(in: directory)
            try await house.consume((1...4).map { .requested($0) })
            let read = try await house.inbox(.alice, after: 1, limit: 1).notices[0].notice
            _ = try await MarkNoticeHandler(house.service).admit(
                .init(account: .alice, notice: read), in: house.context())
            try await house.close()
        }
        try await DatabaseQueue(path: directory.path + "/notifications.sqlite").write { database in
            try database.execute(
                sql: """
                    DROP INDEX notices_unread; ALTER TABLE notices DROP COLUMN sender;
                    CREATE INDEX notices_unread ON notices (account) WHERE read IS NULL;
                    DELETE FROM grdb_migrations WHERE identifier LIKE '4:%';
                    """)
        }
        let house = try await NoticesHarness(in: directory)
        #expect(try await house.inbox(.alice).unread == 3)
        let kept = house.store.rules.unreadPerSenderMax
        try await house.consume((5...kept + 10).map { .requested(Int64($0)) })
        // Who caused the old ones is not known: they stay.
        let reply = try await house.inbox(.alice, after: 0)
        #expect(reply.unread == Int64(kept) + 3)
        #expect(reply.notices.prefix(4).map(\.number) == [1, 2, 3, 4])
    }

    @Test("a file whose notices had an index of their ids is opened with all of them")
    func withIndexOfIDs() async throws {
        let directory = try TemporaryDirectory()
        let before: Notifications.ReadInbox.Reply
        do {
            let house = try await NoticesHarness(in: directory)
            try await house.consume((1...4).map { .requested($0, merchant: $0 % 2 == 0 ? .bakery : .shop) })
            let read = try await house.inbox(.alice, after: 1, limit: 1).notices[0].notice
            _ = try await MarkNoticeHandler(house.service).admit(
                .init(account: .alice, notice: read), in: house.context())
            before = try await house.inbox(.alice)
            try await house.close()
        }
        try await DatabaseQueue(path: directory.path + "/notifications.sqlite").write { database in
            try database.execute(
                sql: """
                    CREATE TABLE notices_before (
                        account BLOB NOT NULL, number INTEGER NOT NULL, id BLOB NOT NULL, kind INTEGER NOT NULL,
                        title TEXT NOT NULL, text TEXT NOT NULL, link TEXT, time INTEGER NOT NULL, read INTEGER,
                        sender BLOB, PRIMARY KEY (account, number), UNIQUE (account, id)) STRICT, WITHOUT ROWID;
                    INSERT INTO notices_before (account, number, id, kind, title, text, link, time, read, sender)
                        SELECT account, number, id, kind, title, text, link, time, read, sender FROM notices;
                    DROP TABLE notices; ALTER TABLE notices_before RENAME TO notices; DROP TABLE read_again;
                    DELETE FROM grdb_migrations WHERE identifier LIKE '10:%';
                    """)
        }
        let house = try await NoticesHarness(in: directory)
        #expect(try await house.inbox(.alice) == before)
        #expect(before.unread == 3)
        let senders: Int? = try await house.store.store.read {
            try $0.value("SELECT count(DISTINCT sender) FROM notices WHERE account = ?", PartyID.alice)
        }
        #expect(senders == 2)
    }

    @Test("nobody else reads, marks, registers, removes or sets")
    func tenants() async throws {
        let house = try await NoticesHarness()
        try await house.consume([.requested(1)])
        let notice = try await house.inbox(.alice).notices[0].notice
        try await house.add(1, "phone", of: .alice, as: .test(1))
        let others = [
            Actor(role: .customer, party: .carol), Actor(role: .merchant, party: .shop),
            Actor(role: .administrator, party: .alice)
        ]
        for actor in others {
            let context = house.context(actor)
            #expect(await refusal { () throws(Fault) in try await house.inbox(.alice, actor: actor) } == .forbidden)
            #expect(
                await refusal { () throws(Fault) in
                    try await ReadNoticeHandler(house.service).admit(
                        .init(account: .alice, notice: notice), in: context)
                } == .forbidden)
            #expect(
                await refusal { () throws(Fault) in
                    try await MarkNoticeHandler(house.service).admit(
                        .init(account: .alice, notice: notice), in: context)
                } == .forbidden)
            #expect(
                await refusal { () throws(Fault) in
                    try await house.add(1, "other", of: .alice, as: .test(2), actor: actor)
                } == .forbidden)
            #expect(
                await refusal { () throws(Fault) in
                    try await ReadEndpointsHandler(house.service).admit(.init(account: .alice), in: context)
                } == .forbidden)
            #expect(
                await refusal { () throws(Fault) in
                    try await RemoveEndpointHandler(house.service).admit(
                        .init(account: .alice, endpoint: .test(1)), in: context)
                } == .forbidden)
            #expect(
                await refusal { () throws(Fault) in
                    try await ReadSettingsHandler(house.service).admit(.init(account: .alice), in: context)
                } == .forbidden)
            #expect(
                await refusal { () throws(Fault) in
                    try await SetSettingsHandler(house.service).admit(
                        .init(account: .alice, enabled: false, muted: [], quiet: nil), in: context)
                } == .forbidden)
        }
        // Under one's own name another's notice is not there.
        let carol = house.context(others[0])
        #expect(
            await refusal { () throws(Fault) in
                try await ReadNoticeHandler(house.service).admit(.init(account: .carol, notice: notice), in: carol)
            } == .noticeNotFound)
        #expect(
            await refusal { () throws(Fault) in
                try await MarkNoticeHandler(house.service).admit(.init(account: .carol, notice: notice), in: carol)
            } == .noticeNotFound)
        let removed = try await RemoveEndpointHandler(house.service).admit(
            .init(account: .carol, endpoint: .test(1)), in: carol)
        #expect(!removed.removed)
        #expect(try await house.endpoints(.alice).count == 1)
    }

    @Test("letters, messages and dead letters are for operators", arguments: [Auth.Role.customer, .merchant])
    func operators(role: Auth.Role) async throws {
        let house = try await NoticesHarness()
        let context = house.context(Actor(role: role, party: .alice))
        #expect(
            await refusal { () throws(Fault) in
                try await SendNotificationHandler(house.service).admit(
                    .init(notice: .test(1), type: 1, registrationId: "x", message: "x"), in: context)
            } == .forbidden)
        #expect(
            await refusal { () throws(Fault) in
                try await SendMailHandler(house.service).admit(
                    .init(notice: .test(1), to: "a@b.c", subject: "x", text: "x", expires: house.clock.now), in: context
                )
            } == .forbidden)
        #expect(
            await refusal { () throws(Fault) in
                try await ReadDeadLettersHandler(house.service).admit(.init(before: nil, limit: 1), in: context)
            } == .forbidden)
        #expect(
            await refusal { () throws(Fault) in
                try await ReadDeliveryHandler(house.service).admit(.init(delivery: .test(1)), in: context)
            } == .forbidden)
        #expect(
            await refusal { () throws(Fault) in
                try await ReplayDeliveryHandler(house.service).admit(.init(delivery: .test(1)), in: context)
            } == .forbidden)
        #expect(
            await refusal { () throws(Fault) in
                try await DiscardDeliveryHandler(house.service).admit(.init(delivery: .test(1)), in: context)
            } == .forbidden)
        // Not even administrators write letters in our name.
        #expect(
            await refusal { () throws(Fault) in
                try await SendMailHandler(house.service).admit(
                    .init(notice: .test(1), to: "a@b.c", subject: "x", text: "x", expires: house.clock.now),
                    in: house.context(Actor(role: .administrator, party: .carol)))
            } == .forbidden)
    }
}
