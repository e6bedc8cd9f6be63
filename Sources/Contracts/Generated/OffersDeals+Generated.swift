// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Offers.Deal: Shape {
    package init(
        offer: OfferID,
        kind: Offers.Kind,
        merchant: PartyID,
        merchantName: String,
        title: String,
        content: String,
        expires: Timestamp,
        latitude: Int64? = nil,
        longitude: Int64? = nil,
        distanceMetres: Int64? = nil,
        discount: Offers.Discount? = nil,
        minimum: Money? = nil,
        stars: Int? = nil,
        _: Void = ()
    ) {
        self.offer = offer
        self.kind = kind
        self.merchant = merchant
        self.merchantName = merchantName
        self.title = title
        self.content = content
        self.expires = expires
        self.latitude = latitude
        self.longitude = longitude
        self.distanceMetres = distanceMetres
        self.discount = discount
        self.minimum = minimum
        self.stars = stars
    }

    package static var summary: String { "An offer that a customer can use now." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("kind", \.kind),
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("title", \.title),
            Field("content", \.content),
            Field("expires", \.expires, "When it ends."),
            Field("latitude", \.latitude, "Where it is about, in millionths of a degree."),
            Field("longitude", \.longitude),
            Field("distanceMetres", \.distanceMetres, "From the customer to there, rounded up to whole metres."),
            Field("discount", \.discount),
            Field("minimum", \.minimum),
            Field("stars", \.stars, "Stars at the merchant that one use costs."),
        ]
    }
}

extension Offers.Deals: Shape {
    package init(
        deals: [Offers.Deal],
        total: Int64,
        _: Void = ()
    ) {
        self.deals = deals
        self.total = total
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("deals", \.deals),
            Field("total", \.total, "The number of all, shown or not."),
        ]
    }
}

extension Offers.FindDeals {
    package init(
        customer: PartyID,
        kind: Offers.Kind? = nil,
        latitude: Int64? = nil,
        longitude: Int64? = nil,
        limit: Int,
        radiusMetres: Int64? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.kind = kind
        self.latitude = latitude
        self.longitude = longitude
        self.limit = limit
        self.radiusMetres = radiusMetres
    }

    package static var summary: String { "The customer's coupons or ads, or both: nearest first, then those without a place, the ones that end soonest first. With a position, only what is near it: an offer about a place within its own radius, another one if a place of its merchant is within `radiusMetres`. Without one, all that is for the customer." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("kind", \.kind),
            Field("latitude", \.latitude, "Where to search, in millionths of a degree."),
            Field("longitude", \.longitude),
            Field("limit", \.limit, "1 to 100."),
            Field("radiusMetres", \.radiusMetres, "The greatest distance of a merchant's place from the position; 200 where it is absent."),
        ]
    }
}

extension Offers.SearchDeals {
    package init(
        customer: PartyID,
        merchant: String? = nil,
        product: String? = nil,
        latitude: Int64? = nil,
        longitude: Int64? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.customer = customer
        self.merchant = merchant
        self.product = product
        self.latitude = latitude
        self.longitude = longitude
        self.limit = limit
    }

    package static var summary: String { "The same by merchant's name and by kind of product, and which merchants these are." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("merchant", \.merchant, "A part of the merchant's name or username, in capitals or not; 1 to 100 bytes."),
            Field("product", \.product, "A kind of product, the whole of it, in capitals or not; 1 to 50 bytes."),
            Field("latitude", \.latitude),
            Field("longitude", \.longitude),
            Field("limit", \.limit, "1 to 100, of deals and of merchants."),
        ]
    }
}

extension Offers.SearchDeals.Reply: Shape {
    package init(
        deals: [Offers.Deal],
        total: Int64,
        merchants: [Offers.MerchantFound],
        _: Void = ()
    ) {
        self.deals = deals
        self.total = total
        self.merchants = merchants
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("deals", \.deals),
            Field("total", \.total),
            Field("merchants", \.merchants, "Merchants that the search is right for, subscribed or not; by name."),
        ]
    }
}

