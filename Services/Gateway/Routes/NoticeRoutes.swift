import Contracts
import Hummingbird
import NIOCore
import Primitives
import Schemas
import Wire

/// What the account is pushed.
package struct NoticeSettings: RequestBody, Equatable {
    package let enabled: Bool
    package let muted: [Notifications.Kind]?
    package let quiet: Quiet?

    package init(enabled: Bool, muted: [Notifications.Kind]?, quiet: Quiet?) {
        self.enabled = enabled
        self.muted = muted
        self.quiet = quiet
    }

    /// A time of each day without pushes.
    package struct Quiet: Codable, Sendable, Equatable {
        package let from: Int64
        package let until: Int64
        package let offset: Int64?
        package let zone: String?
    }

    static let notes: [String: SchemaNote] = [
        "enabled": SchemaNote("False stops all pushes. The inbox has everything all the same.", example: true),
        "muted": SchemaNote("Kinds that are not pushed.", example: ["offer"]),
        "quiet": SchemaNote(
            """
            When pushes wait: minutes after midnight, from `from` until `until`, which may be of the next day. `zone` is the \
            IANA name of the time zone, summer time included; without it, `offset` says how many minutes local time is \
            always ahead of UTC.
            """, example: ["from": 1320, "until": 420, "zone": "America/Phoenix"])
    ]
}

extension NoticeSettings.Quiet: Schematic {
    package static let sample = NoticeSettings.Quiet(from: 1320, until: 420, offset: -420, zone: "America/Phoenix")
    package static let schema: JSONValue = [
        "type": "object", "required": ["from", "until"], "additionalProperties": false,
        "properties": [
            "from": ["type": "integer", "minimum": 0, "maximum": 1439],
            "until": ["type": "integer", "minimum": 0, "maximum": 1439],
            "offset": ["type": "integer", "minimum": -840, "maximum": 840],
            "zone": ["type": "string", "minLength": 1, "maxLength": 64]
        ]
    ]
    package static let example: JSONValue = ["from": 1320, "until": 420, "offset": -420]
}

extension RouteTable {
    /// The inbox of whoever is logged in.
    static let notices = [
        Route(
            .get, "/v1/notices", "readNotices", "The inbox, newest first, and how much of it is unread", for: .holders,
            query: QueryParameter.page + [.unread], asks: [Notifications.ReadInbox.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Notifications.ReadInbox.Reply> in
            Given(
                try await call.ask(
                    Notifications.ReadInbox(
                        account: call.account, before: try call.query.before(), unread: try call.query.unread(),
                        limit: try call.query.limit())))
        },
        listening,
        Route(
            .get, "/v1/notices/{notice}", "readNotice", "One notice", for: .holders,
            asks: [Notifications.ReadNotice.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Notifications.NoticeView> in
            Given(try await call.ask(Notifications.ReadNotice(account: call.account, notice: call.id())))
        },
        Route(
            .post, "/v1/notices/{notice}/reading", "markNoticeRead", "Marks a notice as read", for: .holders,
            asks: [Notifications.MarkNotice.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Notifications.NoticeView> in
            Given(try await call.ask(Notifications.MarkNotice(account: call.account, notice: call.id())))
        }
    ]

    private static let listening = Route(
        .get, "/v1/notices/events", "listenToNotices",
        "Notices as they come: events `notice`, each with its number as `id`, and `closed` when the session ends. With "
            + "`Last-Event-ID` it goes on behind that number, as far as the inbox goes back",
        for: .holders, key: .none, pin: false, rate: nil, query: [.afterNumber, .role], body: .none, status: 200,
        reply: .other(.events, schema: ["type": "string"], statuses: [200]), asks: [Notifications.ReadInbox.self],
        faults: [.tooManyStreams]
    ) { (call: Call) async throws(Fault) -> Answer in
        let from: Int64?
        if let text = call.fields.lastEventID {
            guard let number = Query.wholeNumber(text) else {
                throw Fault(WireError(.invalidValue(why: "must be a number"), path: "Last-Event-ID"))
            }
            from = number
        } else {
            from = try call.query.afterNumber()
        }
        let streams = call.edge.notices
        // Before the inbox is read: what comes from now on wakes it.
        let lease = try streams.open(call.login)
        // Without a place to go on from, what is new from now on: a page behind the end tells where that is.
        let first = try await call.ask(
            Notifications.ReadInbox(account: call.account, after: from ?? .max, limit: NoticeStream.pageMax))
        // An inbox that was set back has no such number: all that comes is new.
        return Answer(
            events: NoticeStream(
                lease, pages: call.edge.inboxPages, asking: call.edge.asking, clock: call.edge.clock,
                context: call.context, patience: call.edge.configuration.deadline, after: min(from ?? .max, first.head),
                first: InboxPages.Page(first)))
    }

    static let noticeSettings = [
        Route(
            .get, "/v1/settings/notices", "readNoticeSettings", "What the account is pushed, and when", for: .holders,
            asks: [Notifications.ReadSettings.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<NoticeSettings> in
            Given(NoticeSettings(try await call.ask(Notifications.ReadSettings(account: call.account))))
        },
        Route(
            .put, "/v1/settings/notices", "changeNoticeSettings", "Says what the account is pushed, and when",
            for: .holders, asks: [Notifications.SetSettings.self]
        ) { (call: Call, body: NoticeSettings) async throws(Fault) -> Given<NoticeSettings> in
            if let quiet = body.quiet, quiet.zone == nil, quiet.offset == nil {
                throw Fault(.malformed, "'quiet' has a 'zone' or an 'offset'")
            }
            let quiet = body.quiet.map {
                Notifications.QuietHours(from: $0.from, until: $0.until, offset: $0.offset ?? 0, zone: $0.zone)
            }
            let view = try await call.ask(
                Notifications.SetSettings(
                    account: call.account, enabled: body.enabled, muted: body.muted ?? [], quiet: quiet))
            return Given(NoticeSettings(view))
        }
    ]
}

extension NoticeSettings {
    init(_ view: Notifications.SettingsView) {
        self.init(
            enabled: view.enabled, muted: view.muted,
            quiet: view.quiet.map { Quiet(from: $0.from, until: $0.until, offset: $0.offset, zone: $0.zone) })
    }
}
