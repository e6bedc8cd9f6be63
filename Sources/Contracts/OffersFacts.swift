import Primitives
import Wire

/// Ads and coupons: who wrote them, whom they are for, what was used; and stars.
package enum Offers: FactConsumer, StateOwner, TableSource {
    package static let service = "offers"
    package static var sample: any Fact { Samples.redeemed }
    package static var sampleTable: PrintedTable { .coupons }
    package static var consumes: [any FactSource.Type] { [Auth.self, Location.self, Payments.self] }
    package static var withoutFacts: String {
        "Accounts, visits and payments of facts that are left out are unknown: their stars are missing."
    }
    package static var withRepeatedFacts: String {
        "Payments of facts that are applied a second time count twice, as visits and as stars."
    }

    package enum Kind: String, Codable, Sendable, CaseIterable {
        case ad, coupon
    }

    package enum Acceptance: String, Codable, Sendable, CaseIterable {
        case pending, accepted, rejected
    }

    /// Why a customer was sent an offer.
    package enum Occasion: String, Codable, Sendable, CaseIterable {
        /// The merchant pushed it to customers nearby.
        case pushed
        /// The customer came to a place of the merchant.
        case entered
        /// The offer's `sendTime` had come.
        case scheduled
    }

    /// The administrator decided on an offer.
    package struct OfferDecided: Fact, Equatable {
        package static let type: MessageType = "offers.offer.decided.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Offers.OfferDecided(
                    offer: Samples.offer, kind: .coupon, merchant: Samples.merchant, title: Samples.terms.title,
                    acceptance: .rejected,
                    reason: "Too loud", time: Samples.time),
                bare: Offers.OfferDecided(
                    offer: Samples.offer, kind: .ad, merchant: Samples.merchant, title: Samples.terms.title,
                    acceptance: .accepted, reason: nil,
                    time: Samples.time))
        }
        package let offer: OfferID
        package let kind: Kind
        package let merchant: PartyID
        package let title: String
        /// `accepted` or `rejected`.
        package let acceptance: Acceptance
        /// Why it was rejected, for the merchant.
        package let reason: String?
        package let time: Timestamp
    }

    /// Quiet hours that an earlier version of offers had stored. Notifications has them from then on, unless the
    /// customer has set others there.
    package struct QuietHoursMoved: Fact, Equatable {
        package static let type: MessageType = "offers.quiethours.moved.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Offers.QuietHoursMoved(customer: Samples.customer, from: 1320, until: 420, offset: -420))
        }
        package let customer: PartyID
        /// Minutes after midnight.
        package let from: Int64
        package let until: Int64
        /// Minutes that local time is ahead of UTC.
        package let offset: Int64
    }

    /// An offer was directed to a customer, whose rules and limits all allow it. At most once
    /// an offer and customer.
    package struct OfferSent: Fact, Equatable {
        package static let type: MessageType = "offers.offer.sent.v1"
        package static var examples: FactExamples<Self> {
            FactExamples(
                Samples.sentOffer(Samples.place),
                bare: Samples.sentOffer(nil))
        }
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
    }
}
