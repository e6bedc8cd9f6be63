import Contracts
import Primitives
import Schemas
import Wire

/// What a customer wants of a merchant.
package struct NewDealSubscription: RequestBody, Equatable {
    package let ads: Bool
    package let coupons: Bool

    static let notes: [String: SchemaNote] = [
        "ads": SchemaNote("Whether the merchant's ads are wanted.", example: true),
        "coupons": SchemaNote("Whether the merchant's coupons are wanted.", example: true)
    ]
}

/// A customer's own limits on ads and coupons.
package struct OfferSettings: RequestBody, Equatable {
    package let enabled: Bool
    package let ads: Bool
    package let coupons: Bool
    package let muted: [PartyID]?
    package let perDay: Int?

    static let notes: [String: SchemaNote] = [
        "enabled": SchemaNote("False: nothing is sent. What one asks for is still shown.", example: true),
        "ads": SchemaNote("Whether ads are wanted at all.", example: true),
        "coupons": SchemaNote("Whether coupons are wanted at all.", example: true),
        "muted": SchemaNote("Merchants of whom nothing is wanted; at most 200."),
        "perDay": SchemaNote(
            "At most so many are sent within 24 hours; 20 where none is given.",
            constraints: [.init("minimum", 0), .init("maximum", 100)], example: nil)
    ]

    fileprivate init(_ preferences: Offers.Preferences) {
        enabled = preferences.enabled
        ads = preferences.ads
        coupons = preferences.coupons
        muted = preferences.muted
        perDay = preferences.perDay
    }

    fileprivate var preferences: Offers.Preferences {
        Offers.Preferences(
            enabled: enabled, ads: ads, coupons: coupons, muted: muted ?? [],
            perDay: perDay ?? Offers.Preferences.usual.perDay)
    }
}

/// Whether the customer takes part in the stars.
package struct RewardsChoice: RequestBody, Equatable {
    package let joined: Bool

    static let notes: [String: SchemaNote] = [
        "joined": SchemaNote("One star for each payment from then on; false gives them up.", example: true)
    ]
}

extension RouteTable {
    /// Ads and coupons as customers see them.
    static let deals = [
        list(
            "readCoupons", "/v1/coupons",
            "Coupons for the customer, nearest first; with a position only those near it (001-78, A86)", .coupon),
        list(
            "readAds", "/v1/ads", "Ads for the customer, nearest first; with a position only those near it (A54, A86)",
            .ad),
        Route(
            .get, "/v1/deals/search", "searchDeals", "Deals by merchant's name and kind of product (001-48)",
            for: .customer, query: [.merchantName, .product] + QueryParameter.point + [.limit],
            asks: [Offers.SearchDeals.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.SearchDeals.Reply> in
            Given(
                try await call.ask(
                    Offers.SearchDeals(
                        customer: call.account, merchant: call.query.text("merchant"),
                        product: call.query.text("product"), latitude: try call.query.latitude(),
                        longitude: try call.query.longitude(), limit: try call.query.limit())))
        },
        Route(
            .get, "/v1/deals/history", "readDealHistory", "Deals that can be used, and those that were (001-22)",
            for: .customer, query: QueryParameter.point + QueryParameter.page, asks: [Offers.ReadHistory.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.ReadHistory.Reply> in
            Given(
                try await call.ask(
                    Offers.ReadHistory(
                        customer: call.account, latitude: try call.query.latitude(),
                        longitude: try call.query.longitude(), before: try call.query.before(),
                        limit: try call.query.limit())))
        },
        Route(
            .get, "/v1/deals/{offer}", "readDeal", "One deal that is or was the customer's (001-15, 001-23)",
            for: .customer, query: QueryParameter.point, asks: [Offers.ReadDeal.self, Offers.SeeDeal.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.ReadDeal.Reply> in
            let deal = try await call.ask(
                Offers.ReadDeal(
                    customer: call.account, offer: call.id(), latitude: try call.query.latitude(),
                    longitude: try call.query.longitude()))
            // The deal is shown whether or not its merchant learns that it was.
            _ = await call.askForExtra(Offers.SeeDeal(customer: call.account, offer: call.id()))
            return Given(deal)
        }
    ]

    private static func list(_ name: String, _ path: RoutePath, _ summary: String, _ kind: Offers.Kind) -> Route {
        Route(
            .get, path, name, summary, for: .customer, query: QueryParameter.point + [.radius, .limit],
            asks: [Offers.FindDeals.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.Deals> in
            Given(
                try await call.ask(
                    Offers.FindDeals(
                        customer: call.account, kind: kind, latitude: try call.query.latitude(),
                        longitude: try call.query.longitude(), limit: try call.query.limit(),
                        radiusMetres: try call.query.radius())))
        }
    }

    /// Whom a customer wants to hear of, and how much.
    static let dealSubscriptions = [
        Route(
            .get, "/v1/subscriptions", "readSubscriptions", "Merchants whose ads or coupons the customer wants",
            for: .customer, query: [.after, .limit], asks: [Offers.ReadSubscriptions.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.ReadSubscriptions.Reply> in
            Given(
                try await call.ask(
                    Offers.ReadSubscriptions(
                        customer: call.account, after: try call.query.after(), limit: try call.query.limit())))
        },
        Route(
            .put, "/v1/subscriptions/{merchant}", "changeSubscription",
            "Subscribes to a merchant's ads, coupons or both (001-108, 001-109)", for: .customer,
            asks: [Offers.SetSubscription.self]
        ) { (call: Call, body: NewDealSubscription) async throws(Fault) -> Given<Offers.SubscriptionView> in
            Given(
                try await call.ask(
                    Offers.SetSubscription(
                        customer: call.account, merchant: call.id(),
                        subscription: Offers.Subscription(ads: body.ads, coupons: body.coupons))))
        },
        Route(
            .delete, "/v1/subscriptions/{merchant}", "removeSubscription", "Wants nothing of a merchant any more",
            for: .customer, status: 204, asks: [Offers.SetSubscription.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Nothing> in
            _ = try await call.ask(
                Offers.SetSubscription(customer: call.account, merchant: call.id(), subscription: .none))
            return Given(Nothing())
        },
        Route(
            .get, "/v1/settings/offers", "readOfferSettings", "The customer's limits on ads and coupons (001-5)",
            for: .customer, asks: [Offers.ReadPreferences.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<OfferSettings> in
            Given(OfferSettings(try await call.ask(Offers.ReadPreferences(customer: call.account))))
        },
        Route(
            .put, "/v1/settings/offers", "changeOfferSettings", "Changes the limits on ads and coupons",
            for: .customer, asks: [Offers.SetPreferences.self]
        ) { (call: Call, body: OfferSettings) async throws(Fault) -> Given<OfferSettings> in
            let changed = Offers.SetPreferences(customer: call.account, preferences: body.preferences)
            return Given(OfferSettings(try await call.ask(changed)))
        },
        Route(
            .get, "/v1/stars", "readStars", "The customer's stars by merchant (000-10, 001-7)", for: .customer,
            asks: [Offers.ReadRewards.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.RewardsView> in
            Given(try await call.ask(Offers.ReadRewards(customer: call.account)))
        },
        Route(
            .put, "/v1/stars", "joinStars", "Takes part in the stars of merchants, or no longer", for: .customer,
            asks: [Offers.JoinRewards.self]
        ) { (call: Call, body: RewardsChoice) async throws(Fault) -> Given<Offers.RewardsView> in
            Given(try await call.ask(Offers.JoinRewards(customer: call.account, joined: body.joined)))
        }
    ]
}
