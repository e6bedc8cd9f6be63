import Primitives
import Wire

/// Schedules of days, and what of them is done.
extension Routines {
    package enum Day {}
    package typealias DayID = Identifier<Day>

    /// Entries of one day.
    package static let entriesMax = 40
    /// Schedules that an account may have for today and the days to come.
    package static let daysAheadMax = 400

    // MARK: A proposal

    /// Something at a fixed time.
    package struct Appointment: Codable, Sendable, Equatable {
        package static let limits: [Limit<Self>] = [
            .number(\.start, 0...1439, or: .dayEntryInvalid, example: 600),
            .number(\.minutes, 1...1440, or: .dayEntryInvalid, example: 60)
        ]

        package let name: Label
        /// Minutes after midnight.
        package let start: Int64
        /// 60 where it is absent, or until midnight.
        package let minutes: Int64?
    }

    /// An entry of a proposed day: a routine or an appointment.
    package struct PlannedEntry: Codable, Sendable, Equatable {
        /// Absent for an appointment.
        package let routine: RoutineID?
        package let name: Label
        /// Minutes after midnight.
        package let start: Int64
        package let minutes: Int64
    }

    /// A routine without a place in the proposed day: no gap in the time of its tag is long enough.
    package struct LeftOut: Codable, Sendable, Equatable {
        package let routine: RoutineID
        package let name: Label
        package let minutes: Int64
    }

    /// Proposes a day; nothing is kept of it.
    ///
    /// Appointments stay where they are. Routines follow by priority, then in the order of their creation, each in the
    /// first gap within the time of its tag that is as long as its actions together.
    package struct ReadProposal: Ask, Equatable {
        package static let type: MessageType = "routines.proposal.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let limits: [Limit<Self>] = [
            .count(\.tags, 0...routinesMax, or: .routineTagInvalid),
            .count(\.appointments, 0...entriesMax, or: .dayTooLarge),
            .number(\.from, 0...1439, or: .dayEntryInvalid, example: 540)
        ]
        package static let faults: [FaultCode] = [
            .routineTagInvalid, .routineLabelInvalid, .routineNameMissing, .routineImageNotFound, .dayEntryInvalid,
            .dayOverlaps, .dayTooLarge
        ]
        package static var examples: Examples<Self> {
            Examples(
                Self(
                    account: Samples.customer, tags: ["morning"],
                    appointments: [
                        Samples.appointment, Routines.Appointment(name: Routines.Label(emoji: "🚌"), start: 700)
                    ], from: 540),
                bare: Self(account: Samples.customer, appointments: []),
                reply: Reply(
                    entries: [
                        Routines.PlannedEntry(
                            routine: Samples.routine, name: Samples.label, start: 540, minutes: 15),
                        Routines.PlannedEntry(name: Samples.appointment.name, start: 600, minutes: 60)
                    ],
                    left: [Routines.LeftOut(routine: Samples.routine, name: Samples.label, minutes: 15)]),
                bareReply: Reply(entries: [], left: []))
        }

        package struct Reply: WireMessage, Equatable {
            /// By their start.
            package let entries: [PlannedEntry]
            package let left: [LeftOut]
        }

