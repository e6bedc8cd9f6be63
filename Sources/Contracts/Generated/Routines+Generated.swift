// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Routines {
    package static var summary: String { "Notes of accounts." }
}

extension Routines.AddNote {
    package init(
        note: Routines.NoteID,
        account: PartyID,
        text: String,
        _: Void = ()
    ) {
        self.note = note
        self.account = account
        self.text = text
    }

    package static var summary: String { "Keeps a note of an account. Keyed on `note`." }
    package static var fields: [Field<Self>] {
        [
            Field("note", \.note),
            Field("account", \.account, "Whose note it is."),
            Field("text", \.text, "1 to 200 bytes of UTF-8."),
        ]
    }
}

extension Routines.AddNote.Reply: Shape {
    package init(
        number: Int64,
        replayed: Bool,
        _: Void = ()
    ) {
        self.number = number
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("number", \.number, "The note's place among all of them, from 1."),
            Field("replayed", \.replayed),
        ]
    }
}

extension Routines.NoteAdded {
    package init(
        note: Routines.NoteID,
        account: PartyID,
        number: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.note = note
        self.account = account
        self.number = number
        self.time = time
    }

    package static var summary: String { "A note was kept. What it says is for its account alone, and not told." }
    package static var fields: [Field<Self>] {
        [
            Field("note", \.note),
            Field("account", \.account),
            Field("number", \.number, "The note's place among all of them, from 1."),
            Field("time", \.time),
        ]
    }
}
