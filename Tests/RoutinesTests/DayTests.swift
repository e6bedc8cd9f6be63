import Contracts
import Foundation
import Primitives
import RoutinesService
import TestKit
import Testing

@Suite("Days")
struct DayTests {
    private typealias Harness = RoutinesHarness

    private static let doctor = Routines.NewEntry(appointment: .init(text: "Doctor's appointment"), start: 600)

    private func twoSteps(_ harness: RoutinesHarness, tag: String = "morning") async throws -> Routines.RoutineView {
        try await harness.create(
            "Get ready", tag: tag, actions: [Harness.action("Brush teeth"), Harness.action("Dress", 10)])
    }

    // MARK: Making one

    @Test("004-20, 004-21, 004-53, A75: a proposal has routines of the tags around the appointments, and keeps nothing")
    func proposal() async throws {
        let harness = try Harness()
        let ready = try await twoSteps(harness)
        try await harness.create("Walk", tag: "pet", actions: [Harness.action("Walk the dog", 30, .high)])
        try await harness.create("Read", tag: "evening", actions: [Harness.action("Read", 200)])
        let plan = try await harness.ask(
            Routines.ReadProposal(
                account: Harness.ada, tags: ["Morning", "evening"],
                appointments: [
                    .init(name: .init(text: "Doctor's appointment"), start: 365),
                    .init(name: .init(text: "Late"), start: 1100, minutes: 120)
                ]))
        #expect(plan.entries.map(\.start) == [365, 425, 1100])
        #expect(plan.entries.map(\.minutes) == [60, 15, 120])
        #expect(plan.entries[1].routine == ready.routine)
        #expect(plan.left.map(\.name.text) == ["Read"])
        #expect(await refusal { try await harness.read() } == .dayNotFound)
        let all = try await harness.ask(Routines.ReadProposal(account: Harness.ada, appointments: []))
        #expect(all.entries.map(\.name.text) == ["Walk", "Get ready", "Read"])
    }

    @Test("a proposal that is full leaves routines out, and says which; appointments never")
    func fullProposal() async throws {
        let harness = try Harness()
        for number in 1...40 { try await harness.create("Step \(number)", tag: "morning") }
        let plan = try await harness.ask(
            Routines.ReadProposal(
                account: Harness.ada,
                appointments: [
                    .init(name: .init(text: "Doctor"), start: 1200), .init(name: .init(text: "Dinner"), start: 1300)
                ]))
        #expect(plan.entries.count == 40)
        #expect(plan.entries.suffix(2).map(\.name.text) == ["Doctor", "Dinner"])
        #expect(plan.left.count == 2)
        let names = Set(plan.entries.map(\.name.text)).union(plan.left.map(\.name.text))
        #expect(names.count == 42)
    }

    @Test("so many schedules can be kept for the days to come, and one in the place of another")
    func daysAhead() async throws {
        let harness = try Harness()
        func day(_ number: Int) -> CivilDate { CivilDate(of: harness.now + .seconds(number * 86_400)) }
        for number in 0..<Routines.daysAheadMax { _ = try await harness.confirm([Self.doctor], on: day(number)) }
        let further = day(Routines.daysAheadMax)
        #expect(await refusal { try await harness.confirm([Self.doctor], on: further) } == .tooManyDays)
        _ = try await harness.confirm([Self.doctor], on: Harness.date, replace: true)
        harness.now = harness.now + .seconds(86_400)
        _ = try await harness.confirm([Self.doctor], on: further)
    }

    @Test("appointments at the same time are refused, and so is one that ends after midnight")
    func appointments() async throws {
        let harness = try Harness()
        func plan(_ times: [(Int64, Int64?)]) async throws -> Routines.ReadProposal.Reply {
            try await harness.ask(
                Routines.ReadProposal(
                    account: Harness.ada,
                    appointments: times.map { .init(name: .init(text: "A"), start: $0.0, minutes: $0.1) }))
        }
        #expect(await refusal { try await plan([(600, nil), (659, nil)]) } == .dayOverlaps)
        #expect(await refusal { try await plan([(1400, 60)]) } == .dayEntryInvalid)
        #expect(try await plan([(600, nil), (660, nil), (1400, nil)]).entries.map(\.minutes) == [60, 60, 40])
    }

