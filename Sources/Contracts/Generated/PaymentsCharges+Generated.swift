// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Payments.ChargeState: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .requested: "Waits for the customer.",
            .declined: "Refused by the customer.",
            .cancelled: "Taken back by the merchant.",
            .expired: "Nobody answered in time.",
        ]
    }
}

extension Payments.ChargeView: Shape {
    package init(
        charge: ChargeID,
        state: Payments.ChargeState,
        merchant: PartyID,
        merchantName: String,
        customer: PartyID,
        amount: Money,
        memo: String,
        requested: Timestamp,
        expires: Timestamp? = nil,
        decided: Timestamp? = nil,
        card: CardID? = nil,
        entry: Int64? = nil,
        refunded: Money,
        presence: Location.Presence? = nil,
        coupon: OfferID? = nil,
        discount: Money? = nil,
        customerName: String? = nil,
        productIndex: Int64? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.state = state
        self.merchant = merchant
        self.merchantName = merchantName
        self.customer = customer
        self.amount = amount
        self.memo = memo
        self.requested = requested
        self.expires = expires
        self.decided = decided
        self.card = card
        self.entry = entry
        self.refunded = refunded
        self.presence = presence
        self.coupon = coupon
        self.discount = discount
        self.customerName = customerName
        self.productIndex = productIndex
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("state", \.state),
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("customer", \.customer),
            Field("amount", \.amount, "The amount to pay. Of a charge that was paid with a coupon the amount paid: what was asked for less `discount`."),
            Field("memo", \.memo),
            Field("requested", \.requested),
            Field("expires", \.expires, "When a requested charge expires; absent once it is decided."),
            Field("decided", \.decided),
            Field("card", \.card, "The card that paid."),
            Field("entry", \.entry),
            Field("refunded", \.refunded, "The sum refunded."),
            Field("presence", \.presence, "That the customer was at the merchant's place when the charge was requested, where that was asked for."),
            Field("coupon", \.coupon, "The coupon that it was paid with."),
            Field("discount", \.discount),
            Field("customerName", \.customerName, "The customer's name. Absent while it cannot be found out."),
            Field("productIndex", \.productIndex, "The charge's number among all charges, by which document 001 updates a payment."),
        ]
    }

    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("state", state)
        writer.field("merchant", merchant)
        writer.field("merchantName", merchantName)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("requested", requested)
        writer.field("expires", expires)
        writer.field("decided", decided)
        writer.field("card", card)
        writer.field("entry", entry)
        writer.field("refunded", refunded)
        writer.field("presence", presence)
        writer.field("coupon", coupon)
        writer.field("discount", discount)
        writer.field("customerName", customerName)
        writer.field("productIndex", productIndex)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var state: Payments.ChargeState?
        var merchant: PartyID?
        var merchantName: String?
        var customer: PartyID?
        var amount: Money?
        var memo: String?
        var requested: Timestamp?
        var expires: Timestamp?
        var decided: Timestamp?
        var card: CardID?
        var entry: Int64?
        var refunded: Money?
        var presence: Location.Presence?
        var coupon: OfferID?
        var discount: Money?
        var customerName: String?
        var productIndex: Int64?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "state": try reader.take(&state, key)
            case "merchant": try reader.take(&merchant, key)
            case "merchantName": try reader.take(&merchantName, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "requested": try reader.take(&requested, key)
            case "expires": try reader.takeOptional(&expires, key)
            case "decided": try reader.takeOptional(&decided, key)
            case "card": try reader.takeOptional(&card, key)
            case "entry": try reader.takeOptional(&entry, key)
            case "refunded": try reader.take(&refunded, key)
            case "presence": try reader.takeOptional(&presence, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            case "discount": try reader.takeOptional(&discount, key)
            case "customerName": try reader.takeOptional(&customerName, key)
            case "productIndex": try reader.takeOptional(&productIndex, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            state: try required(state, "state"),
            merchant: try required(merchant, "merchant"),
            merchantName: try required(merchantName, "merchantName"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            requested: try required(requested, "requested"),
            expires: expires,
            decided: decided,
            card: card,
            entry: entry,
            refunded: try required(refunded, "refunded"),
            presence: presence,
            coupon: coupon,
            discount: discount,
            customerName: customerName,
            productIndex: productIndex
        )
    }
}

extension Payments.ReadCharge {
    package init(
        charge: ChargeID,
        party: PartyID? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.party = party
    }

    package static var summary: String { "One charge, for its customer or its merchant; nobody else learns that it exists. Operators need not be either." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("party", \.party, "Absent: an administrator asks, or somebody who acts for nobody."),
        ]
    }
}

