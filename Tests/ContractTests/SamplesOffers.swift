import Contracts
import Primitives

extension Samples {
    static let push = OperationID(high: 0x019a_9c3d_2c40_000b, low: 0x9058_9058_9058_9058)

    static let offers: [Sample] = submissions + deals + wants + targeting + coupons + offersFacts

    private static let submissions =
        ask(
            Offers.SubmitOffer(offer: offer, kind: .coupon, merchant: merchant, terms: terms),
            bare: Offers.SubmitOffer(offer: offer, kind: .ad, merchant: merchant, terms: bareTerms),
            reply: Offers.OfferReply(offer: offerView, replayed: false),
            bareReply: Offers.OfferReply(offer: bareOfferView, replayed: true))
        + ask(
            Offers.EditOffer(offer: offer, merchant: merchant, revision: 2, terms: terms),
            bare: Offers.EditOffer(offer: offer, merchant: merchant, revision: nil, terms: bareTerms),
            reply: offerView, bareReply: bareOfferView)
        + ask(
            Offers.EnableOffer(offer: offer, merchant: merchant, enabled: true), reply: offerView,
            bareReply: bareOfferView)
        + ask(
            Offers.DecideOffer(offer: offer, revision: 2, accepted: .rejected, reason: "Too loud"),
            bare: Offers.DecideOffer(offer: offer, revision: 2, accepted: .accepted, reason: nil),
            reply: Offers.OfferReply(offer: offerView, replayed: false))
        + ask(Offers.ReadOffer(offer: offer), reply: offerView, bareReply: bareOfferView)
        + ask(
            Offers.ReadOffers(merchant: merchant, kind: .coupon, accepted: .accepted, before: 4711, limit: 20),
            bare: Offers.ReadOffers(merchant: merchant, kind: nil, before: nil, limit: 1),
            reply: Offers.OffersPage(offers: [offerView], next: 4711),
            bareReply: Offers.OffersPage(offers: [], next: nil))
        + ask(
            Offers.ReadPending(before: 4711, limit: 20), bare: Offers.ReadPending(before: nil, limit: 1),
            reply: Offers.OffersPage(offers: [bareOfferView], next: 4711),
            bareReply: Offers.OffersPage(offers: [], next: nil))
        + ask(
            Offers.ReadProductTypes(merchant: merchant), reply: productTypes,
            bareReply: Offers.ProductTypes(merchant: merchant, types: []))

    private static let deals =
        ask(
            Offers.FindDeals(
                customer: customer, kind: .coupon, latitude: 35_198_284, longitude: -111_651_302, limit: 20),
            bare: Offers.FindDeals(customer: customer, kind: nil, limit: 1),
            reply: Offers.Deals(deals: [deal], total: 7), bareReply: Offers.Deals(deals: [bareDeal], total: 1))
        + ask(
            Offers.SearchDeals(
                customer: customer, merchant: "corner", product: "coffee", latitude: 35_198_284,
                longitude: -111_651_302, limit: 20),
            bare: Offers.SearchDeals(customer: customer, merchant: nil, product: nil, limit: 1),
            reply: Offers.SearchDeals.Reply(
                deals: [deal], total: 7,
                merchants: [
                    Offers.MerchantFound(
                        merchant: merchant, name: "Corner \"Café\"", productTypes: ["coffee"],
                        subscription: subscription)
                ]), bareReply: Offers.SearchDeals.Reply(deals: [], total: 0, merchants: []))
        + ask(
            Offers.ReadDeal(customer: customer, offer: offer, latitude: 35_198_284, longitude: -111_651_302),
            bare: Offers.ReadDeal(customer: customer, offer: offer),
            reply: Offers.ReadDeal.Reply(deal: deal, usable: true, sent: time, used: 1),
            bareReply: Offers.ReadDeal.Reply(deal: bareDeal, usable: false, sent: nil, used: 0))
        + ask(
            Offers.ReadHistory(
                customer: customer, latitude: 35_198_284, longitude: -111_651_302, before: 4711, limit: 20),
            bare: Offers.ReadHistory(customer: customer, before: nil, limit: 1),
            reply: Offers.ReadHistory.Reply(
                usable: [deal],
                used: [
                    Offers.UsedDeal(
                        index: 4711, offer: offer, charge: charge, merchant: merchant,
                        merchantName: "Corner \"Café\"", title: deal.title, discount: Money(50), time: time)
                ], next: 4711), bareReply: Offers.ReadHistory.Reply(usable: [], used: [], next: nil))

    private static let wants =
        ask(
            Offers.SetSubscription(customer: customer, merchant: merchant, subscription: subscription),
            reply: subscriptionView)
        + ask(
            Offers.ReadSubscriptions(customer: customer, after: friend, limit: 20, merchants: [merchant]),
            bare: Offers.ReadSubscriptions(customer: customer, after: nil, limit: 1),
            reply: Offers.ReadSubscriptions.Reply(subscriptions: [subscriptionView], next: merchant),
            bareReply: Offers.ReadSubscriptions.Reply(subscriptions: [], next: nil))
        + ask(
            Offers.SetPreferences(customer: customer, preferences: preferences),
            bare: Offers.SetPreferences(customer: customer, preferences: .usual), reply: preferences,
            bareReply: .usual)
        + ask(Offers.ReadPreferences(customer: customer), reply: preferences, bareReply: .usual)
        + ask(Offers.ReadRewards(customer: customer), reply: rewards)
        + ask(Offers.JoinRewards(customer: customer, joined: true), reply: rewards)

