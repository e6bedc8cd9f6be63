import Primitives
import Wire

/// The life of charges, pay codes and receipts. Money moves in `wallet` only.
package enum Payments: FactConsumer, StateOwner, TableSource {
    package static let service = "payments"
    package static var sample: any Fact { Samples.closedCharge }
    package static var sampleTable: PrintedTable { .customerTransactions }
    package static var consumes: [any FactSource.Type] { [Wallet.self] }
    package static var withoutFacts: String {
        "Payments of facts that are left out have no receipt and are in no history."
    }
    package static var withRepeatedFacts: String {
        "Payments that have a receipt keep it; recipients of transfers are notified a second time."
    }
    package static var key: ServiceKey? { ServiceKey(file: "code.key", setting: "BILLFOLD_CODE_KEY_FILE") }

    /// The customer pays a merchant now, with a card. Keyed on `charge`.
    package struct CreatePayment: Ask, FastCoded, Equatable {
        package static let type: MessageType = "payments.payment.create.v1"
        package static let effect: Effect<Self> = .keyed(by: \.charge)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .amount(\.amount),
            .text(\.memo, 0...256, or: .memoTooLong, example: "Drip coffee")
        ]
        package static let faults: [FaultCode] =
            Wallet.PostPayment.faults + [
                .merchantNotFound, .merchantNotApproved, .amountTooLarge, .memoTooLong, .paymentsDisabled
            ]
        package static var examples: Examples<Self> {
            Examples(
                Payments.CreatePayment(
                    charge: Samples.charge, customer: Samples.customer, card: Samples.card, merchant: Samples.merchant,
                    amount: Samples.price, memo: Samples.memo),
                bare: Payments.CreatePayment(
                    charge: Samples.charge, customer: Samples.customer, card: nil, merchant: Samples.merchant,
                    amount: Samples.price, memo: ""),
                reply: Payments.CreatePayment.Reply(receipt: Samples.receipt, replayed: true))
        }

        package struct Reply: FastCoded, Equatable {
            package let receipt: Receipt
            package let replayed: Bool
        }

        package let charge: ChargeID
        package let customer: PartyID
        /// The default card where none is named.
        package let card: CardID?
        package let merchant: PartyID
        package let amount: Money
        /// At most 256 bytes of UTF-8.
        package let memo: String
    }

    /// The receipt of a captured charge.
    package struct Receipt: FastCoded, WireValue, Equatable {
        package let charge: ChargeID
        package let customer: PartyID
        package let card: CardID
        package let merchant: PartyID
        package let merchantName: String
        /// The amount paid.
        package let amount: Money
        package let memo: String
        /// The card's balance after the payment; absent where the merchant reads the receipt.
        package let cardBalance: Money?
        /// The ledger entry that moved the money.
        package let entry: Int64
        package let time: Timestamp
        /// The coupon that was used.
        package let coupon: OfferID?
        /// The coupon's discount: the amount asked for less the amount paid.
        package let discount: Money?
    }

    /// Makes a signed pay code that a merchant can redeem once, within a minute, for one payment.
    package struct IssueCode: Ask, FastCoded, Equatable {
        package static let type: MessageType = "payments.code.issue.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = [.noCard, .cardNotFound, .paymentsDisabled]
        package static var examples: Examples<Self> {
            Examples(
                Payments.IssueCode(customer: Samples.customer, card: Samples.card, typed: true),
                bare: Payments.IssueCode(customer: Samples.customer, card: nil),
                reply: Payments.IssueCode.Reply(
                    code: Samples.payCode, expires: Samples.later, typed: "K7WQ2M9XHB"),
                bareReply: Payments.IssueCode.Reply(code: Samples.payCode, expires: Samples.later))
        }

        package struct Reply: FastCoded, Equatable {
            /// The content of the bar code.
            package let code: String
            package let expires: Timestamp
            /// The same code for keyboards: ten characters, of which the last is a check character.
            package let typed: String?
        }

        package let customer: PartyID
        /// The card that will pay; the default one at that time where none is named.
        package let card: CardID?
        /// Whether a code that can be typed is wanted too.
        package let typed: Bool?
    }

    /// A merchant charges the customer who showed a pay code. Keyed on `attempt`: one attempt redeems one code, and a
    /// code is spent by one attempt.
    package struct RedeemCode: Ask, FastCoded, Equatable {
        package static let type: MessageType = "payments.code.redeem.v1"
        package static let effect: Effect<Self> = .keyed(by: \.attempt)
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let limits: [Limit<Self>] = [
            .amount(\.amount),
            .text(\.memo, 0...256, or: .memoTooLong, example: "Drip coffee")
        ]
        package static let faults: [FaultCode] =
            CreatePayment.faults + [.codeInvalid, .codeExpired, .codeUsed, .chargeIDReused, .tooManyGuesses]
        package static var examples: Examples<Self> {
            Examples(
                Payments.RedeemCode(
                    attempt: Samples.operation, code: Samples.payCode, merchant: Samples.merchant,
                    amount: Samples.price, memo: Samples.memo),
                reply: Samples.paid)
        }
        package typealias Reply = CreatePayment.Reply

        package let attempt: OperationID
        /// The content of the bar code, or what is typed for it, in capitals or not, with spaces and hyphens or not.
        package let code: String
        package let merchant: PartyID
        package let amount: Money
        package let memo: String
    }

    /// Whether a customer may pay at all. Enabled until the customer says otherwise.
    package struct ReadEnabled: Ask, Equatable {
        package static let type: MessageType = "payments.enabled.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Payments.ReadEnabled(customer: Samples.customer),
                reply: Payments.EnabledView(customer: Samples.customer, enabled: true))
        }
        package typealias Reply = EnabledView

        package let customer: PartyID
    }

    /// Enables or disables all payments of a customer. Durable before it is answered; what was paid stays paid.
    package struct SetEnabled: Ask, Equatable {
        package static let type: MessageType = "payments.enabled.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Payments.SetEnabled(customer: Samples.customer, enabled: false),
                reply: Payments.EnabledView(customer: Samples.customer, enabled: false))
        }
        package typealias Reply = EnabledView

        package let customer: PartyID
        package let enabled: Bool
    }

    package struct EnabledView: WireMessage, Equatable {
        package let customer: PartyID
        package let enabled: Bool
    }
}
