import Contracts
import Primitives

// The life of a charge: requested, then captured, declined, cancelled or expired; captured, then refunded. The wallet
// decides; `apply` says what its decisions change.

extension Charge {
    /// An event in the life of a charge.
    package enum Event: Equatable, Sendable {
        /// A merchant requests it.
        case requested(Charge)
        /// The wallet has moved the money, for a request or without one.
        case captured(Wallet.PaymentPosted)
        /// The wallet accepts no payment under its id any more.
        case closed(ChargeID, Wallet.CloseReason, at: Timestamp)
        case refunded(Wallet.RefundPosted)

        package var charge: ChargeID {
            switch self {
            case .requested(let charge): charge.id
            case .captured(let posted): posted.payment
            case .closed(let charge, _, at: _): charge
            case .refunded(let refund): refund.payment
            }
        }
    }

    /// A change by an event. All changes of an event are written in one transaction, in order.
    package enum Change: Sendable {
        case insert(Charge)
        case update(Charge, from: Charge)
        case publish(any Fact, at: Timestamp)
    }

    /// Applies an event to its charge; nil if there is none.
    package static func apply(_ event: Event, to known: Charge?) -> [Change] {
        switch (event, known) {
        case (.requested(let charge), nil): [.insert(charge), .publish(charge.wasRequested, at: charge.requested)]
        case (.captured(let posted), nil):
            [.insert(Charge(posted)), .publish(posted.wasCaptured(as: Charge(posted)), at: posted.time)]
        case (.captured(let posted), let known?):
            known.change(to: known.captured(by: posted)) {
                (posted.wasCaptured(as: $0), posted.time)
            }
        case (.closed(_, let reason, at: let time), let known?) where known.state == .requested:
            known.change(to: known.closed(reason, at: time)) { ($0.wasClosed(reason, at: time), time) }
        case (.refunded(let refund), let known?) where refund.refunded.amount > known.refunded.amount:
            known.change(to: known.refunded(by: refund)) { (refund.wasRefunded(of: $0), refund.time) }
        // An event that was applied before; or a refused payment without a request, or a hold's refund, which are no
        // charges here.
        case (.requested, _?), (.closed, _), (.refunded, _): []
        }
    }

    /// Nothing where the event was applied before, as after the cursor of the wallet's facts was set back.
    private func change(to charge: Charge, _ fact: (Charge) -> (any Fact, Timestamp)) -> [Change] {
        guard charge != self else { return [] }
        let (fact, time) = fact(charge)
        return [.update(charge, from: self), .publish(fact, at: time)]
    }

    // MARK: States

    /// The payment counts, whatever was requested under the same id; the request's times stay.
    private func captured(by posted: Wallet.PaymentPosted) -> Charge {
        var charge = self
        charge.state = .captured
        if charge.merchant != posted.merchant { charge.merchantName = nil }
        charge.merchant = posted.merchant
        charge.customer = posted.customer
        charge.amount = posted.amount
        charge.memo = posted.memo
        charge.decided = posted.time
        charge.card = posted.card
        charge.cardBalance = posted.cardBalance
        charge.entry = posted.entry
        guard let coupon = posted.coupon else { return charge }
        charge.coupon = coupon
        charge.discount = nil
        // A payment in another currency, or of a larger amount, has no discount.
        if asked.currency == posted.amount.currency, asked.amount > posted.amount.amount {
            charge.discount = Money(asked.amount - posted.amount.amount, asked.currency)
        }
        return charge
    }

    private func closed(_ reason: Wallet.CloseReason, at time: Timestamp) -> Charge {
        var charge = self
        charge.state = Payments.ChargeState(reason)
        charge.decided = time
        return charge
    }

    private func refunded(by refund: Wallet.RefundPosted) -> Charge {
        var charge = self
        charge.refunded = refund.refunded
        return charge
    }

    // MARK: Facts

    private var wasRequested: Payments.ChargeRequested {
        Payments.ChargeRequested(
            charge: id, merchant: merchant, customer: customer, amount: amount, memo: memo,
            expires: expires ?? requested, time: requested, merchantName: merchantName)
    }

    private func wasClosed(_ reason: Wallet.CloseReason, at time: Timestamp) -> Payments.ChargeClosed {
        Payments.ChargeClosed(
            charge: id, merchant: merchant, customer: customer, amount: amount, reason: reason, time: time,
            merchantName: merchantName)
    }
}

extension Wallet.PaymentPosted {
    fileprivate func wasCaptured(as charge: Charge) -> Payments.ChargeCaptured {
        Payments.ChargeCaptured(
            charge: payment, merchant: merchant, customer: customer, card: card, amount: amount, memo: memo,
            entry: entry, time: time, coupon: coupon, discount: coupon == nil ? nil : charge.discount,
            requested: charge.expires == nil ? nil : true)
    }
}

extension Wallet.RefundPosted {
    fileprivate func wasRefunded(of charge: Charge) -> Payments.ChargeRefunded {
        Payments.ChargeRefunded(
            charge: payment, merchant: charge.merchant, customer: charge.customer, amount: amount, refunded: refunded,
            time: time, paid: charge.amount, captured: charge.decided, merchantName: charge.merchantName)
    }
}
