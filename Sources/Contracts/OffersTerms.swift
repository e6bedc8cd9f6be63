import Primitives
import Wire

extension Offers {
    /// What a merchant writes of an offer: what it says, for whom, when and
    /// where. A bound that is absent restricts nobody.
    package struct Terms: Codable, Sendable, Equatable {
        package static let limits: [Limit<Self>] = [
            .text(\.title, 1...100, or: .offerInvalid, example: "Half price"),
            .text(\.content, characters: 1...255, or: .offerInvalid, example: "All day"),
            .number(\.minAge, 0...150, or: .offerInvalid),
            .number(\.maxAge, 0...150, or: .offerInvalid),
            .latitude(\.targetLat, or: .offerCoordinateInvalid),
            .longitude(\.targetLon, or: .offerCoordinateInvalid),
            .number(\.radiusMetres, 1...10_000, or: .offerInvalid),
            .number(\.minVisits, 0...10_000, or: .offerInvalid),
            .number(\.maxVisits, 0...10_000, or: .offerInvalid),
            .number(\.withinDays, 1...3650, or: .offerInvalid),
            .number(\.usesPerCustomer, 1...1_000_000_000, or: .offerInvalid),
            .number(\.usesInAll, 1...1_000_000_000, or: .offerInvalid),
            .number(\.stars, 1...10_000, or: .offerInvalid)
        ]

        /// 1 to 100 bytes of UTF-8.
        package let title: String
        /// 1 to 255 characters.
        package let content: String
        /// Whole years on the send date, 0 to 150, both inclusive.
        package let minAge: Int?
        package let maxAge: Int?
        package let targetGender: Auth.Gender?
        /// Whether it is for students only.
        package let student: Bool
        /// Nothing is sent or shown before; when it was submitted, where it is absent.
        package let sendTime: Timestamp?
        /// Nothing is sent or shown after; 30 days after `sendTime`, where it is absent.
        package let expDate: Timestamp?
        /// Millionths of a degree; both or neither. Where they are absent, customers get it wherever they are.
        package let targetLat: Int64?
        package let targetLon: Int64?
        /// 1 to 10,000 around the target; 200 where it is absent.
        package let radiusMetres: Int64?
        /// Paid charges at the merchant, at least and at most: 0 at most is «not been here yet».
        package let minVisits: Int?
        package let maxVisits: Int?
        /// The last of them at most so many days ago.
        package let withinDays: Int?
        /// Whether customers get it when they come to a place of the merchant.
        package let sendOnEntry: Bool
        /// The coupon's discount. One without is shown and redeems nothing by itself.
        package let discount: Discount?
        /// The least charge that the coupon can be used for.
        package let minimum: Money?
        /// Uses by one customer; one, where it is absent.
        package let usesPerCustomer: Int?
        /// Uses in all; without a limit, where it is absent.
        package let usesInAll: Int?
        /// Stars at the merchant that one use costs: the merchant's loyalty programme.
        package let stars: Int?

        package init(
            title: String, content: String, minAge: Int? = nil, maxAge: Int? = nil, targetGender: Auth.Gender? = nil,
            student: Bool = false, sendTime: Timestamp? = nil, expDate: Timestamp? = nil, targetLat: Int64? = nil,
            targetLon: Int64? = nil, radiusMetres: Int64? = nil, minVisits: Int? = nil, maxVisits: Int? = nil,
            withinDays: Int? = nil, sendOnEntry: Bool = false, discount: Discount? = nil, minimum: Money? = nil,
            usesPerCustomer: Int? = nil, usesInAll: Int? = nil, stars: Int? = nil
        ) {
            self.title = title
            self.content = content
            self.minAge = minAge
            self.maxAge = maxAge
            self.targetGender = targetGender
            self.student = student
            self.sendTime = sendTime
            self.expDate = expDate
            self.targetLat = targetLat
            self.targetLon = targetLon
            self.radiusMetres = radiusMetres
            self.minVisits = minVisits
            self.maxVisits = maxVisits
            self.withinDays = withinDays
            self.sendOnEntry = sendOnEntry
            self.discount = discount
            self.minimum = minimum
            self.usesPerCustomer = usesPerCustomer
            self.usesInAll = usesInAll
            self.stars = stars
        }
    }

    /// A fixed amount or a part of the charge; exactly one of the two.
    package struct Discount: Codable, Sendable, Equatable {
        package let amount: Money?
        /// 1 to 99, of the charge's amount, rounded half up.
        package let percent: Int?
    }

    /// An offer as its merchant and the administrator see it.
    package struct OfferView: WireMessage, Equatable {
        package let offer: OfferID
        package let kind: Kind
        package let merchant: PartyID
        /// With `sendTime` and `expDate`, whoever chose them.
        package let terms: Terms
        package let accepted: Acceptance
        /// Why it was rejected.
        package let reason: String?
        package let enabled: Bool
        /// Counts edits, from 1: what the administrator saw is what is decided on.
        package let revision: Int64
        package let submitted: Timestamp
        /// Absent while it is pending.
        package let decided: Timestamp?
        /// When it was sent by itself to all whom it is for: at `sendTime`, or when it was accepted later. Absent
        /// before, and for an offer that is sent on entry.
        package let pushed: Timestamp?
        /// The newest revision that was approved, to compare it with what waits now. Absent while the offer is
        /// accepted, and where none is known.
        package let lastApproved: ApprovedRevision?
    }

    /// A revision of an offer that an administrator has approved.
    package struct ApprovedRevision: Codable, Sendable, Equatable {
        package let revision: Int64
        /// With `sendTime` and `expDate`, whoever chose them.
        package let terms: Terms
    }

    package struct OfferReply: WireMessage, Equatable {
        package let offer: OfferView
        package let replayed: Bool
    }

    package struct OffersPage: WireMessage, Equatable {
        package let offers: [OfferView]
        /// Where to ask on; absent when there is no more.
        package let next: Int64?
    }
}
