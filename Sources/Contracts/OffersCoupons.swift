import Primitives
import Wire

/// How a coupon is bound to the money of a charge.
///
/// A coupon is reserved for a charge before the customer's money moves. The wallet's commit that captures the charge
/// carries the coupon; until then the charge is open, and with it the reservation. A reservation has no life of its own:
/// it ends as the charge ends, redeemed if that was captured with this coupon, released otherwise.
extension Offers {
    /// Reserves a coupon for one charge. Keyed on `charge` and `coupon`. For payments.
    package struct ReserveCoupon: Ask, Equatable {
        package static let type: MessageType = "offers.coupon.reserve.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .offerNotFound, .couponNotUsable, .couponUsedUp, .couponMinimum, .idReusedForCoupon
        ]

        package struct Reply: WireMessage, Equatable {
            /// What the customer does not pay; above zero and below the charge's amount.
            package let discount: Money
            package let replayed: Bool

            package init(discount: Money, replayed: Bool) {
                self.discount = discount
                self.replayed = replayed
            }
        }

        package let coupon: OfferID
        package let charge: ChargeID
        package let customer: PartyID
        package let merchant: PartyID
        /// What the merchant asked for.
        package let amount: Money
        /// When the charge ends by itself.
        package let expires: Timestamp

        package init(
            coupon: OfferID, charge: ChargeID, customer: PartyID, merchant: PartyID, amount: Money, expires: Timestamp
        ) {
            self.coupon = coupon
            self.charge = charge
            self.customer = customer
            self.merchant = merchant
            self.amount = amount
            self.expires = expires
        }
    }

    /// The coupon was used: its charge is captured.
    package struct CouponRedeemed: Fact, Equatable {
        package static let type: MessageType = "offers.coupon.redeemed.v1"
        package let coupon: OfferID
        package let charge: ChargeID
        package let customer: PartyID
        package let merchant: PartyID
        package let discount: Money
        package let time: Timestamp

        package init(
            coupon: OfferID, charge: ChargeID, customer: PartyID, merchant: PartyID, discount: Money, time: Timestamp
        ) {
            self.coupon = coupon
            self.charge = charge
            self.customer = customer
            self.merchant = merchant
            self.discount = discount
            self.time = time
        }
    }
}
