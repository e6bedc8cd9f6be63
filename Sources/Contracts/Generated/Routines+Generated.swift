// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Routines {
    package static var summary: String { "Routines of actions, the schedule of a day made from them, what of it is done, and reminders at the moment they are due." }
}

extension Routines.Label: Shape {
    package init(
        text: String? = nil,
        emoji: String? = nil,
        images: [String]? = nil,
        _: Void = ()
    ) {
        self.text = text
        self.emoji = emoji
        self.images = images
    }

    package static var summary: String { "A name to be read or to be seen: a text, an emoji, images, or several of these." }
    package static var fields: [Field<Self>] {
        [
            Field("text", \.text, "1 to 60 bytes of UTF-8."),
            Field("emoji", \.emoji, "One emoji, at most 32 bytes."),
            Field("images", \.images, "Names of offered pictures and ids of the account's own images, 3 at most."),
        ]
    }
}

extension Routines.Priority: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .high: "Placed first.",
        ]
    }
}

extension Routines.Action: Shape {
    package init(
        name: Routines.Label,
        minutes: Int64,
        priority: Routines.Priority,
        _: Void = ()
    ) {
        self.name = name
        self.minutes = minutes
        self.priority = priority
    }

    package static var summary: String { "One step of a routine." }
    package static var fields: [Field<Self>] {
        [
            Field("name", \.name),
            Field("minutes", \.minutes, "The time to complete it: 1 to 240 minutes."),
            Field("priority", \.priority),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
    ]
}

extension Routines.RoutineView: Shape {
    package init(
        routine: Routines.RoutineID,
        number: Int64,
        name: Routines.Label,
        tag: String,
        quiet: Bool,
        priority: Routines.Priority,
        minutes: Int64,
        actions: [Routines.Action],
        _: Void = ()
    ) {
        self.routine = routine
        self.number = number
        self.name = name
        self.tag = tag
        self.quiet = quiet
        self.priority = priority
        self.minutes = minutes
        self.actions = actions
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("routine", \.routine),
            Field("number", \.number, "Its place among the account's routines in the order of their creation."),
            Field("name", \.name),
            Field("tag", \.tag, "In lower case. `morning`, `afternoon`, `evening` and `night` name a time of day; others mean the whole day."),
            Field("quiet", \.quiet, "Whether ads wait while it runs."),
            Field("priority", \.priority, "The highest of its actions."),
            Field("minutes", \.minutes, "Of all actions together."),
            Field("actions", \.actions, "In the order in which they are done."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
        .each(\.actions),
    ]
}

extension Routines.CreateRoutine {
    package init(
        account: PartyID,
        routine: Routines.RoutineID,
        name: Routines.Label,
        tag: String,
        quiet: Bool? = nil,
        actions: [Routines.Action],
        _: Void = ()
    ) {
        self.account = account
        self.routine = routine
        self.name = name
        self.tag = tag
        self.quiet = quiet
        self.actions = actions
    }

    package static var summary: String { "Adds a routine to the account's list, at the top. Keyed on `routine`." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("routine", \.routine),
            Field("name", \.name, "A text, an emoji or an image at least; no other routine of the account has the same."),
            Field("tag", \.tag, "What it belongs to, such as `morning`, `night`, `hygiene` or `pet`; 1 to 30 bytes."),
            Field("quiet", \.quiet, "Whether ads wait while it runs; false where it is absent."),
            Field("actions", \.actions, "1 to 20, in the order in which they are done."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
        .each(\.actions),
    ]
}

extension Routines.CreateRoutine.Reply: Shape {
    package init(
        routine: Routines.RoutineView,
        replayed: Bool,
        _: Void = ()
    ) {
        self.routine = routine
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("routine", \.routine),
            Field("replayed", \.replayed),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.routine),
    ]
}

extension Routines.ChangeRoutine {
    package init(
        account: PartyID,
        routine: Routines.RoutineID,
        name: Routines.Label,
        tag: String,
        quiet: Bool? = nil,
        actions: [Routines.Action],
        _: Void = ()
    ) {
        self.account = account
        self.routine = routine
        self.name = name
        self.tag = tag
        self.quiet = quiet
        self.actions = actions
    }

