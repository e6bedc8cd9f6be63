import Contracts
import Primitives

package enum EndpointAdding: Sendable, Equatable {
    case added
    /// The same content was stored under this id.
    case existed(Endpoint)
    /// Other content was stored under this id.
    case reused
    case tooMany
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
    /// It was queued already.
    case waits(Notifications.DeliveryView)
    case unknown
    case notReplayable
}
