import Primitives
import Wire

/// Why who gets what: the rules one by one, how many they leave, and sending by hand.
extension Offers {
    /// What has to hold for a customer to get an offer. The last are about sending; a customer who asks is shown
    /// offers without regard to them.
    package enum Rule: String, Codable, Sendable, CaseIterable {
        /// Accepted by the administrator, as it is now.
        case approval
        case enabled
        /// Its merchant is approved.
        case merchant
        /// Not before `sendTime`, not after `expDate`.
        case time
        case age
        case gender
        case student
        case subscription
        /// The customer wants this type, ads or coupons.
        case types
        /// The customer has not muted the merchant.
        case sources
        /// The customer's payments at the merchant.
        case history
        /// The coupon is not used up.
        case uses
        /// The customer has the stars that it costs.
        case stars
        case place
        /// The customer is sent offers at all.
        case participation
        /// The customer's own limit in 24 hours.
        case amount
        /// Not in the customer's quiet hours. Of earlier versions: now notifications has them, and puts off what is
        /// sent.
        case quiet
    }

    package struct Verdict: Codable, Sendable, Equatable {
        package let rule: Rule
        /// What the offer asks for, or the customer wants; `any` where nobody restricts it.
        package let wanted: String
        /// What there is. Of a position only whether it is near.
        package let found: String
        package let passes: Bool
    }

    /// All rules for one customer and one offer, each with its values and verdict. For administrators.
    package struct ExplainOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.explain.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .any(.administrator)
        package static let limits: [Limit<Self>] = [
            .latitude(\.latitude, or: .offerCoordinateInvalid),
            .longitude(\.longitude, or: .offerCoordinateInvalid)
        ]
        package static let faults: [FaultCode] = [
            .offerNotFound, .offerCustomerNotFound, .offerCoordinateInvalid
        ]
        package static var examples: Examples<Self> {
            Examples(
                Offers.ExplainOffer(
                    offer: Samples.offer, customer: Samples.customer, latitude: 35_198_284, longitude: -111_651_302),
                bare: Offers.ExplainOffer(offer: Samples.offer, customer: Samples.customer),
                reply: Offers.ExplainOffer.Reply(
                    offer: Samples.offer, customer: Samples.customer, shown: false, sent: false,
                    verdicts: [
                        Offers.Verdict(rule: .age, wanted: "18 to 25", found: "31", passes: false),
                        Offers.Verdict(rule: .place, wanted: "within 200 m", found: "within", passes: true)
                    ]))
        }

        package struct Reply: WireMessage, Equatable {
            package let offer: OfferID
            package let customer: PartyID
            /// Whether the customer is shown it now, and would be sent it now.
            package let shown: Bool
            package let sent: Bool
            package let verdicts: [Verdict]
        }

        package let offer: OfferID
        package let customer: PartyID
        /// As if the customer were there; the last known position, where both are absent.
        package let latitude: Int64?
        package let longitude: Int64?
    }

    /// How many customers an offer would reach as if it were accepted and its time had come: a dry run, for its
    /// merchant and for the administrator. Where customers are and what hour it is for them is left out.
    package struct CountAudience: Ask, Equatable {
        package static let type: MessageType = "offers.audience.count.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .any(.merchant, .administrator)
        package static let faults: [FaultCode] = [.offerNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Offers.CountAudience(offer: Samples.offer),
                reply: Offers.CountAudience.Reply(
                    offer: Samples.offer, customers: 1000, subscribed: 100, audience: 42,
                    excluded: [Offers.CountAudience.Excluded(rule: .age, customers: 58)]))
        }

        package struct Reply: WireMessage, Equatable {
            package let offer: OfferID
            /// All customers, and those of them who subscribe to this merchant's offers of this kind.
            package let customers: Int64
            package let subscribed: Int64
            /// Whom every rule lets have it.
            package let audience: Int64
            /// Subscribers whom a rule keeps from it, by rule; one may be counted under several.
            package let excluded: [Excluded]
        }

        package struct Excluded: Codable, Sendable, Equatable {
            package let rule: Rule
            package let customers: Int64
        }

        package let offer: OfferID
    }

    /// Sends a live offer to the customers near the merchant's places whom the rules allow it, each once.
    /// Keyed on `push`.
    package struct PushOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.push.v1"
        package static let effect: Effect<Self> = .keyed(by: \.push)
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [
            .offerNotFound, .offerNotLive, .offerPlaceNotFound, .idReusedForCoupon
        ]
        package static var examples: Examples<Self> {
            Examples(
                Offers.PushOffer(
                    push: Samples.push, offer: Samples.offer, merchant: Samples.merchant, place: Samples.place),
                bare: Offers.PushOffer(
                    push: Samples.push, offer: Samples.offer, merchant: Samples.merchant, place: nil),
                reply: Offers.PushOffer.Reply(nearby: 7, sent: 3, replayed: false))
        }

        package struct Reply: WireMessage, Equatable {
            /// Customers that were near.
            package let nearby: Int64
            /// Those of them who are sent it now.
            package let sent: Int64
            package let replayed: Bool
        }

        package let push: OperationID
        package let offer: OfferID
        package let merchant: PartyID
        /// One of the merchant's own; all of them where it is absent.
        package let place: PlaceID?
    }
}
