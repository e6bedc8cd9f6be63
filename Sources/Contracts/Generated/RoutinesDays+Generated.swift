// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Routines.Appointment: Shape {
    package init(
        name: Routines.Label,
        start: Int64,
        minutes: Int64? = nil,
        _: Void = ()
    ) {
        self.name = name
        self.start = start
        self.minutes = minutes
    }

    package static var summary: String { "Something at a fixed time." }
    package static var fields: [Field<Self>] {
        [
            Field("name", \.name),
            Field("start", \.start, "Minutes after midnight."),
            Field("minutes", \.minutes, "60 where it is absent, or until midnight."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
    ]
}

extension Routines.PlannedEntry: Shape {
    package init(
        routine: Routines.RoutineID? = nil,
        name: Routines.Label,
        start: Int64,
        minutes: Int64,
        _: Void = ()
    ) {
        self.routine = routine
        self.name = name
        self.start = start
        self.minutes = minutes
    }

    package static var summary: String { "An entry of a proposed day: a routine or an appointment." }
    package static var fields: [Field<Self>] {
        [
            Field("routine", \.routine, "Absent for an appointment."),
            Field("name", \.name),
            Field("start", \.start, "Minutes after midnight."),
            Field("minutes", \.minutes),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
    ]
}

extension Routines.LeftOut: Shape {
    package init(
        routine: Routines.RoutineID,
        name: Routines.Label,
        minutes: Int64,
        _: Void = ()
    ) {
        self.routine = routine
        self.name = name
        self.minutes = minutes
    }

    package static var summary: String { "A routine without a place in the proposed day: no gap in the time of its tag is long enough." }
    package static var fields: [Field<Self>] {
        [
            Field("routine", \.routine),
            Field("name", \.name),
            Field("minutes", \.minutes),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
    ]
}

extension Routines.ReadProposal {
    package init(
        account: PartyID,
        tags: [String]? = nil,
        appointments: [Routines.Appointment],
        from: Int64? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.tags = tags
        self.appointments = appointments
        self.from = from
    }

    package static var summary: String { "Proposes a day; nothing is kept of it. Appointments stay where they are. Routines follow by priority, then in the order of their creation, each in the first gap within the time of its tag that is as long as its actions together." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("tags", \.tags, "Routines under these tags; all where it is absent."),
            Field("appointments", \.appointments),
            Field("from", \.from, "Nothing is placed before this minute of the day; 0 where it is absent."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.appointments),
    ]
}

extension Routines.ReadProposal.Reply: Shape {
    package init(
        entries: [Routines.PlannedEntry],
        left: [Routines.LeftOut],
        _: Void = ()
    ) {
        self.entries = entries
        self.left = left
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("entries", \.entries, "By their start."),
            Field("left", \.left),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.entries),
        .each(\.left),
    ]
}

extension Routines.NewEntry: Shape {
    package init(
        routine: Routines.RoutineID? = nil,
        appointment: Routines.Label? = nil,
        start: Int64,
        minutes: Int64? = nil,
        _: Void = ()
    ) {
        self.routine = routine
        self.appointment = appointment
        self.start = start
        self.minutes = minutes
    }

    package static var summary: String { "An entry of a day to be kept: a routine or an appointment." }
    package static var fields: [Field<Self>] {
        [
            Field("routine", \.routine),
            Field("appointment", \.appointment, "The name of an appointment; not together with `routine`."),
            Field("start", \.start, "Minutes after midnight."),
            Field("minutes", \.minutes, "Of an appointment: 60 where it is absent, or until midnight. A routine takes as long as its actions."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.appointment),
    ]
}

extension Routines.ActionState: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .skipped: "Its time has passed.",
        ]
    }
}

