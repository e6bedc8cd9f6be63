import Primitives
import Wire

extension Payments {
    /// A merchant asks a customer for money; the customer approves or declines. Keyed on `charge`.
    package struct RequestCharge: Ask, FastCoded, Equatable {
        package static let type: MessageType = "payments.charge.request.v1"
        package static let effect: Effect<Self> = .keyed(by: \.charge)
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let limits: [Limit<Self>] = [
            .amount(\.amount),
            .text(\.memo, 0...256, or: .memoTooLong, example: "Drip coffee")
        ]
        package static let faults: [FaultCode] = [
            .merchantNotFound, .merchantNotApproved, .customerNotFound, .amountInvalid, .currencyMismatch,
            .amountTooLarge, .memoTooLong, .chargeIDReused, .presenceRequired, .placeNotFound, .presenceStale,
            .presenceFar, .tooManyRequests
        ]
        package static var examples: Examples<Self> {
            Examples(
                Payments.RequestCharge(
                    charge: Samples.charge, merchant: Samples.merchant, customer: Samples.customer,
                    amount: Samples.price, memo: Samples.memo, place: Samples.place),
                bare: Payments.RequestCharge(
                    charge: Samples.charge, merchant: Samples.merchant, customer: Samples.customer,
                    amount: Samples.price, memo: Samples.memo),
                reply: Payments.RequestCharge.Reply(charge: Samples.requested, replayed: false))
        }

        package struct Reply: FastCoded, Equatable {
            package let charge: ChargeView
            package let replayed: Bool
        }

        package let charge: ChargeID
        package let merchant: PartyID
        package let customer: PartyID
        package let amount: Money
        package let memo: String
        /// The merchant's place where the customer is. Where it is named, the customer has to be there.
        package let place: PlaceID?
    }

    /// The customer pays a requested charge. Keyed on `charge`: approving twice pays once.
    package struct ApproveCharge: Ask, FastCoded, Equatable {
        package static let type: MessageType = "payments.charge.approve.v1"
        package static let effect: Effect<Self> = .keyed(by: \.charge)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [.amount(\.amount)]
        package static let faults: [FaultCode] = [
            .chargeNotFound, .chargeDeclined, .chargeCancelled, .chargeExpired, .insufficientFunds, .amountInvalid,
            .cardNotFound, .noCard, .accountNotFound, .merchantNotFound, .paymentsDisabled, .idReused, .offerNotFound,
            .couponNotUsable, .couponUsedUp, .couponMinimum
        ]
        package static var examples: Examples<Self> {
            Examples(
                Payments.ApproveCharge(
                    charge: Samples.charge, customer: Samples.customer, card: Samples.card, amount: Samples.price,
                    coupon: Samples.offer),
                bare: Payments.ApproveCharge(charge: Samples.charge, customer: Samples.customer, card: nil),
                reply: Payments.CreatePayment.Reply(receipt: Samples.couponReceipt, replayed: false))
        }
        package typealias Reply = CreatePayment.Reply

        package let charge: ChargeID
        package let customer: PartyID
        package let card: CardID?
        /// The amount that the customer saw and agreed to, before any coupon.
        package let amount: Money?
        /// A coupon of the merchant's that the customer uses up with this payment. If the charge comes to nothing, the
        /// coupon is as unused as before.
        package let coupon: OfferID?
    }

    /// The customer refuses a requested charge. Keyed on `charge`.
    package struct DeclineCharge: Ask, FastCoded, Equatable {
        package static let type: MessageType = "payments.charge.decline.v1"
        package static let effect: Effect<Self> = .keyed(by: \.charge)
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = [
            .chargeNotFound, .chargeCaptured, .chargeCancelled, .chargeExpired
        ]
        package static var examples: Examples<Self> {
            Examples(
                Payments.DeclineCharge(charge: Samples.charge, customer: Samples.customer),
                reply: Payments.RequestCharge.Reply(charge: Samples.chargeView(.declined), replayed: false))
        }
        package typealias Reply = RequestCharge.Reply

        package let charge: ChargeID
        package let customer: PartyID
    }

    /// The merchant takes a requested charge back. Keyed on `charge`.
    package struct CancelCharge: Ask, FastCoded, Equatable {
        package static let type: MessageType = "payments.charge.cancel.v1"
        package static let effect: Effect<Self> = .keyed(by: \.charge)
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [
            .chargeNotFound, .chargeCaptured, .chargeDeclined, .chargeExpired
        ]
        package static var examples: Examples<Self> {
            Examples(
                Payments.CancelCharge(charge: Samples.charge, merchant: Samples.merchant),
                reply: Payments.RequestCharge.Reply(charge: Samples.chargeView(.cancelled), replayed: false))
        }
        package typealias Reply = RequestCharge.Reply

        package let charge: ChargeID
        package let merchant: PartyID
    }

    /// Whether a merchant may request money from a customer now, as `RequestCharge` without a place would decide.
    package struct ReadChargeable: Ask, Equatable {
        package static let type: MessageType = "payments.chargeable.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [.merchantNotFound, .merchantNotApproved, .customerNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Payments.ReadChargeable(merchant: Samples.merchant, customer: Samples.customer),
                reply: Payments.ReadChargeable.Reply(
                    customer: Samples.customer, chargeable: false, refusal: FaultCode.presenceFar.code),
                bareReply: Payments.ReadChargeable.Reply(customer: Samples.customer, chargeable: true))
        }

        package struct Reply: WireMessage, Equatable {
            package let customer: PartyID
            package let chargeable: Bool
            /// The code with which a request would be refused.
            package let refusal: String?
        }

        package let merchant: PartyID
        package let customer: PartyID
    }

    /// Lets a merchant, or every merchant, request money wherever the customer is; or no longer.
    package struct SetPermission: Ask, Equatable {
        package static let type: MessageType = "payments.permission.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = [.merchantNotFound, .tooManyPermissions]
        package static var examples: Examples<Self> {
            Examples(
                Payments.SetPermission(customer: Samples.customer, merchant: Samples.merchant, allowed: true),
                bare: Payments.SetPermission(customer: Samples.customer, allowed: false),
                reply: Payments.SetPermission.Reply(allowed: true))
        }

        package struct Reply: WireMessage, Equatable {
            package let allowed: Bool
        }

        package let customer: PartyID
        /// Every merchant where none is named.
        package let merchant: PartyID?
        package let allowed: Bool
    }

    /// The merchants that may request money wherever the customer is, at most 200.
    package struct ReadPermissions: Ask, Equatable {
        package static let type: MessageType = "payments.permissions.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Payments.ReadPermissions(customer: Samples.customer),
                reply: Payments.ReadPermissions.Reply(
                    everyone: false,
                    merchants: [Payments.PermittedMerchant(merchant: Samples.merchant, name: "Corner \"Café\"")]),
                bareReply: Payments.ReadPermissions.Reply(
                    everyone: true, merchants: [Payments.PermittedMerchant(merchant: Samples.merchant, name: nil)]))
        }

        package struct Reply: WireMessage, Equatable {
            package let everyone: Bool
            /// In the order of their ids.
            package let merchants: [PermittedMerchant]
        }

        package let customer: PartyID
    }

    package struct PermittedMerchant: Codable, Sendable, Equatable {
        package let merchant: PartyID
        /// Absent while it cannot be found out.
        package let name: String?
    }
}
