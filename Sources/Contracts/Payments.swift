import Primitives
import Wire

/// All that one may ask of payments, or hear from it: the life of a charge from request to receipt.
package enum Payments: FactSource {
    package static let service = "payments"

    /// The customer pays a merchant now, with a card. Keyed on `charge`.
    package struct CreatePayment: Ask, Equatable {
        package static let type: MessageType = "payments.payment.create.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] =
            Wallet.PostPayment.faults + [
                .merchantNotFound, .merchantNotApproved, .amountTooLarge, .memoTooLong, .paymentsDisabled
            ]

        package struct Reply: WireMessage, Equatable {
            package let receipt: Receipt
            package let replayed: Bool

            package init(receipt: Receipt, replayed: Bool) {
                self.receipt = receipt
                self.replayed = replayed
            }
        }

        package let charge: ChargeID
        package let customer: PartyID
        /// The default card where none is named.
        package let card: CardID?
        package let merchant: PartyID
        package let amount: Money
        /// At most 256 bytes of UTF-8.
        package let memo: String

        package init(
            charge: ChargeID, customer: PartyID, card: CardID?, merchant: PartyID, amount: Money, memo: String
        ) {
            self.charge = charge
            self.customer = customer
            self.card = card
            self.merchant = merchant
            self.amount = amount
            self.memo = memo
        }
    }

    /// What is handed out for a captured charge (000-19).
    package struct Receipt: WireMessage, Equatable {
        package let charge: ChargeID
        package let customer: PartyID
        package let card: CardID
        package let merchant: PartyID
        package let merchantName: String
        /// What was paid.
        package let amount: Money
        package let memo: String
        /// What was left on the card.
        package let cardBalance: Money
        /// The ledger entry that moved the money.
        package let entry: Int64
        package let time: Timestamp
        /// The coupon that was used.
        package let coupon: OfferID?
        /// What the coupon took off: so much more was asked for than was paid.
        package let discount: Money?

        package init(
            charge: ChargeID, customer: PartyID, card: CardID, merchant: PartyID, merchantName: String, amount: Money,
            memo: String, cardBalance: Money, entry: Int64, time: Timestamp, coupon: OfferID? = nil,
            discount: Money? = nil
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
    }

    /// Makes a signed pay code that a merchant can redeem once, within a minute, for one payment.
    package struct IssueCode: Ask, Equatable {
        package static let type: MessageType = "payments.code.issue.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.noCard, .cardNotFound, .paymentsDisabled]

        package struct Reply: WireMessage, Equatable {
            /// What the bar code holds.
            package let code: String
            package let expires: Timestamp

            package init(code: String, expires: Timestamp) {
                self.code = code
                self.expires = expires
            }
        }

        package let customer: PartyID
        /// The card that will pay; the default one at that time where none is named.
        package let card: CardID?

        package init(customer: PartyID, card: CardID?) {
            self.customer = customer
            self.card = card
        }
    }

    /// A merchant charges the customer who showed a pay code. Keyed on `attempt`; the code itself can be spent once.
    package struct RedeemCode: Ask, Equatable {
        package static let type: MessageType = "payments.code.redeem.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] =
            CreatePayment.faults + [.codeInvalid, .codeExpired, .codeUsed]
        package typealias Reply = CreatePayment.Reply

        package let attempt: OperationID
        package let code: String
        package let merchant: PartyID
        package let amount: Money
        package let memo: String

        package init(attempt: OperationID, code: String, merchant: PartyID, amount: Money, memo: String) {
            self.attempt = attempt
            self.code = code
            self.merchant = merchant
            self.amount = amount
            self.memo = memo
        }
    }

    /// Whether a customer may pay at all (000-12, A18). Enabled until the customer says otherwise.
    package struct ReadEnabled: Ask, Equatable {
        package static let type: MessageType = "payments.enabled.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = EnabledView

        package let customer: PartyID

        package init(customer: PartyID) { self.customer = customer }
    }

    /// Enables or disables all payments of a customer. Durable before it is answered; what was paid stays paid.
    package struct SetEnabled: Ask, Equatable {
        package static let type: MessageType = "payments.enabled.set.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = EnabledView

        package let customer: PartyID
        package let enabled: Bool

        package init(customer: PartyID, enabled: Bool) {
            self.customer = customer
            self.enabled = enabled
        }
    }

    package struct EnabledView: WireMessage, Equatable {
        package let customer: PartyID
        package let enabled: Bool

        package init(customer: PartyID, enabled: Bool) {
            self.customer = customer
            self.enabled = enabled
        }
    }

    /// A merchant asks a customer for money; the customer approves or declines. Keyed on `charge`.
    package struct RequestCharge: Ask, Equatable {
        package static let type: MessageType = "payments.charge.request.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .merchantNotFound, .merchantNotApproved, .customerNotFound, .amountInvalid, .currencyMismatch,
            .amountTooLarge, .memoTooLong, .chargeIDReused, .presenceRequired, .placeNotFound, .presenceStale,
            .presenceFar, .tooManyRequests
        ]

        package struct Reply: WireMessage, Equatable {
            package let charge: ChargeView
            package let replayed: Bool

            package init(charge: ChargeView, replayed: Bool) {
                self.charge = charge
                self.replayed = replayed
            }
        }

        package let charge: ChargeID
        package let merchant: PartyID
        package let customer: PartyID
        package let amount: Money
        package let memo: String
        /// The merchant's place where the customer is. Where it is named, the customer has to be there (001-3, 001-51).
        package let place: PlaceID?

        package init(
            charge: ChargeID, merchant: PartyID, customer: PartyID, amount: Money, memo: String, place: PlaceID? = nil
        ) {
            self.charge = charge
            self.merchant = merchant
            self.customer = customer
            self.amount = amount
            self.memo = memo
            self.place = place
        }
    }

    package enum ChargeState: String, Codable, Sendable, CaseIterable {
        /// Waits for the customer.
        case requested
        case captured
        /// Refused by the customer.
        case declined
        /// Taken back by the merchant.
        case cancelled
        /// Nobody answered in time (A55).
        case expired
    }

    package struct ChargeView: WireMessage, Equatable {
        package let charge: ChargeID
        package let state: ChargeState
        package let merchant: PartyID
        package let merchantName: String
        package let customer: PartyID
        /// What is to be paid. Of a charge paid with a coupon what was paid: `discount` less than was asked for.
        package let amount: Money
        package let memo: String
        package let requested: Timestamp
        /// When a requested charge expires; absent once it is decided.
        package let expires: Timestamp?
        package let decided: Timestamp?
        /// The card that paid.
        package let card: CardID?
        package let entry: Int64?
        /// What has been paid back.
        package let refunded: Money
        /// That the customer was at the merchant's place when the charge was requested, where that was asked for.
        package let presence: Location.Presence?
        /// The coupon that it was paid with.
        package let coupon: OfferID?
        package let discount: Money?

        package init(
            charge: ChargeID, state: ChargeState, merchant: PartyID, merchantName: String, customer: PartyID,
            amount: Money, memo: String, requested: Timestamp, expires: Timestamp?, decided: Timestamp?, card: CardID?,
            entry: Int64?, refunded: Money, presence: Location.Presence? = nil, coupon: OfferID? = nil,
            discount: Money? = nil
        ) {
            self.charge = charge
            self.state = state
            self.merchant = merchant
            self.merchantName = merchantName
            self.customer = customer
            self.amount = amount
            self.memo = memo
            self.requested = requested
            self.expires = expires
            self.decided = decided
            self.card = card
            self.entry = entry
            self.refunded = refunded
            self.presence = presence
            self.coupon = coupon
            self.discount = discount
        }
    }

    /// The customer pays a requested charge. Keyed on `charge`: approving twice pays once.
    package struct ApproveCharge: Ask, Equatable {
        package static let type: MessageType = "payments.charge.approve.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .chargeNotFound, .chargeDeclined, .chargeCancelled, .chargeExpired, .insufficientFunds, .amountInvalid,
            .cardNotFound, .noCard, .accountNotFound, .merchantNotFound, .paymentsDisabled, .idReused, .offerNotFound,
            .couponNotUsable, .couponUsedUp, .couponMinimum
        ]
        package typealias Reply = CreatePayment.Reply

        package let charge: ChargeID
        package let customer: PartyID
        package let card: CardID?
        /// What the customer saw and agreed to, before any coupon.
        package let amount: Money?
        /// A coupon of the merchant's that the customer uses up with this payment. If the charge comes to nothing, the
        /// coupon is as unused as before.
        package let coupon: OfferID?

        package init(
            charge: ChargeID, customer: PartyID, card: CardID?, amount: Money? = nil, coupon: OfferID? = nil
        ) {
            self.charge = charge
            self.customer = customer
            self.card = card
            self.amount = amount
            self.coupon = coupon
        }
    }

    /// The customer refuses a requested charge. Keyed on `charge`.
    package struct DeclineCharge: Ask, Equatable {
        package static let type: MessageType = "payments.charge.decline.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .chargeNotFound, .chargeCaptured, .chargeCancelled, .chargeExpired
        ]
        package typealias Reply = RequestCharge.Reply

        package let charge: ChargeID
        package let customer: PartyID

        package init(charge: ChargeID, customer: PartyID) {
            self.charge = charge
            self.customer = customer
        }
    }

    /// The merchant takes a requested charge back. Keyed on `charge`.
    package struct CancelCharge: Ask, Equatable {
        package static let type: MessageType = "payments.charge.cancel.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .chargeNotFound, .chargeCaptured, .chargeDeclined, .chargeExpired
        ]
        package typealias Reply = RequestCharge.Reply

        package let charge: ChargeID
        package let merchant: PartyID

        package init(charge: ChargeID, merchant: PartyID) {
            self.charge = charge
            self.merchant = merchant
        }
    }

    /// The merchant pays a captured charge back, in full or in part. Keyed on `refund`.
    package struct RefundCharge: Ask, Equatable {
        package static let type: MessageType = "payments.charge.refund.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .chargeNotFound, .chargeNotCaptured, .refundTooLarge, .amountInvalid, .currencyMismatch,
            .insufficientFunds, .idReused
        ]

        package struct Reply: WireMessage, Equatable {
            package let refund: OperationID
            package let charge: ChargeID
            package let amount: Money
            /// What has been paid back of this charge in all.
            package let refunded: Money
            package let entry: Int64
            package let time: Timestamp
            package let replayed: Bool

            package init(
                refund: OperationID, charge: ChargeID, amount: Money, refunded: Money, entry: Int64, time: Timestamp,
                replayed: Bool
            ) {
                self.refund = refund
                self.charge = charge
                self.amount = amount
                self.refunded = refunded
                self.entry = entry
                self.time = time
                self.replayed = replayed
            }
        }

        package let refund: OperationID
        package let charge: ChargeID
        package let merchant: PartyID
        /// What is left of the charge where none is given.
        package let amount: Money?

        package init(refund: OperationID, charge: ChargeID, merchant: PartyID, amount: Money?) {
            self.refund = refund
            self.charge = charge
            self.merchant = merchant
            self.amount = amount
        }
    }

    /// One charge, for its customer or its merchant; nobody else learns that it exists. Operators need not be either.
    package struct ReadCharge: Ask, Equatable {
        package static let type: MessageType = "payments.charge.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.chargeNotFound, .merchantNotFound]
        package typealias Reply = ChargeView

        package let charge: ChargeID
        /// Absent: an administrator asks, or somebody who acts for nobody.
        package let party: PartyID?

        package init(charge: ChargeID, party: PartyID? = nil) {
            self.charge = charge
            self.party = party
        }
    }

    /// A customer's or a merchant's charges, newest first: by when each was decided, or requested while it waits.
    package struct ReadCharges: Ask, Equatable {
        package static let type: MessageType = "payments.charges.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.merchantNotFound]

        package struct Reply: WireMessage, Equatable {
            package let charges: [ChargeView]
            /// Ask for the next page with this as `before`; absent when there is none. 0 stands for the newest.
            package let next: Int64?

            package init(charges: [ChargeView], next: Int64?) {
                self.charges = charges
                self.next = next
            }
        }

        package let party: PartyID
        package let state: ChargeState?
        package let before: Int64?
        /// 1 to 100.
        package let limit: Int
        /// Only those that were decided, or requested while they wait, then or later. What is before is behind `next`, which
        /// then is there even if this page is empty.
        package let since: Timestamp?

        package init(party: PartyID, state: ChargeState?, before: Int64?, limit: Int, since: Timestamp? = nil) {
            self.party = party
            self.state = state
            self.before = before
            self.limit = limit
            self.since = since
        }
    }

    package struct ReadReceipt: Ask, Equatable {
        package static let type: MessageType = "payments.receipt.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.chargeNotFound, .chargeNotCaptured, .merchantNotFound]
        package typealias Reply = Receipt

        package let charge: ChargeID
        package let party: PartyID

        package init(charge: ChargeID, party: PartyID) {
            self.charge = charge
            self.party = party
        }
    }

    // MARK: Facts

    package struct ChargeRequested: Fact, Equatable {
        package static let type: MessageType = "payments.charge.requested.v1"
        package let charge: ChargeID
        package let merchant: PartyID
        package let customer: PartyID
        package let amount: Money
        package let memo: String
        package let expires: Timestamp
        package let time: Timestamp
        /// What the customer knows the merchant by. Absent in facts that are older than this field.
        package let merchantName: String?

        package init(
            charge: ChargeID, merchant: PartyID, customer: PartyID, amount: Money, memo: String, expires: Timestamp,
            time: Timestamp, merchantName: String? = nil
        ) {
            self.charge = charge
            self.merchant = merchant
            self.customer = customer
            self.amount = amount
            self.memo = memo
            self.expires = expires
            self.time = time
            self.merchantName = merchantName
        }
    }

    package struct ChargeCaptured: Fact, HandCoded, Equatable {
        package static let type: MessageType = "payments.charge.captured.v1"
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
        /// What the coupon took off.
        package let discount: Money?
        /// True where the merchant had requested it and the customer approved; absent for a payment without approval.
        package let requested: Bool?

        package init(
            charge: ChargeID, merchant: PartyID, customer: PartyID, card: CardID, amount: Money, memo: String,
            entry: Int64, time: Timestamp, coupon: OfferID? = nil, discount: Money? = nil, requested: Bool? = nil
        ) {
            self.charge = charge
            self.merchant = merchant
            self.customer = customer
            self.card = card
            self.amount = amount
            self.memo = memo
            self.entry = entry
            self.time = time
            self.coupon = coupon
            self.discount = discount
            self.requested = requested
        }

        package func fastWrite(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.field("charge", charge)
            writer.field("merchant", merchant)
            writer.field("customer", customer)
            writer.field("card", card)
            writer.field("amount", amount)
            writer.field("memo", memo)
            writer.field("entry", entry)
            writer.field("time", time)
            writer.field("coupon", coupon)
            writer.field("discount", discount)
            writer.field("requested", requested)
            writer.endObject()
        }

        package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> ChargeCaptured {
            var charge: ChargeID?
            var merchant: PartyID?
            var customer: PartyID?
            var card: CardID?
            var amount: Money?
            var memo: String?
            var entry: Int64?
            var time: Timestamp?
            var coupon: OfferID?
            var discount: Money?
            var requested: Bool?
            try reader.object { key, reader throws(WireError) in
                switch key {
                case "charge": try reader.take(&charge, key)
                case "merchant": try reader.take(&merchant, key)
                case "customer": try reader.take(&customer, key)
                case "card": try reader.take(&card, key)
                case "amount": try reader.take(&amount, key)
                case "memo": try reader.take(&memo, key)
                case "entry": try reader.take(&entry, key)
                case "time": try reader.take(&time, key)
                case "coupon": try reader.takeOptional(&coupon, key)
                case "discount": try reader.takeOptional(&discount, key)
                case "requested": try reader.takeOptional(&requested, key)
                default: throw reader.unknown(key)
                }
            }
            return ChargeCaptured(
                charge: try required(charge, "charge"), merchant: try required(merchant, "merchant"),
                customer: try required(customer, "customer"), card: try required(card, "card"),
                amount: try required(amount, "amount"), memo: try required(memo, "memo"),
                entry: try required(entry, "entry"), time: try required(time, "time"), coupon: coupon,
                discount: discount, requested: requested)
        }
    }

    /// A requested charge ended without payment: declined, cancelled or expired.
    package struct ChargeClosed: Fact, Equatable {
        package static let type: MessageType = "payments.charge.closed.v1"
        package let charge: ChargeID
        package let merchant: PartyID
        package let customer: PartyID
        package let amount: Money
        package let reason: Wallet.CloseReason
        package let time: Timestamp
        /// As when the charge was requested. Absent in facts that are older than this field.
        package let merchantName: String?

        package init(
            charge: ChargeID, merchant: PartyID, customer: PartyID, amount: Money, reason: Wallet.CloseReason,
            time: Timestamp, merchantName: String? = nil
        ) {
            self.charge = charge
            self.merchant = merchant
            self.customer = customer
            self.amount = amount
            self.reason = reason
            self.time = time
            self.merchantName = merchantName
        }
    }

    package struct ChargeRefunded: Fact, Equatable {
        package static let type: MessageType = "payments.charge.refunded.v1"
        package let charge: ChargeID
        package let merchant: PartyID
        package let customer: PartyID
        package let amount: Money
        package let refunded: Money
        package let time: Timestamp
        /// What had been paid, and when: nobody has to remember each payment to know what a refund means. Absent where an
        /// earlier version told it.
        package let paid: Money?
        package let captured: Timestamp?
        /// As when the charge was requested. Absent where it was paid without a request, and in facts that are older
        /// than this field.
        package let merchantName: String?

        package init(
            charge: ChargeID, merchant: PartyID, customer: PartyID, amount: Money, refunded: Money, time: Timestamp,
            paid: Money? = nil, captured: Timestamp? = nil, merchantName: String? = nil
        ) {
            self.charge = charge
            self.merchant = merchant
            self.customer = customer
            self.amount = amount
            self.refunded = refunded
            self.time = time
            self.paid = paid
            self.captured = captured
            self.merchantName = merchantName
        }
    }
}
