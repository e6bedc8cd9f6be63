import Primitives
import Wire

/// What location tells of the fences around merchants' places (001-3). Times are those of the fixes: of one customer
/// they never go back.
extension Location {
    /// A customer came within 0.10 km of a place.
    package struct FenceEntered: Fact, Equatable {
        package static let type: MessageType = "location.fence.entered.v1"
        package let customer: PartyID
        package let merchant: PartyID
        package let place: PlaceID
        package let time: Timestamp

        package init(customer: PartyID, merchant: PartyID, place: PlaceID, time: Timestamp) {
            self.customer = customer
            self.merchant = merchant
            self.place = place
            self.time = time
        }
    }

    /// The customer has been at the place for five minutes by now; told once a visit.
    package struct FenceDwelled: Fact, Equatable {
        package static let type: MessageType = "location.fence.dwelled.v1"
        package let customer: PartyID
        package let merchant: PartyID
        package let place: PlaceID
        /// When the visit began.
        package let entered: Timestamp
        package let time: Timestamp

        package init(customer: PartyID, merchant: PartyID, place: PlaceID, entered: Timestamp, time: Timestamp) {
            self.customer = customer
            self.merchant = merchant
            self.place = place
            self.entered = entered
            self.time = time
        }
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
        package let customer: PartyID
        package let merchant: PartyID
        package let place: PlaceID
        package let entered: Timestamp
        package let reason: ExitReason
        package let time: Timestamp

        package init(
            customer: PartyID, merchant: PartyID, place: PlaceID, entered: Timestamp, reason: ExitReason,
            time: Timestamp
        ) {
            self.customer = customer
            self.merchant = merchant
            self.place = place
            self.entered = entered
            self.reason = reason
            self.time = time
        }
    }
}