    @Test("004-22, 004-23, 004-26: what is confirmed is kept as it was changed by hand")
    func confirmed() async throws {
        let harness = try Harness()
        let routine = try await twoSteps(harness)
        let day = try await harness.confirm([Self.doctor, .init(routine: routine.routine, start: 480)])
        #expect(day.entries.map(\.name.text) == ["Get ready", "Doctor's appointment"])
        #expect(day.entries.map(\.start) == [480, 600])
        #expect(day.entries.map(\.actions.count) == [2, 1])
        #expect(day.entries[0].until == Harness.moment("2026-11-24T12:00:00Z"))
        #expect(day.entries[1].until == Harness.moment("2026-11-24T11:00:00Z"))
        #expect(try await harness.read() == day)
        #expect(try await harness.facts(Routines.DayConfirmed.self).map(\.entries) == [2])
    }

    @Test("004-23: a confirmation that is sent again keeps nothing anew, and other content under its id is refused")
    func repeated() async throws {
        let harness = try Harness()
        let ask = Routines.ConfirmDay(
            account: Harness.ada, day: harness.id(), date: Harness.date, zone: "UTC", entries: [Self.doctor])
        let first = try await harness.ask(ask)
        let second = try await harness.ask(ask)
        #expect((first.day, first.replayed, second.replayed) == (second.day, false, true))
        let other = Routines.ConfirmDay(
            account: Harness.ada, day: ask.day, date: Harness.date, zone: "UTC", entries: [Self.doctor], replace: true)
        #expect(await refusal { try await harness.ask(other) } == .routinesIDReused)
        _ = try await harness.ask(Routines.DeleteDay(account: Harness.ada, day: ask.day))
        #expect(await refusal { try await harness.ask(ask) } == .dayNotFound)
    }

    @Test("004-24: a schedule without an entry is refused, and the last entry cannot be removed")
    func empty() async throws {
        let harness = try Harness()
        #expect(await refusal { try await harness.confirm([]) } == .dayEmpty)
        let day = try await harness.confirm([Self.doctor, .init(appointment: .init(emoji: "🚌"), start: 0)])
        let remove = { (entry: Int64) in
            try await harness.ask(Routines.RemoveEntry(account: Harness.ada, day: day.day, entry: entry))
        }
        #expect(try await remove(1).entries.map(\.entry) == [2])
        #expect(try await remove(1).entries.map(\.entry) == [2])
        #expect(await refusal { try await remove(2) } == .dayEmpty)
    }

    @Test(
        "004-19, A76: a past day is refused by the day's own clock; a second schedule replaces the first when told to")
    func dates() async throws {
        let harness = try Harness(at: "2026-11-24T23:30:00Z")
        let (yesterday, tomorrow) = (CivilDate("2026-11-23")!, CivilDate("2026-11-25")!)
        #expect(await refusal { try await harness.confirm([Self.doctor], on: yesterday) } == .dayPast)
        // In Berlin the day is over half an hour before midnight UTC.
        #expect(await refusal { try await harness.confirm([Self.doctor], zone: "Europe/Berlin") } == .dayPast)
        let first = try await harness.confirm([Self.doctor])
        _ = try await harness.confirm([Self.doctor], on: tomorrow, zone: "Europe/Berlin")
        #expect(await refusal { try await harness.confirm([Self.doctor]) } == .dayExists)
        #expect(try await harness.read() == first)
        let second = try await harness.confirm([.init(appointment: .init(emoji: "🚌"), start: 30)], replace: true)
        #expect(try await harness.read() == second)
        #expect(await refusal { try await harness.mark(first, 1, 1) } == .dayNotFound)
        #expect(await refusal { try await harness.confirm([Self.doctor], zone: "Mars/Base") } == .dayZoneInvalid)
    }

    @Test("004-27, A77: a day is copied to another date with its entries, all open")
    func copied() async throws {
        let harness = try Harness()
        let routine = try await twoSteps(harness)
        let day = try await harness.confirm([Self.doctor, .init(routine: routine.routine, start: 480)])
        _ = try await harness.mark(day, 1, 1)
        _ = try await harness.ask(Routines.DeleteRoutine(account: Harness.ada, routine: routine.routine))
        let next = CivilDate("2026-11-25")!
        func copy(from: CivilDate = Harness.date, to date: CivilDate) async throws -> Routines.KeptDay {
            try await harness.ask(
                Routines.CopyDay(account: Harness.ada, day: harness.id(), from: from, date: date, zone: "UTC"))
        }
        let made = try await copy(to: next).day
        #expect(made.entries.map(\.start) == [480, 600])
        #expect(made.entries.flatMap(\.actions).map(\.state) == [.open, .open, .open])
        #expect(made.entries[0].begins == Harness.moment("2026-11-25T08:00:00Z"))
        #expect(await refusal { try await copy(to: next) } == .dayExists)
        #expect(await refusal { try await copy(to: CivilDate("2026-11-01")!) } == .dayPast)
        #expect(await refusal { try await copy(from: CivilDate("2026-11-02")!, to: next) } == .dayNotFound)
        let days = try await harness.ask(Routines.ReadDays(account: Harness.ada, limit: 1))
        #expect(days.days.map(\.date) == [next])
        #expect(days.next == next)
        let rest = try await harness.ask(
            Routines.ReadDays(account: Harness.ada, before: days.next, limit: 1))
        #expect(rest.days.map(\.done) == [1])
        #expect(rest.next == nil)
    }

