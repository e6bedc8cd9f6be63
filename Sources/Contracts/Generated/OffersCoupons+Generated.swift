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
            Field("amount", \.amount, "The amount that the merchant asked for."),
            Field("expires", \.expires, "When the charge ends by itself."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("coupon", coupon)
        writer.field("charge", charge)
        writer.field("customer", customer)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.field("expires", expires)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var coupon: OfferID?
        var charge: ChargeID?
        var customer: PartyID?
        var merchant: PartyID?
        var amount: Money?
        var expires: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "coupon": try reader.take(&coupon, key)
            case "charge": try reader.take(&charge, key)
            case "customer": try reader.take(&customer, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.take(&amount, key)
            case "expires": try reader.take(&expires, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            coupon: try required(coupon, "coupon"),
            charge: try required(charge, "charge"),
            customer: try required(customer, "customer"),
            merchant: try required(merchant, "merchant"),
            amount: try required(amount, "amount"),
            expires: try required(expires, "expires")
        )
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
            Field("discount", \.discount, "The discount: above zero and below the charge's amount."),
            Field("replayed", \.replayed),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("discount", discount)
        writer.field("replayed", replayed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var discount: Money?
        var replayed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "discount": try reader.take(&discount, key)
            case "replayed": try reader.take(&replayed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            discount: try required(discount, "discount"),
            replayed: try required(replayed, "replayed")
        )
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

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("coupon", coupon)
        writer.field("charge", charge)
        writer.field("customer", customer)
        writer.field("merchant", merchant)
        writer.field("discount", discount)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var coupon: OfferID?
        var charge: ChargeID?
        var customer: PartyID?
        var merchant: PartyID?
        var discount: Money?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "coupon": try reader.take(&coupon, key)
            case "charge": try reader.take(&charge, key)
            case "customer": try reader.take(&customer, key)
            case "merchant": try reader.take(&merchant, key)
            case "discount": try reader.take(&discount, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            coupon: try required(coupon, "coupon"),
            charge: try required(charge, "charge"),
            customer: try required(customer, "customer"),
            merchant: try required(merchant, "merchant"),
            discount: try required(discount, "discount"),
            time: try required(time, "time")
        )
    }
}
