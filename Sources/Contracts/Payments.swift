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

    /// What is handed out for a captured charge.
    package struct Receipt: FastCoded, WireValue, Equatable {
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
                    code: "BF1.AZqcPSxA.q83vASNFZ4k", expires: Samples.later, typed: "K7WQ2M9XHB"),
                bareReply: Payments.IssueCode.Reply(code: "BF1.AZqcPSxA.q83vASNFZ4k", expires: Samples.later))
        }

        package struct Reply: FastCoded, Equatable {
            /// What the bar code holds.
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
                    attempt: Samples.operation, code: "BF1.AZqcPSxA.q83vASNFZ4k", merchant: Samples.merchant,
                    amount: Samples.price, memo: Samples.memo),
                reply: Samples.paid)
        }
        package typealias Reply = CreatePayment.Reply

        package let attempt: OperationID
        /// What the bar code holds, or what is typed for it, in capitals or not, with spaces and hyphens or not.
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
        /// Absent while auth cannot be asked.
        package let name: String?
    }

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
        /// What the merchant knows the customer by. Absent while it cannot be found out.
        package let customerName: String?
        /// The charge's number among all charges, by which document 001 updates a payment.
        package let productIndex: Int64?
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
        /// What the customer saw and agreed to, before any coupon.
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
            /// What has been paid back of this charge in all.
            package let refunded: Money
            package let entry: Int64
            package let time: Timestamp
            package let replayed: Bool
        }

        package let refund: OperationID
        package let charge: ChargeID
        package let merchant: PartyID
        /// What is left of the charge where none is given.
        package let amount: Money?
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

    /// What was paid back of some charges of one party, in all. Charges of which nothing was paid back are left out,
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

    /// What was paid back of a charge, in all.
    package struct Refunded: WireMessage, Equatable {
        package let charge: ChargeID
        package let refunded: Money
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
        /// which then is there even if this page is empty.
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

    // MARK: Facts

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
        /// What the customer knows the merchant by. Absent in facts that are older than this field.
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
        /// What the coupon took off.
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
        /// What had been paid, and when: nobody has to remember each payment to know what a refund means. Absent where
        /// an earlier version told it.
        package let paid: Money?
        package let captured: Timestamp?
        /// As when the charge was requested. Absent where it was paid without a request, and in facts that are older
        /// than this field.
        package let merchantName: String?
    }
}