extension Routines.DayAction: Shape {
    package init(
        action: Int64,
        name: Routines.Label,
        minutes: Int64,
        priority: Routines.Priority,
        state: Routines.ActionState,
        done: Timestamp? = nil,
        _: Void = ()
    ) {
        self.action = action
        self.name = name
        self.minutes = minutes
        self.priority = priority
        self.state = state
        self.done = done
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("action", \.action, "Its place in the entry, from 1."),
            Field("name", \.name),
            Field("minutes", \.minutes),
            Field("priority", \.priority),
            Field("state", \.state),
            Field("done", \.done, "When it was completed."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
    ]
}

extension Routines.DayEntry: Shape {
    package init(
        entry: Int64,
        routine: Routines.RoutineID? = nil,
        name: Routines.Label,
        tag: String? = nil,
        quiet: Bool,
        start: Int64,
        minutes: Int64,
        begins: Timestamp,
        ends: Timestamp,
        until: Timestamp,
        isDone: Bool,
        isInProgress: Bool,
        actions: [Routines.DayAction],
        _: Void = ()
    ) {
        self.entry = entry
        self.routine = routine
        self.name = name
        self.tag = tag
        self.quiet = quiet
        self.start = start
        self.minutes = minutes
        self.begins = begins
        self.ends = ends
        self.until = until
        self.isDone = isDone
        self.isInProgress = isInProgress
        self.actions = actions
    }

    package static var summary: String { "A routine as a part of a day, or an appointment, which has one action." }
    package static var fields: [Field<Self>] {
        [
            Field("entry", \.entry, "Its number in the day; it stays when others are removed."),
            Field("routine", \.routine, "Absent for an appointment."),
            Field("name", \.name),
            Field("tag", \.tag),
            Field("quiet", \.quiet),
            Field("start", \.start, "Minutes after midnight by the day's clock."),
            Field("minutes", \.minutes),
            Field("begins", \.begins),
            Field("ends", \.ends),
            Field("until", \.until, "What is open then is skipped: the end of the tag's time of day, or of the entry where that is later."),
            Field("isDone", \.isDone, "Whether all of its actions are done."),
            Field("isInProgress", \.isInProgress, "Whether the current action is one of its."),
            Field("actions", \.actions),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
        .each(\.actions),
    ]
}

extension Routines.DayPlace: Shape {
    package init(
        entry: Int64,
        action: Int64,
        _: Void = ()
    ) {
        self.entry = entry
        self.action = action
    }

    package static var summary: String { "An action of a day." }
    package static var fields: [Field<Self>] {
        [
            Field("entry", \.entry),
            Field("action", \.action),
        ]
    }
}

extension Routines.DayView: Shape {
    package init(
        day: Routines.DayID,
        date: CivilDate,
        zone: String,
        entries: [Routines.DayEntry],
        current: Routines.DayPlace? = nil,
        next: Routines.DayPlace? = nil,
        isDone: Bool,
        _: Void = ()
    ) {
        self.day = day
        self.date = date
        self.zone = zone
        self.entries = entries
        self.current = current
        self.next = next
        self.isDone = isDone
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("day", \.day),
            Field("date", \.date),
            Field("zone", \.zone, "The time zone that its clock goes by, such as `Europe/Berlin`."),
            Field("entries", \.entries, "By their start."),
            Field("current", \.current, "What should be done now; absent while nothing is due."),
            Field("next", \.next, "What comes next; its entry says when."),
            Field("isDone", \.isDone, "Whether nothing is open and something is done."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.entries),
    ]
}

extension Routines.KeptDay: Shape {
    package init(
        day: Routines.DayView,
        replayed: Bool,
        _: Void = ()
    ) {
        self.day = day
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("day", \.day),
            Field("replayed", \.replayed),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.day),
    ]
}

extension Routines.ConfirmDay {
    package init(
        account: PartyID,
        day: Routines.DayID,
        date: CivilDate,
        zone: String,
        entries: [Routines.NewEntry],
        replace: Bool? = nil,
        language: Language? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.day = day
        self.date = date
        self.zone = zone
        self.entries = entries
        self.replace = replace
        self.language = language
    }