    private static let targeting =
        ask(
            Offers.ExplainOffer(offer: offer, customer: customer, latitude: 35_198_284, longitude: -111_651_302),
            bare: Offers.ExplainOffer(offer: offer, customer: customer),
            reply: Offers.ExplainOffer.Reply(
                offer: offer, customer: customer, shown: false, sent: false,
                verdicts: [
                    Offers.Verdict(rule: .age, wanted: "18 to 25", found: "31", passes: false),
                    Offers.Verdict(rule: .place, wanted: "within 200 m", found: "within", passes: true)
                ]))
        + ask(
            Offers.CountAudience(offer: offer),
            reply: Offers.CountAudience.Reply(
                offer: offer, customers: 1000, subscribed: 100, audience: 42,
                excluded: [Offers.CountAudience.Excluded(rule: .age, customers: 58)]))
        + ask(
            Offers.PushOffer(push: push, offer: offer, merchant: merchant, place: place),
            bare: Offers.PushOffer(push: push, offer: offer, merchant: merchant, place: nil),
            reply: Offers.PushOffer.Reply(nearby: 7, sent: 3, replayed: false))

    private static let coupons = ask(
        Offers.ReserveCoupon(
            coupon: offer, charge: charge, customer: customer, merchant: merchant, amount: price, expires: later),
        reply: Offers.ReserveCoupon.Reply(discount: Money(50), replayed: false))

    private static let offersFacts =
        fact(
            Offers.OfferSubmitted(
                offer: offer, kind: .coupon, merchant: merchant, title: terms.title, revision: 1, time: time))
        + fact(
            Offers.OfferDecided(
                offer: offer, kind: .coupon, merchant: merchant, title: terms.title, acceptance: .rejected,
                reason: "Too loud", time: time),
            bare: Offers.OfferDecided(
                offer: offer, kind: .ad, merchant: merchant, title: terms.title, acceptance: .accepted, reason: nil,
                time: time))
        + fact(sentOffer(place), bare: sentOffer(nil))
        + fact(redeemed)

    static let redeemed = Offers.CouponRedeemed(
        coupon: offer, charge: charge, customer: customer, merchant: merchant, discount: Money(50), time: time)

    // MARK: Values

    private static let terms = Offers.Terms(
        title: "Half a \"flat white\"", content: "From three to five o'clock, ☕️", minAge: 18, maxAge: 25,
        targetGender: .female, student: true, sendTime: time, expDate: later, targetLat: 35_198_284,
        targetLon: -111_651_302, radiusMetres: 200, minVisits: 1, maxVisits: 10, withinDays: 30, sendOnEntry: true,
        discount: Offers.Discount(amount: Money(50)), minimum: Money(200), usesPerCustomer: 1, usesInAll: 500,
        stars: 10)
    private static let bareTerms = Offers.Terms(title: "New beans", content: "From the hills")

    private static let offerView = Offers.OfferView(
        offer: offer, kind: .coupon, merchant: merchant, terms: terms, accepted: .rejected, reason: "Too loud",
        enabled: true, revision: 2, submitted: time, decided: later)
    private static let bareOfferView = Offers.OfferView(
        offer: offer, kind: .ad, merchant: merchant, terms: bareTerms, accepted: .pending, reason: nil,
        enabled: false, revision: 1, submitted: time, decided: nil)

    private static let deal = Offers.Deal(
        offer: offer, kind: .coupon, merchant: merchant, merchantName: "Corner \"Café\"", title: terms.title,
        content: terms.content, expires: later, latitude: 35_198_284, longitude: -111_651_302, distanceMetres: 42,
        discount: Offers.Discount(percent: 50), minimum: Money(200), stars: 10)
    private static let bareDeal = Offers.Deal(
        offer: offer, kind: .ad, merchant: merchant, merchantName: "Corner \"Café\"", title: bareTerms.title,
        content: bareTerms.content, expires: later)

    private static let productTypes = Offers.ProductTypes(
        merchant: merchant,
        types: [
            Offers.ProductType(productIndex: 41, type: "coffee"), Offers.ProductType(productIndex: 42, type: "cake")
        ])
    private static let subscription = Offers.Subscription(ads: false, coupons: true)
    private static let subscriptionView = Offers.SubscriptionView(
        merchant: merchant, name: "Corner \"Café\"", subscription: subscription)
    private static let preferences = Offers.Preferences(
        enabled: true, ads: false, coupons: true, muted: [merchant], perDay: 3, quietFrom: 1320, quietTo: 420,
        utcOffsetMinutes: -420)
    private static let rewards = Offers.RewardsView(
        customer: customer, joined: true, stars: 12,
        merchants: [Offers.MerchantStars(merchant: merchant, name: "Corner \"Café\"", stars: 12)])

    private static func sentOffer(_ place: PlaceID?) -> Offers.OfferSent {
        Offers.OfferSent(
            offer: offer, kind: .ad, merchant: merchant, merchantName: "Corner \"Café\"", customer: customer,
            title: bareTerms.title, content: bareTerms.content, occasion: place == nil ? .pushed : .entered,
            place: place, expires: later, time: time)
    }
}