        package let account: PartyID
        /// Routines under these tags; all where it is absent.
        package let tags: [String]?
        package let appointments: [Appointment]
        /// Nothing is placed before this minute of the day; 0 where it is absent.
        package let from: Int64?
    }

    // MARK: A day

    /// An entry of a day to be kept: a routine or an appointment.
    package struct NewEntry: Codable, Sendable, Equatable {
        package static let limits: [Limit<Self>] = [
            .number(\.start, 0...1439, or: .dayEntryInvalid, example: 540),
            .number(\.minutes, 1...1440, or: .dayEntryInvalid, example: 60)
        ]

        package let routine: RoutineID?
        /// The name of an appointment; not together with `routine`.
        package let appointment: Label?
        /// Minutes after midnight.
        package let start: Int64
        /// Of an appointment: 60 where it is absent, or until midnight. A routine takes as long as its actions.
        package let minutes: Int64?
    }

    package enum ActionState: String, Codable, Sendable, CaseIterable {
        case open
        case done
        /// Its time has passed.
        case skipped
    }

    package struct DayAction: Codable, Sendable, Equatable {
        /// Its place in the entry, from 1.
        package let action: Int64
        package let name: Label
        package let minutes: Int64
        package let priority: Priority
        package let state: ActionState
        /// When it was completed.
        package let done: Timestamp?
    }

    /// A routine as a part of a day, or an appointment, which has one action.
    package struct DayEntry: Codable, Sendable, Equatable {
        /// Its number in the day; it stays when others are removed.
        package let entry: Int64
        /// Absent for an appointment.
        package let routine: RoutineID?
        package let name: Label
        package let tag: String?
        package let quiet: Bool
        /// Minutes after midnight by the day's clock.
        package let start: Int64
        package let minutes: Int64
        package let begins: Timestamp
        package let ends: Timestamp
        /// What is open then is skipped: the end of the tag's time of day, or of the entry where that is later.
        package let until: Timestamp
        /// Whether all of its actions are done.
        package let isDone: Bool
        /// Whether the current action is one of its.
        package let isInProgress: Bool
        package let actions: [DayAction]
    }

    /// An action of a day.
    package struct DayPlace: Codable, Sendable, Equatable {
        package let entry: Int64
        package let action: Int64
    }

    package struct DayView: WireMessage, Equatable {
        package let day: DayID
        package let date: CivilDate
        /// The time zone that its clock goes by, such as `Europe/Berlin`.
        package let zone: String
        /// By their start.
        package let entries: [DayEntry]
        /// What should be done now; absent while nothing is due.
        package let current: DayPlace?
        /// What comes next; its entry says when.
        package let next: DayPlace?
        /// Whether nothing is open and something is done.
        package let isDone: Bool
    }

    package struct KeptDay: WireMessage, Equatable {
        package let day: DayView
        package let replayed: Bool
    }

    /// Keeps the schedule of a day, today or later. Its entries are as the routines are now. Keyed on `day`.
    package struct ConfirmDay: Ask, Equatable {
        package static let type: MessageType = "routines.day.confirm.v1"
        package static let effect: Effect<Self> = .keyed(by: \.day)
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let limits: [Limit<Self>] = [
            .text(\.zone, 1...64, or: .dayZoneInvalid, example: "Europe/Berlin"),
            .count(\.entries, 1...entriesMax, or: .dayEmpty)
        ]
        package static let faults: [FaultCode] = [
            .dayEmpty, .dayPast, .dayExists, .dayOverlaps, .dayEntryInvalid, .dayTooLarge, .dayZoneInvalid,
            .dayNotFound, .routineNotFound, .routineLabelInvalid, .routineNameMissing, .routineImageNotFound,
            .tooManyDays, .routinesIDReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Self(
                    account: Samples.customer, day: Samples.day, date: Samples.date, zone: "Europe/Berlin",
                    entries: [
                        Routines.NewEntry(routine: Samples.routine, start: 540),
                        Routines.NewEntry(appointment: Samples.appointment.name, start: 600, minutes: 60)
                    ], replace: true, language: .de),
                bare: Self(
                    account: Samples.customer, day: Samples.day, date: Samples.date, zone: "UTC",
                    entries: [Routines.NewEntry(routine: Samples.routine, start: 540)]),
                reply: Routines.KeptDay(day: Samples.dayView, replayed: true),
                bareReply: Routines.KeptDay(day: Samples.bareDay, replayed: false))
        }
        package typealias Reply = KeptDay

        package let account: PartyID
        package let day: DayID
        package let date: CivilDate
        /// A time zone of the IANA database.
        package let zone: String
        /// 1 to 40, in any order; no two at the same time.
        package let entries: [NewEntry]
        /// Whether it replaces the schedule that the date has; false where it is absent.
        package let replace: Bool?
        /// What reminders of this day are written in; English where it is absent.
        package let language: Language?
    }

    /// Keeps the schedule of another date once more, for today or later: the same entries, all open. Keyed on `day`.
    package struct CopyDay: Ask, Equatable {
        package static let type: MessageType = "routines.day.copy.v1"
        package static let effect: Effect<Self> = .keyed(by: \.day)
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let limits: [Limit<Self>] = [
            .text(\.zone, 1...64, or: .dayZoneInvalid, example: "Europe/Berlin")
        ]
        package static let faults: [FaultCode] = [
            .dayNotFound, .dayPast, .dayExists, .dayZoneInvalid, .tooManyDays, .routinesIDReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Self(
                    account: Samples.customer, day: Samples.day, from: Samples.date, date: Samples.date,
                    zone: "Europe/Berlin", replace: true, language: .de),
                bare: Self(
                    account: Samples.customer, day: Samples.day, from: Samples.date, date: Samples.date, zone: "UTC"),
                reply: Routines.KeptDay(day: Samples.dayView, replayed: true),
                bareReply: Routines.KeptDay(day: Samples.bareDay, replayed: false))
        }
        package typealias Reply = KeptDay

        package let account: PartyID
        /// The id of the new one.
        package let day: DayID
        /// The date that is copied.
        package let from: CivilDate
        /// The date of the new one.
        package let date: CivilDate
        /// A time zone of the IANA database.
        package let zone: String
        /// Whether it replaces the schedule that the date has; false where it is absent.
        package let replace: Bool?
        /// What reminders of this day are written in; as those of the copied day where it is absent.
        package let language: Language?
    }

    /// The schedule of a date as it stands at this moment.
    package struct ReadDay: Ask, Equatable {
        package static let type: MessageType = "routines.day.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let faults: [FaultCode] = [.dayNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Self(account: Samples.customer, date: Samples.date), reply: Samples.dayView, bareReply: Samples.bareDay)
        }
        package typealias Reply = DayView

        package let account: PartyID
        package let date: CivilDate
    }

    package struct DaySummary: Codable, Sendable, Equatable {
        package let day: DayID
        package let date: CivilDate
        package let entries: Int64
        package let actions: Int64
        /// Actions that are done.
        package let done: Int64
    }

    /// The days that have a schedule, the latest date first.
    package struct ReadDays: Ask, Equatable {
        package static let type: MessageType = "routines.days.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 20)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Self(account: Samples.customer, before: Samples.date, limit: 20),
                bare: Self(account: Samples.customer, limit: 1),
                reply: Reply(
                    days: [
                        Routines.DaySummary(day: Samples.day, date: Samples.date, entries: 2, actions: 3, done: 1)
                    ], next: Samples.date),
                bareReply: Reply(days: []))
        }

        package struct Reply: WireMessage, Equatable {
            package let days: [DaySummary]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: CivilDate?
        }

        package let account: PartyID
        package let before: CivilDate?
        /// 1 to 100.
        package let limit: Int
    }

    /// Marks an action as done, or as open again. The first time that it was done counts.
    package struct MarkAction: Ask, Equatable {
        package static let type: MessageType = "routines.action.mark.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let faults: [FaultCode] = [.dayNotFound, .dayActionNotFound, .dayActionOver]
        package static var examples: Examples<Self> {
            Examples(
                Self(
                    account: Samples.customer, day: Samples.day, entry: 1, action: 2, done: true, time: Samples.time),
                bare: Self(account: Samples.customer, day: Samples.day, entry: 1, action: 2, done: false),
                reply: Samples.dayView, bareReply: Samples.bareDay)
        }
        package typealias Reply = DayView

        package let account: PartyID
        package let day: DayID
        package let entry: Int64
        package let action: Int64
        package let done: Bool
        /// When it was tapped, where that was before now: a page without a network sends it later.
        package let time: Timestamp?
    }

    /// Removes an entry of a day. A day keeps one at least.
    package struct RemoveEntry: Ask, Equatable {
        package static let type: MessageType = "routines.entry.remove.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let faults: [FaultCode] = [.dayNotFound, .dayEmpty]
        package static var examples: Examples<Self> {
            Examples(
                Self(account: Samples.customer, day: Samples.day, entry: 1), reply: Samples.dayView,
                bareReply: Samples.bareDay)
        }
        package typealias Reply = DayView

        package let account: PartyID
        package let day: DayID
        package let entry: Int64
    }

    /// Deletes the schedule of a day.
    package struct DeleteDay: Ask, Equatable {
        package static let type: MessageType = "routines.day.delete.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(Self(account: Samples.customer, day: Samples.day), reply: Reply(deleted: true))
        }

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let deleted: Bool
        }

        package let account: PartyID
        package let day: DayID
    }
}
