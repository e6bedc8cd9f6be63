import Primitives
import Wire

/// All that one may ask of offers, or hear from it: ads, coupons, who gets them, and stars.
package enum Offers: FactSource {
    package static let service = "offers"

    package enum Kind: String, Codable, Sendable, CaseIterable {
        case ad, coupon
    }

    /// A35.
    package enum Acceptance: String, Codable, Sendable, CaseIterable {
        case pending, accepted, rejected
    }

    /// Why a customer was sent an offer.
    package enum Occasion: String, Codable, Sendable, CaseIterable {
        /// The merchant pushed it to customers nearby (001-19).
        case pushed
        /// The customer came to a place of the merchant (001-3, 001-4).
        case entered
    }

    /// The administrator decided on an offer.
    package struct OfferDecided: Fact, Equatable {
        package static let type: MessageType = "offers.offer.decided.v1"
        package let offer: OfferID
        package let kind: Kind
        package let merchant: PartyID
        package let title: String
        /// `accepted` or `rejected`.
        package let acceptance: Acceptance
        /// Why it was rejected, for the merchant.
        package let reason: String?
        package let time: Timestamp

        package init(
            offer: OfferID, kind: Kind, merchant: PartyID, title: String, acceptance: Acceptance, reason: String?,
            time: Timestamp
        ) {
            self.offer = offer
            self.kind = kind
            self.merchant = merchant
            self.title = title
            self.acceptance = acceptance
            self.reason = reason
            self.time = time
        }
    }

    /// An offer was directed to a customer, whose rules and limits all allow it (001-4, 001-132 … 001-138). At most once
    /// an offer and customer.
    package struct OfferSent: Fact, Equatable {
        package static let type: MessageType = "offers.offer.sent.v1"
        package let offer: OfferID
        package let kind: Kind
        package let merchant: PartyID
        package let merchantName: String
        package let customer: PartyID
        package let title: String
        package let content: String
        package let occasion: Occasion
        /// The place that it was about.
        package let place: PlaceID?
        /// When the offer ends.
        package let expires: Timestamp
        package let time: Timestamp

        package init(
            offer: OfferID, kind: Kind, merchant: PartyID, merchantName: String, customer: PartyID, title: String,
            content: String, occasion: Occasion, place: PlaceID?, expires: Timestamp, time: Timestamp
        ) {
            self.offer = offer
            self.kind = kind
            self.merchant = merchant
            self.merchantName = merchantName
            self.customer = customer
            self.title = title
            self.content = content
            self.occasion = occasion
            self.place = place
            self.expires = expires
            self.time = time
        }
    }
}