extension Offers.MerchantFound: Shape {
    package init(
        merchant: PartyID,
        name: String,
        productTypes: [String],
        subscription: Offers.Subscription,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.name = name
        self.productTypes = productTypes
        self.subscription = subscription
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("name", \.name),
            Field("productTypes", \.productTypes),
            Field("subscription", \.subscription),
        ]
    }
}

extension Offers.ReadDeal {
    package init(
        customer: PartyID,
        offer: OfferID,
        latitude: Int64? = nil,
        longitude: Int64? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.offer = offer
        self.latitude = latitude
        self.longitude = longitude
    }

    package static var summary: String { "One deal, if it is or was the customer's: it can be used now, was sent, or was used." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("offer", \.offer),
            Field("latitude", \.latitude),
            Field("longitude", \.longitude),
        ]
    }
}

extension Offers.ReadDeal.Reply: Shape {
    package init(
        deal: Offers.Deal,
        usable: Bool,
        sent: Timestamp? = nil,
        used: Int,
        ended: Offers.DealEnd? = nil,
        _: Void = ()
    ) {
        self.deal = deal
        self.usable = usable
        self.sent = sent
        self.used = used
        self.ended = ended
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("deal", \.deal),
            Field("usable", \.usable, "Whether the rules allow it now."),
            Field("sent", \.sent, "When it was sent."),
            Field("used", \.used, "The customer's uses so far."),
            Field("ended", \.ended, "Why nobody can use it any more; absent while that is not so."),
        ]
    }
}

extension Offers.DealEnd: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .disabled: "Its merchant has disabled it.",
        ]
    }
}

extension Offers.ReadHistory {
    package init(
        customer: PartyID,
        latitude: Int64? = nil,
        longitude: Int64? = nil,
        before: Int64? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.customer = customer
        self.latitude = latitude
        self.longitude = longitude
        self.before = before
        self.limit = limit
    }

    package static var summary: String { "What the customer can use now and has used before." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("latitude", \.latitude),
            Field("longitude", \.longitude),
            Field("before", \.before, "The `next` of the page before."),
            Field("limit", \.limit, "1 to 100, of each."),
        ]
    }
}

extension Offers.ReadHistory.Reply: Shape {
    package init(
        usable: [Offers.Deal],
        used: [Offers.UsedDeal],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.usable = usable
        self.used = used
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("usable", \.usable, "With the first page only."),
            Field("used", \.used, "Newest first."),
            Field("next", \.next),
        ]
    }
}

extension Offers.UsedDeal: Shape {
    package init(
        index: Int64,
        offer: OfferID,
        charge: ChargeID,
        merchant: PartyID,
        merchantName: String,
        title: String,
        discount: Money,
        time: Timestamp,
        _: Void = ()
    ) {
        self.index = index
        self.offer = offer
        self.charge = charge
        self.merchant = merchant
        self.merchantName = merchantName
        self.title = title
        self.discount = discount
        self.time = time
    }

    package static var summary: String { "A coupon that was redeemed with a charge." }
    package static var fields: [Field<Self>] {
        [
            Field("index", \.index, "Its place among all that were ever redeemed."),
            Field("offer", \.offer),
            Field("charge", \.charge),
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("title", \.title),
            Field("discount", \.discount),
            Field("time", \.time),
        ]
    }
}

extension Offers.Subscription: Shape {
    package init(
        ads: Bool,
        coupons: Bool,
        _: Void = ()
    ) {
        self.ads = ads
        self.coupons = coupons
    }

    package static var summary: String { "What a customer wants of a merchant: nothing before they said so." }
    package static var fields: [Field<Self>] {
        [
            Field("ads", \.ads),
            Field("coupons", \.coupons),
        ]
    }
}

extension Offers.SetSubscription {
    package init(
        customer: PartyID,
        merchant: PartyID,
        subscription: Offers.Subscription,
        _: Void = ()
    ) {
        self.customer = customer
        self.merchant = merchant
        self.subscription = subscription
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("merchant", \.merchant),
            Field("subscription", \.subscription),
        ]
    }
}

extension Offers.SubscriptionView: Shape {
    package init(
        merchant: PartyID,
        name: String,
        subscription: Offers.Subscription,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.name = name
        self.subscription = subscription
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("name", \.name),
            Field("subscription", \.subscription),
        ]
    }
}

