import Primitives
import Wire

extension Payments {
    package enum ChargeState: String, WireValue, Codable, CaseIterable {
        /// Waits for the customer.
        case requested
        case captured
        /// Refused by the customer.
        case declined
        /// Taken back by the merchant.
        case cancelled
        /// Nobody answered in time.
        case expired
    }

    package struct ChargeView: FastCoded, WireValue, Equatable {
        package let charge: ChargeID
        package let state: ChargeState
        package let merchant: PartyID
        package let merchantName: String
        package let customer: PartyID
        /// The amount to pay. Of a charge that was paid with a coupon the amount paid: what was asked for less
        /// `discount`.
        package let amount: Money
        package let memo: String
        package let requested: Timestamp
        /// When a requested charge expires; absent once it is decided.
        package let expires: Timestamp?
        package let decided: Timestamp?
        /// The card that paid.
        package let card: CardID?
        package let entry: Int64?
        /// The sum refunded.
        package let refunded: Money
        /// That the customer was at the merchant's place when the charge was requested, where that was asked for.
        package let presence: Location.Presence?
        /// The coupon that it was paid with.
        package let coupon: OfferID?
        package let discount: Money?
        /// The customer's name. Absent while it cannot be found out.
        package let customerName: String?
        /// The charge's number among all charges, by which document 001 updates a payment.
        package let productIndex: Int64?
    }

    /// One charge, for its customer or its merchant; nobody else learns that it exists. Operators need not be either.
    package struct ReadCharge: Ask, Equatable {
        package static let type: MessageType = "payments.charge.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .onlyOrAdministrator(\.party)
        package static let faults: [FaultCode] = [.chargeNotFound, .merchantNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Payments.ReadCharge(charge: Samples.charge, party: Samples.customer),
                bare: Payments.ReadCharge(charge: Samples.charge),
                reply: Samples.captured,
                bareReply: Samples.requested)
        }
        package typealias Reply = ChargeView

        package let charge: ChargeID
        /// Absent: an administrator asks, or somebody who acts for nobody.
        package let party: PartyID?
    }

    /// A customer's or a merchant's charges, newest first: by when each was decided, or requested while it waits. For
    /// the account, administrators and services.
    package struct ReadCharges: Ask, Equatable {
        package static let type: MessageType = "payments.charges.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.party, .customer, .merchant).or(any: .administrator)
        package static let limits: [Limit<Self>] = [
            .number(\.limit, 1...100, example: 10), .number(\.productIndex, 1...Int64.max, example: 7)
        ]
        package static let faults: [FaultCode] = [.merchantNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Payments.ReadCharges(
                    party: Samples.merchant, state: .captured, before: 77, limit: 100, since: Samples.time,
                    productIndex: 7),
                bare: Payments.ReadCharges(party: Samples.merchant, state: nil, before: nil, limit: 1),
                reply: Payments.ReadCharges.Reply(
                    charges: [Samples.named, Samples.captured, Samples.requested], next: 76),
                bareReply: Payments.ReadCharges.Reply(charges: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let charges: [ChargeView]
            /// Ask for the next page with this as `before`; absent when there is none. 0 stands for the newest.
            package let next: Int64?
        }

        package let party: PartyID
        package let state: ChargeState?
        package let before: Int64?
        /// 1 to 100.
        package let limit: Int
        /// Only those that were decided, or requested while they wait, then or later. What is before is behind `next`,
        /// which then is there even if the first page is empty. A page behind it, again with `since`, has none if what
        /// is before is too old.
        package let since: Timestamp?
        /// Only the charge with this number. There is no next page then.
        package let productIndex: Int64?
    }

    package struct ReadReceipt: Ask, Equatable {
        package static let type: MessageType = "payments.receipt.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.party, .customer, .merchant, .administrator)
        package static let faults: [FaultCode] = [.chargeNotFound, .chargeNotCaptured, .merchantNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Payments.ReadReceipt(charge: Samples.charge, party: Samples.customer),
                reply: Samples.receipt)
        }
        package typealias Reply = Receipt

        package let charge: ChargeID
        package let party: PartyID
    }

    /// The merchant pays a captured charge back, in full or in part. Keyed on `refund`.
    package struct RefundCharge: Ask, FastCoded, Equatable {
        package static let type: MessageType = "payments.charge.refund.v1"
        package static let effect: Effect<Self> = .keyed(by: \.refund)
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let limits: [Limit<Self>] = [.amount(\.amount)]
        package static let faults: [FaultCode] = [
            .chargeNotFound, .chargeNotCaptured, .refundTooLarge, .amountInvalid, .currencyMismatch,
            .insufficientFunds, .idReused
        ]
        package static var examples: Examples<Self> {
            Examples(
                Payments.RefundCharge(
                    refund: Samples.operation, charge: Samples.charge, merchant: Samples.merchant, amount: Money(100)),
                bare: Payments.RefundCharge(
                    refund: Samples.operation, charge: Samples.charge, merchant: Samples.merchant, amount: nil),
                reply: Payments.RefundCharge.Reply(
                    refund: Samples.operation, charge: Samples.charge, amount: Money(100), refunded: Money(150),
                    entry: 1001, time: Samples.time,
                    replayed: false))
        }

        package struct Reply: FastCoded, Equatable {
            package let refund: OperationID
            package let charge: ChargeID
            package let amount: Money
            /// The sum refunded of this charge so far.
            package let refunded: Money
            package let entry: Int64
            package let time: Timestamp
            package let replayed: Bool
        }

        package let refund: OperationID
        package let charge: ChargeID
        package let merchant: PartyID
        /// The rest of the charge where none is given.
        package let amount: Money?
    }

    /// The sums refunded of some charges of one party. Charges of which nothing was refunded are left out,
    /// and so are those of others. For the account, administrators and services.
    package struct ReadRefunds: Ask, Equatable {
        package static let type: MessageType = "payments.refunds.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.party, .customer, .merchant).or(any: .administrator)
        package static let limits: [Limit<Self>] = [.count(\.charges, 1...100, or: .malformed)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Self(party: Samples.customer, charges: [Samples.charge]),
                reply: Reply(refunds: [Payments.Refunded(charge: Samples.charge, refunded: Money(150))]),
                bareReply: Reply(refunds: []))
        }

        package struct Reply: WireMessage, Equatable {
            package let refunds: [Refunded]
        }

        package let party: PartyID
        /// 1 to 100.
        package let charges: [ChargeID]
    }

    /// The sum refunded of a charge.
    package struct Refunded: WireMessage, Equatable {
        package let charge: ChargeID
        package let refunded: Money
    }
}
