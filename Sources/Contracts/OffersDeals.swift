import Primitives
import Wire

/// Offers as customers see them, by the same rules everywhere.
extension Offers {
    /// An offer that a customer can use now.
    package struct Deal: Codable, Sendable, Equatable {
        package let offer: OfferID
        package let kind: Kind
        package let merchant: PartyID
        package let merchantName: String
        package let title: String
        package let content: String
        /// When it ends.
        package let expires: Timestamp
        /// Where it is about, in millionths of a degree.
        package let latitude: Int64?
        package let longitude: Int64?
        /// From the customer to there, rounded up to whole metres.
        package let distanceMetres: Int64?
        package let discount: Discount?
        package let minimum: Money?
        /// Stars at the merchant that one use costs.
        package let stars: Int?
    }

    package struct Deals: WireMessage, Equatable {
        package let deals: [Deal]
        /// The number of all, shown or not.
        package let total: Int64
    }

    /// The customer's coupons or ads, or both: nearest first, then those without a place, the ones that end
    /// soonest first.
    ///
    /// With a position, only what is near it: an offer about a place within its own radius, another one if a place of
    /// its merchant is within `radiusMetres`. Without one, all that is for the customer.
    package struct FindDeals: Ask, Equatable {
        package static let type: MessageType = "offers.deals.find.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .latitude(\.latitude, or: .offerCoordinateInvalid),
            .longitude(\.longitude, or: .offerCoordinateInvalid),
            .number(\.limit, 1...100, example: 10), .number(\.radiusMetres, 1...50_000)
        ]
        package static let faults: [FaultCode] = [.offerCoordinateInvalid]
        package static var examples: Examples<Self> {
            Examples(
                Offers.FindDeals(
                    customer: Samples.customer, kind: .coupon, latitude: 35_198_284, longitude: -111_651_302, limit: 20,
                    radiusMetres: 500),
                bare: Offers.FindDeals(customer: Samples.customer, kind: nil, limit: 1),
                reply: Offers.Deals(deals: [Samples.deal], total: 7),
                bareReply: Offers.Deals(deals: [Samples.bareDeal], total: 1))
        }
        package typealias Reply = Deals

