// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Payments.RequestCharge {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        customer: PartyID,
        amount: Money,
        memo: String,
        place: PlaceID? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.amount = amount
        self.memo = memo
        self.place = place
    }

    package static var summary: String { "A merchant asks a customer for money; the customer approves or declines. Keyed on `charge`." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("amount", \.amount),
            Field("memo", \.memo),
            Field("place", \.place, "The merchant's place where the customer is. Where it is named, the customer has to be there."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("place", place)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        var customer: PartyID?
        var amount: Money?
        var memo: String?
        var place: PlaceID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "place": try reader.takeOptional(&place, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            place: place
        )
    }
}

extension Payments.RequestCharge.Reply: Shape {
    package init(
        charge: Payments.ChargeView,
        replayed: Bool,
        _: Void = ()
    ) {
        self.charge = charge
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("replayed", \.replayed),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("replayed", replayed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: Payments.ChargeView?
        var replayed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "replayed": try reader.take(&replayed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            replayed: try required(replayed, "replayed")
        )
    }
}

extension Payments.ApproveCharge {
    package init(
        charge: ChargeID,
        customer: PartyID,
        card: CardID? = nil,
        amount: Money? = nil,
        coupon: OfferID? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.customer = customer
        self.card = card
        self.amount = amount
        self.coupon = coupon
    }

    package static var summary: String { "The customer pays a requested charge. Keyed on `charge`: approving twice pays once." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("customer", \.customer),
            Field("card", \.card),
            Field("amount", \.amount, "The amount that the customer saw and agreed to, before any coupon."),
            Field("coupon", \.coupon, "A coupon of the merchant's that the customer uses up with this payment. If the charge comes to nothing, the coupon is as unused as before."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("amount", amount)
        writer.field("coupon", coupon)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var customer: PartyID?
        var card: CardID?
        var amount: Money?
        var coupon: OfferID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.takeOptional(&card, key)
            case "amount": try reader.takeOptional(&amount, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            customer: try required(customer, "customer"),
            card: card,
            amount: amount,
            coupon: coupon
        )
    }
}

extension Payments.DeclineCharge {
    package init(
        charge: ChargeID,
        customer: PartyID,
        _: Void = ()
    ) {
        self.charge = charge
        self.customer = customer
    }

    package static var summary: String { "The customer refuses a requested charge. Keyed on `charge`." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("customer", \.customer),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("customer", customer)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var customer: PartyID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "customer": try reader.take(&customer, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            customer: try required(customer, "customer")
        )
    }
}

extension Payments.CancelCharge {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
    }

    package static var summary: String { "The merchant takes a requested charge back. Keyed on `charge`." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant")
        )
    }
}

extension Payments.ReadChargeable {
    package init(
        merchant: PartyID,
        customer: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.customer = customer
    }

    package static var summary: String { "Whether a merchant may request money from a customer now, as `payments.charge.request.v1` without a place would decide." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("customer", \.customer),
        ]
    }
}

extension Payments.ReadChargeable.Reply: Shape {
    package init(
        customer: PartyID,
        chargeable: Bool,
        refusal: String? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.chargeable = chargeable
        self.refusal = refusal
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("chargeable", \.chargeable),
            Field("refusal", \.refusal, "The code with which a request would be refused."),
        ]
    }
}

extension Payments.SetPermission {
    package init(
        customer: PartyID,
        merchant: PartyID? = nil,
        allowed: Bool,
        _: Void = ()
    ) {
        self.customer = customer
        self.merchant = merchant
        self.allowed = allowed
    }

    package static var summary: String { "Lets a merchant, or every merchant, request money wherever the customer is; or no longer." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("merchant", \.merchant, "Every merchant where none is named."),
            Field("allowed", \.allowed),
        ]
    }
}

extension Payments.SetPermission.Reply: Shape {
    package init(
        allowed: Bool,
        _: Void = ()
    ) {
        self.allowed = allowed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("allowed", \.allowed),
        ]
    }
}

extension Payments.ReadPermissions {
    package init(
        customer: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
    }

    package static var summary: String { "The merchants that may request money wherever the customer is, at most 200." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
        ]
    }
}

extension Payments.ReadPermissions.Reply: Shape {
    package init(
        everyone: Bool,
        merchants: [Payments.PermittedMerchant],
        _: Void = ()
    ) {
        self.everyone = everyone
        self.merchants = merchants
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("everyone", \.everyone),
            Field("merchants", \.merchants, "In the order of their ids."),
        ]
    }
}

extension Payments.PermittedMerchant: Shape {
    package init(
        merchant: PartyID,
        name: String? = nil,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.name = name
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("name", \.name, "Absent while it cannot be found out."),
        ]
    }
}
