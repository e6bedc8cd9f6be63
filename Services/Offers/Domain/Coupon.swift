import Contracts
import Primitives

extension Offers.Discount {
    /// The discount on an amount: at least one minor unit, and less than the amount. Nil if there is none.
    package func taken(off amount: Money) -> Money? {
        guard amount.amount > 1 else { return nil }
        let off: Int64
        if let fixed = self.amount {
            guard fixed.currency == amount.currency else { return nil }
            off = fixed.amount
        } else if let percent {
            // Computed in two parts, so that it cannot overflow. Rounds half up.
            let percent = Int64(percent)
            off = amount.amount / 100 * percent + (amount.amount % 100 * percent + 50) / 100
        } else {
            return nil
        }
        return Money(min(max(1, off), amount.amount - 1), amount.currency)
    }
}

/// A coupon that is bound to a charge, and how that ended.
package struct Reservation: Sendable, Equatable {
    package enum State: Int64, Sendable {
        case open, redeemed, released
    }

    package let coupon: OfferID
    package let charge: ChargeID
    package let customer: PartyID
    package let merchant: PartyID
    package let amount: Money
    package let discount: Money
    /// The stars that it costs the customer.
    package let stars: Int
    package var state: State

    package init(
        coupon: OfferID, charge: ChargeID, customer: PartyID, merchant: PartyID, amount: Money, discount: Money,
        stars: Int, state: State
    ) {
        self.coupon = coupon
        self.charge = charge
        self.customer = customer
        self.merchant = merchant
        self.amount = amount
        self.discount = discount
        self.stars = stars
        self.state = state
    }

    func isOf(_ ask: Offers.ReserveCoupon) -> Bool {
        customer == ask.customer && merchant == ask.merchant && amount == ask.amount
    }
}

/// How a charge ended, for its coupons.
package enum ChargeEnd: Sendable, Equatable {
    /// Paid, with this coupon if any.
    case captured(OfferID?)
    case closed
}
