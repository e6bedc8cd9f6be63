import Primitives
import Wire

extension Wallet {
    /// Opens a merchant's account. Idempotent: an open one stays as it is.
    package struct OpenAccount: Ask, Equatable {
        package static let type: MessageType = "wallet.account.open.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.merchant, .merchant).or(any: .administrator)
        package static let faults: [FaultCode] = [.idReused]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.OpenAccount(merchant: Samples.merchant),
                reply: Samples.accountView)
        }
        package typealias Reply = AccountView

        package let merchant: PartyID
    }

    package struct ReadAccount: Ask, Equatable {
        package static let type: MessageType = "wallet.account.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.merchant, .merchant).or(any: .administrator)
        package static let faults: [FaultCode] = [.accountNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadAccount(merchant: Samples.merchant),
                reply: Samples.accountView)
        }
        package typealias Reply = AccountView

        package let merchant: PartyID
    }

    package struct AccountView: WireMessage, Equatable {
        package let merchant: PartyID
        package let balance: Money
    }

    /// Pays a merchant from a card: authorize and capture in one commit. Keyed on `payment`, the charge's id.
    package struct PostPayment: Ask, FastCoded, Equatable {
        package static let type: MessageType = "wallet.payment.post.v1"
        package static let effect: Effect<Self> = .keyed(by: \.payment)
        // Not the merchant: a merchant who knew a card's id could charge it. Payments asks on its own behalf where the
        // customer has consented.
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .amount(\.amount),
            .text(\.memo, 0...512, or: .malformed, example: "Drip coffee")
        ]
        package static let faults: [FaultCode] = [
            .amountInvalid, .currencyMismatch, .insufficientFunds, .cardNotFound, .noCard, .accountNotFound,
            .paymentClosed, .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.PostPayment(
                    payment: Samples.charge, customer: Samples.customer, card: Samples.card, merchant: Samples.merchant,
                    amount: Samples.price, memo: Samples.memo,
                    attempt: Samples.operation, coupon: Samples.offer),
                bare: Wallet.PostPayment(
                    payment: Samples.charge, customer: Samples.customer, card: nil, merchant: Samples.merchant,
                    amount: Samples.price, memo: ""),
                reply: Recorded(Samples.paymentPosted, sequence: 42, replayed: false),
                bareReply: Recorded(Samples.plainPayment, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<PaymentPosted>

        package let payment: ChargeID
        package let customer: PartyID
        /// The default card where none is named.
        package let card: CardID?
        package let merchant: PartyID
        package let amount: Money
        /// The text on the customer's receipt; at most 512 bytes.
        package let memo: String
        /// The single-use pay code's owner may be asked to pay once only: a second use under another key differs here.
        package let attempt: OperationID?
        /// The coupon that this payment uses up: captured with the money, in one commit.
        package let coupon: OfferID?
    }

    /// A payment by its charge's id: whether an earlier ask moved the money.
    package struct ReadPayment: Ask, Equatable {
        package static let type: MessageType = "wallet.payment.read.v1"
        package static let effect: Effect<Self> = .reads
        // The ask names nobody: payments knows whose charge it is, and asks on its own behalf.
        package static let access: Access<Self> = .services
        package static let faults: [FaultCode] = [.paymentNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ReadPayment(payment: Samples.charge),
                reply: Recorded(Samples.paymentPosted, sequence: 42, replayed: true))
        }
        package typealias Reply = Recorded<PaymentPosted>

        package let payment: ChargeID
    }

    /// Ends a payment without moving money: nothing can be posted under its id any more. Keyed on `payment`.
    ///
    /// Whichever of this and `PostPayment` commits first decides the charge.
    package struct ClosePayment: Ask, FastCoded, Equatable {
        package static let type: MessageType = "wallet.payment.close.v1"
        package static let effect: Effect<Self> = .keyed(by: \.payment)
        // The ask names nobody: payments knows who may close the charge, and asks on its own behalf.
        package static let access: Access<Self> = .services
        package static let faults: [FaultCode] = [.paymentPosted, .paymentClosed, .idReused]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.ClosePayment(payment: Samples.charge, reason: .declined),
                reply: Recorded(Samples.paymentClosed, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<PaymentClosed>

        package let payment: ChargeID
        package let reason: CloseReason
    }

    package enum CloseReason: String, WireValue, Codable, CaseIterable {
        /// By the customer.
        case declined
        /// By the merchant.
        case cancelled
        /// By the clock.
        case expired
    }

    /// Pays back a payment, in full or in part, to the card that paid. Keyed on `operation`.
    package struct PostRefund: Ask, FastCoded, Equatable {
        package static let type: MessageType = "wallet.refund.post.v1"
        package static let effect: Effect<Self> = .keyed(by: \.operation)
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let limits: [Limit<Self>] = [.amount(\.amount)]
        package static let faults: [FaultCode] = [
            .paymentNotFound, .refundTooLarge, .amountInvalid, .currencyMismatch, .insufficientFunds, .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Wallet.PostRefund(
                    operation: Samples.operation, payment: Samples.charge, merchant: Samples.merchant,
                    amount: Money(100)),
                bare: Wallet.PostRefund(
                    operation: Samples.operation, payment: Samples.charge, merchant: Samples.merchant, amount: nil),
                reply: Recorded(Samples.refundPosted, sequence: 42, replayed: false))
        }
        package typealias Reply = Recorded<RefundPosted>

        package let operation: OperationID
        package let payment: ChargeID
        package let merchant: PartyID
        /// The rest of the payment where none is given.
        package let amount: Money?
    }
}
