// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Notifications {
    package static var summary: String { "Inboxes, and what leaves the house: pushes, web hooks, mail." }
}

extension Notifications.Kind: Choice {
    package static var summary: String { "What a notice is about. Customers choose by it what they are pushed." }
    package static var meanings: [Self: String] {
        [
            .request: "A merchant asks for money.",
            .payment: "A requested charge was paid.",
            .closing: "A requested charge ended without payment.",
            .offer: "An ad or a coupon.",
            .decision: "The administrator decided on an offer or a merchant.",
            .message: "`notifications.notification.send.v1`.",
            .transfer: "Somebody sent money.",
            .reminder: "Something of a day has begun.",
            .order: "An order came to its merchant, or is ready for its customer.",
        ]
    }
}

extension Notifications.NoticeView: Shape {
    package init(
        notice: NoticeID,
        number: Int64,
        kind: Notifications.Kind,
        title: String,
        text: String,
        link: String? = nil,
        time: Timestamp,
        read: Timestamp? = nil,
        _: Void = ()
    ) {
        self.notice = notice
        self.number = number
        self.kind = kind
        self.title = title
        self.text = text
        self.link = link
        self.time = time
        self.read = read
    }

    package static var summary: String { "One message to one account, in its inbox." }
    package static var fields: [Field<Self>] {
        [
            Field("notice", \.notice),
            Field("number", \.number, "Its place in the inbox: numbers are given from 1 without a gap, and 1,000 notices are kept."),
            Field("kind", \.kind),
            Field("title", \.title),
            Field("text", \.text),
            Field("link", \.link, "Where the app opens: a path such as `/deals/…` or `/charges/…`."),
            Field("time", \.time),
            Field("read", \.read, "When it was marked as read; absent while it is not."),
        ]
    }
}

extension Notifications.ReadInbox {
    package init(
        account: PartyID,
        before: Int64? = nil,
        after: Int64? = nil,
        unread: Bool? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.account = account
        self.before = before
        self.after = after
        self.unread = unread
        self.limit = limit
    }

    package static var summary: String { "An account's notices: newest first, or, with `after`, those behind that number, oldest first." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("before", \.before),
            Field("after", \.after, "Not together with `before`."),
            Field("unread", \.unread, "Only those that are not read yet."),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Notifications.ReadInbox.Reply: Shape {
    package init(
        notices: [Notifications.NoticeView],
        next: Int64? = nil,
        head: Int64,
        unread: Int64,
        _: Void = ()
    ) {
        self.notices = notices
        self.next = next
        self.head = head
        self.unread = unread
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("notices", \.notices),
            Field("next", \.next, "Ask for the next page with this as `before`, or as `after`; absent when there is none."),
            Field("head", \.head, "The newest notice's number; 0 before the first. A stream begun behind it lacks nothing."),
            Field("unread", \.unread, "Not yet read, of all that are kept."),
        ]
    }
}

extension Notifications.ReadNotice {
    package init(
        account: PartyID,
        notice: NoticeID,
        _: Void = ()
    ) {
        self.account = account
        self.notice = notice
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("notice", \.notice),
        ]
    }
}

extension Notifications.MarkNotice {
    package init(
        account: PartyID,
        notice: NoticeID,
        _: Void = ()
    ) {
        self.account = account
        self.notice = notice
    }

    package static var summary: String { "Marks a notice as read. The first time counts." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("notice", \.notice),
        ]
    }
}

extension Notifications.SendNotification {
    package init(
        notice: NoticeID,
        type: Int64,
        registrationId: String,
        message: String,
        _: Void = ()
    ) {
        self.notice = notice
        self.type = type
        self.registrationId = registrationId
        self.message = message
    }

    package static var summary: String { "`sendNotification(type, registrationId, message)`: one message to one registration, and to the inbox of the account that has it. Keyed on `notice`. For services and administrators." }
    package static var fields: [Field<Self>] {
        [
            Field("notice", \.notice),
            Field("type", \.type, "1 Android, 2 iOS, 3 website."),
            Field("registrationId", \.registrationId, "What the push service calls the app's installation; of a website the URL of its subscription."),
            Field("message", \.message, "1 to 1000 bytes of UTF-8."),
        ]
    }
}

extension Notifications.SendNotification.Reply: Shape {
    package init(
        result: String,
        replayed: Bool,
        _: Void = ()
    ) {
        self.result = result
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("result", \.result, "`sent`, `queued` or `failed:<reason>`."),
            Field("replayed", \.replayed),
        ]
    }
}

extension Notifications.SendMail {
    package init(
        notice: NoticeID,
        to: String,
        subject: String,
        text: String,
        expires: Timestamp,
        _: Void = ()
    ) {
        self.notice = notice
        self.to = to
        self.subject = subject
        self.text = text
        self.expires = expires
    }

    package static var summary: String { "Sends one letter to one address, and to no inbox: what a person without a session has asked for, such as a code to set a new password. Keyed on `notice`. For services." }
    package static var fields: [Field<Self>] {
        [
            Field("notice", \.notice),
            Field("to", \.to, "One address, RFC 5321's Mailbox; at most 254 bytes."),
            Field("subject", \.subject, "One line."),
            Field("text", \.text),
            Field("expires", \.expires, "After this it is sent no more."),
        ]
    }
}

extension Notifications.SendMail.Reply: Shape {
    package init(
        replayed: Bool,
        _: Void = ()
    ) {
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("replayed", \.replayed),
        ]
    }
}
