import Primitives
import Wire

/// How a coupon is bound to the money of a charge.
///
/// A coupon is reserved for a charge before the customer's money moves. The wallet's commit that captures the charge
/// carries the coupon; until then the charge is open, and with it the reservation. A reservation has no life of its
/// own: it ends as the charge ends, redeemed if that was captured with this coupon, released otherwise.
extension Offers {
    /// Reserves a coupon for one charge. Keyed on `charge` and `coupon`. For payments.
    package struct ReserveCoupon: Ask, FastCoded, Equatable {
        package static let type: MessageType = "offers.coupon.reserve.v1"
        package static let effect: Effect<Self> = .keyed(by: \.coupon, \.charge)
        package static let access: Access<Self> = .services
        package static let limits: [Limit<Self>] = [.amount(\.amount, or: .malformed)]
        package static let faults: [FaultCode] = [
            .offerNotFound, .couponNotUsable, .couponUsedUp, .couponMinimum, .idReusedForCoupon
        ]
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReserveCoupon(
                    coupon: Samples.offer, charge: Samples.charge, customer: Samples.customer,
                    merchant: Samples.merchant, amount: Samples.price, expires: Samples.later),
                reply: Offers.ReserveCoupon.Reply(discount: Money(50), replayed: false))
        }

        package struct Reply: FastCoded, Equatable {
            /// The discount: above zero and below the charge's amount.
            package let discount: Money
            package let replayed: Bool
        }

        package let coupon: OfferID
        package let charge: ChargeID
        package let customer: PartyID
        package let merchant: PartyID
        /// The amount that the merchant asked for.
        package let amount: Money
        /// When the charge ends by itself.
        package let expires: Timestamp
    }

    /// The coupon was used: its charge is captured.
    package struct CouponRedeemed: Fact, FastCoded, Equatable {
        package static let type: MessageType = "offers.coupon.redeemed.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.redeemed)
        }
        package let coupon: OfferID
        package let charge: ChargeID
        package let customer: PartyID
        package let merchant: PartyID
        package let discount: Money
        package let time: Timestamp
    }
}
