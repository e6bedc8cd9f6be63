// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Notifications.DeliveryState: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .queued: "Waits for its turn, or for another try.",
            .dead: "Given up: a dead letter.",
        ]
    }
}

extension Notifications.DeliveryView: Shape {
    package init(
        delivery: DeliveryID,
        number: Int64,
        notice: NoticeID? = nil,
        account: PartyID? = nil,
        type: Int64,
        state: Notifications.DeliveryState,
        attempts: Int64,
        reason: String? = nil,
        created: Timestamp,
        due: Timestamp? = nil,
        finished: Timestamp? = nil,
        _: Void = ()
    ) {
        self.delivery = delivery
        self.number = number
        self.notice = notice
        self.account = account
        self.type = type
        self.state = state
        self.attempts = attempts
        self.reason = reason
        self.created = created
        self.due = due
        self.finished = finished
    }

    package static var summary: String { "One notice, or letter, on its way to one endpoint, or address." }
    package static var fields: [Field<Self>] {
        [
            Field("delivery", \.delivery),
            Field("number", \.number, "Its place among all deliveries."),
            Field("notice", \.notice, "Absent where it is of a fact that only a web hook is told of."),
            Field("account", \.account),
            Field("type", \.type, "1 Android, 2 iOS, 3 website, 4 web hook, 5 mail."),
            Field("state", \.state),
            Field("attempts", \.attempts),
            Field("reason", \.reason, "Why the last attempt failed."),
            Field("created", \.created),
            Field("due", \.due, "Of a queued one: when it is tried next."),
            Field("finished", \.finished),
        ]
    }
}

extension Notifications.ReadDeadLetters {
    package init(
        before: Int64? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.before = before
        self.limit = limit
    }

    package static var summary: String { "Deliveries that were given up, newest first. For administrators and services, as the three that follow." }
    package static var fields: [Field<Self>] {
        [
            Field("before", \.before),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Notifications.ReadDeadLetters.Reply: Shape {
    package init(
        deliveries: [Notifications.DeliveryView],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.deliveries = deliveries
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("deliveries", \.deliveries),
            Field("next", \.next, "Ask for the next page with this as `before`; absent when there is none."),
        ]
    }
}

extension Notifications.ReadDelivery {
    package init(
        delivery: DeliveryID,
        _: Void = ()
    ) {
        self.delivery = delivery
    }

    package static var summary: String { "One delivery with what it says, in whatever state. What a letter says is for its reader only." }
    package static var fields: [Field<Self>] {
        [
            Field("delivery", \.delivery),
        ]
    }
}

extension Notifications.ReadDelivery.Reply: Shape {
    package init(
        delivery: Notifications.DeliveryView,
        title: String? = nil,
        text: String? = nil,
        link: String? = nil,
        simulated: String? = nil,
        _: Void = ()
    ) {
        self.delivery = delivery
        self.title = title
        self.text = text
        self.link = link
        self.simulated = simulated
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("delivery", \.delivery),
            Field("title", \.title),
            Field("text", \.text),
            Field("link", \.link),
            Field("simulated", \.simulated, "What the local simulator would have sent, as APNs or FCM would have had it."),
        ]
    }
}

extension Notifications.ReplayDelivery {
    package init(
        delivery: DeliveryID,
        _: Void = ()
    ) {
        self.delivery = delivery
    }

    package static var summary: String { "Queues a dead letter again, under the key that its receiver knows it by. One that is queued again already stays so." }
    package static var fields: [Field<Self>] {
        [
            Field("delivery", \.delivery),
        ]
    }
}

extension Notifications.DiscardDelivery {
    package init(
        delivery: DeliveryID,
        _: Void = ()
    ) {
        self.delivery = delivery
    }

    package static var summary: String { "Forgets a dead letter." }
    package static var fields: [Field<Self>] {
        [
            Field("delivery", \.delivery),
        ]
    }
}

extension Notifications.DiscardDelivery.Reply: Shape {
    package init(
        discarded: Bool,
        _: Void = ()
    ) {
        self.discarded = discarded
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("discarded", \.discarded, "Whether there was one."),
        ]
    }
}

extension Notifications.OwnDelivery: Shape {
    package init(
        delivery: DeliveryID,
        number: Int64,
        title: String,
        state: Notifications.DeliveryState,
        attempts: Int64,
        reason: String? = nil,
        created: Timestamp,
        due: Timestamp? = nil,
        finished: Timestamp? = nil,
        _: Void = ()
    ) {
        self.delivery = delivery
        self.number = number
        self.title = title
        self.state = state
        self.attempts = attempts
        self.reason = reason
        self.created = created
        self.due = due
        self.finished = finished
    }