extension Payments.ReadCharges {
    package init(
        party: PartyID,
        state: Payments.ChargeState? = nil,
        before: Int64? = nil,
        limit: Int,
        since: Timestamp? = nil,
        productIndex: Int64? = nil,
        _: Void = ()
    ) {
        self.party = party
        self.state = state
        self.before = before
        self.limit = limit
        self.since = since
        self.productIndex = productIndex
    }

    package static var summary: String { "A customer's or a merchant's charges, newest first: by when each was decided, or requested while it waits. For the account, administrators and services." }
    package static var fields: [Field<Self>] {
        [
            Field("party", \.party),
            Field("state", \.state),
            Field("before", \.before),
            Field("limit", \.limit, "1 to 100."),
            Field("since", \.since, "Only those that were decided, or requested while they wait, then or later. What is before is behind `next`, which then is there even if the first page is empty. A page behind it, again with `since`, has none if what is before is too old."),
            Field("productIndex", \.productIndex, "Only the charge with this number. There is no next page then."),
        ]
    }
}

extension Payments.ReadCharges.Reply: Shape {
    package init(
        charges: [Payments.ChargeView],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.charges = charges
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charges", \.charges),
            Field("next", \.next, "Ask for the next page with this as `before`; absent when there is none. 0 stands for the newest."),
        ]
    }
}

extension Payments.ReadReceipt {
    package init(
        charge: ChargeID,
        party: PartyID,
        _: Void = ()
    ) {
        self.charge = charge
        self.party = party
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("party", \.party),
        ]
    }
}

extension Payments.RefundCharge {
    package init(
        refund: OperationID,
        charge: ChargeID,
        merchant: PartyID,
        amount: Money? = nil,
        _: Void = ()
    ) {
        self.refund = refund
        self.charge = charge
        self.merchant = merchant
        self.amount = amount
    }

    package static var summary: String { "The merchant pays a captured charge back, in full or in part. Keyed on `refund`." }
    package static var fields: [Field<Self>] {
        [
            Field("refund", \.refund),
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("amount", \.amount, "The rest of the charge where none is given."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("refund", refund)
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var refund: OperationID?
        var charge: ChargeID?
        var merchant: PartyID?
        var amount: Money?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "refund": try reader.take(&refund, key)
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.takeOptional(&amount, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            refund: try required(refund, "refund"),
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            amount: amount
        )
    }
}

extension Payments.RefundCharge.Reply: Shape {
    package init(
        refund: OperationID,
        charge: ChargeID,
        amount: Money,
        refunded: Money,
        entry: Int64,
        time: Timestamp,
        replayed: Bool,
        _: Void = ()
    ) {
        self.refund = refund
        self.charge = charge
        self.amount = amount
        self.refunded = refunded
        self.entry = entry
        self.time = time
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("refund", \.refund),
            Field("charge", \.charge),
            Field("amount", \.amount),
            Field("refunded", \.refunded, "The sum refunded of this charge so far."),
            Field("entry", \.entry),
            Field("time", \.time),
            Field("replayed", \.replayed),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("refund", refund)
        writer.field("charge", charge)
        writer.field("amount", amount)
        writer.field("refunded", refunded)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.field("replayed", replayed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var refund: OperationID?
        var charge: ChargeID?
        var amount: Money?
        var refunded: Money?
        var entry: Int64?
        var time: Timestamp?
        var replayed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "refund": try reader.take(&refund, key)
            case "charge": try reader.take(&charge, key)
            case "amount": try reader.take(&amount, key)
            case "refunded": try reader.take(&refunded, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            case "replayed": try reader.take(&replayed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            refund: try required(refund, "refund"),
            charge: try required(charge, "charge"),
            amount: try required(amount, "amount"),
            refunded: try required(refunded, "refunded"),
            entry: try required(entry, "entry"),
            time: try required(time, "time"),
            replayed: try required(replayed, "replayed")
        )
    }
}

extension Payments.ReadRefunds {
    package init(
        party: PartyID,
        charges: [ChargeID],
        _: Void = ()
    ) {
        self.party = party
        self.charges = charges
    }

    package static var summary: String { "The sums refunded of some charges of one party. Charges of which nothing was refunded are left out, and so are those of others. For the account, administrators and services." }
    package static var fields: [Field<Self>] {
        [
            Field("party", \.party),
            Field("charges", \.charges, "1 to 100."),
        ]
    }
}

extension Payments.ReadRefunds.Reply: Shape {
    package init(
        refunds: [Payments.Refunded],
        _: Void = ()
    ) {
        self.refunds = refunds
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("refunds", \.refunds),
        ]
    }
}

extension Payments.Refunded: Shape {
    package init(
        charge: ChargeID,
        refunded: Money,
        _: Void = ()
    ) {
        self.charge = charge
        self.refunded = refunded
    }

    package static var summary: String { "The sum refunded of a charge." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("refunded", \.refunded),
        ]
    }
}
