import Primitives
import Wire

/// Why who gets what: the rules one by one, how many they leave, and sending by hand.
extension Offers {
    /// What has to hold for a customer to get an offer. The last three are about sending; a customer who asks is shown
    /// offers without regard to them.
    package enum Rule: String, Codable, Sendable, CaseIterable {
        /// Accepted by the administrator, as it is now (001-138, A35).
        case approval
        case enabled
        /// Its merchant is approved (A36).
        case merchant
        /// Not before `sendTime`, not after `expDate` (001-135).
        case time
        /// 001-132.
        case age
        /// 001-133.
        case gender
        /// 001-134.
        case student
        /// 001-137.
        case subscription
        /// The customer wants this type, ads or coupons (001-5).
        case types
        /// The customer has not muted the merchant (001-5).
        case sources
        /// What the customer has paid at the merchant (001-4).
        case history
        /// The coupon is not used up.
        case uses
        /// The customer has the stars that it costs (A58).
        case stars
        /// 001-136.
        case place
        /// The customer is sent offers at all (A69).
        case participation
        /// The customer's own limit in 24 hours (001-5).
        case amount
        /// Not in the customer's quiet hours (A85).
        case quiet
    }

    package struct Verdict: Codable, Sendable, Equatable {
        package let rule: Rule
        /// What the offer asks for, or the customer wants; `any` where nobody restricts it.
        package let wanted: String
        /// What there is. Of a position only whether it is near.
        package let found: String
        package let passes: Bool

        package init(rule: Rule, wanted: String, found: String, passes: Bool) {
            self.rule = rule
            self.wanted = wanted
            self.found = found
            self.passes = passes
        }
    }

    /// All rules for one customer and one offer, each with its values and verdict. For administrators.
    package struct ExplainOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.explain.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [
            .offerNotFound, .offerCustomerNotFound, .offerCoordinateInvalid
        ]

        package struct Reply: WireMessage, Equatable {
            package let offer: OfferID
            package let customer: PartyID
            /// Whether the customer is shown it now, and would be sent it now.
            package let shown: Bool
            package let sent: Bool
            package let verdicts: [Verdict]

            package init(offer: OfferID, customer: PartyID, shown: Bool, sent: Bool, verdicts: [Verdict]) {
                self.offer = offer
                self.customer = customer
                self.shown = shown
                self.sent = sent
                self.verdicts = verdicts
            }
        }

        package let offer: OfferID
        package let customer: PartyID
        /// As if the customer were there; the last known position, where both are absent.
        package let latitude: Int64?
        package let longitude: Int64?

        package init(offer: OfferID, customer: PartyID, latitude: Int64? = nil, longitude: Int64? = nil) {
            self.offer = offer
            self.customer = customer
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// How many customers an offer would reach as if it were accepted and its time had come: a dry run, for its merchant
    /// and for the administrator. Where customers are and what hour it is for them is left out.
    package struct CountAudience: Ask, Equatable {
        package static let type: MessageType = "offers.audience.count.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.offerNotFound]

        package struct Reply: WireMessage, Equatable {
            package let offer: OfferID
            /// All customers, and those of them who subscribe to this merchant's offers of this kind.
            package let customers: Int64
            package let subscribed: Int64
            /// Whom every rule lets have it.
            package let audience: Int64
            /// Subscribers whom a rule keeps from it, by rule; one may be counted under several.
            package let excluded: [Excluded]

            package init(
                offer: OfferID, customers: Int64, subscribed: Int64, audience: Int64, excluded: [Excluded]
            ) {
                self.offer = offer
                self.customers = customers
                self.subscribed = subscribed
                self.audience = audience
                self.excluded = excluded
            }
        }

        package struct Excluded: Codable, Sendable, Equatable {
            package let rule: Rule
            package let customers: Int64

            package init(rule: Rule, customers: Int64) {
                self.rule = rule
                self.customers = customers
            }
        }

        package let offer: OfferID

        package init(offer: OfferID) { self.offer = offer }
    }

    /// Sends a live offer to the customers near the merchant's places whom the rules allow it, each once (001-6, 001-19).
    /// Keyed on `push`.
    package struct PushOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.push.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .offerNotFound, .offerNotLive, .offerPlaceNotFound, .idReusedForCoupon
        ]

        package struct Reply: WireMessage, Equatable {
            /// Customers that were near.
            package let nearby: Int64
            /// Those of them who are sent it now.
            package let sent: Int64
            package let replayed: Bool

            package init(nearby: Int64, sent: Int64, replayed: Bool) {
                self.nearby = nearby
                self.sent = sent
                self.replayed = replayed
            }
        }

        package let push: OperationID
        package let offer: OfferID
        package let merchant: PartyID
        /// One of the merchant's own; all of them where it is absent.
        package let place: PlaceID?

        package init(push: OperationID, offer: OfferID, merchant: PartyID, place: PlaceID?) {
            self.push = push
            self.offer = offer
            self.merchant = merchant
            self.place = place
        }
    }
}
