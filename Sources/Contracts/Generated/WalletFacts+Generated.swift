// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Wallet.CardAdded {
    package init(
        card: CardID,
        customer: PartyID,
        lastFour: String,
        balance: Money,
        entry: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.card = card
        self.customer = customer
        self.lastFour = lastFour
        self.balance = balance
        self.entry = entry
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("card", \.card),
            Field("customer", \.customer),
            Field("lastFour", \.lastFour),
            Field("balance", \.balance),
            Field("entry", \.entry),
            Field("time", \.time),
        ]
    }
}

extension Wallet.CardReloaded {
    package init(
        operation: OperationID,
        card: CardID,
        customer: PartyID,
        amount: Money,
        cardBalance: Money,
        entry: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.operation = operation
        self.card = card
        self.customer = customer
        self.amount = amount
        self.cardBalance = cardBalance
        self.entry = entry
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("card", \.card),
            Field("customer", \.customer),
            Field("amount", \.amount),
            Field("cardBalance", \.cardBalance),
            Field("entry", \.entry),
            Field("time", \.time),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("operation", operation)
        writer.field("card", card)
        writer.field("customer", customer)
        writer.field("amount", amount)
        writer.field("cardBalance", cardBalance)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var operation: OperationID?
        var card: CardID?
        var customer: PartyID?
        var amount: Money?
        var cardBalance: Money?
        var entry: Int64?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "operation": try reader.take(&operation, key)
            case "card": try reader.take(&card, key)
            case "customer": try reader.take(&customer, key)
            case "amount": try reader.take(&amount, key)
            case "cardBalance": try reader.take(&cardBalance, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            operation: try required(operation, "operation"),
            card: try required(card, "card"),
            customer: try required(customer, "customer"),
            amount: try required(amount, "amount"),
            cardBalance: try required(cardBalance, "cardBalance"),
            entry: try required(entry, "entry"),
            time: try required(time, "time")
        )
    }
}

extension Wallet.AccountOpened {
    package init(
        merchant: PartyID,
        time: Timestamp,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("time", \.time),
        ]
    }
}

extension Wallet.PaymentPosted {
    package init(
        payment: ChargeID,
        customer: PartyID,
        card: CardID,
        merchant: PartyID,
        amount: Money,
        memo: String,
        cardBalance: Money,
        entry: Int64,
        time: Timestamp,
        coupon: OfferID? = nil,
        _: Void = ()
    ) {
        self.payment = payment
        self.customer = customer
        self.card = card
        self.merchant = merchant
        self.amount = amount
        self.memo = memo
        self.cardBalance = cardBalance
        self.entry = entry
        self.time = time
        self.coupon = coupon
    }

    package static var summary: String { "Money went from a card to a merchant, under a charge's id." }
    package static var fields: [Field<Self>] {
        [
            Field("payment", \.payment),
            Field("customer", \.customer),
            Field("card", \.card),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("memo", \.memo),
            Field("cardBalance", \.cardBalance, "The card's balance after it."),
            Field("entry", \.entry, "The ledger entry that moved it."),
            Field("time", \.time),
            Field("coupon", \.coupon, "The coupon that it used up."),
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
        writer.field("cardBalance", cardBalance)
        writer.field("entry", entry)
        writer.field("time", time)
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
        var cardBalance: Money?
        var entry: Int64?
        var time: Timestamp?
        var coupon: OfferID?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "payment": try reader.take(&payment, key)
            case "customer": try reader.take(&customer, key)
            case "card": try reader.take(&card, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "cardBalance": try reader.take(&cardBalance, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            case "coupon": try reader.takeOptional(&coupon, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            payment: try required(payment, "payment"),
            customer: try required(customer, "customer"),
            card: try required(card, "card"),
            merchant: try required(merchant, "merchant"),
            amount: try required(amount, "amount"),
            memo: try required(memo, "memo"),
            cardBalance: try required(cardBalance, "cardBalance"),
            entry: try required(entry, "entry"),
            time: try required(time, "time"),
            coupon: coupon
        )
    }
}

extension Wallet.PaymentClosed {
    package init(
        payment: ChargeID,
        reason: Wallet.CloseReason,
        time: Timestamp,
        _: Void = ()
    ) {
        self.payment = payment
        self.reason = reason
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("payment", \.payment),
            Field("reason", \.reason),
            Field("time", \.time),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("payment", payment)
        writer.field("reason", reason)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var payment: ChargeID?
        var reason: Wallet.CloseReason?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "payment": try reader.take(&payment, key)
            case "reason": try reader.take(&reason, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            payment: try required(payment, "payment"),
            reason: try required(reason, "reason"),
            time: try required(time, "time")
        )
    }
}

extension Wallet.HoldPlaced {
    package init(
        hold: OperationID,
        customer: PartyID,
        card: CardID,
        merchant: PartyID,
        amount: Money,
        available: Money,
        expires: Timestamp,
        time: Timestamp,
        _: Void = ()
    ) {
        self.hold = hold
        self.customer = customer
        self.card = card
        self.merchant = merchant
        self.amount = amount
        self.available = available
        self.expires = expires
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("hold", \.hold),
            Field("customer", \.customer),
            Field("card", \.card),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("available", \.available, "The card's available balance."),
            Field("expires", \.expires),
            Field("time", \.time),
        ]
    }
}

extension Wallet.HoldCaptured {
    package init(
        operation: OperationID,
        hold: OperationID,
        card: CardID,
        merchant: PartyID,
        amount: Money,
        released: Money,
        cardBalance: Money,
        entry: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.operation = operation
        self.hold = hold
        self.card = card
        self.merchant = merchant
        self.amount = amount
        self.released = released
        self.cardBalance = cardBalance
        self.entry = entry
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("hold", \.hold),
            Field("card", \.card),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("released", \.released, "The part of the hold that was not captured."),
            Field("cardBalance", \.cardBalance),
            Field("entry", \.entry),
            Field("time", \.time),
        ]
    }
}

extension Wallet.HoldVoided {
    package init(
        operation: OperationID,
        hold: OperationID,
        released: Money,
        time: Timestamp,
        _: Void = ()
    ) {
        self.operation = operation
        self.hold = hold
        self.released = released
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("hold", \.hold),
            Field("released", \.released),
            Field("time", \.time),
        ]
    }
}

