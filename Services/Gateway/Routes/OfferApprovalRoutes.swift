import Contracts
import Primitives
import Schemas
import Wire

/// What was seen when it was accepted.
package struct OfferApproval: RequestBody, Equatable {
    package let revision: Int64?

    static let notes: [String: SchemaNote] = [
        "revision": SchemaNote("What was read; the newest where none is given.")
    ]
}

/// Why an offer is rejected.
package struct OfferRejection: RequestBody, Equatable {
    package let reason: String
    package let revision: Int64?

    static let notes: [String: SchemaNote] = [
        "reason": SchemaNote("For the merchant; at most 255 characters.", lengths: 1...255, example: "Too loud"),
        "revision": SchemaNote("What was read; the newest where none is given.")
    ]
}

extension RouteTable {
    /// Administrators list, approve and reject ads and coupons.
    static let offerApprovals = [
        Route(
            .get, "/v1/offers/pending", "readPendingOffers", "Ads and coupons that wait for approval, newest first",
            for: .administrator, query: QueryParameter.page, asks: [Offers.ReadPending.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.OffersPage> in
            Given(
                try await call.ask(
                    Offers.ReadPending(before: try call.query.before(), limit: try call.query.limit())))
        },
        Route(
            .post, "/v1/offers/{offer}/approval", "approveOffer", "Accepts an ad or a coupon", for: .administrator,
            bodyIsOptional: true, asks: [Offers.ReadOffer.self, Offers.DecideOffer.self]
        ) { (call: Call, body: OfferApproval) async throws(Fault) -> Given<Offers.OfferView> in
            try await decide(call, .accepted, reason: nil, revision: body.revision)
        },
        Route(
            .post, "/v1/offers/{offer}/rejection", "rejectOffer", "Rejects an ad or a coupon, accepted or not",
            for: .administrator, asks: [Offers.ReadOffer.self, Offers.DecideOffer.self]
        ) { (call: Call, body: OfferRejection) async throws(Fault) -> Given<Offers.OfferView> in
            try await decide(call, .rejected, reason: body.reason, revision: body.revision)
        },
        Route(
            .get, "/v1/offers/{offer}/explanation", "explainOffer",
            "Every rule for one customer and one ad or coupon, with its values and verdict", for: .administrator,
            query: [.customer] + QueryParameter.point, asks: [Offers.ExplainOffer.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Offers.ExplainOffer.Reply> in
            Given(
                try await call.ask(
                    Offers.ExplainOffer(
                        offer: call.id(), customer: try call.query.customer(), latitude: try call.query.latitude(),
                        longitude: try call.query.longitude())))
        }
    ]

    private static func decide(
        _ call: Call, _ accepted: Offers.Acceptance, reason: String?, revision: Int64?
    ) async throws(Fault) -> Given<Offers.OfferView> {
        let offer: OfferID = call.id()
        let seen =
            if let revision { revision } else { try await call.ask(Offers.ReadOffer(offer: offer)).revision }
        let decided = try await call.ask(
            Offers.DecideOffer(offer: offer, revision: seen, accepted: accepted, reason: reason))
        return Given(decided.offer, replayed: decided.replayed)
    }
}
