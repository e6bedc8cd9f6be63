import Bus
import Contracts
import Primitives

/// The beginning, dwelling or end of a visit, before it is published as a fact.
package struct FenceChange: Sendable {
    package enum Kind: Sendable, Equatable {
        case entered
        case dwelled
        case exited(Location.ExitReason)
    }

    /// Counts the changes of this process, from 1.
    package let number: Int
    package let kind: Kind
    package let customer: PartyID
    package let place: PlaceID
    package let merchant: PartyID
    package let entered: Timestamp
    /// By the times of the customer's fixes.
    package let time: Timestamp
    /// Nil for a change that only the passing of time led to.
    package let cause: Cause?
}
