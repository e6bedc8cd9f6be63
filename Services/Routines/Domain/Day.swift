import Contracts
import Primitives

/// The schedule of a day as it is kept.
package struct Day: Sendable, Equatable {
    package struct Action: Sendable, Equatable {
        package let number: Int64
        package let name: Routines.Label
        package let minutes: Int64
        package let priority: Routines.Priority
        package var done: Timestamp?
    }

    package struct Entry: Sendable, Equatable {
        package let number: Int64
        package let routine: Routines.RoutineID?
        package let name: Routines.Label
        package let tag: String?
        package let quiet: Bool
        package let start: Int64
        package let minutes: Int64
        package let begins: Timestamp
        package let ends: Timestamp
        package let until: Timestamp
        package var actions: [Action]
    }

    package let id: Routines.DayID
    package let account: PartyID
    package let date: CivilDate
    package let zone: String
    /// By their start.
    package var entries: [Entry]
    /// What its reminders are written in; nil where nobody said so.
    package var language: Language?
}

extension Day.Entry {
    package func state(of action: Day.Action, at now: Timestamp) -> Routines.ActionState {
        action.done != nil ? .done : until <= now ? .skipped : .open
    }

    fileprivate func firstOpen(at now: Timestamp) -> Routines.DayPlace? {
        actions.first { state(of: $0, at: now) == .open }.map { .init(entry: number, action: $0.number) }
    }
}

extension Day {
    /// What should be done at a moment: the first open action of the entry whose time it is, or else of the first entry
    /// that has begun and is not over.
    package func current(at now: Timestamp) -> Routines.DayPlace? {
        let begun = entries.filter { $0.begins <= now }
        return begun.first { now < $0.ends && $0.firstOpen(at: now) != nil }?.firstOpen(at: now)
            ?? begun.lazy.compactMap { $0.firstOpen(at: now) }.first
    }

    /// What comes after that: the first open action of an entry that has not begun.
    package func next(at now: Timestamp) -> Routines.DayPlace? {
        entries.lazy.filter { $0.begins > now }.compactMap { $0.firstOpen(at: now) }.first
    }

    /// Whether nothing is open and something is done.
    package func isDone(at now: Timestamp) -> Bool {
        let states = entries.flatMap { entry in entry.actions.map { entry.state(of: $0, at: now) } }
        return !states.contains(.open) && states.contains(.done)
    }

    package func view(at now: Timestamp) -> Routines.DayView {
        let current = current(at: now)
        return Routines.DayView(
            day: id, date: date, zone: zone,
            entries: entries.map { entry in
                Routines.DayEntry(
                    entry: entry.number, routine: entry.routine, name: entry.name, tag: entry.tag, quiet: entry.quiet,
                    start: entry.start, minutes: entry.minutes, begins: entry.begins, ends: entry.ends,
                    until: entry.until, isDone: entry.actions.allSatisfy { $0.done != nil },
                    isInProgress: entry.number == current?.entry,
                    actions: entry.actions.map {
                        Routines.DayAction(
                            action: $0.number, name: $0.name, minutes: $0.minutes, priority: $0.priority,
                            state: entry.state(of: $0, at: now), done: $0.done)
                    })
            },
            current: current, next: next(at: now), isDone: isDone(at: now))
    }
}

// MARK: A new day

extension Day {
    /// What an entry is made of: a routine as it is now, or an appointment.
    package struct Part: Sendable, Equatable {
        package let routine: Routines.RoutineID?
        package let name: Routines.Label
        package let tag: String?
        package let quiet: Bool
        package let start: Int
        package let actions: [Routines.Action]

        package init(
            routine: Routines.RoutineID?, name: Routines.Label, tag: String?, quiet: Bool, start: Int,
            actions: [Routines.Action]
        ) {
            self.routine = routine
            self.name = name
            self.tag = tag
            self.quiet = quiet
            self.start = start
            self.actions = actions
        }

        var minutes: Int { actions.reduce(0) { $0 + Int($1.minutes) } }
        var time: Range<Int> { start..<(start + minutes) }
    }