    package static var summary: String { "Writes a routine anew: name, tag, quiet, and actions in their order. It keeps its place in the list, and days that were made with it stay as they are." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("routine", \.routine),
            Field("name", \.name, "A text, an emoji or an image at least; no other routine of the account has the same."),
            Field("tag", \.tag, "What it belongs to, such as `morning`, `night`, `hygiene` or `pet`; 1 to 30 bytes."),
            Field("quiet", \.quiet, "Whether ads wait while it runs; false where it is absent."),
            Field("actions", \.actions, "1 to 20, in the order in which they are done."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
        .each(\.actions),
    ]
}

extension Routines.ReadRoutines {
    package init(
        account: PartyID,
        before: Int64? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.account = account
        self.before = before
        self.limit = limit
    }

    package static var summary: String { "An account's routines, the newest first." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("before", \.before),
            Field("limit", \.limit, "1 to 100; a page of long names has fewer."),
        ]
    }
}

extension Routines.ReadRoutines.Reply: Shape {
    package init(
        routines: [Routines.RoutineView],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.routines = routines
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("routines", \.routines),
            Field("next", \.next, "Ask for the next page with this as `before`; absent when there is none."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.routines),
    ]
}

extension Routines.DeleteRoutine {
    package init(
        account: PartyID,
        routine: Routines.RoutineID,
        _: Void = ()
    ) {
        self.account = account
        self.routine = routine
    }

    package static var summary: String { "Deletes a routine. Days that were made with it stay as they are." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("routine", \.routine),
        ]
    }
}

extension Routines.DeleteRoutine.Reply: Shape {
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

extension Routines.OfferedAction: Shape {
    package init(
        name: Routines.Label,
        minutes: Int64,
        priority: Routines.Priority,
        _: Void = ()
    ) {
        self.name = name
        self.minutes = minutes
        self.priority = priority
    }

    package static var summary: String { "An action that everybody is offered." }
    package static var fields: [Field<Self>] {
        [
            Field("name", \.name),
            Field("minutes", \.minutes),
            Field("priority", \.priority),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
    ]
}

extension Routines.TagWindow: Shape {
    package init(
        tag: String,
        from: Int64,
        until: Int64,
        _: Void = ()
    ) {
        self.tag = tag
        self.from = from
        self.until = until
    }

    package static var summary: String { "A tag that names a time of day." }
    package static var fields: [Field<Self>] {
        [
            Field("tag", \.tag),
            Field("from", \.from, "Minutes after midnight."),
            Field("until", \.until, "Minutes after midnight, 1,440 at most."),
        ]
    }
}

extension Routines.ReadOffered {
    package init(
        _: Void = ()
    ) {
    }

    package static var summary: String { "What is offered to everybody: pre-loaded actions, pictures, tags and colours." }
    package static var fields: [Field<Self>] {
        [
        ]
    }
}

extension Routines.ReadOffered.Reply: Shape {
    package init(
        actions: [Routines.OfferedAction],
        pictures: [String],
        tags: [Routines.TagWindow],
        colours: [Routines.Colour],
        _: Void = ()
    ) {
        self.actions = actions
        self.pictures = pictures
        self.tags = tags
        self.colours = colours
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("actions", \.actions),
            Field("pictures", \.pictures, "Names of pictures that labels may have."),
            Field("tags", \.tags, "Tags that name a time of day; any other text is a tag of the whole day."),
            Field("colours", \.colours),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.actions),
    ]
}

extension Routines.Colour: Choice {
    package static var summary: String { "What the pages of this account are coloured with." }
    package static var meanings: [Self: String] {
        [:]
    }
}

extension Routines.ProfileView: Shape {
    package init(
        colour: Routines.Colour,
        _: Void = ()
    ) {
        self.colour = colour
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("colour", \.colour),
        ]
    }
}

extension Routines.ReadProfile {
    package init(
        account: PartyID,
        _: Void = ()
    ) {
        self.account = account
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
        ]
    }
}

extension Routines.SetProfile {
    package init(
        account: PartyID,
        colour: Routines.Colour,
        _: Void = ()
    ) {
        self.account = account
        self.colour = colour
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("colour", \.colour),
        ]
    }
}
