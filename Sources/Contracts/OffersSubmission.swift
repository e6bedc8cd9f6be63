import Primitives
import Wire

/// From a merchant's draft to an offer that customers get, and back to pending with each edit.
extension Offers {
    /// Submits an ad or a coupon for approval. Keyed on `offer`.
    package struct SubmitOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.submit.v1"
        package static let effect: Effect<Self> = .keyed(by: \.offer)
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [
            .offerInvalid, .offerCoordinateInvalid, .tooManyOffers, .idReusedForCoupon
        ]
        package static var examples: Examples<Self> {
            Examples(
                Offers.SubmitOffer(
                    offer: Samples.offer, kind: .coupon, merchant: Samples.merchant, terms: Samples.terms),
                bare: Offers.SubmitOffer(
                    offer: Samples.offer, kind: .ad, merchant: Samples.merchant, terms: Samples.bareTerms),
                reply: Offers.OfferReply(offer: Samples.offerView, replayed: false),
                bareReply: Offers.OfferReply(offer: Samples.bareOfferView, replayed: true))
        }
        package typealias Reply = OfferReply

        package let offer: OfferID
        package let kind: Kind
        package let merchant: PartyID
        package let terms: Terms
    }

    /// Changes an offer, which is pending again; the same terms as before change nothing. A time that is absent stays
    /// as it is.
    package struct EditOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.edit.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [
            .offerNotFound, .offerChanged, .offerInvalid, .offerCoordinateInvalid, .tooManyOffers
        ]
        package static var examples: Examples<Self> {
            Examples(
                Offers.EditOffer(offer: Samples.offer, merchant: Samples.merchant, revision: 2, terms: Samples.terms),
                bare: Offers.EditOffer(
                    offer: Samples.offer, merchant: Samples.merchant, revision: nil, terms: Samples.bareTerms),
                reply: Samples.offerView,
                bareReply: Samples.bareOfferView)
        }
        package typealias Reply = OfferView

        package let offer: OfferID
        package let merchant: PartyID
        /// What was edited, so that a late repeat undoes nothing; whatever there is, where it is absent.
        package let revision: Int64?
        package let terms: Terms
    }

    /// Enables or disables an offer; approval stays as it is.
    package struct EnableOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.enable.v1"
        package static let effect: Effect<Self> = .idempotent
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = [.offerNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Offers.EnableOffer(offer: Samples.offer, merchant: Samples.merchant, enabled: true),
                reply: Samples.offerView,
                bareReply: Samples.bareOfferView)
        }
        package typealias Reply = OfferView

        package let offer: OfferID
        package let merchant: PartyID
        package let enabled: Bool
    }

    /// The administrator accepts or rejects what they saw. Keyed on `offer` and `revision`. What was accepted may still
    /// be rejected; what was rejected has to be edited first.
    package struct DecideOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.decide.v1"
        package static let effect: Effect<Self> = .keyed(by: \.offer, \.revision)
        package static let access: Access<Self> = .any(.administrator)
        package static let limits: [Limit<Self>] = [
            .text(\.reason, characters: 1...255, or: .offerInvalid, example: "Says nothing of its price")
        ]
        package static let faults: [FaultCode] = [.offerNotFound, .offerChanged, .offerDecided, .offerInvalid]
        package static var examples: Examples<Self> {
            Examples(
                Offers.DecideOffer(offer: Samples.offer, revision: 2, accepted: .rejected, reason: "Too loud"),
                bare: Offers.DecideOffer(offer: Samples.offer, revision: 2, accepted: .accepted, reason: nil),
                reply: Offers.OfferReply(offer: Samples.offerView, replayed: false))
        }
        package typealias Reply = OfferReply

        package let offer: OfferID
        package let revision: Int64
        /// `accepted` or `rejected`.
        package let accepted: Acceptance
        /// Why it is rejected, for the merchant: at most 255 characters. Absent where it is accepted.
        package let reason: String?
    }

    /// One offer, for its merchant and for the administrator; to nobody else does it exist.
    package struct ReadOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .any(.merchant, .administrator)
        package static let faults: [FaultCode] = [.offerNotFound]
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReadOffer(offer: Samples.offer),
                reply: Samples.offerView,
                bareReply: Samples.bareOfferView)
        }
        package typealias Reply = OfferView

        package let offer: OfferID
    }

    /// A merchant's own offers, newest first.
    package struct ReadOffers: Ask, Equatable {
        package static let type: MessageType = "offers.offers.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 10)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReadOffers(
                    merchant: Samples.merchant, kind: .coupon, accepted: .accepted, before: 4711, limit: 20),
                bare: Offers.ReadOffers(merchant: Samples.merchant, kind: nil, before: nil, limit: 1),
                reply: Offers.OffersPage(offers: [Samples.offerView], next: 4711),
                bareReply: Offers.OffersPage(offers: [], next: nil))
        }
        package typealias Reply = OffersPage

        package let merchant: PartyID
        package let kind: Kind?
        /// Only those of which the administrator has said so: the merchant's apps show what is approved.
        package let accepted: Acceptance?
        /// The `next` of the page before.
        package let before: Int64?
        /// 1 to 100.
        package let limit: Int
    }

    /// The offers that wait for approval, newest first. For administrators.
    package struct ReadPending: Ask, Equatable {
        package static let type: MessageType = "offers.pending.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .any(.administrator)
        package static let limits: [Limit<Self>] = [.number(\.limit, 1...100, example: 10)]
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReadPending(before: 4711, limit: 20),
                bare: Offers.ReadPending(before: nil, limit: 1),
                reply: Offers.OffersPage(offers: [Samples.bareOfferView], next: 4711),
                bareReply: Offers.OffersPage(offers: [], next: nil))
        }
        package typealias Reply = OffersPage

        package let before: Int64?
        /// 1 to 100.
        package let limit: Int
    }

    /// The kinds of products that a merchant says it has (auth keeps them), each under an index of its own.
    package struct ReadProductTypes: Ask, Equatable {
        package static let type: MessageType = "offers.products.read.v1"
        package static let effect: Effect<Self> = .reads
        package static let access: Access<Self> = .only(\.merchant, .merchant)
        package static let faults: [FaultCode] = []
        package static var examples: Examples<Self> {
            Examples(
                Offers.ReadProductTypes(merchant: Samples.merchant),
                reply: Samples.productTypes,
                bareReply: Offers.ProductTypes(merchant: Samples.merchant, types: []))
        }
        package typealias Reply = ProductTypes

        package let merchant: PartyID
    }

    package struct ProductTypes: WireMessage, Equatable {
        package let merchant: PartyID
        package let types: [ProductType]
    }

    package struct ProductType: Codable, Sendable, Equatable {
        package let productIndex: Int64
        package let type: String
    }

    // MARK: Facts

    /// A merchant submitted an offer, or an edit of it: the administrator has something to decide.
    package struct OfferSubmitted: Fact, Equatable {
        package static let type: MessageType = "offers.offer.submitted.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Offers.OfferSubmitted(
                    offer: Samples.offer, kind: .coupon, merchant: Samples.merchant, title: Samples.terms.title,
                    revision: 1, time: Samples.time))
        }
        package let offer: OfferID
        package let kind: Kind
        package let merchant: PartyID
        package let title: String
        package let revision: Int64
        package let time: Timestamp
    }
}
