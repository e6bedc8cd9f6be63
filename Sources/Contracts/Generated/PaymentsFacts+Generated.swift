// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Payments.ChargeRequested {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        customer: PartyID,
        amount: Money,
        memo: String,
        expires: Timestamp,
        time: Timestamp,
        merchantName: String? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.amount = amount
        self.memo = memo
        self.expires = expires
        self.time = time
        self.merchantName = merchantName
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("amount", \.amount),
            Field("memo", \.memo),
            Field("expires", \.expires),
            Field("time", \.time),
            Field("merchantName", \.merchantName, "The merchant's name. Absent in facts that are older than this field."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("expires", expires)
        writer.field("time", time)
        writer.field("merchantName", merchantName)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        var customer: PartyID?
        var amount: Money?
        var memo: String?
        var expires: Timestamp?
        var time: Timestamp?
        var merchantName: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "expires": try reader.take(&expires, key)
            case "time": try reader.take(&time, key)
            case "merchantName": try reader.takeOptional(&merchantName, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            expires: try required(expires, "expires"),
            time: try required(time, "time"),
            merchantName: merchantName
        )
    }
}

extension Payments.ChargeCaptured {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        customer: PartyID,
        card: CardID,
        amount: Money,
        memo: String,
        entry: Int64,
        time: Timestamp,
        coupon: OfferID? = nil,
        discount: Money? = nil,
        requested: Bool? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.card = card
        self.amount = amount
        self.memo = memo
        self.entry = entry
        self.time = time
        self.coupon = coupon
        self.discount = discount
        self.requested = requested
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("card", \.card),
            Field("amount", \.amount),
            Field("memo", \.memo),
            Field("entry", \.entry),
            Field("time", \.time),
            Field("coupon", \.coupon, "The coupon that was used up with it."),
            Field("discount", \.discount, "The coupon's discount."),
            Field("requested", \.requested, "True where the merchant had requested it and the customer approved; absent for a payment without approval."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.field("coupon", coupon)
        writer.field("discount", discount)
        writer.field("requested", requested)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        var customer: PartyID?
        var card: CardID?
        var amount: Money?
        var memo: String?
        var entry: Int64?
        var time: Timestamp?
        var coupon: OfferID?
        var discount: Money?
        var requested: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.take(&card, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            case "discount": try reader.takeOptional(&discount, key)
            case "requested": try reader.takeOptional(&requested, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            customer: try required(customer, "customer"),
            card: try required(card, "card"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            entry: try required(entry, "entry"),
            time: try required(time, "time"),
            coupon: coupon,
            discount: discount,
            requested: requested
        )
    }
}

extension Payments.ChargeClosed {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        customer: PartyID,
        amount: Money,
        reason: Wallet.CloseReason,
        time: Timestamp,
        merchantName: String? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.amount = amount
        self.reason = reason
        self.time = time
        self.merchantName = merchantName
    }

    package static var summary: String { "A requested charge ended without payment: declined, cancelled or expired." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("amount", \.amount),
            Field("reason", \.reason),
            Field("time", \.time),
            Field("merchantName", \.merchantName, "As when the charge was requested. Absent in facts that are older than this field."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("reason", reason)
        writer.field("time", time)
        writer.field("merchantName", merchantName)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        var customer: PartyID?
        var amount: Money?
        var reason: Wallet.CloseReason?
        var time: Timestamp?
        var merchantName: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "reason": try reader.take(&reason, key)
            case "time": try reader.take(&time, key)
            case "merchantName": try reader.takeOptional(&merchantName, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            reason: try required(reason, "reason"),
            time: try required(time, "time"),
            merchantName: merchantName
        )
    }
}

extension Payments.TransferReceived {
    package init(
        operation: OperationID,
        from: PartyID,
        to: PartyID,
        amount: Money,
        memo: String,
        time: Timestamp,
        _: Void = ()
    ) {
        self.operation = operation
        self.from = from
        self.to = to
        self.amount = amount
        self.memo = memo
        self.time = time
    }

    package static var summary: String { "Somebody has received a transfer. The wallet has moved the money before." }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("from", \.from),
            Field("to", \.to),
            Field("amount", \.amount),
            Field("memo", \.memo),
            Field("time", \.time),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("operation", operation)
        writer.field("from", from)
        writer.field("to", to)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var operation: OperationID?
        var from: PartyID?
        var to: PartyID?
        var amount: Money?
        var memo: String?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "operation": try reader.take(&operation, key)
            case "from": try reader.take(&from, key)
            case "to": try reader.take(&to, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            operation: try required(operation, "operation"),
            from: try required(from, "from"),
            to: try required(to, "to"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            time: try required(time, "time")
        )
    }
}

extension Payments.ChargeRefunded {
    package init(
        charge: ChargeID,
        merchant: PartyID,
        customer: PartyID,
        amount: Money,
        refunded: Money,
        time: Timestamp,
        paid: Money? = nil,
        captured: Timestamp? = nil,
        merchantName: String? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.merchant = merchant
        self.customer = customer
        self.amount = amount
        self.refunded = refunded
        self.time = time
        self.paid = paid
        self.captured = captured
        self.merchantName = merchantName
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("amount", \.amount),
            Field("refunded", \.refunded),
            Field("time", \.time),
            Field("paid", \.paid, "The payment's amount and its time, so that no reader has to remember each payment. Absent where an earlier version told it."),
            Field("captured", \.captured),
            Field("merchantName", \.merchantName, "As when the charge was requested. Absent where it was paid without a request, and in facts that are older than this field."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("merchant", merchant)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("refunded", refunded)
        writer.field("time", time)
        writer.field("paid", paid)
        writer.field("captured", captured)
        writer.field("merchantName", merchantName)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var merchant: PartyID?
        var customer: PartyID?
        var amount: Money?
        var refunded: Money?
        var time: Timestamp?
        var paid: Money?
        var captured: Timestamp?
        var merchantName: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "merchant": try reader.take(&merchant, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "refunded": try reader.take(&refunded, key)
            case "time": try reader.take(&time, key)
            case "paid": try reader.takeOptional(&paid, key)
            case "captured": try reader.takeOptional(&captured, key)
            case "merchantName": try reader.takeOptional(&merchantName, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            merchant: try required(merchant, "merchant"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            refunded: try required(refunded, "refunded"),
            time: try required(time, "time"),
            paid: paid,
            captured: captured,
            merchantName: merchantName
        )
    }
}
