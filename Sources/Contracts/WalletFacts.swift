import Primitives
import Wire

extension Wallet {
    package struct CardAdded: Fact, Equatable {
        package static let type: MessageType = "wallet.card.added.v1"
        package let card: CardID
        package let customer: PartyID
        package let lastFour: String
        package let balance: Money
        package let entry: Int64
        package let time: Timestamp

        package init(
            card: CardID, customer: PartyID, lastFour: String, balance: Money, entry: Int64, time: Timestamp
        ) {
            self.card = card
            self.customer = customer
            self.lastFour = lastFour
            self.balance = balance
            self.entry = entry
            self.time = time
        }
    }

    package struct CardReloaded: Fact, Equatable {
        package static let type: MessageType = "wallet.card.reloaded.v1"
        package let operation: OperationID
        package let card: CardID
        package let customer: PartyID
        package let amount: Money
        package let cardBalance: Money
        package let entry: Int64
        package let time: Timestamp

        package init(
            operation: OperationID, card: CardID, customer: PartyID, amount: Money, cardBalance: Money, entry: Int64,
            time: Timestamp
        ) {
            self.operation = operation
            self.card = card
            self.customer = customer
            self.amount = amount
            self.cardBalance = cardBalance
            self.entry = entry
            self.time = time
        }
    }

    package struct AccountOpened: Fact, Equatable {
        package static let type: MessageType = "wallet.account.opened.v1"
        package let merchant: PartyID
        package let time: Timestamp

        package init(merchant: PartyID, time: Timestamp) {
            self.merchant = merchant
            self.time = time
        }
    }

    /// Money went from a card to a merchant, under a charge's id.
    package struct PaymentPosted: Fact, HandCoded, Equatable {
        package static let type: MessageType = "wallet.payment.posted.v1"
        package let payment: ChargeID
        package let customer: PartyID
        package let card: CardID
        package let merchant: PartyID
        package let amount: Money
        package let memo: String
        /// What is left on the card.
        package let cardBalance: Money
        /// The ledger entry that moved it.
        package let entry: Int64
        package let time: Timestamp
        /// The coupon that it used up.
        package let coupon: OfferID?

        package init(
            payment: ChargeID, customer: PartyID, card: CardID, merchant: PartyID, amount: Money, memo: String,
            cardBalance: Money, entry: Int64, time: Timestamp, coupon: OfferID? = nil
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

        package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> PaymentPosted {
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
            return PaymentPosted(
                payment: try required(payment, "payment"), customer: try required(customer, "customer"),
                card: try required(card, "card"), merchant: try required(merchant, "merchant"),
                amount: try required(amount, "amount"), memo: try required(memo, "memo"),
                cardBalance: try required(cardBalance, "cardBalance"), entry: try required(entry, "entry"),
                time: try required(time, "time"), coupon: coupon)
        }
    }

    package struct PaymentClosed: Fact, Equatable {
        package static let type: MessageType = "wallet.payment.closed.v1"
        package let payment: ChargeID
        package let reason: CloseReason
        package let time: Timestamp

        package init(payment: ChargeID, reason: CloseReason, time: Timestamp) {
            self.payment = payment
            self.reason = reason
            self.time = time
        }
    }

    package struct HoldPlaced: Fact, Equatable {
        package static let type: MessageType = "wallet.hold.placed.v1"
        package let hold: OperationID
        package let customer: PartyID
        package let card: CardID
        package let merchant: PartyID
        package let amount: Money
        /// What of the card can still be spent.
        package let available: Money
        package let expires: Timestamp
        package let time: Timestamp

        package init(
            hold: OperationID, customer: PartyID, card: CardID, merchant: PartyID, amount: Money, available: Money,
            expires: Timestamp, time: Timestamp
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
    }

    package struct HoldCaptured: Fact, Equatable {
        package static let type: MessageType = "wallet.hold.captured.v1"
        package let operation: OperationID
        package let hold: OperationID
        package let card: CardID
        package let merchant: PartyID
        package let amount: Money
        /// What was held and not captured.
        package let released: Money
        package let cardBalance: Money
        package let entry: Int64
        package let time: Timestamp

        package init(
            operation: OperationID, hold: OperationID, card: CardID, merchant: PartyID, amount: Money,
            released: Money, cardBalance: Money, entry: Int64, time: Timestamp
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
    }

    package struct HoldVoided: Fact, Equatable {
        package static let type: MessageType = "wallet.hold.voided.v1"
        package let operation: OperationID
        package let hold: OperationID
        package let released: Money
        package let time: Timestamp

        package init(operation: OperationID, hold: OperationID, released: Money, time: Timestamp) {
            self.operation = operation
            self.hold = hold
            self.released = released
            self.time = time
        }
    }

    /// A hold's time ran out and its money is free again.
    package struct HoldExpired: Fact, Equatable {
        package static let type: MessageType = "wallet.hold.expired.v1"
        package let hold: OperationID
        package let released: Money
        package let time: Timestamp

        package init(hold: OperationID, released: Money, time: Timestamp) {
            self.hold = hold
            self.released = released
            self.time = time
        }
    }

    package struct RefundPosted: Fact, Equatable {
        package static let type: MessageType = "wallet.refund.posted.v1"
        package let operation: OperationID
        package let payment: ChargeID
        package let card: CardID
        package let merchant: PartyID
        package let amount: Money
        /// What of the payment has now been paid back in all.
        package let refunded: Money
        package let cardBalance: Money
        package let entry: Int64
        package let time: Timestamp

        package init(
            operation: OperationID, payment: ChargeID, card: CardID, merchant: PartyID, amount: Money,
            refunded: Money, cardBalance: Money, entry: Int64, time: Timestamp
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
    }

    package struct TransferPosted: Fact, Equatable {
        package static let type: MessageType = "wallet.transfer.posted.v1"
        package let operation: OperationID
        package let from: Holder
        package let to: Holder
        package let amount: Money
        package let memo: String
        /// What is left on the account that paid.
        package let balance: Money
        package let entry: Int64
        package let time: Timestamp

        package init(
            operation: OperationID, from: Holder, to: Holder, amount: Money, memo: String, balance: Money,
            entry: Int64, time: Timestamp
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
    }

    /// A keyed ask was refused for good: the same key will get the same refusal.
    package struct OperationDeclined: Fact, Equatable {
        package static let type: MessageType = "wallet.operation.declined.v1"
        package let operation: OperationID
        /// The type of the ask.
        package let ask: String
        package let code: String
        package let detail: String?
        package let time: Timestamp

        package init(operation: OperationID, ask: String, code: String, detail: String?, time: Timestamp) {
            self.operation = operation
            self.ask = ask
            self.code = code
            self.detail = detail
            self.time = time
        }
    }
}

extension Wallet.PostPayment: HandCoded {
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

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Wallet.PostPayment {
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
        return Wallet.PostPayment(
            payment: try required(payment, "payment"), customer: try required(customer, "customer"), card: card,
            merchant: try required(merchant, "merchant"), amount: try required(amount, "amount"),
            memo: try required(memo, "memo"), attempt: attempt, coupon: coupon)
    }
}
