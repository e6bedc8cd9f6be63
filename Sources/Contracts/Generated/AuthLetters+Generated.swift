// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Auth.LetterKind: Choice {
    package static var summary: String { "What a letter brings to the owner of an account." }
    package static var meanings: [Self: String] {
        [
            .code: "What its reader has asked for and waits for: a code to set a new password with, or forgotten usernames.",
            .change: "News of another address, password or PIN.",
        ]
    }
}

extension Auth.ReadLetter {
    package init(
        letter: LetterID,
        _: Void = ()
    ) {
        self.letter = letter
    }

    package static var summary: String { "What one of auth's letters says, and to which address. For services. It may hold a code. It is gone once the letter is confirmed or its time is up." }
    package static var fields: [Field<Self>] {
        [
            Field("letter", \.letter),
        ]
    }
}

extension Auth.ReadLetter.Reply: Shape {
    package init(
        to: String,
        subject: String,
        text: String,
        expires: Timestamp,
        _: Void = ()
    ) {
        self.to = to
        self.subject = subject
        self.text = text
        self.expires = expires
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("to", \.to, "One address, RFC 5321's Mailbox; at most 254 bytes."),
            Field("subject", \.subject, "One line."),
            Field("text", \.text),
            Field("expires", \.expires, "After this it is sent no more."),
        ]
    }
}

extension Auth.ConfirmLetter {
    package init(
        letter: LetterID,
        _: Void = ()
    ) {
        self.letter = letter
    }

    package static var summary: String { "Says that a letter is in the hands of its sender: auth forgets what it says. For services." }
    package static var fields: [Field<Self>] {
        [
            Field("letter", \.letter),
        ]
    }
}

extension Auth.ConfirmLetter.Reply: Shape {
    package init(
        confirmed: Bool,
        _: Void = ()
    ) {
        self.confirmed = confirmed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("confirmed", \.confirmed, "Whether it still waited."),
        ]
    }
}

extension Auth.LetterQueued {
    package init(
        letter: LetterID,
        account: PartyID,
        kind: Auth.LetterKind,
        expires: Timestamp,
        time: Timestamp,
        _: Void = ()
    ) {
        self.letter = letter
        self.account = account
        self.kind = kind
        self.expires = expires
        self.time = time
    }

    package static var summary: String { "A letter to the owner of an account waits to be sent. `auth.letter.read.v1` has what it says." }
    package static var fields: [Field<Self>] {
        [
            Field("letter", \.letter),
            Field("account", \.account),
            Field("kind", \.kind),
            Field("expires", \.expires, "After this the letter cannot be read any more."),
            Field("time", \.time),
        ]
    }
}