    package static var summary: String { "A delivery as the owner of its endpoint sees it." }
    package static var fields: [Field<Self>] {
        [
            Field("delivery", \.delivery),
            Field("number", \.number, "Its place among all deliveries."),
            Field("title", \.title, "The title of a push; of a web hook's the type of what it tells."),
            Field("state", \.state),
            Field("attempts", \.attempts),
            Field("reason", \.reason, "Why the last attempt failed."),
            Field("created", \.created),
            Field("due", \.due, "Of a queued one: when it is tried next."),
            Field("finished", \.finished),
        ]
    }
}

extension Notifications.ReadDeliveries {
    package init(
        account: PartyID,
        endpoint: EndpointID,
        before: Int64? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.account = account
        self.endpoint = endpoint
        self.before = before
        self.limit = limit
    }

    package static var summary: String { "Deliveries to one of the account's endpoints, newest first. One that was made long ago is forgotten." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("endpoint", \.endpoint),
            Field("before", \.before),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Notifications.ReadDeliveries.Reply: Shape {
    package init(
        deliveries: [Notifications.OwnDelivery],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.deliveries = deliveries
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("deliveries", \.deliveries),
            Field("next", \.next, "Ask for the next page with this as `before`; absent when there is none."),
        ]
    }
}

extension Notifications.TestEndpoint {
    package init(
        delivery: DeliveryID,
        account: PartyID,
        endpoint: EndpointID,
        _: Void = ()
    ) {
        self.delivery = delivery
        self.account = account
        self.endpoint = endpoint
    }

    package static var summary: String { "Sends a web hook a message that says nothing but that it is a test, signed like all others, and waits a moment for its first attempt. Keyed on `delivery`." }
    package static var fields: [Field<Self>] {
        [
            Field("delivery", \.delivery),
            Field("account", \.account),
            Field("endpoint", \.endpoint, "One of the account's web hooks."),
        ]
    }
}

extension Notifications.TestEndpoint.Reply: Shape {
    package init(
        delivery: Notifications.OwnDelivery,
        replayed: Bool,
        _: Void = ()
    ) {
        self.delivery = delivery
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("delivery", \.delivery),
            Field("replayed", \.replayed),
        ]
    }
}

extension Notifications.NoticeAdded {
    package init(
        notice: NoticeID,
        account: PartyID,
        number: Int64,
        kind: Notifications.Kind,
        time: Timestamp,
        _: Void = ()
    ) {
        self.notice = notice
        self.account = account
        self.number = number
        self.kind = kind
        self.time = time
    }

    package static var summary: String { "An account has a notice more." }
    package static var fields: [Field<Self>] {
        [
            Field("notice", \.notice),
            Field("account", \.account),
            Field("number", \.number),
            Field("kind", \.kind),
            Field("time", \.time),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("notice", notice)
        writer.field("account", account)
        writer.field("number", number)
        writer.field("kind", kind)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var notice: NoticeID?
        var account: PartyID?
        var number: Int64?
        var kind: Notifications.Kind?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "notice": try reader.take(&notice, key)
            case "account": try reader.take(&account, key)
            case "number": try reader.take(&number, key)
            case "kind": try reader.take(&kind, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            notice: try required(notice, "notice"),
            account: try required(account, "account"),
            number: try required(number, "number"),
            kind: try required(kind, "kind"),
            time: try required(time, "time")
        )
    }
}

extension Notifications.NoticeDelivered {
    package init(
        delivery: DeliveryID,
        notice: NoticeID? = nil,
        account: PartyID? = nil,
        channel: Int64,
        attempts: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.delivery = delivery
        self.notice = notice
        self.account = account
        self.channel = channel
        self.attempts = attempts
        self.time = time
    }

    package static var summary: String { "A receiver has taken a delivery." }
    package static var fields: [Field<Self>] {
        [
            Field("delivery", \.delivery),
            Field("notice", \.notice),
            Field("account", \.account),
            Field("channel", \.channel, "1 Android, 2 iOS, 3 website, 4 web hook, 5 mail."),
            Field("attempts", \.attempts),
            Field("time", \.time),
        ]
    }
}

extension Notifications.NoticeFailed {
    package init(
        delivery: DeliveryID,
        notice: NoticeID? = nil,
        account: PartyID? = nil,
        channel: Int64,
        attempts: Int64,
        reason: String,
        time: Timestamp,
        _: Void = ()
    ) {
        self.delivery = delivery
        self.notice = notice
        self.account = account
        self.channel = channel
        self.attempts = attempts
        self.reason = reason
        self.time = time
    }

    package static var summary: String { "A delivery was given up; it is a dead letter now." }
    package static var fields: [Field<Self>] {
        [
            Field("delivery", \.delivery),
            Field("notice", \.notice),
            Field("account", \.account),
            Field("channel", \.channel, "1 Android, 2 iOS, 3 website, 4 web hook, 5 mail."),
            Field("attempts", \.attempts),
            Field("reason", \.reason),
            Field("time", \.time),
        ]
    }
}
