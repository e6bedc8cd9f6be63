import Primitives

extension Samples {
    package static let push = OperationID(high: 0x019a_9c3d_2c40_000b, low: 0x9058_9058_9058_9058)

    package static let redeemed = Offers.CouponRedeemed(
        coupon: offer, charge: charge, customer: customer, merchant: merchant, discount: Money(50), time: time)

    // MARK: Values

    package static let terms = Offers.Terms(
        title: "Half a \"flat white\"", content: "From three to five o'clock, ☕️", minAge: 18, maxAge: 25,
        targetGender: .female, student: true, sendTime: time, expDate: later, targetLat: 35_198_284,
        targetLon: -111_651_302, radiusMetres: 200, minVisits: 1, maxVisits: 10, withinDays: 30, sendOnEntry: true,
        discount: Offers.Discount(amount: Money(50)), minimum: Money(200), usesPerCustomer: 1, usesInAll: 500,
        stars: 10)
    package static let bareTerms = Offers.Terms(title: "New beans", content: "From the hills")

    package static let offerView = Offers.OfferView(
        offer: offer, kind: .coupon, merchant: merchant, terms: terms, accepted: .rejected, reason: "Too loud",
        enabled: true, revision: 2, submitted: time, decided: later, pushed: later,
        lastApproved: Offers.ApprovedRevision(revision: 1, terms: bareTerms))
    package static let bareOfferView = Offers.OfferView(
        offer: offer, kind: .ad, merchant: merchant, terms: bareTerms, accepted: .pending, reason: nil,
        enabled: false, revision: 1, submitted: time, decided: nil)

    package static let deal = Offers.Deal(
        offer: offer, kind: .coupon, merchant: merchant, merchantName: "Corner \"Café\"", title: terms.title,
        content: terms.content, expires: later, latitude: 35_198_284, longitude: -111_651_302, distanceMetres: 42,
        discount: Offers.Discount(percent: 50), minimum: Money(200), stars: 10)
    package static let bareDeal = Offers.Deal(
        offer: offer, kind: .ad, merchant: merchant, merchantName: "Corner \"Café\"", title: bareTerms.title,
        content: bareTerms.content, expires: later)

    package static let productTypes = Offers.ProductTypes(
        merchant: merchant,
        types: [
            Offers.ProductType(productIndex: 41, type: "coffee"), Offers.ProductType(productIndex: 42, type: "cake")
        ])
    package static let subscription = Offers.Subscription(ads: false, coupons: true)
    package static let subscriptionView = Offers.SubscriptionView(
        merchant: merchant, name: "Corner \"Café\"", subscription: subscription)
    package static let preferences = Offers.Preferences(
        enabled: true, ads: false, coupons: true, muted: [merchant], perDay: 3, quietFrom: 1320, quietTo: 420,
        utcOffsetMinutes: -420)
    package static let rewards = Offers.RewardsView(
        customer: customer, joined: true, stars: 12,
        merchants: [Offers.MerchantStars(merchant: merchant, name: "Corner \"Café\"", stars: 12)])

    package static func sentOffer(_ place: PlaceID?) -> Offers.OfferSent {
        Offers.OfferSent(
            offer: offer, kind: .ad, merchant: merchant, merchantName: "Corner \"Café\"", customer: customer,
            title: bareTerms.title, content: bareTerms.content, occasion: place == nil ? .pushed : .entered,
            place: place, expires: later, time: time)
    }
}
