import Primitives
import Wire

extension Wallet {
    package struct CardAdded: Fact, Equatable {
        package static let type: MessageType = "wallet.card.added.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.cardAdded)
        }
        package let card: CardID
        package let customer: PartyID
        package let lastFour: String
        package let balance: Money
        package let entry: Int64
        package let time: Timestamp
    }

    package struct CardReloaded: Fact, FastCoded, Equatable {
        package static let type: MessageType = "wallet.card.reloaded.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.cardReloaded)
        }
        package let operation: OperationID
        package let card: CardID
        package let customer: PartyID
        package let amount: Money
        package let cardBalance: Money
        package let entry: Int64
        package let time: Timestamp
    }

    package struct AccountOpened: Fact, Equatable {
        package static let type: MessageType = "wallet.account.opened.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Wallet.AccountOpened(merchant: Samples.merchant, time: Samples.time))
        }
        package let merchant: PartyID
        package let time: Timestamp
    }

    /// Money went from a card to a merchant, under a charge's id.
    package struct PaymentPosted: Fact, FastCoded, Equatable {
        package static let type: MessageType = "wallet.payment.posted.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.paymentPosted,
                bare: Samples.plainPayment)
        }
        package let payment: ChargeID
        package let customer: PartyID
        package let card: CardID
        package let merchant: PartyID
        package let amount: Money
        package let memo: String
        /// The card's balance after it.
        package let cardBalance: Money
        /// The ledger entry that moved it.
        package let entry: Int64
        package let time: Timestamp
        /// The coupon that it used up.
        package let coupon: OfferID?
    }

    package struct PaymentClosed: Fact, FastCoded, Equatable {
        package static let type: MessageType = "wallet.payment.closed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.paymentClosed)
        }
        package let payment: ChargeID
        package let reason: CloseReason
        package let time: Timestamp
    }

    package struct HoldPlaced: Fact, Equatable {
        package static let type: MessageType = "wallet.hold.placed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.holdPlaced)
        }
        package let hold: OperationID
        package let customer: PartyID
        package let card: CardID
        package let merchant: PartyID
        package let amount: Money
        /// The card's available balance.
        package let available: Money
        package let expires: Timestamp
        package let time: Timestamp
    }

    package struct HoldCaptured: Fact, Equatable {
        package static let type: MessageType = "wallet.hold.captured.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.holdCaptured)
        }
        package let operation: OperationID
        package let hold: OperationID
        package let card: CardID
        package let merchant: PartyID
        package let amount: Money
        /// The part of the hold that was not captured.
        package let released: Money
        package let cardBalance: Money
        package let entry: Int64
        package let time: Timestamp
    }

    package struct HoldVoided: Fact, Equatable {
        package static let type: MessageType = "wallet.hold.voided.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.holdVoided)
        }
        package let operation: OperationID
        package let hold: OperationID
        package let released: Money
        package let time: Timestamp
    }

    /// A hold's time ran out and its money is free again.
    package struct HoldExpired: Fact, Equatable {
        package static let type: MessageType = "wallet.hold.expired.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Wallet.HoldExpired(hold: Samples.hold, released: Samples.price, time: Samples.time))
        }
        package let hold: OperationID
        package let released: Money
        package let time: Timestamp
    }

    package struct RefundPosted: Fact, FastCoded, Equatable {
        package static let type: MessageType = "wallet.refund.posted.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.refundPosted)
        }
        package let operation: OperationID
        package let payment: ChargeID
        package let card: CardID
        package let merchant: PartyID
        package let amount: Money
        /// The sum refunded of the payment so far.
        package let refunded: Money
        package let cardBalance: Money
        package let entry: Int64
        package let time: Timestamp
    }

    package struct TransferPosted: Fact, FastCoded, Equatable {
        package static let type: MessageType = "wallet.transfer.posted.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.transferPosted)
        }
        package let operation: OperationID
        package let from: Holder
        package let to: Holder
        package let amount: Money
        package let memo: String
        /// The balance of the account that paid.
        package let balance: Money
        package let entry: Int64
        package let time: Timestamp
    }

    /// A keyed ask was refused for good: the same key will get the same refusal.
    package struct OperationDeclined: Fact, Equatable {
        package static let type: MessageType = "wallet.operation.declined.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Wallet.OperationDeclined(
                    operation: Samples.operation, ask: Wallet.PostPayment.type.name,
                    code: FaultCode.insufficientFunds.code,
                    detail: "$3.50 of $1.00", time: Samples.time),
                bare: Wallet.OperationDeclined(
                    operation: Samples.operation, ask: Wallet.PostPayment.type.name,
                    code: FaultCode.insufficientFunds.code,
                    detail: nil, time: Samples.time))
        }
        package let operation: OperationID
        /// The type of the ask.
        package let ask: String
        package let code: String
        package let detail: String?
        package let time: Timestamp
    }
}