    /// - Throws: `routines.day_empty`, `routines.day_past`, `routines.day_overlaps`, `routines.entry_invalid` for an
    ///   entry that ends after midnight, `routines.zone_invalid`, `routines.day_too_large`.
    package init(
        _ id: Routines.DayID, of account: PartyID, on date: CivilDate, zone: String, language: Language? = nil,
        parts: [Part], at now: Timestamp
    ) throws(Fault) {
        let clock = try DayClock(zone: zone)
        guard date >= clock.date(at: now) else { throw Fault(.dayPast) }
        guard !parts.isEmpty else { throw Fault(.dayEmpty) }
        try Self.checkTimes(parts.map(\.time))
        self.init(
            id: id, account: account, date: date, zone: zone,
            entries: parts.sorted { $0.start < $1.start }.enumerated().map { index, part in
                // An appointment is over when it ends; what was put outside its tag's time is not skipped before its
                // end.
                let until = part.routine == nil ? part.time.upperBound : Tag.window(of: part.tag).upperBound
                let begins = clock.moment(part.start, of: date)
                var ends = clock.moment(part.time.upperBound, of: date)
                // It begins within the hour that the clock leaves out.
                if ends <= begins { ends = begins + .seconds(Int(part.minutes) * 60) }
                return Entry(
                    number: Int64(index + 1), routine: part.routine, name: part.name, tag: part.tag, quiet: part.quiet,
                    start: Int64(part.start), minutes: Int64(part.minutes),
                    begins: begins, ends: ends,
                    until: max(clock.moment(max(until, part.time.upperBound), of: date), ends),
                    actions: part.actions.enumerated().map { index, action in
                        Action(
                            number: Int64(index + 1), name: action.name, minutes: action.minutes,
                            priority: action.priority)
                    })
            }, language: language)
        guard whenDone(at: now).view(at: now).json.count <= Self.bytesMax else { throw Fault(.dayTooLarge) }
    }

    /// JSON of a day when all is done, in bytes. An envelope of 64 KiB holds it in base64, as a row of a state that is
    /// handed over.
    private static let bytesMax = 45_000

    private func whenDone(at now: Timestamp) -> Day {
        var day = self
        for entry in day.entries.indices {
            for action in day.entries[entry].actions.indices { day.entries[entry].actions[action].done = now }
        }
        return day
    }

    /// - Throws: `routines.entry_invalid`, `routines.day_overlaps`.
    package static func checkTimes(_ times: [Range<Int>]) throws(Fault) {
        var end = 0
        for time in times.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            guard time.upperBound <= Schedule.dayMinutes else {
                throw Fault(.dayEntryInvalid, "an entry ends after midnight")
            }
            guard time.lowerBound >= end else { throw Fault(.dayOverlaps) }
            end = time.upperBound
        }
    }

    /// The parts that another day is made of.
    package var parts: [Part] {
        entries.map { entry in
            Part(
                routine: entry.routine, name: entry.name, tag: entry.tag, quiet: entry.quiet, start: Int(entry.start),
                actions: entry.actions.map { .init(name: $0.name, minutes: $0.minutes, priority: $0.priority) })
        }
    }
}

extension Day.Part {
    /// An appointment has one action: itself.
    ///
    /// - Parameter minutes: an hour where it is nil, or until midnight.
    package init(appointment name: Routines.Label, start: Int, minutes: Int?) {
        let minutes = minutes ?? min(60, Schedule.dayMinutes - start)
        self.init(
            routine: nil, name: name, tag: nil, quiet: false, start: start,
            actions: [.init(name: name, minutes: Int64(minutes), priority: .normal)])
    }

    package init(_ routine: Routines.RoutineView, start: Int) {
        self.init(
            routine: routine.routine, name: routine.name, tag: routine.tag, quiet: routine.quiet, start: start,
            actions: routine.actions)
    }
}
