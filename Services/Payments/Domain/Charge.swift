import Contracts
import Primitives

/// A charge: what was requested, and what the wallet decided.
package struct Charge: Equatable, Sendable {
    package let id: ChargeID
    package var merchant: PartyID
    package var customer: PartyID
    package var amount: Money
    package var memo: String
    package let requested: Timestamp
    /// When an unanswered request expires; nil for a payment that needed no approval.
    package let expires: Timestamp?
    package var state: Payments.ChargeState
    package var decided: Timestamp?
    package var card: CardID?
    package var cardBalance: Money?
    package var entry: Int64?
    package var refunded: Money
    /// Where the customer was when it was requested; nil if no place was named.
    package var presence: Location.Presence?
    /// The coupon that it was paid with, if any.
    package var coupon: OfferID?
    /// The coupon's discount. `amount` is what was paid without it.
    package var discount: Money?
    /// The merchant's name when it was requested, for its facts. Nil for a payment that needed no approval.
    package var merchantName: String?

    package init(
        id: ChargeID, merchant: PartyID, customer: PartyID, amount: Money, memo: String, requested: Timestamp,
        expires: Timestamp?, state: Payments.ChargeState, decided: Timestamp? = nil, card: CardID? = nil,
        cardBalance: Money? = nil, entry: Int64? = nil, refunded: Money? = nil, presence: Location.Presence? = nil,
        coupon: OfferID? = nil, discount: Money? = nil, merchantName: String? = nil
    ) {
        self.id = id
        self.merchant = merchant
        self.customer = customer
        self.amount = amount
        self.memo = memo
        self.requested = requested
        self.expires = expires
        self.state = state
        self.decided = decided
        self.card = card
        self.cardBalance = cardBalance
        self.entry = entry
        self.refunded = refunded ?? Money(0, amount.currency)
        self.presence = presence
        self.coupon = coupon
        self.discount = discount
        self.merchantName = merchantName
    }

    /// A payment without a request, from the wallet's fact.
    package init(_ posted: Wallet.PaymentPosted) {
        self.init(
            id: posted.payment, merchant: posted.merchant, customer: posted.customer, amount: posted.amount,
            memo: posted.memo, requested: posted.time, expires: nil, state: .captured, decided: posted.time,
            card: posted.card, cardBalance: posted.cardBalance, entry: posted.entry, coupon: posted.coupon)
    }

    /// The amount that the merchant requested.
    package var asked: Money {
        discount.map { Money(amount.amount + $0.amount, amount.currency) } ?? amount
    }

    package func isParty(_ party: PartyID) -> Bool { party == merchant || party == customer }

    package func view(
        merchantName: String, customerName: String? = nil, productIndex: Int64? = nil
    ) -> Payments.ChargeView {
        Payments.ChargeView(
            charge: id, state: state, merchant: merchant, merchantName: merchantName, customer: customer,
            amount: amount, memo: memo, requested: requested, expires: state == .requested ? expires : nil,
            decided: decided, card: card, entry: entry, refunded: refunded, presence: presence, coupon: coupon,
            discount: discount, customerName: customerName, productIndex: productIndex)
    }

    /// Nil unless the charge is captured.
    package func receipt(merchantName: String) -> Payments.Receipt? {
        guard state == .captured, let card, let cardBalance, let entry, let decided else { return nil }
        return Payments.Receipt(
            charge: id, customer: customer, card: card, merchant: merchant, merchantName: merchantName, amount: amount,
            memo: memo, cardBalance: cardBalance, entry: entry, time: decided, coupon: coupon, discount: discount)
    }
}

extension Payments.Receipt {
    /// As a party reads it: what is left on the card is the customer's alone to know.
    package func shown(to party: PartyID?) -> Payments.Receipt {
        guard party == merchant, party != customer else { return self }
        return Payments.Receipt(
            charge: charge, customer: customer, card: card, merchant: merchant, merchantName: merchantName,
            amount: amount, memo: memo, cardBalance: nil, entry: entry, time: time, coupon: coupon, discount: discount)
    }
}

extension Payments.ChargeState {
    /// Why a charge in this state cannot be approved, declined or cancelled; nil while it waits.
    package var refusal: FaultCode? {
        switch self {
        case .requested: nil
        case .captured: .chargeCaptured
        case .declined: .chargeDeclined
        case .cancelled: .chargeCancelled
        case .expired: .chargeExpired
        }
    }

    package init(_ reason: Wallet.CloseReason) {
        self =
            switch reason {
            case .declined: .declined
            case .cancelled: .cancelled
            case .expired: .expired
            }
    }
}