    @Test("entries that overlap, or name no routine, or two things, are refused")
    func entries() async throws {
        let harness = try Harness()
        let routine = try await twoSteps(harness)
        let (early, late) = (
            Routines.NewEntry(routine: routine.routine, start: 480),
            Routines.NewEntry(routine: routine.routine, start: 494)
        )
        #expect(await refusal { try await harness.confirm([early, late]) } == .dayOverlaps)
        #expect(
            await refusal { try await harness.confirm([.init(routine: harness.id(), start: 0)]) } == .routineNotFound)
        #expect(await refusal { try await harness.confirm([.init(start: 0)]) } == .dayEntryInvalid)
        let both = Routines.NewEntry(routine: routine.routine, appointment: .init(text: "A"), start: 0)
        #expect(await refusal { try await harness.confirm([both]) } == .dayEntryInvalid)
        #expect(
            await refusal { try await harness.confirm([.init(routine: routine.routine, start: 1430)]) }
                == .dayEntryInvalid)
    }

    @Test("a day that does not fit into one message is refused")
    func tooLarge() async throws {
        let harness = try Harness()
        let long = String(repeating: "\"", count: 60)
        let actions = (1...20).map { _ in Routines.Action(name: .init(text: long), minutes: 1, priority: .low) }
        let routine = try await harness.create("Long", actions: actions)
        let entries = (0..<20).map { Routines.NewEntry(routine: routine.routine, start: Int64($0 * 20)) }
        #expect(await refusal { try await harness.confirm(entries) } == .dayTooLarge)
        _ = try await harness.confirm(Array(entries.prefix(5)))
    }

    // MARK: Doing it

    @Test("004-28 to 004-31, 004-35, 004-54: the view says what is now and what is next, and a tap moves it on")
    func now() async throws {
        let harness = try Harness()
        let routine = try await twoSteps(harness)
        var day = try await harness.confirm([.init(routine: routine.routine, start: 480), Self.doctor])
        #expect((day.current, day.next) == (nil, .init(entry: 1, action: 1)))
        harness.now = Harness.moment("2026-11-24T08:00:00Z")
        day = try await harness.read()
        #expect((day.current, day.next) == (.init(entry: 1, action: 1), .init(entry: 2, action: 1)))
        #expect(day.entries.map(\.isInProgress) == [true, false])
        day = try await harness.mark(day, 1, 1)
        #expect(day.current == .init(entry: 1, action: 2))
        day = try await harness.mark(day, 1, 1, done: false)
        #expect(day.current == .init(entry: 1, action: 1))
        _ = try await harness.mark(day, 1, 1)
        day = try await harness.mark(day, 1, 2)
        #expect((day.current, day.entries.map(\.isDone)) == (nil, [true, false]))
        #expect(try await harness.facts(Routines.ActionDone.self).count == 3)
        // What is planned for now goes before what is left of earlier.
        _ = try await harness.mark(day, 1, 2, done: false)
        harness.now = Harness.moment("2026-11-24T10:30:00Z")
        #expect(try await harness.read().current == .init(entry: 2, action: 1))
        harness.now = Harness.moment("2026-11-24T11:30:00Z")
        #expect(try await harness.read().current == .init(entry: 1, action: 2))
    }

    @Test("004-32, A78: after lunch nobody is told to brush teeth: it is skipped, and cannot be done any more")
    func skipped() async throws {
        let harness = try Harness()
        let routine = try await twoSteps(harness)
        let day = try await harness.confirm([.init(routine: routine.routine, start: 480)])
        _ = try await harness.mark(day, 1, 1)
        harness.now = Harness.moment("2026-11-24T11:59:59Z")
        #expect(try await harness.read().current == .init(entry: 1, action: 2))
        harness.now = Harness.moment("2026-11-24T12:00:00Z")
        let over = try await harness.read()
        #expect(over.entries[0].actions.map(\.state) == [.done, .skipped])
        #expect((over.current, over.next, over.isDone) == (nil, nil, true))
        #expect(await refusal { try await harness.mark(day, 1, 2) } == .dayActionOver)
        // It was tapped in time, without a network.
        let tapped = try await harness.mark(day, 1, 2, time: Harness.moment("2026-11-24T11:50:00Z"))
        #expect(tapped.entries[0].actions[1].done == Harness.moment("2026-11-24T11:50:00Z"))
    }

    @Test("004-34, A78: done is when nothing is open and something is done, not when all was skipped")
    func done() async throws {
        let harness = try Harness()
        let day = try await harness.confirm([Self.doctor, .init(appointment: .init(emoji: "🚌"), start: 300)])
        #expect(try await !harness.mark(day, 1, 1).isDone)
        #expect(try await harness.mark(day, 2, 1).isDone)
        let other = try await harness.confirm([Self.doctor], replace: true)
        harness.now = Harness.moment("2026-11-24T13:00:00Z")
        let over = try await harness.read()
        #expect(over.day == other.day)
        #expect((over.isDone, over.entries[0].actions[0].state) == (false, .skipped))
    }

    @Test("a tap counts once, from when it was made, and never from the future")
    func taps() async throws {
        let harness = try Harness()
        let day = try await harness.confirm([Self.doctor])
        let time = harness.now
        #expect(
            try await harness.mark(day, 1, 1, time: time + .seconds(999)).entries[0].actions[0].done == time)
        harness.now = time + .seconds(60)
        #expect(try await harness.mark(day, 1, 1).entries[0].actions[0].done == time)
        #expect(try await harness.facts(Routines.ActionDone.self).map(\.time) == [time])
        #expect(await refusal { try await harness.mark(day, 1, 2) } == .dayActionNotFound)
        #expect(await refusal { try await harness.mark(day, 3, 1) } == .dayActionNotFound)
    }

    // MARK: Clocks

    @Test(
        "A83, A99: a minute of the day is a moment in the day's zone, summer time included",
        arguments: [
            ("2026-11-24", 600, "Europe/Berlin", "2026-11-24T09:00:00Z"),
            ("2026-07-01", 600, "Europe/Berlin", "2026-07-01T08:00:00Z"),
            // The night in which the clock goes on by an hour: 02:30 is not there, and is 03:30.
            ("2026-03-29", 150, "Europe/Berlin", "2026-03-29T01:30:00Z"),
            ("2026-03-29", 180, "Europe/Berlin", "2026-03-29T01:00:00Z"),
            // The night in which 02:30 comes twice: the first.
            ("2026-10-25", 150, "Europe/Berlin", "2026-10-25T00:30:00Z"),
            ("2026-10-25", 1440, "Europe/Berlin", "2026-10-25T23:00:00Z"),
            ("2026-11-24", 0, "Asia/Kathmandu", "2026-11-23T18:15:00Z"),
            ("2026-11-24", 1439, "America/Phoenix", "2026-11-25T06:59:00Z")
        ])
    func clocks(date: String, minute: Int, zone: String, moment: String) throws {
        let clock = try DayClock(zone: zone)
        #expect(clock.moment(minute, of: CivilDate(date)!) == RoutinesHarness.moment(moment))
    }

    @Test("an entry within the hour that the clock leaves out takes its time from the moment at which it begins")
    func withinTheLeftOutHour() async throws {
        let harness = try Harness()
        let doctor = Routines.NewEntry(appointment: .init(text: "Doctor's appointment"), start: 150, minutes: 40)
        let entry = try await harness.confirm([doctor], on: CivilDate("2027-03-28")!, zone: "Europe/Berlin").entries[0]
        let begins = RoutinesHarness.moment("2027-03-28T01:30:00Z")
        #expect(entry.begins == begins)
        #expect(entry.ends == begins + .seconds(2400) && entry.until == entry.ends)
    }

    @Test("004-36: a file that is opened again has what was kept")
    func reopened() async throws {
        let directory = try TemporaryDirectory()
        let kept: Routines.DayView
        do {
            let harness = try Harness(in: directory)
            let routine = try await twoSteps(harness)
            let day = try await harness.confirm([.init(routine: routine.routine, start: 480), Self.doctor])
            kept = try await harness.mark(day, 1, 2)
            try await harness.close()
        }
        #expect(try await Harness(in: directory).read() == kept)
    }
}
