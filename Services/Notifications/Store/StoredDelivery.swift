import Contracts
import Primitives

package enum EndpointAdding: Sendable, Equatable {
    case added
    /// The same was added under this id before.
    case existed(Endpoint)
    /// Something else was.
    case reused
    case tooMany
}

/// A message or letter to one address.
package struct SendOrder: Sendable, Equatable {
    package let notice: NoticeID
    package let channel: Medium
    package let address: String
    package let title: String
    package let text: String
    package let expires: Timestamp
    /// Tells other content under the same key.
    package let fingerprint: [UInt8]

    package init(
        notice: NoticeID, channel: Medium, address: String, title: String, text: String, expires: Timestamp,
        fingerprint: [UInt8]
    ) {
        self.notice = notice
        self.channel = channel
        self.address = address
        self.title = title
        self.text = text
        self.expires = expires
        self.fingerprint = fingerprint
    }

    /// Its delivery's id is the notice's: one key for both.
    package var delivery: DeliveryID { notice.reinterpreted() }
}

package enum SendOutcome: Sendable, Equatable {
    case recorded(Queued?)
    case existed
    case reused
}

package struct StoredDelivery: Sendable, Equatable {
    package let view: Notifications.DeliveryView
    package let title: String
    package let text: String
    package let link: String?
    package let simulated: String?
}

package enum Replaying: Sendable, Equatable {
    case queued(Queued, Notifications.DeliveryView)
    /// Was queued already.
    case waits(Notifications.DeliveryView)
    case unknown
    case notReplayable
}
