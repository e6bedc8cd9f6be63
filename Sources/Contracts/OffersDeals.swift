import Primitives
import Wire

/// Offers as customers see them, by the same rules everywhere (001-132 … 001-138).
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
        /// How many stars at the merchant one use costs.
        package let stars: Int?

        package init(
            offer: OfferID, kind: Kind, merchant: PartyID, merchantName: String, title: String, content: String,
            expires: Timestamp, latitude: Int64? = nil, longitude: Int64? = nil, distanceMetres: Int64? = nil,
            discount: Discount? = nil, minimum: Money? = nil, stars: Int? = nil
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
    }

    package struct Deals: WireMessage, Equatable {
        package let deals: [Deal]
        /// How many there are, shown or not.
        package let total: Int64

        package init(deals: [Deal], total: Int64) {
            self.deals = deals
            self.total = total
        }
    }

    /// The customer's coupons (001-78) or ads (A54), or both: nearest first, then those without a place, the ones that end
    /// soonest first.
    package struct FindDeals: Ask, Equatable {
        package static let type: MessageType = "offers.deals.find.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.offerCoordinateInvalid]
        package typealias Reply = Deals

        package let customer: PartyID
        package let kind: Kind?
        /// Where the customer is, in millionths of a degree; the last known position, where both are absent.
        package let latitude: Int64?
        package let longitude: Int64?
        /// 1 to 100.
        package let limit: Int

        package init(customer: PartyID, kind: Kind?, latitude: Int64? = nil, longitude: Int64? = nil, limit: Int) {
            self.customer = customer
            self.kind = kind
            self.latitude = latitude
            self.longitude = longitude
            self.limit = limit
        }
    }

    /// The same by merchant's name and by kind of product (001-48), and which merchants these are.
    package struct SearchDeals: Ask, Equatable {
        package static let type: MessageType = "offers.deals.search.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.offerCoordinateInvalid]

        package struct Reply: WireMessage, Equatable {
            package let deals: [Deal]
            package let total: Int64
            /// Merchants that the search is right for, subscribed or not; by name.
            package let merchants: [MerchantFound]

            package init(deals: [Deal], total: Int64, merchants: [MerchantFound]) {
                self.deals = deals
                self.total = total
                self.merchants = merchants
            }
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

        package init(
            customer: PartyID, merchant: String?, product: String?, latitude: Int64? = nil, longitude: Int64? = nil,
            limit: Int
        ) {
            self.customer = customer
            self.merchant = merchant
            self.product = product
            self.latitude = latitude
            self.longitude = longitude
            self.limit = limit
        }
    }

    package struct MerchantFound: Codable, Sendable, Equatable {
        package let merchant: PartyID
        package let name: String
        package let productTypes: [String]
        package let subscription: Subscription

        package init(merchant: PartyID, name: String, productTypes: [String], subscription: Subscription) {
            self.merchant = merchant
            self.name = name
            self.productTypes = productTypes
            self.subscription = subscription
        }
    }

    /// One deal (001-15, 001-23), if it is or was the customer's: it can be used now, was sent, or was used.
    package struct ReadDeal: Ask, Equatable {
        package static let type: MessageType = "offers.deal.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.offerNotFound, .offerCoordinateInvalid]

        package struct Reply: WireMessage, Equatable {
            package let deal: Deal
            /// Whether the rules allow it now.
            package let usable: Bool
            /// When it was sent.
            package let sent: Timestamp?
            /// How often the customer has used it.
            package let used: Int

            package init(deal: Deal, usable: Bool, sent: Timestamp?, used: Int) {
                self.deal = deal
                self.usable = usable
                self.sent = sent
                self.used = used
            }
        }

        package let customer: PartyID
        package let offer: OfferID
        package let latitude: Int64?
        package let longitude: Int64?

        package init(customer: PartyID, offer: OfferID, latitude: Int64? = nil, longitude: Int64? = nil) {
            self.customer = customer
            self.offer = offer
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// What the customer can use now and has used before (001-22, A47).
    package struct ReadHistory: Ask, Equatable {
        package static let type: MessageType = "offers.history.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.offerCoordinateInvalid]

        package struct Reply: WireMessage, Equatable {
            /// With the first page only.
            package let usable: [Deal]
            /// Newest first.
            package let used: [UsedDeal]
            package let next: Int64?

            package init(usable: [Deal], used: [UsedDeal], next: Int64?) {
                self.usable = usable
                self.used = used
                self.next = next
            }
        }

        package let customer: PartyID
        package let latitude: Int64?
        package let longitude: Int64?
        /// The `next` of the page before.
        package let before: Int64?
        /// 1 to 100, of each.
        package let limit: Int

        package init(
            customer: PartyID, latitude: Int64? = nil, longitude: Int64? = nil, before: Int64?, limit: Int
        ) {
            self.customer = customer
            self.latitude = latitude
            self.longitude = longitude
            self.before = before
            self.limit = limit
        }
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

        package init(
            index: Int64, offer: OfferID, charge: ChargeID, merchant: PartyID, merchantName: String, title: String,
            discount: Money, time: Timestamp
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
    }

    // MARK: What a customer wants

    /// What a customer wants of a merchant (001-108, 001-109): nothing before they said so.
    package struct Subscription: Codable, Sendable, Equatable {
        package let ads: Bool
        package let coupons: Bool

        package static let none = Subscription(ads: false, coupons: false)

        package init(ads: Bool, coupons: Bool) {
            self.ads = ads
            self.coupons = coupons
        }
    }

    package struct SetSubscription: Ask, Equatable {
        package static let type: MessageType = "offers.subscription.set.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.offerMerchantNotFound, .tooManySubscriptions]
        package typealias Reply = SubscriptionView

        package let customer: PartyID
        package let merchant: PartyID
        package let subscription: Subscription

        package init(customer: PartyID, merchant: PartyID, subscription: Subscription) {
            self.customer = customer
            self.merchant = merchant
            self.subscription = subscription
        }
    }

    package struct SubscriptionView: WireMessage, Equatable {
        package let merchant: PartyID
        package let name: String
        package let subscription: Subscription

        package init(merchant: PartyID, name: String, subscription: Subscription) {
            self.merchant = merchant
            self.name = name
            self.subscription = subscription
        }
    }

    /// A customer's subscriptions, in the order of the merchants' ids.
    package struct ReadSubscriptions: Ask, Equatable {
        package static let type: MessageType = "offers.subscriptions.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []

        package struct Reply: WireMessage, Equatable {
            package let subscriptions: [SubscriptionView]
            /// Ask on behind this merchant; absent when there is no more.
            package let next: PartyID?

            package init(subscriptions: [SubscriptionView], next: PartyID?) {
                self.subscriptions = subscriptions
                self.next = next
            }
        }

        package let customer: PartyID
        package let after: PartyID?
        /// 1 to 100.
        package let limit: Int
        /// Only those to these merchants, at most 100.
        package let merchants: [PartyID]?

        package init(customer: PartyID, after: PartyID?, limit: Int, merchants: [PartyID]? = nil) {
            self.customer = customer
            self.after = after
            self.limit = limit
            self.merchants = merchants
        }
    }

    /// A customer's own limits (001-5, A85).
    package struct Preferences: WireMessage, Equatable {
        /// False: nothing is sent at all (A69). What one asks for is still shown.
        package let enabled: Bool
        /// Whether ads are wanted, and coupons.
        package let ads: Bool
        package let coupons: Bool
        /// Merchants of whom nothing is wanted, subscribed or not; at most 200.
        package let muted: [PartyID]
        /// At most so many are sent within 24 hours; 0 to 100.
        package let perDay: Int
        /// Nothing is sent from the first to the second of these, in minutes of the customer's day, 0 to 1439; both or
        /// neither. From 1320 to 420 is from 22:00 to 07:00.
        package let quietFrom: Int?
        package let quietTo: Int?
        /// How far the customer's clock is ahead of UTC, -840 to 840.
        package let utcOffsetMinutes: Int

        package static let usual = Preferences()

        package init(
            enabled: Bool = true, ads: Bool = true, coupons: Bool = true, muted: [PartyID] = [], perDay: Int = 20,
            quietFrom: Int? = nil, quietTo: Int? = nil, utcOffsetMinutes: Int = 0
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
    }

    package struct SetPreferences: Ask, Equatable {
        package static let type: MessageType = "offers.preferences.set.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.preferencesInvalid]
        package typealias Reply = Preferences

        package let customer: PartyID
        package let preferences: Preferences

        package init(customer: PartyID, preferences: Preferences) {
            self.customer = customer
            self.preferences = preferences
        }
    }

    package struct ReadPreferences: Ask, Equatable {
        package static let type: MessageType = "offers.preferences.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = Preferences

        package let customer: PartyID

        package init(customer: PartyID) { self.customer = customer }
    }

    // MARK: Stars

    /// A customer's stars: one for each paid charge since the customer takes part, taken back by a refund in full
    /// (000-1, 000-10, 001-7).
    package struct ReadRewards: Ask, Equatable {
        package static let type: MessageType = "offers.rewards.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = RewardsView

        package let customer: PartyID

        package init(customer: PartyID) { self.customer = customer }
    }

    /// Takes part in the stars, or no longer. Whoever leaves leaves the stars too.
    package struct JoinRewards: Ask, Equatable {
        package static let type: MessageType = "offers.rewards.join.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = RewardsView

        package let customer: PartyID
        package let joined: Bool

        package init(customer: PartyID, joined: Bool) {
            self.customer = customer
            self.joined = joined
        }
    }

    package struct RewardsView: WireMessage, Equatable {
        package let customer: PartyID
        package let joined: Bool
        /// All that are not spent.
        package let stars: Int
        /// Where they are from; most first, at most 100.
        package let merchants: [MerchantStars]

        package init(customer: PartyID, joined: Bool, stars: Int, merchants: [MerchantStars]) {
            self.customer = customer
            self.joined = joined
            self.stars = stars
            self.merchants = merchants
        }
    }

    package struct MerchantStars: Codable, Sendable, Equatable {
        package let merchant: PartyID
        package let name: String
        package let stars: Int

        package init(merchant: PartyID, name: String, stars: Int) {
            self.merchant = merchant
            self.name = name
            self.stars = stars
        }
    }
}