extension Wallet.HoldExpired {
    package init(
        hold: OperationID,
        released: Money,
        time: Timestamp,
        _: Void = ()
    ) {
        self.hold = hold
        self.released = released
        self.time = time
    }

    package static var summary: String { "A hold's time ran out and its money is free again." }
    package static var fields: [Field<Self>] {
        [
            Field("hold", \.hold),
            Field("released", \.released),
            Field("time", \.time),
        ]
    }
}

extension Wallet.RefundPosted {
    package init(
        operation: OperationID,
        payment: ChargeID,
        card: CardID,
        merchant: PartyID,
        amount: Money,
        refunded: Money,
        cardBalance: Money,
        entry: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.operation = operation
        self.payment = payment
        self.card = card
        self.merchant = merchant
        self.amount = amount
        self.refunded = refunded
        self.cardBalance = cardBalance
        self.entry = entry
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("payment", \.payment),
            Field("card", \.card),
            Field("merchant", \.merchant),
            Field("amount", \.amount),
            Field("refunded", \.refunded, "The sum refunded of the payment so far."),
            Field("cardBalance", \.cardBalance),
            Field("entry", \.entry),
            Field("time", \.time),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("operation", operation)
        writer.field("payment", payment)
        writer.field("card", card)
        writer.field("merchant", merchant)
        writer.field("amount", amount)
        writer.field("refunded", refunded)
        writer.field("cardBalance", cardBalance)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var operation: OperationID?
        var payment: ChargeID?
        var card: CardID?
        var merchant: PartyID?
        var amount: Money?
        var refunded: Money?
        var cardBalance: Money?
        var entry: Int64?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "operation": try reader.take(&operation, key)
            case "payment": try reader.take(&payment, key)
            case "card": try reader.take(&card, key)
            case "merchant": try reader.take(&merchant, key)
            case "amount": try reader.take(&amount, key)
            case "refunded": try reader.take(&refunded, key)
            case "cardBalance": try reader.take(&cardBalance, key)
            case "entry": try reader.take(&entry, key)
            case "time": try reader.take(&time, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            operation: try required(operation, "operation"),
            payment: try required(payment, "payment"),
            card: try required(card, "card"),
            merchant: try required(merchant, "merchant"),
            amount: try required(amount, "amount"),
            refunded: try required(refunded, "refunded"),
            cardBalance: try required(cardBalance, "cardBalance"),
            entry: try required(entry, "entry"),
            time: try required(time, "time")
        )
    }
}

extension Wallet.TransferPosted {
    package init(
        operation: OperationID,
        from: Wallet.Holder,
        to: Wallet.Holder,
        amount: Money,
        memo: String,
        balance: Money,
        entry: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.operation = operation
        self.from = from
        self.to = to
        self.amount = amount
        self.memo = memo
        self.balance = balance
        self.entry = entry
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("from", \.from),
            Field("to", \.to),
            Field("amount", \.amount),
            Field("memo", \.memo),
            Field("balance", \.balance, "The balance of the account that paid."),
            Field("entry", \.entry),
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
        writer.field("balance", balance)
        writer.field("entry", entry)
        writer.field("time", time)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var operation: OperationID?
        var from: Wallet.Holder?
        var to: Wallet.Holder?
        var amount: Money?
        var memo: String?
        var balance: Money?
        var entry: Int64?
        var time: Timestamp?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "operation": try reader.take(&operation, key)
            case "from": try reader.take(&from, key)
            case "to": try reader.take(&to, key)
            case "amount": try reader.take(&amount, key)
            case "memo": try reader.take(&memo, key)
            case "balance": try reader.take(&balance, key)
            case "entry": try reader.take(&entry, key)
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
            balance: try required(balance, "balance"),
            entry: try required(entry, "entry"),
            time: try required(time, "time")
        )
    }
}

extension Wallet.OperationDeclined {
    package init(
        operation: OperationID,
        ask: String,
        code: String,
        detail: String? = nil,
        time: Timestamp,
        _: Void = ()
    ) {
        self.operation = operation
        self.ask = ask
        self.code = code
        self.detail = detail
        self.time = time
    }

    package static var summary: String { "A keyed ask was refused for good: the same key will get the same refusal." }
    package static var fields: [Field<Self>] {
        [
            Field("operation", \.operation),
            Field("ask", \.ask, "The type of the ask."),
            Field("code", \.code),
            Field("detail", \.detail),
            Field("time", \.time),
        ]
    }
}
