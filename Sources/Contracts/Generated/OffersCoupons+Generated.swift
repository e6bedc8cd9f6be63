// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Offers.ReserveCoupon {
    package init(
        coupon: OfferID,
        charge: ChargeID,
        customer: PartyID,
        merchant: PartyID,
        amount: Money,
        expires: Timestamp,
        _: Void = ()
    ) {
        self.coupon = coupon
        self.charge = charge
        self.customer = customer
        self.merchant = merchant
        self.amount = amount
        self.expires = expires
    }

    package static var summary: String { "Reserves a coupon for one charge. Keyed on `charge` and `coupon`. For payments." }
    package static var fields: [Field<Self>] {
        [
            Field("coupon", \.coupon),
            Field("charge", \.charge),
            Field("customer", \.customer),
            Field("merchant", \.merchant),
            Field("amount", \.amount, "What the merchant asked for."),
            Field("expires", \.expires, "When the charge ends by itself."),
        ]
    }
}

extension Offers.ReserveCoupon.Reply: Shape {
    package init(
        discount: Money,
        replayed: Bool,
        _: Void = ()
    ) {
        self.discount = discount
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("discount", \.discount, "What the customer does not pay; above zero and below the charge's amount."),
            Field("replayed", \.replayed),
        ]
    }
}

extension Offers.CouponRedeemed {
    package init(
        coupon: OfferID,
        charge: ChargeID,
        customer: PartyID,
        merchant: PartyID,
        discount: Money,
        time: Timestamp,
        _: Void = ()
    ) {
        self.coupon = coupon
        self.charge = charge
        self.customer = customer
        self.merchant = merchant
        self.discount = discount
        self.time = time
    }

    package static var summary: String { "The coupon was used: its charge is captured." }
    package static var fields: [Field<Self>] {
        [
            Field("coupon", \.coupon),
            Field("charge", \.charge),
            Field("customer", \.customer),
            Field("merchant", \.merchant),
            Field("discount", \.discount),
            Field("time", \.time),
        ]
    }
}
