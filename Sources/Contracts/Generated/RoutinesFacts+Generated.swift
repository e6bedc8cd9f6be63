// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Routines.RoutineCreated {
    package init(
        routine: Routines.RoutineID,
        account: PartyID,
        time: Timestamp,
        _: Void = ()
    ) {
        self.routine = routine
        self.account = account
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("routine", \.routine),
            Field("account", \.account),
            Field("time", \.time),
        ]
    }
}

extension Routines.RoutineChanged {
    package init(
        routine: Routines.RoutineID,
        account: PartyID,
        time: Timestamp,
        _: Void = ()
    ) {
        self.routine = routine
        self.account = account
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("routine", \.routine),
            Field("account", \.account),
            Field("time", \.time),
        ]
    }
}

extension Routines.DayConfirmed {
    package init(
        day: Routines.DayID,
        account: PartyID,
        date: CivilDate,
        entries: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.day = day
        self.account = account
        self.date = date
        self.entries = entries
        self.time = time
    }

    package static var summary: String { "A date has a schedule now, its first or another one." }
    package static var fields: [Field<Self>] {
        [
            Field("day", \.day),
            Field("account", \.account),
            Field("date", \.date),
            Field("entries", \.entries),
            Field("time", \.time),
        ]
    }
}

extension Routines.ActionDone {
    package init(
        day: Routines.DayID,
        account: PartyID,
        entry: Int64,
        action: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.day = day
        self.account = account
        self.entry = entry
        self.action = action
        self.time = time
    }

    package static var summary: String { "An action of a day was completed." }
    package static var fields: [Field<Self>] {
        [
            Field("day", \.day),
            Field("account", \.account),
            Field("entry", \.entry),
            Field("action", \.action),
            Field("time", \.time),
        ]
    }
}

extension Routines.ReminderDue {
    package init(
        day: Routines.DayID,
        account: PartyID,
        entry: Int64,
        name: Routines.Label,
        clock: String,
        due: Timestamp,
        lateMinutes: Int64,
        quietUntil: Timestamp? = nil,
        time: Timestamp,
        language: Language? = nil,
        _: Void = ()
    ) {
        self.day = day
        self.account = account
        self.entry = entry
        self.name = name
        self.clock = clock
        self.due = due
        self.lateMinutes = lateMinutes
        self.quietUntil = quietUntil
        self.time = time
        self.language = language
    }

    package static var summary: String { "An entry of a day has begun, and something of it is to be done. Published once for each entry." }
    package static var fields: [Field<Self>] {
        [
            Field("day", \.day),
            Field("account", \.account),
            Field("entry", \.entry),
            Field("name", \.name),
            Field("clock", \.clock, "When it was due by the day's clock, such as `07:05`."),
            Field("due", \.due),
            Field("lateMinutes", \.lateMinutes, "Whole minutes that this comes too late, as after a restart."),
            Field("quietUntil", \.quietUntil, "Until then ads are to wait; absent where they need not."),
            Field("time", \.time),
            Field("language", \.language, "The language in which the day was confirmed; absent where that was not said."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
    ]
}
