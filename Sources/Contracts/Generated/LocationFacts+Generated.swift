// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Location.FenceEntered {
    package init(
        customer: PartyID,
        merchant: PartyID,
        place: PlaceID,
        time: Timestamp,
        _: Void = ()
    ) {
        self.customer = customer
        self.merchant = merchant
        self.place = place
        self.time = time
    }

    package static var summary: String { "A customer came within 0.10 km of a place." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("merchant", \.merchant),
            Field("place", \.place),
            Field("time", \.time),
        ]
    }
}

extension Location.FenceDwelled {
    package init(
        customer: PartyID,
        merchant: PartyID,
        place: PlaceID,
        entered: Timestamp,
        time: Timestamp,
        _: Void = ()
    ) {
        self.customer = customer
        self.merchant = merchant
        self.place = place
        self.entered = entered
        self.time = time
    }

    package static var summary: String { "The customer has been at the place for five minutes by now; told once a visit." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("merchant", \.merchant),
            Field("place", \.place),
            Field("entered", \.entered, "When the visit began."),
            Field("time", \.time),
        ]
    }
}

extension Location.ExitReason: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .left: "Was seen outside.",
            .forgotten: "The position was forgotten: too old, or the customer wanted it so.",
            .removed: "The place was removed, or moved.",
        ]
    }
}

extension Location.FenceExited {
    package init(
        customer: PartyID,
        merchant: PartyID,
        place: PlaceID,
        entered: Timestamp,
        reason: Location.ExitReason,
        time: Timestamp,
        _: Void = ()
    ) {
        self.customer = customer
        self.merchant = merchant
        self.place = place
        self.entered = entered
        self.reason = reason
        self.time = time
    }

    package static var summary: String { "The visit is over; each that was told of as entered ends with one of these." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("merchant", \.merchant),
            Field("place", \.place),
            Field("entered", \.entered),
            Field("reason", \.reason),
            Field("time", \.time),
        ]
    }
}