    package static var summary: String { "Keeps the schedule of a day, today or later. Its entries are as the routines are now. Keyed on `day`." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("day", \.day),
            Field("date", \.date),
            Field("zone", \.zone, "A time zone of the IANA database."),
            Field("entries", \.entries, "1 to 40, in any order; no two at the same time."),
            Field("replace", \.replace, "Whether it replaces the schedule that the date has; false where it is absent."),
            Field("language", \.language, "What reminders of this day are written in; English where it is absent."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.entries),
    ]
}

extension Routines.CopyDay {
    package init(
        account: PartyID,
        day: Routines.DayID,
        from: CivilDate,
        date: CivilDate,
        zone: String,
        replace: Bool? = nil,
        language: Language? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.day = day
        self.from = from
        self.date = date
        self.zone = zone
        self.replace = replace
        self.language = language
    }

    package static var summary: String { "Keeps the schedule of another date once more, for today or later: the same entries, all open. Keyed on `day`." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("day", \.day, "The id of the new one."),
            Field("from", \.from, "The date that is copied."),
            Field("date", \.date, "The date of the new one."),
            Field("zone", \.zone, "A time zone of the IANA database."),
            Field("replace", \.replace, "Whether it replaces the schedule that the date has; false where it is absent."),
            Field("language", \.language, "What reminders of this day are written in; as those of the copied day where it is absent."),
        ]
    }
}

extension Routines.ReadDay {
    package init(
        account: PartyID,
        date: CivilDate,
        _: Void = ()
    ) {
        self.account = account
        self.date = date
    }

    package static var summary: String { "The schedule of a date as it stands at this moment." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("date", \.date),
        ]
    }
}

extension Routines.DaySummary: Shape {
    package init(
        day: Routines.DayID,
        date: CivilDate,
        entries: Int64,
        actions: Int64,
        done: Int64,
        _: Void = ()
    ) {
        self.day = day
        self.date = date
        self.entries = entries
        self.actions = actions
        self.done = done
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("day", \.day),
            Field("date", \.date),
            Field("entries", \.entries),
            Field("actions", \.actions),
            Field("done", \.done, "Actions that are done."),
        ]
    }
}

extension Routines.ReadDays {
    package init(
        account: PartyID,
        before: CivilDate? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.account = account
        self.before = before
        self.limit = limit
    }

    package static var summary: String { "The days that have a schedule, the latest date first." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("before", \.before),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Routines.ReadDays.Reply: Shape {
    package init(
        days: [Routines.DaySummary],
        next: CivilDate? = nil,
        _: Void = ()
    ) {
        self.days = days
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("days", \.days),
            Field("next", \.next, "Ask for the next page with this as `before`; absent when there is none."),
        ]
    }
}

extension Routines.MarkAction {
    package init(
        account: PartyID,
        day: Routines.DayID,
        entry: Int64,
        action: Int64,
        done: Bool,
        time: Timestamp? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.day = day
        self.entry = entry
        self.action = action
        self.done = done
        self.time = time
    }

    package static var summary: String { "Marks an action as done, or as open again. The first time that it was done counts." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("day", \.day),
            Field("entry", \.entry),
            Field("action", \.action),
            Field("done", \.done),
            Field("time", \.time, "When it was tapped, where that was before now: a page without a network sends it later."),
        ]
    }
}

extension Routines.RemoveEntry {
    package init(
        account: PartyID,
        day: Routines.DayID,
        entry: Int64,
        _: Void = ()
    ) {
        self.account = account
        self.day = day
        self.entry = entry
    }

    package static var summary: String { "Removes an entry of a day. A day keeps one at least." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("day", \.day),
            Field("entry", \.entry),
        ]
    }
}

extension Routines.DeleteDay {
    package init(
        account: PartyID,
        day: Routines.DayID,
        _: Void = ()
    ) {
        self.account = account
        self.day = day
    }

    package static var summary: String { "Deletes the schedule of a day." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("day", \.day),
        ]
    }
}

extension Routines.DeleteDay.Reply: Shape {
    package init(
        deleted: Bool,
        _: Void = ()
    ) {
        self.deleted = deleted
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("deleted", \.deleted, "Whether there was one."),
        ]
    }
}
