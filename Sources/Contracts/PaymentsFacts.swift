import Primitives
import Wire

extension Payments {
    package struct ChargeRequested: Fact, FastCoded, Equatable {
        package static let type: MessageType = "payments.charge.requested.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Payments.ChargeRequested(
                    charge: Samples.charge, merchant: Samples.merchant, customer: Samples.customer,
                    amount: Samples.price, memo: Samples.memo, expires: Samples.later,
                    time: Samples.time),
                named: Payments.ChargeRequested(
                    charge: Samples.charge, merchant: Samples.merchant, customer: Samples.customer,
                    amount: Samples.price, memo: Samples.memo, expires: Samples.later,
                    time: Samples.time, merchantName: "Corner \"Café\""))
        }
        package let charge: ChargeID
        package let merchant: PartyID
        package let customer: PartyID
        package let amount: Money
        package let memo: String
        package let expires: Timestamp
        package let time: Timestamp
        /// The merchant's name. Absent in facts that are older than this field.
        package let merchantName: String?
    }

    package struct ChargeCaptured: Fact, FastCoded, Equatable {
        package static let type: MessageType = "payments.charge.captured.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Payments.ChargeCaptured(
                    charge: Samples.charge, merchant: Samples.merchant, customer: Samples.customer, card: Samples.card,
                    amount: Samples.price, memo: Samples.memo,
                    entry: 1000, time: Samples.time, coupon: Samples.offer, discount: Money(50), requested: true),
                bare: Payments.ChargeCaptured(
                    charge: Samples.charge, merchant: Samples.merchant, customer: Samples.customer, card: Samples.card,
                    amount: Samples.price, memo: Samples.memo,
                    entry: 1000, time: Samples.time))
        }
        package let charge: ChargeID
        package let merchant: PartyID
        package let customer: PartyID
        package let card: CardID
        package let amount: Money
        package let memo: String
        package let entry: Int64
        package let time: Timestamp
        /// The coupon that was used up with it.
        package let coupon: OfferID?
        /// The coupon's discount.
        package let discount: Money?
        /// True where the merchant had requested it and the customer approved; absent for a payment without approval.
        package let requested: Bool?
    }

    /// A requested charge ended without payment: declined, cancelled or expired.
    package struct ChargeClosed: Fact, FastCoded, Equatable {
        package static let type: MessageType = "payments.charge.closed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.closedCharge,
                named: Payments.ChargeClosed(
                    charge: Samples.charge, merchant: Samples.merchant, customer: Samples.customer,
                    amount: Samples.price, reason: .expired, time: Samples.time, merchantName: "Corner \"Café\""))
        }
        package let charge: ChargeID
        package let merchant: PartyID
        package let customer: PartyID
        package let amount: Money
        package let reason: Wallet.CloseReason
        package let time: Timestamp
        /// As when the charge was requested. Absent in facts that are older than this field.
        package let merchantName: String?
    }

    /// Somebody has received a transfer. The wallet has moved the money before.
    package struct TransferReceived: Fact, FastCoded, Equatable {
        package static let type: MessageType = "payments.transfer.received.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Payments.TransferReceived(
                    operation: Samples.operation, from: Samples.customer, to: Samples.merchant, amount: Samples.price,
                    memo: Samples.memo, time: Samples.time))
        }
        package let operation: OperationID
        package let from: PartyID
        package let to: PartyID
        package let amount: Money
        package let memo: String
        package let time: Timestamp
    }

    package struct ChargeRefunded: Fact, FastCoded, Equatable {
        package static let type: MessageType = "payments.charge.refunded.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Payments.ChargeRefunded(
                    charge: Samples.charge, merchant: Samples.merchant, customer: Samples.customer, amount: Money(100),
                    refunded: Money(150),
                    time: Samples.later, paid: Samples.price, captured: Samples.time),
                bare: Payments.ChargeRefunded(
                    charge: Samples.charge, merchant: Samples.merchant, customer: Samples.customer, amount: Money(100),
                    refunded: Money(150),
                    time: Samples.time),
                named: Payments.ChargeRefunded(
                    charge: Samples.charge, merchant: Samples.merchant, customer: Samples.customer, amount: Money(100),
                    refunded: Money(150),
                    time: Samples.later, paid: Samples.price, captured: Samples.time,
                    merchantName: "Corner \"Café\""))
        }
        package let charge: ChargeID
        package let merchant: PartyID
        package let customer: PartyID
        package let amount: Money
        package let refunded: Money
        package let time: Timestamp
        /// The payment's amount and its time, so that no reader has to remember each payment. Absent where
        /// an earlier version told it.
        package let paid: Money?
        package let captured: Timestamp?
        /// As when the charge was requested. Absent where it was paid without a request, and in facts that are older
        /// than this field.
        package let merchantName: String?
    }
}
