import Primitives
import Wire

/// From a merchant's draft to an offer that customers get, and back to pending with each edit (A35).
extension Offers {
    /// Submits an ad or a coupon for approval (001-65, 001-66). Keyed on `offer`.
    package struct SubmitOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.submit.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [
            .offerInvalid, .offerCoordinateInvalid, .tooManyOffers, .idReusedForCoupon
        ]
        package typealias Reply = OfferReply

        package let offer: OfferID
        package let kind: Kind
        package let merchant: PartyID
        package let terms: Terms

        package init(offer: OfferID, kind: Kind, merchant: PartyID, terms: Terms) {
            self.offer = offer
            self.kind = kind
            self.merchant = merchant
            self.terms = terms
        }
    }

    /// Changes an offer, which is pending again; the same terms as before change nothing. A time that is absent stays as
    /// it is.
    package struct EditOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.edit.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [
            .offerNotFound, .offerChanged, .offerInvalid, .offerCoordinateInvalid
        ]
        package typealias Reply = OfferView

        package let offer: OfferID
        package let merchant: PartyID
        /// What was edited, so that a late repeat undoes nothing; whatever there is, where it is absent.
        package let revision: Int64?
        package let terms: Terms

        package init(offer: OfferID, merchant: PartyID, revision: Int64?, terms: Terms) {
            self.offer = offer
            self.merchant = merchant
            self.revision = revision
            self.terms = terms
        }
    }

    /// Enables or disables an offer; approval stays as it is.
    package struct EnableOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.enable.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.offerNotFound]
        package typealias Reply = OfferView

        package let offer: OfferID
        package let merchant: PartyID
        package let enabled: Bool

        package init(offer: OfferID, merchant: PartyID, enabled: Bool) {
            self.offer = offer
            self.merchant = merchant
            self.enabled = enabled
        }
    }

    /// The administrator accepts or rejects what they saw. Keyed on `offer` and `revision`. What was accepted may still be
    /// rejected; what was rejected has to be edited first.
    package struct DecideOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.decide.v1"
        package static let retry = RetryClass.keyed
        package static let faults: [FaultCode] = [.offerNotFound, .offerChanged, .offerDecided, .offerInvalid]
        package typealias Reply = OfferReply

        package let offer: OfferID
        package let revision: Int64
        /// `accepted` or `rejected`.
        package let accepted: Acceptance
        /// Why it is rejected, for the merchant: at most 255 characters. Absent where it is accepted.
        package let reason: String?

        package init(offer: OfferID, revision: Int64, accepted: Acceptance, reason: String?) {
            self.offer = offer
            self.revision = revision
            self.accepted = accepted
            self.reason = reason
        }
    }

    /// One offer, for its merchant and for the administrator; to nobody else does it exist.
    package struct ReadOffer: Ask, Equatable {
        package static let type: MessageType = "offers.offer.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = [.offerNotFound]
        package typealias Reply = OfferView

        package let offer: OfferID

        package init(offer: OfferID) { self.offer = offer }
    }

    /// A merchant's own offers, newest first.
    package struct ReadOffers: Ask, Equatable {
        package static let type: MessageType = "offers.offers.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = OffersPage

        package let merchant: PartyID
        package let kind: Kind?
        /// Only those of which the administrator has said so: the merchant's apps show what is approved (001-19).
        package let accepted: Acceptance?
        /// The `next` of the page before.
        package let before: Int64?
        /// 1 to 100.
        package let limit: Int

        package init(merchant: PartyID, kind: Kind?, accepted: Acceptance? = nil, before: Int64?, limit: Int) {
            self.merchant = merchant
            self.kind = kind
            self.accepted = accepted
            self.before = before
            self.limit = limit
        }
    }

    /// What waits for approval, newest first. For administrators.
    package struct ReadPending: Ask, Equatable {
        package static let type: MessageType = "offers.pending.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = OffersPage

        package let before: Int64?
        /// 1 to 100.
        package let limit: Int

        package init(before: Int64?, limit: Int) {
            self.before = before
            self.limit = limit
        }
    }

    /// The kinds of products that a merchant says it has (auth keeps them), each under an index of its own (001-117).
    package struct ReadProductTypes: Ask, Equatable {
        package static let type: MessageType = "offers.products.read.v1"
        package static let retry = RetryClass.idempotent
        package static let faults: [FaultCode] = []
        package typealias Reply = ProductTypes

        package let merchant: PartyID

        package init(merchant: PartyID) { self.merchant = merchant }
    }

    package struct ProductTypes: WireMessage, Equatable {
        package let merchant: PartyID
        package let types: [ProductType]

        package init(merchant: PartyID, types: [ProductType]) {
            self.merchant = merchant
            self.types = types
        }
    }

    package struct ProductType: Codable, Sendable, Equatable {
        package let productIndex: Int64
        package let type: String

        package init(productIndex: Int64, type: String) {
            self.productIndex = productIndex
            self.type = type
        }
    }

    // MARK: Facts

    /// A merchant submitted an offer, or an edit of it: the administrator has something to decide.
    package struct OfferSubmitted: Fact, Equatable {
        package static let type: MessageType = "offers.offer.submitted.v1"
        package let offer: OfferID
        package let kind: Kind
        package let merchant: PartyID
        package let title: String
        package let revision: Int64
        package let time: Timestamp

        package init(
            offer: OfferID, kind: Kind, merchant: PartyID, title: String, revision: Int64, time: Timestamp
        ) {
            self.offer = offer
            self.kind = kind
            self.merchant = merchant
            self.title = title
            self.revision = revision
            self.time = time
        }
    }
}
