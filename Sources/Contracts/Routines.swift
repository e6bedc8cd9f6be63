import Primitives
import Wire

/// Routines of actions, the schedule of a day made from them, what of it is done, and reminders at the moment they are
/// due.
package enum Routines: StateOwner {
    package static let service = "routines"
    package static var sample: any Fact { Samples.reminderDue }

    package enum Routine {}
    package typealias RoutineID = Identifier<Routine>

    // MARK: What routines are made of

    /// A name to be read or to be seen: a text, an emoji, images, or several of these.
    package struct Label: Codable, Sendable, Equatable {
        package static let limits: [Limit<Self>] = [
            .text(\.text, 1...60, or: .routineLabelInvalid, example: "Brush teeth"),
            .text(\.emoji, 1...32, or: .routineLabelInvalid, example: "🦷"),
            .count(\.images, 0...3, or: .routineLabelInvalid)
        ]

        /// 1 to 60 bytes of UTF-8.
        package let text: String?
        /// One emoji, at most 32 bytes.
        package let emoji: String?
        /// Names of offered pictures and ids of the account's own images, 3 at most.
        package let images: [String]?
    }

    package enum Priority: String, Codable, Sendable, CaseIterable {
        /// Placed first.
        case high
        case normal
        case low
    }

    /// One step of a routine.
    package struct Action: Codable, Sendable, Equatable {
        package static let limits: [Limit<Self>] = [.number(\.minutes, 1...240, or: .routineTimeInvalid, example: 5)]

        package let name: Label
        /// The time to complete it: 1 to 240 minutes.
        package let minutes: Int64
        package let priority: Priority
    }

    package struct RoutineView: WireMessage, Equatable {
        package let routine: RoutineID
        /// Its place among the account's routines in the order of their creation.
        package let number: Int64
        package let name: Label
        /// In lower case. `morning`, `afternoon`, `evening` and `night` name a time of day; others mean the whole day.
        package let tag: String
        /// Whether ads wait while it runs.
        package let quiet: Bool
        /// The highest of its actions.
        package let priority: Priority
        /// Of all actions together.
        package let minutes: Int64
        /// In the order in which they are done.
        package let actions: [Action]
    }

    /// Actions of one routine.
    package static let actionsMax = 20
    /// Routines of one account.
    package static let routinesMax = 200

    // MARK: Asks

    /// Adds a routine to the account's list, at the top. Keyed on `routine`.
    package struct CreateRoutine: Ask, Equatable {
        package static let type: MessageType = "routines.routine.create.v1"
        package static let effect: Effect<Self> = .keyed(by: \.routine)
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let limits: [Limit<Self>] = [
            .text(\.tag, 1...30, or: .routineTagInvalid, example: "morning"),
            .count(\.actions, 1...actionsMax, or: .routineActionsInvalid)
        ]
        package static let faults: [FaultCode] = [
            .routineNameMissing, .routineNameTaken, .routineActionsInvalid, .routineTagInvalid, .routineLabelInvalid,
            .routineTimeInvalid, .routineImageNotFound, .tooManyRoutines, .routinesIDReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Self(
                    account: Samples.customer, routine: Samples.routine, name: Samples.label, tag: "morning",
                    quiet: true, actions: [Samples.brushing, Samples.dressing]),
                bare: Self(
                    account: Samples.customer, routine: Samples.routine, name: Routines.Label(emoji: "🐶"), tag: "pet",
                    actions: [Samples.dressing]),
                reply: Reply(routine: Samples.routineView, replayed: true))
        }

        package struct Reply: WireMessage, Equatable {
            package let routine: RoutineView
            package let replayed: Bool
        }

        package let account: PartyID
        package let routine: RoutineID
        /// A text, an emoji or an image at least; no other routine of the account has the same.
        package let name: Label
        /// What it belongs to, such as `morning`, `night`, `hygiene` or `pet`; 1 to 30 bytes.
        package let tag: String
        /// Whether ads wait while it runs; false where it is absent.
        package let quiet: Bool?
        /// 1 to 20, in the order in which they are done.
        package let actions: [Action]
    }

    /// Writes a routine anew: name, tag, quiet, and actions in their order. It keeps its place in the list, and days
    /// that were made with it stay as they are.
    package struct ChangeRoutine: Ask, Equatable {
        package static let type: MessageType = "routines.routine.change.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let limits: [Limit<Self>] = [
            .text(\.tag, 1...30, or: .routineTagInvalid, example: "morning"),
            .count(\.actions, 1...actionsMax, or: .routineActionsInvalid)
        ]
        package static let faults: [FaultCode] = [
            .routineNotFound, .routineNameMissing, .routineNameTaken, .routineActionsInvalid, .routineTagInvalid,
            .routineLabelInvalid, .routineTimeInvalid, .routineImageNotFound
        ]
        package static var examples: Examples<Self> {
            Examples(
                Self(
                    account: Samples.customer, routine: Samples.routine, name: Samples.label, tag: "morning",
                    quiet: true, actions: [Samples.dressing, Samples.brushing]),
                bare: Self(
                    account: Samples.customer, routine: Samples.routine, name: Routines.Label(emoji: "🐶"), tag: "pet",
                    actions: [Samples.dressing]),
                reply: Samples.routineView)
        }
        package typealias Reply = RoutineView

        package let account: PartyID
        package let routine: RoutineID
        /// A text, an emoji or an image at least; no other routine of the account has the same.
        package let name: Label
        /// What it belongs to, such as `morning`, `night`, `hygiene` or `pet`; 1 to 30 bytes.
        package let tag: String
        /// Whether ads wait while it runs; false where it is absent.
        package let quiet: Bool?
        /// 1 to 20, in the order in which they are done.
        package let actions: [Action]
    }

    /// An account's routines, the newest first.
    package struct ReadRoutines: Ask, Equatable {
        package static let type: MessageType = "routines.routines.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 20)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Self(account: Samples.customer, before: 9, limit: 20), bare: Self(account: Samples.customer, limit: 1),
                reply: Reply(routines: [Samples.routineView], next: 7), bareReply: Reply(routines: []))
        }

        package struct Reply: WireMessage, Equatable {
            package let routines: [RoutineView]
            /// Ask for the next page with this as `before`; absent when there is none.
            package let next: Int64?
        }

        package let account: PartyID
        package let before: Int64?
        /// 1 to 100; a page of long names has fewer.
        package let limit: Int
    }

    /// Deletes a routine. Days that were made with it stay as they are.
    package struct DeleteRoutine: Ask, Equatable {
        package static let type: MessageType = "routines.routine.delete.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(Self(account: Samples.customer, routine: Samples.routine), reply: Reply(deleted: true))
        }

        package struct Reply: WireMessage, Equatable {
            /// Whether there was one.
            package let deleted: Bool
        }

        package let account: PartyID
        package let routine: RoutineID
    }

    /// An action that everybody is offered.
    package struct OfferedAction: Codable, Sendable, Equatable {
        package let name: Label
        package let minutes: Int64
        package let priority: Priority
    }

    /// A tag that names a time of day.
    package struct TagWindow: Codable, Sendable, Equatable {
        package let tag: String
        /// Minutes after midnight.
        package let from: Int64
        /// Minutes after midnight, 1,440 at most.
        package let until: Int64
    }

    /// What is offered to everybody: pre-loaded actions, pictures, tags and colours.
    package struct ReadOffered: Ask, Equatable {
        package static let type: MessageType = "routines.offered.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .anyone
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Self(),
                reply: Reply(
                    actions: [
                        Routines.OfferedAction(
                            name: Routines.Label(text: "Brush teeth", images: ["toothbrush"]), minutes: 5,
                            priority: .high)
                    ],
                    pictures: ["toothbrush", "shower"],
                    tags: [Routines.TagWindow(tag: "morning", from: 360, until: 720)], colours: Colour.allCases))
        }

        package struct Reply: WireMessage, Equatable {
            package let actions: [OfferedAction]
            /// Names of pictures that labels may have.
            package let pictures: [String]
            /// Tags that name a time of day; any other text is a tag of the whole day.
            package let tags: [TagWindow]
            package let colours: [Colour]
        }
    }

    // MARK: The profile

    /// What the pages of this account are coloured with.
    package enum Colour: String, Codable, Sendable, CaseIterable {
        case green, blue, purple, red, brown
    }

    package struct ProfileView: WireMessage, Equatable {
        package let colour: Colour
    }

    package struct ReadProfile: Ask, Equatable {
        package static let type: MessageType = "routines.profile.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(Self(account: Samples.customer), reply: Routines.ProfileView(colour: .green))
        }
        package typealias Reply = ProfileView

        package let account: PartyID
    }

    package struct SetProfile: Ask, Equatable {
        package static let type: MessageType = "routines.profile.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.account, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Self(account: Samples.customer, colour: .purple), reply: Routines.ProfileView(colour: .purple))
        }
        package typealias Reply = ProfileView

        package let account: PartyID
        package let colour: Colour
    }
}
