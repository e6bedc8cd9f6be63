import Primitives
import Wire

/// What has happened to routines and days.
extension Routines {
    package struct RoutineCreated: Fact, Equatable {
        package static let type: MessageType = "routines.routine.created.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(Self(routine: Samples.routine, account: Samples.customer, time: Samples.time))
        }

        package let routine: RoutineID
        package let account: PartyID
        package let time: Timestamp
    }

    package struct RoutineChanged: Fact, Equatable {
        package static let type: MessageType = "routines.routine.changed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(Self(routine: Samples.routine, account: Samples.customer, time: Samples.time))
        }

        package let routine: RoutineID
        package let account: PartyID
        package let time: Timestamp
    }

    /// A date has a schedule now, its first or another one.
    package struct DayConfirmed: Fact, Equatable {
        package static let type: MessageType = "routines.day.confirmed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Self(
                    day: Samples.day, account: Samples.customer, date: Samples.date, entries: 2, time: Samples.time))
        }

        package let day: DayID
        package let account: PartyID
        package let date: CivilDate
        package let entries: Int64
        package let time: Timestamp
    }

    /// An action of a day was completed.
    package struct ActionDone: Fact, Equatable {
        package static let type: MessageType = "routines.action.done.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Self(day: Samples.day, account: Samples.customer, entry: 1, action: 2, time: Samples.time))
        }

        package let day: DayID
        package let account: PartyID
        package let entry: Int64
        package let action: Int64
        package let time: Timestamp
    }

    /// An entry of a day has begun, and something of it is to be done. Published once for each entry.
    package struct ReminderDue: Fact, Equatable {
        package static let type: MessageType = "routines.reminder.due.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.reminderDue,
                bare: Self(
                    day: Samples.day, account: Samples.customer, entry: 2, name: Samples.appointment.name,
                    clock: "10:00", due: Samples.time, lateMinutes: 0, time: Samples.time),
                named: Self(
                    day: Samples.day, account: Samples.customer, entry: 2, name: Samples.appointment.name,
                    clock: "10:00", due: Samples.time, lateMinutes: 0, time: Samples.time, language: .de))
        }

        package let day: DayID
        package let account: PartyID
        package let entry: Int64
        package let name: Label
        /// When it was due by the day's clock, such as `07:05`.
        package let clock: String
        package let due: Timestamp
        /// Whole minutes that this comes too late, as after a restart.
        package let lateMinutes: Int64
        /// Until then ads are to wait; absent where they need not.
        package let quietUntil: Timestamp?
        package let time: Timestamp
        /// The language in which the day was confirmed; absent where that was not said.
        package let language: Language?
    }
}
