import Contracts
import Primitives

/// One attempt's input: what is sent, where, and until when. A provider needs nothing else.
package struct Delivery: Sendable, Equatable {
    package let id: DeliveryID
    package let notice: NoticeID?
    package let account: PartyID?
    package let channel: Medium
    /// The endpoint's address, or the delivery's own.
    package let address: String
    package let endpoint: EndpointID?
    /// The keys of a browser's subscription.
    package let p256dh, auth: [UInt8]?
    /// The secret of a web hook.
    package let secret: [UInt8]?
    package let kind: Notifications.Kind?
    /// The title of a push or letter; the fact's type for a web hook.
    package let title: String
    /// JSON for a web hook.
    package let text: String
    package let link: String?
    package let created: Timestamp
    package let expires: Timestamp
    /// Attempts made before this one.
    package let attempts: Int64

    package init(
        id: DeliveryID, notice: NoticeID?, account: PartyID?, channel: Medium, address: String,
        endpoint: EndpointID?, p256dh: [UInt8]? = nil, auth: [UInt8]? = nil, secret: [UInt8]? = nil,
        kind: Notifications.Kind?, title: String, text: String, link: String?, created: Timestamp, expires: Timestamp,
        attempts: Int64 = 0
    ) {
        self.id = id
        self.notice = notice
        self.account = account
        self.channel = channel
        self.address = address
        self.endpoint = endpoint
        self.p256dh = p256dh
        self.auth = auth
        self.secret = secret
        self.kind = kind
        self.title = title
        self.text = text
        self.link = link
        self.created = created
        self.expires = expires
        self.attempts = attempts
    }
}

/// A phone, browser or web hook that gets an account's notices.
package struct Endpoint: Sendable, Equatable {
    package let id: EndpointID
    package let account: PartyID
    package let channel: Medium
    package let address: String
    package let p256dh, auth: [UInt8]?
    package let secret: [UInt8]?
    package let created: Timestamp

    package init(
        id: EndpointID, account: PartyID, channel: Medium, address: String, p256dh: [UInt8]? = nil,
        auth: [UInt8]? = nil, secret: [UInt8]? = nil, created: Timestamp
    ) {
        self.id = id
        self.account = account
        self.channel = channel
        self.address = address
        self.p256dh = p256dh
        self.auth = auth
        self.secret = secret
        self.created = created
    }

    package var view: Notifications.EndpointView {
        .init(endpoint: id, type: channel.rawValue, address: address, created: created)
    }
}
