// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Wallet.OpenAccount {
    package init(
        merchant: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
    }

    package static var summary: String { "Opens a merchant's account. Idempotent: an open one stays as it is." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
        ]
    }
}

extension Wallet.ReadAccount {
    package init(
        merchant: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
        ]
    }
}

extension Wallet.AccountView: Shape {
    package init(
        merchant: PartyID,
        balance: Money,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.balance = balance
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("balance", \.balance),
        ]
    }
}

extension Wallet.PostPayment {
    package init(
        payment: ChargeID,
        customer: PartyID,
        card: CardID? = nil,
        merchant: PartyID,
        amount: Money,
        memo: String,
        attempt: OperationID? = nil,
        coupon: OfferID? = nil,
        _: Void = ()
    ) {
        self.payment = payment
        self.customer = customer
        self.card = card
        self.merchant = merchant
        self.amount = amount
        self.memo = memo
        self.attempt = attempt
        self.coupon = coupon
    }

    package static var summary: String { "Pays a merchant from a card: authorize and capture in one commit. Keyed on `payment`, the charge's id." }
    package static var fields: [Field<Self>] {
        [
            Field("payment", \.payment),
            Field("customer", \.customer),
            Field("card", \.card, "The default card where none is named."),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("memo", \.memo, "The text on the customer's receipt; at most 512 bytes."),
            Field("attempt", \.attempt, "The single-use pay code's owner may be asked to pay once only: a second use under another key differs here."),
            Field("coupon", \.coupon, "The coupon that this payment uses up: captured with the money, in one commit."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("payment", payment)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("attempt", attempt)
        writer.field("coupon", coupon)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var payment: ChargeID?
        var customer: PartyID?
        var card: CardID?
        var merchant: PartyID?
        var amount: Money?
        var memo: String?
        var attempt: OperationID?
        var coupon: OfferID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "payment": try reader.take(&payment, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.takeOptional(&card, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "attempt": try reader.takeOptional(&attempt, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            payment: try required(payment, "payment"),
            customer: try required(customer, "customer"),
            card: card,
            merchant: try required(merchant, "merchant"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            attempt: attempt,
            coupon: coupon
        )
    }
}

extension Wallet.ReadPayment {
    package init(
        payment: ChargeID,
        _: Void = ()
    ) {
        self.payment = payment
    }

    package static var summary: String { "A payment by its charge's id: whether an earlier ask moved the money." }
    package static var fields: [Field<Self>] {
        [
            Field("payment", \.payment),
        ]
    }
}

extension Wallet.ClosePayment {
    package init(
        payment: ChargeID,
        reason: Wallet.CloseReason,
        _: Void = ()
    ) {
        self.payment = payment
        self.reason = reason
    }

    package static var summary: String { "Ends a payment without moving money: nothing can be posted under its id any more. Keyed on `payment`. Whichever of this and `wallet.payment.post.v1` commits first decides the charge." }
    package static var fields: [Field<Self>] {
        [
            Field("payment", \.payment),
            Field("reason", \.reason),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("payment", payment)
        writer.field("reason", reason)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var payment: ChargeID?
        var reason: Wallet.CloseReason?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "payment": try reader.take(&payment, key)
            case "reason": try reader.take(&reason, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            payment: try required(payment, "payment"),
            reason: try required(reason, "reason")
        )
    }
}

extension Wallet.CloseReason: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .declined: "By the customer.",
            .cancelled: "By the merchant.",
            .expired: "By the clock.",
        ]
    }
}

extension Wallet.PostRefund {
    package init(
        operation: OperationID,
        payment: ChargeID,
        merchant: PartyID,
        amount: Money? = nil,
        _: Void = ()
    ) {
        self.operation = operation
        self.payment = payment
        self.merchant = merchant
        self.amount = amount
    }

    package static var summary: String { "Pays back a payment, in full or in part, to the card that paid. Keyed on `operation`." }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("payment", \.payment),
            Field("merchant", \.merchant),
            Field("amount", \.amount, "The rest of the payment where none is given."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("operation", operation)
        writer.field("payment", payment)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var operation: OperationID?
        var payment: ChargeID?
        var merchant: PartyID?
        var amount: Money?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "operation": try reader.take(&operation, key)
            case "payment": try reader.take(&payment, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.takeOptional(&amount, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            operation: try required(operation, "operation"),
            payment: try required(payment, "payment"),
            merchant: try required(merchant, "merchant"),
            amount: amount
        )
    }
}
