import Contracts
import Primitives
import Schemas
import Wire

/// A routine as its form has it, new or changed.
package struct RoutineForm: RequestBody, Equatable {
    package let name: Routines.Label
    package let tag: String
    package let quiet: Bool?
    package let actions: [Routines.Action]

    static let notes: [String: SchemaNote] = [
        "name": SchemaNote(
            "A text, an emoji or images; no other routine has the same.", example: ["text": "Morning", "emoji": "🌅"]),
        "tag": SchemaNote(
            "`morning` (6 to 12), `afternoon` (12 to 17), `evening` (17 to 21) and `night` (21 to 24) name a time of "
                + "day; any other text means the whole day.", lengths: 1...30, example: "morning"),
        "quiet": SchemaNote("True: ads wait while the routine runs.", example: true),
        "actions": SchemaNote(
            "1 to 20, in the order in which they are done; each takes 1 to 240 minutes.",
            example: [
                ["name": ["text": "Brush teeth", "images": ["toothbrush"]], "minutes": 5, "priority": "high"]
            ])
    ]
}

package struct RoutineSettings: RequestBody, Equatable {
    package let colour: Routines.Colour

    static let notes: [String: SchemaNote] = [
        "colour": SchemaNote("What the pages are coloured with.", example: "blue")
    ]
}

/// An image that is uploaded.
package struct NewImage: RequestBody, Equatable {
    package let data: String

    static let notes: [String: SchemaNote] = [
        "data": SchemaNote("The file in base64.", lengths: 1...12_000, example: .string(Samples.pixel))
    ]
}

/// What a schedule is to be made of.
package struct ScheduleWish: RequestBody, Equatable {
    package let tags: [String]?
    package let appointments: [Routines.Appointment]?
    package let from: Int64?

    static let notes: [String: SchemaNote] = [
        "tags": SchemaNote("Routines under these tags; all where none is given.", example: ["morning", "pet"]),
        "appointments": SchemaNote(
            "What is at a fixed time, in minutes after midnight; an hour long where no `minutes` are given.",
            example: [["name": ["text": "Doctor's appointment"], "start": 600]]),
        "from": SchemaNote(
            "Nothing is placed before this minute of the day.",
            constraints: [.init("minimum", 0), .init("maximum", 1439)], example: 360)
    ]
}

/// A schedule as it was confirmed: a proposal, changed by hand or not, or one made by hand.
package struct NewSchedule: RequestBody, Equatable {
    package let date: CivilDate
    package let zone: String?
    package let entries: [Routines.NewEntry]
    package let replace: Bool?
    package let language: Language?

    static let notes: [String: SchemaNote] = [
        "date": SchemaNote("Today or a later day.", example: "2026-11-24"),
        "zone": .zone,
        "entries": SchemaNote(
            "1 to 40, each a routine or an appointment with its start in minutes after midnight.",
            example: [["appointment": ["text": "Doctor's appointment"], "start": 600, "minutes": 60]]),
        "replace": .replace, "language": .language
    ]
}

package struct ScheduleCopy: RequestBody, Equatable {
    package let from: CivilDate
    package let date: CivilDate
    package let zone: String?
    package let replace: Bool?
    package let language: Language?

    static let notes: [String: SchemaNote] = [
        "from": SchemaNote("The date whose schedule is copied.", example: "2026-11-23"),
        "date": SchemaNote("Today or a later day.", example: "2026-11-24"),
        "zone": .zone, "replace": .replace, "language": .language
    ]
}

package struct ActionMark: RequestBody, Equatable {
    package let entry: Int64
    package let action: Int64
    package let done: Bool
    package let time: Timestamp?

    static let notes: [String: SchemaNote] = [
        "entry": .entry,
        "action": SchemaNote("The action's number in the entry.", example: 1),
        "done": SchemaNote("False: it is open again.", example: true),
        "time": SchemaNote("When it was tapped, if that was earlier: its time must not have been over then.")
    ]
}

package struct EntryRemoval: RequestBody, Equatable {
    package let entry: Int64

    static let notes: [String: SchemaNote] = ["entry": .entry]
}

extension SchemaNote {
    fileprivate static let zone = SchemaNote(
        "A time zone of the IANA database; UTC where none is given.", lengths: 1...64, example: "Europe/Berlin")
    fileprivate static let replace = SchemaNote("True: the schedule that the day has makes place for this one.")
    fileprivate static let language = SchemaNote(
        "What reminders of this day are written in. Where none is given: English, or as those of the copied day.",
        example: "de")
    fileprivate static let entry = SchemaNote("The entry's number in the schedule.", example: 1)
}
