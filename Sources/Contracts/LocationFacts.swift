import Primitives
import Wire

/// What location tells of the fences around merchants' places. Times are those of the fixes: of one customer
/// they never go back.
extension Location {
    /// A customer came within 0.10 km of a place.
    package struct FenceEntered: Fact, Equatable {
        package static let type: MessageType = "location.fence.entered.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.entered)
        }
        package let customer: PartyID
        package let merchant: PartyID
        package let place: PlaceID
        package let time: Timestamp
    }

    /// The customer has been at the place for five minutes by now; told once a visit.
    package struct FenceDwelled: Fact, Equatable {
        package static let type: MessageType = "location.fence.dwelled.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Location.FenceDwelled(
                    customer: Samples.customer, merchant: Samples.merchant, place: Samples.place, entered: Samples.time,
                    time: Samples.later))
        }
        package let customer: PartyID
        package let merchant: PartyID
        package let place: PlaceID
        /// When the visit began.
        package let entered: Timestamp
        package let time: Timestamp
    }

    package enum ExitReason: String, Codable, Sendable, CaseIterable {
        /// Was seen outside.
        case left
        /// The position was forgotten: too old, or the customer wanted it so.
        case forgotten
        /// The place was removed, or moved.
        case removed
    }

    /// The visit is over; each that was told of as entered ends with one of these.
    package struct FenceExited: Fact, Equatable {
        package static let type: MessageType = "location.fence.exited.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Location.FenceExited(
                    customer: Samples.customer, merchant: Samples.merchant, place: Samples.place, entered: Samples.time,
                    reason: .left, time: Samples.later))
        }
        package let customer: PartyID
        package let merchant: PartyID
        package let place: PlaceID
        package let entered: Timestamp
        package let reason: ExitReason
        package let time: Timestamp
    }
}
