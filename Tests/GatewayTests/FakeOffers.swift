import Contracts
import Primitives

/// Offers in a few lines: one coupon, which everybody can use.
enum FakeOffers {
    static let offer = OfferID(high: 0x1, low: 0x0FFE)
    static let shop = PartyID(high: 5, low: 5)
    static let terms = Offers.Terms(title: "Half a flat white", content: "From three to five")

    static func answer(_ ask: any Ask) -> (any Sendable)? { merchantAnswer(ask) ?? customerAnswer(ask) }

    private static func merchantAnswer(_ ask: any Ask) -> (any Sendable)? {
        switch ask {
        case let ask as Offers.SubmitOffer:
            Offers.OfferReply(offer: view(ask.offer, ask.terms, ask.kind), replayed: false)
        case let ask as Offers.EditOffer: view(ask.offer, ask.terms)
        case let ask as Offers.EnableOffer: view(ask.offer)
        case let ask as Offers.DecideOffer: Offers.OfferReply(offer: view(ask.offer), replayed: false)
        case let ask as Offers.ReadOffer: view(ask.offer)
        case is Offers.ReadOffers: Offers.OffersPage(offers: [view(offer)], next: 9)
        case is Offers.ReadPending: Offers.OffersPage(offers: [view(offer)], next: nil)
        case is Offers.PushOffer: Offers.PushOffer.Reply(nearby: 7, sent: 3, replayed: false)
        case let ask as Offers.CountAudience:
            Offers.CountAudience.Reply(
                offer: ask.offer, customers: 9, subscribed: 3, audience: 2,
                excluded: [.init(rule: .age, customers: 1)])
        case let ask as Offers.ReadOutcome:
            Offers.ReadOutcome.Reply(
                offer: ask.offer, sent: 3, seen: 2, customers: 1, used: 1, discount: Money(50), paid: Money(300))
        case let ask as Offers.ExplainOffer:
            Offers.ExplainOffer.Reply(
                offer: ask.offer, customer: ask.customer, shown: true, sent: true,
                verdicts: [.init(rule: .age, wanted: "any", found: "31", passes: true)])
        case let ask as Offers.ReadProductTypes: products(ask.merchant)
        default: nil
        }
    }

    private static func customerAnswer(_ ask: any Ask) -> (any Sendable)? {
        switch ask {
        case is Offers.FindDeals: Offers.Deals(deals: [deal], total: 1)
        case is Offers.SearchDeals: Offers.SearchDeals.Reply(deals: [deal], total: 1, merchants: [])
        case is Offers.ReadDeal: Offers.ReadDeal.Reply(deal: deal, usable: true, sent: nil, used: 0)
        case is Offers.SeeDeal: Offers.SeeDeal.Reply(seen: FakeServices.time)
        case is Offers.ReadHistory: Offers.ReadHistory.Reply(usable: [deal], used: [], next: nil)
        case let ask as Offers.SetSubscription:
            Offers.SubscriptionView(merchant: ask.merchant, name: "Shop", subscription: ask.subscription)
        case let ask as Offers.ReadSubscriptions:
            Offers.ReadSubscriptions.Reply(
                subscriptions: (ask.merchants ?? []).map {
                    .init(merchant: $0, name: "Shop", subscription: .init(ads: true, coupons: false))
                }, next: nil)
        case let ask as Offers.SetPreferences: ask.preferences
        case is Offers.ReadPreferences: Offers.Preferences.usual
        case let ask as Offers.ReadRewards:
            Offers.RewardsView(customer: ask.customer, joined: true, stars: 3, merchants: [])
        case let ask as Offers.JoinRewards:
            Offers.RewardsView(customer: ask.customer, joined: ask.joined, stars: 0, merchants: [])
        default: nil
        }
    }

    private static func view(
        _ offer: OfferID, _ terms: Offers.Terms = terms, _ kind: Offers.Kind = .coupon
    ) -> Offers.OfferView {
        Offers.OfferView(
            offer: offer, kind: kind, merchant: .sample(.merchant), terms: terms, accepted: .pending, reason: nil,
            enabled: true, revision: 3, submitted: FakeServices.time, decided: nil)
    }

    private static func products(_ merchant: PartyID) -> Offers.ProductTypes {
        Offers.ProductTypes(merchant: merchant, types: [.init(productIndex: 1, type: "coffee")])
    }

    private static let deal = Offers.Deal(
        offer: offer, kind: .coupon, merchant: shop, merchantName: "Shop", title: terms.title, content: terms.content,
        expires: FakeServices.time + .seconds(3600))
}
