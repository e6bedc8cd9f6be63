import Contracts
import Primitives

/// Something that happened at a fence and is to be told: a fact before it is one.
package struct FenceChange: Sendable {
    package enum Kind: Sendable, Equatable {
        case entered
        case dwelled
        case exited(Location.ExitReason)
    }

    /// Its place among all changes of this process.
    package let number: Int
    package let kind: Kind
    package let customer: PartyID
    package let place: PlaceID
    package let merchant: PartyID
    package let entered: Timestamp
    /// When it happened, by the customer's fixes.
    package let time: Timestamp
    /// Which ask led to it; nil for what time alone brought about.
    package let cause: Cause?
}

/// Which ask led to a change, and when it came.
package struct Cause: Sendable {
    package let time: Timestamp
    package let correlationID: String?
    package let causationID: String?
    package let traceparent: String?

    package init(time: Timestamp, correlationID: String?, causationID: String?, traceparent: String?) {
        self.time = time
        self.correlationID = correlationID
        self.causationID = causationID
        self.traceparent = traceparent
    }
}