extension Offers.ReadSubscriptions {
    package init(
        customer: PartyID,
        after: PartyID? = nil,
        limit: Int,
        merchants: [PartyID]? = nil,
        _: Void = ()
    ) {
        self.customer = customer
        self.after = after
        self.limit = limit
        self.merchants = merchants
    }

    package static var summary: String { "A customer's subscriptions, in the order of the merchants' ids." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("after", \.after),
            Field("limit", \.limit, "1 to 100."),
            Field("merchants", \.merchants, "Only those to these merchants, at most 100."),
        ]
    }
}

extension Offers.ReadSubscriptions.Reply: Shape {
    package init(
        subscriptions: [Offers.SubscriptionView],
        next: PartyID? = nil,
        _: Void = ()
    ) {
        self.subscriptions = subscriptions
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("subscriptions", \.subscriptions),
            Field("next", \.next, "Ask on behind this merchant; absent when there is no more."),
        ]
    }
}

extension Offers.Preferences: Shape {
    package init(
        enabled: Bool = true,
        ads: Bool = true,
        coupons: Bool = true,
        muted: [PartyID] = [],
        perDay: Int = 20,
        quietFrom: Int? = nil,
        quietTo: Int? = nil,
        utcOffsetMinutes: Int = 0,
        _: Void = ()
    ) {
        self.enabled = enabled
        self.ads = ads
        self.coupons = coupons
        self.muted = muted
        self.perDay = perDay
        self.quietFrom = quietFrom
        self.quietTo = quietTo
        self.utcOffsetMinutes = utcOffsetMinutes
    }

    package static var summary: String { "A customer's own limits." }
    package static var fields: [Field<Self>] {
        [
            Field("enabled", \.enabled, "False: nothing is sent at all. What one asks for is still shown."),
            Field("ads", \.ads, "Whether ads are wanted, and coupons."),
            Field("coupons", \.coupons),
            Field("muted", \.muted, "Merchants of whom nothing is wanted, subscribed or not; at most 200."),
            Field("perDay", \.perDay, "At most so many are sent within 24 hours; 0 to 100."),
            Field("quietFrom", \.quietFrom, "Of earlier versions, and refused: quiet hours are a setting of notifications (`notifications.settings.set.v1`)."),
            Field("quietTo", \.quietTo),
            Field("utcOffsetMinutes", \.utcOffsetMinutes, "Of earlier versions: it means nothing without quiet hours."),
        ]
    }
}

extension Offers.SetPreferences {
    package init(
        customer: PartyID,
        preferences: Offers.Preferences,
        _: Void = ()
    ) {
        self.customer = customer
        self.preferences = preferences
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("preferences", \.preferences),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.preferences),
    ]
}

extension Offers.ReadPreferences {
    package init(
        customer: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
        ]
    }
}

extension Offers.ReadRewards {
    package init(
        customer: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
    }

    package static var summary: String { "A customer's stars: one for each paid charge since the customer takes part, taken back by a refund in full." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
        ]
    }
}

extension Offers.JoinRewards {
    package init(
        customer: PartyID,
        joined: Bool,
        _: Void = ()
    ) {
        self.customer = customer
        self.joined = joined
    }

    package static var summary: String { "Takes part in the stars, or no longer. Whoever leaves leaves the stars too." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("joined", \.joined),
        ]
    }
}

extension Offers.RewardsView: Shape {
    package init(
        customer: PartyID,
        joined: Bool,
        stars: Int,
        merchants: [Offers.MerchantStars],
        _: Void = ()
    ) {
        self.customer = customer
        self.joined = joined
        self.stars = stars
        self.merchants = merchants
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("joined", \.joined),
            Field("stars", \.stars, "All that are not spent."),
            Field("merchants", \.merchants, "The merchants at whom they were earned; most first, at most 100."),
        ]
    }
}

extension Offers.MerchantStars: Shape {
    package init(
        merchant: PartyID,
        name: String,
        stars: Int,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.name = name
        self.stars = stars
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("name", \.name),
            Field("stars", \.stars),
        ]
    }
}
