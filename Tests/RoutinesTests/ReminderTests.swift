import Contracts
import Primitives
import RoutinesService
import TestKit
import Testing

@Suite("Reminders")
struct ReminderTests {
    private typealias Harness = RoutinesHarness

    private static let entries = [
        Routines.NewEntry(appointment: .init(text: "Doctor"), start: 360, minutes: 30),
        Routines.NewEntry(appointment: .init(emoji: "🚌"), start: 420, minutes: 30)
    ]

    private func reminders(_ harness: RoutinesHarness, at clock: String) async throws -> [Routines.ReminderDue] {
        harness.now = Harness.moment("2026-11-24T\(clock)Z")
        try await harness.service.remind()
        return try await harness.facts(Routines.ReminderDue.self)
    }

    @Test("a reminder is published when its entry begins, and once")
    func once() async throws {
        let harness = try Harness()
        let day = try await harness.confirm(Self.entries)
        #expect(try await reminders(harness, at: "05:59:59").isEmpty)
        let first = try await reminders(harness, at: "06:00:01")
        #expect(first.map(\.entry) == [1])
        #expect((first[0].day, first[0].clock, first[0].lateMinutes, first[0].quietUntil) == (day.day, "06:00", 0, nil))
        #expect(try await reminders(harness, at: "06:00:02").count == 1)
        #expect(try await reminders(harness, at: "07:00:00").map(\.entry) == [1, 2])
    }

    @Test("what is named by a picture alone is named by its words too")
    func pictures() async throws {
        let harness = try Harness()
        _ = try await harness.confirm([
            Routines.NewEntry(appointment: .init(images: ["toothbrush"]), start: 360, minutes: 5),
            Routines.NewEntry(appointment: .init(emoji: "🚌", images: ["bus"]), start: 420, minutes: 5)
        ])
        #expect(
            try await reminders(harness, at: "07:00:00").map(\.name) == [
                Routines.Label(text: "Brush teeth", images: ["toothbrush"]),
                Routines.Label(emoji: "🚌", images: ["bus"])
            ])
    }

    @Test("after the process was away the reminders are published once, and say how late they are")
    func restart() async throws {
        let directory = try TemporaryDirectory()
        do {
            let harness = try Harness(in: directory)
            _ = try await harness.confirm(Self.entries)
            try await harness.close()
        }
        do {
            let harness = try Harness(in: directory)
            let late = try await reminders(harness, at: "08:30:00")
            #expect(late.map(\.entry) == [1, 2])
            #expect(late.map(\.lateMinutes) == [150, 90])
            try await harness.close()
        }
        #expect(try await reminders(try Harness(in: directory), at: "08:31:00").count == 2)
    }

    @Test("nobody is reminded of what is done, removed, replaced, or had begun when the day was confirmed")
    func needless() async throws {
        let harness = try Harness(at: "2026-11-24T06:10:00Z")
        let day = try await harness.confirm(
            Self.entries + [.init(appointment: .init(text: "Bus"), start: 500, minutes: 10)])
        _ = try await harness.mark(day, 2, 1)
        _ = try await harness.ask(Routines.RemoveEntry(account: Harness.ada, day: day.day, entry: 3))
        #expect(try await reminders(harness, at: "09:00:00").isEmpty)
        _ = try await harness.confirm([.init(appointment: .init(text: "Tea"), start: 900)], replace: true)
        _ = try await harness.confirm([.init(appointment: .init(text: "Coffee"), start: 900)], replace: true)
        #expect(try await reminders(harness, at: "15:00:00").map(\.name.text) == ["Coffee"])
    }

    @Test("A85: a routine that quiets ads says until when")
    func quiet() async throws {
        let harness = try Harness()
        let routine = try await harness.create("Homework", quiet: true, actions: [Harness.action("Read", 45)])
        _ = try await harness.confirm([.init(routine: routine.routine, start: 360)])
        let end = Harness.moment("2026-11-24T06:45:00Z")
        #expect(try await reminders(harness, at: "06:00:00").map(\.quietUntil) == [end])
    }

    @Test("many reminders at one moment are all published")
    func many() async throws {
        let harness = try Harness()
        for account in 0..<450 {
            _ = try await harness.ask(
                Routines.ConfirmDay(
                    account: PartyID(high: 5, low: UInt64(account)), day: harness.id(), date: Harness.date, zone: "UTC",
                    entries: Self.entries))
        }
        #expect(try await reminders(harness, at: "07:00:00").count == 900)
    }
}
