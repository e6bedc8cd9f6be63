import Bus
import Contracts
import NotificationsService
import Primitives
import Testing

@Suite("reminders of the day")
struct ReminderTests {
    private func due(
        _ name: Routines.Label, late: Int64 = 0, quietUntil: Timestamp? = nil, in language: Language? = nil,
        _ sequence: Int64 = 1
    ) -> Envelope {
        .published(
            Routines.ReminderDue(
                day: .test(1), account: .alice, entry: 1, name: name, clock: "07:05", due: NoticesHarness.start,
                lateMinutes: late, quietUntil: quietUntil, time: NoticesHarness.start, language: language), sequence)
    }

    private static let sent = Offers.OfferSent(
        offer: .test(5), kind: .ad, merchant: .shop, merchantName: "The Shop", customer: .alice, title: "Half price",
        content: "All coffee", occasion: .entered, place: nil, expires: NoticesHarness.start + .seconds(86_400),
        time: NoticesHarness.start)

    @Test("004: a reminder says what begins and when; a late one, how late it is; a repeated fact says nothing more")
    func texts() async throws {
        let house = try await NoticesHarness()
        let facts = [
            due(.init(text: "Brush teeth"), 1), due(.init(emoji: "🚌"), late: 1, 2),
            due(.init(images: ["dog"]), late: 72, 3)
        ]
        try await house.consume(facts)
        try await house.consume(facts)
        let notices = try await house.inbox(.alice).notices
        #expect(notices.map(\.kind) == [.reminder, .reminder, .reminder])
        #expect(notices.map(\.title) == ["Late: your routine", "Late: 🚌", "Now: Brush teeth"])
        #expect(
            notices.map(\.text) == [
                "It was due at 07:05. This reminder comes 72 minutes late.",
                "It was due at 07:05. This reminder comes 1 minute late.", "It begins at 07:05."
            ])
    }

    @Test("A84: a reminder is in the language in which its day was confirmed")
    func german() async throws {
        let house = try await NoticesHarness()
        try await house.consume([
            due(.init(text: "Zähne putzen"), in: .de, 1), due(.init(emoji: "🚌"), late: 1, in: .de, 2),
            due(.init(images: ["dog"]), late: 72, in: .de, 3), due(.init(text: "Tea"), in: .en, 4)
        ])
        let notices = try await house.inbox(.alice).notices
        #expect(
            notices.map(\.title) == ["Now: Tea", "Verspätet: Ihre Routine", "Verspätet: 🚌", "Jetzt: Zähne putzen"])
        #expect(
            notices.map(\.text) == [
                "It begins at 07:05.", "Fällig war es um 07:05 Uhr. Diese Erinnerung kommt 72 Minuten zu spät.",
                "Fällig war es um 07:05 Uhr. Diese Erinnerung kommt 1 Minute zu spät.", "Beginn: 07:05 Uhr."
            ])
    }

    @Test("A85: while a routine quiets ads, their pushes wait for its end, and other pushes do not")
    func quiet() async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "phone", of: .alice, as: .test(5))
        let end = NoticesHarness.start + .seconds(1800)
        try await house.consume([due(.init(text: "Homework"), quietUntil: end)])
        // The reminder itself is pushed at once.
        #expect(try await house.queued().map(\.due) == [NoticesHarness.start])
        try await house.consume([.published(Self.sent, 1)])
        #expect(try await house.queued().map(\.due).sorted() == [NoticesHarness.start, end])
        #expect(try await house.store.settings(of: .alice).verdict(on: .request, at: NoticesHarness.start) == .now)
        #expect(try await house.store.settings(of: .alice).verdict(on: .offer, at: end) == .now)
        #expect(try await house.inbox(.alice).notices.map(\.kind) == [.offer, .reminder])
    }

    @Test("a reminder is pushed within an hour, also behind quiet hours, or else it is in the inbox alone")
    func putOff() async throws {
        let house = try await NoticesHarness()
        try await house.add(1, "phone", of: .alice, as: .test(5))
        let minute = NoticesHarness.start.milliseconds / 60_000 % 1440
        func beQuiet(for minutes: Int64) async throws {
            try await house.set(.alice, quiet: .init(from: minute, until: (minute + minutes) % 1440, offset: 0))
        }
        try await beQuiet(for: 90)
        try await house.consume([due(.init(text: "Brush teeth"), 1)])
        #expect(try await house.queued().isEmpty)
        try await beQuiet(for: 30)
        try await house.consume([due(.init(text: "Homework"), 2)])
        let queued = try await house.queued()
        #expect(queued.count == 1)
        #expect(queued.allSatisfy { $0.due > house.clock.now && $0.due <= house.clock.now + .seconds(1800) })
        #expect(try await house.inbox(.alice).notices.map(\.title) == ["Now: Homework", "Now: Brush teeth"])
    }

    @Test("A85: quiet hours that begin while the routine runs go on behind it")
    func quietHours() {
        let midnight = Timestamp(milliseconds: 1_795_219_200_000)
        let settings = Settings(
            quiet: QuietHours(from: 60, until: 120, by: .fixed(minutes: 0)), offersWaitUntil: midnight + .seconds(5400))
        #expect(settings.verdict(on: .offer, at: midnight) == .later(midnight + .seconds(7200)))
        #expect(settings.verdict(on: .message, at: midnight) == .now)
    }
}
