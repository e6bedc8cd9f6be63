import Primitives

/// What payments and offers know of a run's coupons, each from its own log.
package struct CouponEvidence: Sendable {
    package var book: CouponBook
    /// Charges that payments published to customers, in the log's order.
    package var requests: [ChargeRequest] = []
    /// What payments says each captured charge was paid with.
    package var captures: [ChargeID: CouponCapture] = [:]
    /// What offers says was redeemed, in the log's order.
    package var redemptions: [Redemption] = []
    package var logFaults: [String] = []

    package init(book: CouponBook) { self.book = book }
}

/// A charge that a customer was notified of before it was paid.
package struct ChargeRequest: Sendable, Equatable {
    package var charge: ChargeID
    package var customer: PartyID
    package var merchant: PartyID
    package var amount: Int64

    package init(charge: ChargeID, customer: PartyID, merchant: PartyID, amount: Int64) {
        self.charge = charge
        self.customer = customer
        self.merchant = merchant
        self.amount = amount
    }
}

/// A captured charge, as far as coupons are concerned. Minor units.
package struct CouponCapture: Sendable, Equatable {
    /// The fact's place in payments' log.
    package var order: Int64
    package var customer: PartyID
    package var merchant: PartyID
    /// What was paid.
    package var amount: Int64
    package var coupon: OfferID?
    package var discount: Int64
    package var isRequested: Bool

    package init(
        order: Int64, customer: PartyID, merchant: PartyID, amount: Int64, coupon: OfferID?, discount: Int64,
        isRequested: Bool
    ) {
        self.order = order
        self.customer = customer
        self.merchant = merchant
        self.amount = amount
        self.coupon = coupon
        self.discount = discount
        self.isRequested = isRequested
    }
}

package struct Redemption: Sendable, Equatable {
    package var charge: ChargeID
    package var coupon: OfferID
    package var customer: PartyID
    package var merchant: PartyID
    package var discount: Int64

    package init(charge: ChargeID, coupon: OfferID, customer: PartyID, merchant: PartyID, discount: Int64) {
        self.charge = charge
        self.coupon = coupon
        self.customer = customer
        self.merchant = merchant
        self.discount = discount
    }
}