        package let customer: PartyID
        package let kind: Kind?
        /// Where to search, in millionths of a degree.
        package let latitude: Int64?
        package let longitude: Int64?
        /// 1 to 100.
        package let limit: Int
        /// The greatest distance of a merchant's place from the position; 200 where it is absent.
        package let radiusMetres: Int64?
    }

    /// The same by merchant's name and by kind of product, and which merchants these are.
    package struct SearchDeals: Ask, Equatable {
        package static let type: MessageType = "offers.deals.search.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .text(\.merchant, 1...100, or: .malformed),
            .text(\.product, 1...50, or: .malformed, example: "coffee"),
            .latitude(\.latitude, or: .offerCoordinateInvalid),
            .longitude(\.longitude, or: .offerCoordinateInvalid),
            .number(\.limit, 1...100, example: 10)
        ]
        package static let faults: [FaultCode] = [.offerCoordinateInvalid]
        package static var examples: Examples<Self> {
            Examples(
                Offers.SearchDeals(
                    customer: Samples.customer, merchant: "corner", product: "coffee", latitude: 35_198_284,
                    longitude: -111_651_302, limit: 20),
                bare: Offers.SearchDeals(customer: Samples.customer, merchant: nil, product: nil, limit: 1),
                reply: Offers.SearchDeals.Reply(
                    deals: [Samples.deal], total: 7,
                    merchants: [
                        Offers.MerchantFound(
                            merchant: Samples.merchant, name: "Corner \"Café\"", productTypes: ["coffee"],
                            subscription: Samples.subscription)
                    ]),
                bareReply: Offers.SearchDeals.Reply(deals: [], total: 0, merchants: []))
        }

        package struct Reply: WireMessage, Equatable {
            package let deals: [Deal]
            package let total: Int64
            /// Merchants that the search is right for, subscribed or not; by name.
            package let merchants: [MerchantFound]
        }

        package let customer: PartyID
        /// A part of the merchant's name or username, in capitals or not; 1 to 100 bytes.
        package let merchant: String?
        /// A kind of product, the whole of it, in capitals or not; 1 to 50 bytes.
        package let product: String?
        package let latitude: Int64?
        package let longitude: Int64?
        /// 1 to 100, of deals and of merchants.
        package let limit: Int
    }

    package struct MerchantFound: Codable, Sendable, Equatable {
        package let merchant: PartyID
        package let name: String
        package let productTypes: [String]
        package let subscription: Subscription
    }

    /// One deal, if it is or was the customer's: it can be used now, was sent, or was used.
    package struct ReadDeal: Ask, Equatable {
        package static let type: MessageType = "offers.deal.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .latitude(\.latitude, or: .offerCoordinateInvalid),
            .longitude(\.longitude, or: .offerCoordinateInvalid)
        ]
        package static let faults: [FaultCode] = [.offerNotFound, .offerCoordinateInvalid]
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReadDeal(
                    customer: Samples.customer, offer: Samples.offer, latitude: 35_198_284, longitude: -111_651_302),
                bare: Offers.ReadDeal(customer: Samples.customer, offer: Samples.offer),
                reply: Offers.ReadDeal.Reply(
                    deal: Samples.deal, usable: false, sent: Samples.time, used: 1, ended: .expired),
                bareReply: Offers.ReadDeal.Reply(deal: Samples.bareDeal, usable: false, sent: nil, used: 0))
        }

        package struct Reply: WireMessage, Equatable {
            package let deal: Deal
            /// Whether the rules allow it now.
            package let usable: Bool
            /// When it was sent.
            package let sent: Timestamp?
            /// The customer's uses so far.
            package let used: Int
            /// Why nobody can use it any more; absent while that is not so.
            package let ended: DealEnd?
        }

        package let customer: PartyID
        package let offer: OfferID
        package let latitude: Int64?
        package let longitude: Int64?
    }

    package enum DealEnd: String, Codable, Sendable, CaseIterable {
        /// Its merchant has disabled it.
        case disabled
        case expired
    }

    /// What the customer can use now and has used before.
    package struct ReadHistory: Ask, Equatable {
        package static let type: MessageType = "offers.history.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .latitude(\.latitude, or: .offerCoordinateInvalid),
            .longitude(\.longitude, or: .offerCoordinateInvalid),
            .number(\.limit, 1...100, example: 10)
        ]
        package static let faults: [FaultCode] = [.offerCoordinateInvalid]
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReadHistory(
                    customer: Samples.customer, latitude: 35_198_284, longitude: -111_651_302, before: 4711, limit: 20),
                bare: Offers.ReadHistory(customer: Samples.customer, before: nil, limit: 1),
                reply: Offers.ReadHistory.Reply(
                    usable: [Samples.deal],
                    used: [
                        Offers.UsedDeal(
                            index: 4711, offer: Samples.offer, charge: Samples.charge, merchant: Samples.merchant,
                            merchantName: "Corner \"Café\"", title: Samples.deal.title, discount: Money(50),
                            time: Samples.time)
                    ], next: 4711),
                bareReply: Offers.ReadHistory.Reply(usable: [], used: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            /// With the first page only.
            package let usable: [Deal]
            /// Newest first.
            package let used: [UsedDeal]
            package let next: Int64?
        }

        package let customer: PartyID
        package let latitude: Int64?
        package let longitude: Int64?
        /// The `next` of the page before.
        package let before: Int64?
        /// 1 to 100, of each.
        package let limit: Int
    }

    /// A coupon that was redeemed with a charge.
    package struct UsedDeal: Codable, Sendable, Equatable {
        /// Its place among all that were ever redeemed.
        package let index: Int64
        package let offer: OfferID
        package let charge: ChargeID
        package let merchant: PartyID
        package let merchantName: String
        package let title: String
        package let discount: Money
        package let time: Timestamp
    }

    // MARK: What a customer wants

    /// What a customer wants of a merchant: nothing before they said so.
    package struct Subscription: Codable, Sendable, Equatable {
        package let ads: Bool
        package let coupons: Bool

        package static let none = Subscription(ads: false, coupons: false)
    }

    package struct SetSubscription: Ask, Equatable {
        package static let type: MessageType = "offers.subscription.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = [.offerMerchantNotFound, .tooManySubscriptions]
        package static var examples: Examples<Self> {
            Examples(
                Offers.SetSubscription(
                    customer: Samples.customer, merchant: Samples.merchant, subscription: Samples.subscription),
                reply: Samples.subscriptionView)
        }
        package typealias Reply = SubscriptionView

        package let customer: PartyID
        package let merchant: PartyID
        package let subscription: Subscription
    }

    package struct SubscriptionView: WireMessage, Equatable {
        package let merchant: PartyID
        package let name: String
        package let subscription: Subscription
    }

    /// A customer's subscriptions, in the order of the merchants' ids.
    package struct ReadSubscriptions: Ask, Equatable {
        package static let type: MessageType = "offers.subscriptions.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let limits: [Limit<Self>] = [
            .count(\.merchants, 0...100, or: .malformed),
            .number(\.limit, 1...100, example: 10)
        ]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReadSubscriptions(
                    customer: Samples.customer, after: Samples.friend, limit: 20, merchants: [Samples.merchant]),
                bare: Offers.ReadSubscriptions(customer: Samples.customer, after: nil, limit: 1),
                reply: Offers.ReadSubscriptions.Reply(
                    subscriptions: [Samples.subscriptionView], next: Samples.merchant),
                bareReply: Offers.ReadSubscriptions.Reply(subscriptions: [], next: nil))
        }

        package struct Reply: WireMessage, Equatable {
            package let subscriptions: [SubscriptionView]
            /// Ask on behind this merchant; absent when there is no more.
            package let next: PartyID?
        }

        package let customer: PartyID
        package let after: PartyID?
        /// 1 to 100.
        package let limit: Int
        /// Only those to these merchants, at most 100.
        package let merchants: [PartyID]?
    }

    /// A customer's own limits.
    package struct Preferences: WireMessage, Equatable {
        package static let limits: [Limit<Self>] = [
            .count(\.muted, 0...200, or: .preferencesInvalid),
            .number(\.perDay, 0...100, or: .preferencesInvalid, example: 3),
            .number(\.quietFrom, 0...1439, or: .preferencesInvalid),
            .number(\.quietTo, 0...1439, or: .preferencesInvalid),
            .number(\.utcOffsetMinutes, -840...840, or: .preferencesInvalid, example: 0)
        ]

        /// False: nothing is sent at all. What one asks for is still shown.
        package var enabled: Bool = true
        /// Whether ads are wanted, and coupons.
        package var ads: Bool = true
        package var coupons: Bool = true
        /// Merchants of whom nothing is wanted, subscribed or not; at most 200.
        package var muted: [PartyID] = []
        /// At most so many are sent within 24 hours; 0 to 100.
        package var perDay: Int = 20
        /// Of earlier versions, and refused: quiet hours are a setting of notifications
        /// (`notifications.settings.set.v1`).
        package let quietFrom: Int?
        package let quietTo: Int?
        /// Of earlier versions: it means nothing without quiet hours.
        package var utcOffsetMinutes: Int = 0

        package static let usual = Preferences()
    }

    package struct SetPreferences: Ask, Equatable {
        package static let type: MessageType = "offers.preferences.set.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = [.preferencesInvalid]
        package static var examples: Examples<Self> {
            Examples(
                Offers.SetPreferences(customer: Samples.customer, preferences: Samples.preferences),
                bare: Offers.SetPreferences(customer: Samples.customer, preferences: .usual),
                reply: Samples.preferences,
                bareReply: .usual)
        }
        package typealias Reply = Preferences

        package let customer: PartyID
        package let preferences: Preferences
    }

    package struct ReadPreferences: Ask, Equatable {
        package static let type: MessageType = "offers.preferences.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReadPreferences(customer: Samples.customer),
                reply: Samples.preferences,
                bareReply: .usual)
        }
        package typealias Reply = Preferences

        package let customer: PartyID
    }

    // MARK: Stars

    /// A customer's stars: one for each paid charge since the customer takes part, taken back by a refund in full.
    package struct ReadRewards: Ask, Equatable {
        package static let type: MessageType = "offers.rewards.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReadRewards(customer: Samples.customer),
                reply: Samples.rewards)
        }
        package typealias Reply = RewardsView

        package let customer: PartyID
    }

    /// Takes part in the stars, or no longer. Whoever leaves leaves the stars too.
    package struct JoinRewards: Ask, Equatable {
        package static let type: MessageType = "offers.rewards.join.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.customer, .customer)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Offers.JoinRewards(customer: Samples.customer, joined: true),
                reply: Samples.rewards)
        }
        package typealias Reply = RewardsView

        package let customer: PartyID
        package let joined: Bool
    }

    package struct RewardsView: WireMessage, Equatable {
        package let customer: PartyID
        package let joined: Bool
        /// All that are not spent.
        package let stars: Int
        /// The merchants at whom they were earned; most first, at most 100.
        package let merchants: [MerchantStars]
    }

    package struct MerchantStars: Codable, Sendable, Equatable {
        package let merchant: PartyID
        package let name: String
        package let stars: Int
    }
}
