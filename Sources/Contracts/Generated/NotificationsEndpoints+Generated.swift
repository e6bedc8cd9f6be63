// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Notifications.EndpointView: Shape {
    package init(
        endpoint: EndpointID,
        type: Int64,
        address: String,
        created: Timestamp,
        _: Void = ()
    ) {
        self.endpoint = endpoint
        self.type = type
        self.address = address
        self.created = created
    }

    package static var summary: String { "A push registration or a web hook as its owner sees it." }
    package static var fields: [Field<Self>] {
        [
            Field("endpoint", \.endpoint),
            Field("type", \.type, "1 Android, 2 iOS, 3 website, 4 a merchant's web hook."),
            Field("address", \.address, "The registration id, or the URL."),
            Field("created", \.created),
        ]
    }
}

extension Notifications.AddEndpoint {
    package init(
        endpoint: EndpointID,
        account: PartyID,
        type: Int64,
        address: String,
        p256dh: String? = nil,
        auth: String? = nil,
        _: Void = ()
    ) {
        self.endpoint = endpoint
        self.account = account
        self.type = type
        self.address = address
        self.p256dh = p256dh
        self.auth = auth
    }

    package static var summary: String { "Registers where an account is to be told. Keyed on `endpoint`. A push registration that another account had is this one's from now on: whoever holds the phone now is not told of the other's money." }
    package static var fields: [Field<Self>] {
        [
            Field("endpoint", \.endpoint),
            Field("account", \.account),
            Field("type", \.type, "1 Android, 2 iOS, 3 website, 4 web hook, for merchants only."),
            Field("address", \.address, "The registration id, or an https URL; at most 1,000 bytes."),
            Field("p256dh", \.p256dh, "A website's: the keys of its subscription (RFC 8291), base64url."),
            Field("auth", \.auth),
        ]
    }
}

extension Notifications.AddEndpoint.Reply: Shape {
    package init(
        endpoint: Notifications.EndpointView,
        secret: String? = nil,
        replayed: Bool,
        _: Void = ()
    ) {
        self.endpoint = endpoint
        self.secret = secret
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("endpoint", \.endpoint),
            Field("secret", \.secret, "Of a web hook: what its messages are signed with (Standard Webhooks, `whsec_…`). Told here only."),
            Field("replayed", \.replayed),
        ]
    }
}

extension Notifications.ReadEndpoints {
    package init(
        account: PartyID,
        _: Void = ()
    ) {
        self.account = account
    }

    package static var summary: String { "An account's endpoints, in the order in which they were added." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
        ]
    }
}

extension Notifications.ReadEndpoints.Reply: Shape {
    package init(
        endpoints: [Notifications.EndpointView],
        _: Void = ()
    ) {
        self.endpoints = endpoints
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("endpoints", \.endpoints),
        ]
    }
}

extension Notifications.RemoveEndpoint {
    package init(
        account: PartyID,
        endpoint: EndpointID,
        _: Void = ()
    ) {
        self.account = account
        self.endpoint = endpoint
    }

    package static var summary: String { "Removes an endpoint and what waits for it. Removing one that is not there is no error." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("endpoint", \.endpoint),
        ]
    }
}

extension Notifications.RemoveEndpoint.Reply: Shape {
    package init(
        removed: Bool,
        _: Void = ()
    ) {
        self.removed = removed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("removed", \.removed, "Whether there was one."),
        ]
    }
}

extension Notifications.ReadPushKey {
    package init(
        _: Void = ()
    ) {
    }

    package static var summary: String { "The key that browsers subscribe with (RFC 8292, `applicationServerKey`)." }
    package static var fields: [Field<Self>] {
        [
        ]
    }
}

extension Notifications.ReadPushKey.Reply: Shape {
    package init(
        publicKey: String,
        _: Void = ()
    ) {
        self.publicKey = publicKey
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("publicKey", \.publicKey, "65 bytes, base64url."),
        ]
    }
}

extension Notifications.QuietHours: Shape {
    package init(
        from: Int64,
        until: Int64,
        offset: Int64,
        zone: String? = nil,
        _: Void = ()
    ) {
        self.from = from
        self.until = until
        self.offset = offset
        self.zone = zone
    }

    package static var summary: String { "A time of each day without pushes: they come when it ends. It may go over midnight. It holds for all that is sent." }
    package static var fields: [Field<Self>] {
        [
            Field("from", \.from, "Minutes after midnight, 0 to 1,439."),
            Field("until", \.until, "Minutes after midnight, 0 to 1,439, another than `from`."),
            Field("offset", \.offset, "Minutes that local time is ahead of UTC, −840 to 840. With `zone`, what it is now; the zone decides."),
            Field("zone", \.zone, "The time zone by its IANA name, summer time included. Absent where the offset never changes."),
        ]
    }
}

extension Notifications.SettingsView: Shape {
    package init(
        account: PartyID,
        enabled: Bool,
        muted: [Notifications.Kind],
        quiet: Notifications.QuietHours? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.enabled = enabled
        self.muted = muted
        self.quiet = quiet
    }

    package static var summary: String { "The settings of an account's pushes. The inbox has everything, whatever they say; web hooks are not pushes." }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("enabled", \.enabled, "False stops all pushes."),
            Field("muted", \.muted, "Kinds that are not pushed."),
            Field("quiet", \.quiet),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.quiet),
    ]
}

extension Notifications.ReadSettings {
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

extension Notifications.SetSettings {
    package init(
        account: PartyID,
        enabled: Bool,
        muted: [Notifications.Kind],
        quiet: Notifications.QuietHours? = nil,
        _: Void = ()
    ) {
        self.account = account
        self.enabled = enabled
        self.muted = muted
        self.quiet = quiet
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("account", \.account),
            Field("enabled", \.enabled),
            Field("muted", \.muted),
            Field("quiet", \.quiet),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.quiet),
    ]
}
