// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Payments {
    package static var summary: String { "The life of charges, pay codes and receipts. Money moves in `wallet` only." }
}

extension Payments.CreatePayment {
    package init(
        charge: ChargeID,
        customer: PartyID,
        card: CardID? = nil,
        merchant: PartyID,
        amount: Money,
        memo: String,
        _: Void = ()
    ) {
        self.charge = charge
        self.customer = customer
        self.card = card
        self.merchant = merchant
        self.amount = amount
        self.memo = memo
    }

    package static var summary: String { "The customer pays a merchant now, with a card. Keyed on `charge`." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("customer", \.customer),
            Field("card", \.card, "The default card where none is named."),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("memo", \.memo, "At most 256 bytes of UTF-8."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var customer: PartyID?
        var card: CardID?
        var merchant: PartyID?
        var amount: Money?
        var memo: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.takeOptional(&card, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            customer: try required(customer, "customer"),
            card: card,
            merchant: try required(merchant, "merchant"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo")
        )
    }
}

extension Payments.CreatePayment.Reply: Shape {
    package init(
        receipt: Payments.Receipt,
        replayed: Bool,
        _: Void = ()
    ) {
        self.receipt = receipt
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("receipt", \.receipt),
            Field("replayed", \.replayed),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("receipt", receipt)
        writer.field("replayed", replayed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var receipt: Payments.Receipt?
        var replayed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "receipt": try reader.take(&receipt, key)
            case "replayed": try reader.take(&replayed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            receipt: try required(receipt, "receipt"),
            replayed: try required(replayed, "replayed")
        )
    }
}

extension Payments.Receipt: Shape {
    package init(
        charge: ChargeID,
        customer: PartyID,
        card: CardID,
        merchant: PartyID,
        merchantName: String,
        amount: Money,
        memo: String,
        cardBalance: Money? = nil,
        entry: Int64,
        time: Timestamp,
        coupon: OfferID? = nil,
        discount: Money? = nil,
        _: Void = ()
    ) {
        self.charge = charge
        self.customer = customer
        self.card = card
        self.merchant = merchant
        self.merchantName = merchantName
        self.amount = amount
        self.memo = memo
        self.cardBalance = cardBalance
        self.entry = entry
        self.time = time
        self.coupon = coupon
        self.discount = discount
    }

    package static var summary: String { "The receipt of a captured charge." }
    package static var fields: [Field<Self>] {
        [
            Field("charge", \.charge),
            Field("customer", \.customer),
            Field("card", \.card),
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("amount", \.amount, "The amount paid."),
            Field("memo", \.memo),
            Field("cardBalance", \.cardBalance, "The card's balance after the payment; absent where the merchant reads the receipt."),
            Field("entry", \.entry, "The ledger entry that moved the money."),
            Field("time", \.time),
            Field("coupon", \.coupon, "The coupon that was used."),
            Field("discount", \.discount, "The coupon's discount: the amount asked for less the amount paid."),
        ]
    }

    package func write(to writer: inout JSONWriter) { fastWrite(to: &writer) }
    package static func read(_ reader: inout JSONReader) throws(WireError) -> Self { try fastRead(&reader) }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("charge", charge)
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("merchant", merchant)
        writer.field("merchantName", merchantName)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.field("cardBalance", cardBalance)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.field("coupon", coupon)
        writer.field("discount", discount)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var charge: ChargeID?
        var customer: PartyID?
        var card: CardID?
        var merchant: PartyID?
        var merchantName: String?
        var amount: Money?
        var memo: String?
        var cardBalance: Money?
        var entry: Int64?
        var time: Timestamp?
        var coupon: OfferID?
        var discount: Money?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "charge": try reader.take(&charge, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.take(&card, key)
            case "merchant": try reader.take(&merchant, key)
            case "merchantName": try reader.take(&merchantName, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "cardBalance": try reader.takeOptional(&cardBalance, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            case "discount": try reader.takeOptional(&discount, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            charge: try required(charge, "charge"),
            customer: try required(customer, "customer"),
            card: try required(card, "card"),
            merchant: try required(merchant, "merchant"),
            merchantName: try required(merchantName, "merchantName"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            cardBalance: cardBalance,
            entry: try required(entry, "entry"),
            time: try required(time, "time"),
            coupon: coupon,
            discount: discount
        )
    }
}

extension Payments.IssueCode {
    package init(
        customer: PartyID,
        card: CardID? = nil,
        typed: Bool? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.card = card
        self.typed = typed
    }

    package static var summary: String { "Makes a signed pay code that a merchant can redeem once, within a minute, for one payment." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("card", \.card, "The card that will pay; the default one at that time where none is named."),
            Field("typed", \.typed, "Whether a code that can be typed is wanted too."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("customer", customer)
        writer.field("card", card)
        writer.field("typed", typed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var customer: PartyID?
        var card: CardID?
        var typed: Bool?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "customer": try reader.take(&customer, key)
            case "card": try reader.takeOptional(&card, key)
            case "typed": try reader.takeOptional(&typed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            customer: try required(customer, "customer"),
            card: card,
            typed: typed
        )
    }
}

extension Payments.IssueCode.Reply: Shape {
    package init(
        code: String,
        expires: Timestamp,
        typed: String? = nil,
        _: Void = ()
    ) {
        self.code = code
        self.expires = expires
        self.typed = typed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("code", \.code, "The content of the bar code."),
            Field("expires", \.expires),
            Field("typed", \.typed, "The same code for keyboards: ten characters, of which the last is a check character."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("code", code)
        writer.field("expires", expires)
        writer.field("typed", typed)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var code: String?
        var expires: Timestamp?
        var typed: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "code": try reader.take(&code, key)
            case "expires": try reader.take(&expires, key)
            case "typed": try reader.takeOptional(&typed, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            code: try required(code, "code"),
            expires: try required(expires, "expires"),
            typed: typed
        )
    }
}

extension Payments.RedeemCode {
    package init(
        attempt: OperationID,
        code: String,
        merchant: PartyID,
        amount: Money,
        memo: String,
        _: Void = ()
    ) {
        self.attempt = attempt
        self.code = code
        self.merchant = merchant
        self.amount = amount
        self.memo = memo
    }

    package static var summary: String { "A merchant charges the customer who showed a pay code. Keyed on `attempt`: one attempt redeems one code, and a code is spent by one attempt." }
    package static var fields: [Field<Self>] {
        [
            Field("attempt", \.attempt),
            Field("code", \.code, "The content of the bar code, or what is typed for it, in capitals or not, with spaces and hyphens or not."),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("memo", \.memo),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("attempt", attempt)
        writer.field("code", code)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.field("memo", memo)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var attempt: OperationID?
        var code: String?
        var merchant: PartyID?
        var amount: Money?
        var memo: String?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "attempt": try reader.take(&attempt, key)
            case "code": try reader.take(&code, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            attempt: try required(attempt, "attempt"),
            code: try required(code, "code"),
            merchant: try required(merchant, "merchant"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo")
        )
    }
}

extension Payments.ReadEnabled {
    package init(
        customer: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
    }

    package static var summary: String { "Whether a customer may pay at all. Enabled until the customer says otherwise." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
        ]
    }
}

extension Payments.SetEnabled {
    package init(
        customer: PartyID,
        enabled: Bool,
        _: Void = ()
    ) {
        self.customer = customer
        self.enabled = enabled
    }

    package static var summary: String { "Enables or disables all payments of a customer. Durable before it is answered; what was paid stays paid." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("enabled", \.enabled),
        ]
    }
}

extension Payments.EnabledView: Shape {
    package init(
        customer: PartyID,
        enabled: Bool,
        _: Void = ()
    ) {
        self.customer = customer
        self.enabled = enabled
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("enabled", \.enabled),
        ]
    }
}
