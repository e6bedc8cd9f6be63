// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Offers.Terms: Shape {
    package static var summary: String { "What a merchant writes of an offer: what it says, for whom, when and where. A bound that is absent restricts nobody." }
    package static var fields: [Field<Self>] {
        [
            Field("title", \.title, "1 to 100 bytes of UTF-8."),
            Field("content", \.content, "1 to 255 characters."),
            Field("minAge", \.minAge, "Whole years on the send date, 0 to 150, both inclusive."),
            Field("maxAge", \.maxAge),
            Field("targetGender", \.targetGender),
            Field("student", \.student, "Whether it is for students only."),
            Field("sendTime", \.sendTime, "Nothing is sent or shown before; when it was submitted, where it is absent."),
            Field("expDate", \.expDate, "Nothing is sent or shown after; 30 days after `sendTime`, where it is absent."),
            Field("targetLat", \.targetLat, "Millionths of a degree; both or neither. Where they are absent, customers get it wherever they are."),
            Field("targetLon", \.targetLon),
            Field("radiusMetres", \.radiusMetres, "1 to 10,000 around the target; 200 where it is absent."),
            Field("minVisits", \.minVisits, "Paid charges at the merchant, at least and at most: 0 at most is «not been here yet»."),
            Field("maxVisits", \.maxVisits),
            Field("withinDays", \.withinDays, "The last of them at most so many days ago."),
            Field("sendOnEntry", \.sendOnEntry, "Whether customers get it when they come to a place of the merchant."),
            Field("discount", \.discount, "The coupon's discount. One without is shown and redeems nothing by itself."),
            Field("minimum", \.minimum, "The least charge that the coupon can be used for."),
            Field("usesPerCustomer", \.usesPerCustomer, "Uses by one customer; one, where it is absent."),
            Field("usesInAll", \.usesInAll, "Uses in all; without a limit, where it is absent."),
            Field("stars", \.stars, "Stars at the merchant that one use costs: the merchant's loyalty programme."),
        ]
    }
}

extension Offers.Discount: Shape {
    package init(
        amount: Money? = nil,
        percent: Int? = nil,
        _: Void = ()
    ) {
        self.amount = amount
        self.percent = percent
    }

    package static var summary: String { "A fixed amount or a part of the charge; exactly one of the two." }
    package static var fields: [Field<Self>] {
        [
            Field("amount", \.amount),
            Field("percent", \.percent, "1 to 99, of the charge's amount, rounded half up."),
        ]
    }
}

extension Offers.OfferView: Shape {
    package init(
        offer: OfferID,
        kind: Offers.Kind,
        merchant: PartyID,
        terms: Offers.Terms,
        accepted: Offers.Acceptance,
        reason: String? = nil,
        enabled: Bool,
        revision: Int64,
        submitted: Timestamp,
        decided: Timestamp? = nil,
        pushed: Timestamp? = nil,
        lastApproved: Offers.ApprovedRevision? = nil,
        _: Void = ()
    ) {
        self.offer = offer
        self.kind = kind
        self.merchant = merchant
        self.terms = terms
        self.accepted = accepted
        self.reason = reason
        self.enabled = enabled
        self.revision = revision
        self.submitted = submitted
        self.decided = decided
        self.pushed = pushed
        self.lastApproved = lastApproved
    }

    package static var summary: String { "An offer as its merchant and the administrator see it." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("kind", \.kind),
            Field("merchant", \.merchant),
            Field("terms", \.terms, "With `sendTime` and `expDate`, whoever chose them."),
            Field("accepted", \.accepted),
            Field("reason", \.reason, "Why it was rejected."),
            Field("enabled", \.enabled),
            Field("revision", \.revision, "Counts edits, from 1: what the administrator saw is what is decided on."),
            Field("submitted", \.submitted),
            Field("decided", \.decided, "Absent while it is pending."),
            Field("pushed", \.pushed, "When it was sent by itself to all whom it is for: at `sendTime`, or when it was accepted later. Absent before, and for an offer that is sent on entry."),
            Field("lastApproved", \.lastApproved, "The newest revision that was approved, to compare it with what waits now. Absent while the offer is accepted, and where none is known."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.terms),
        .within(\.lastApproved),
    ]
}

extension Offers.ApprovedRevision: Shape {
    package init(
        revision: Int64,
        terms: Offers.Terms,
        _: Void = ()
    ) {
        self.revision = revision
        self.terms = terms
    }

    package static var summary: String { "A revision of an offer that an administrator has approved." }
    package static var fields: [Field<Self>] {
        [
            Field("revision", \.revision),
            Field("terms", \.terms, "With `sendTime` and `expDate`, whoever chose them."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.terms),
    ]
}

extension Offers.OfferReply: Shape {
    package init(
        offer: Offers.OfferView,
        replayed: Bool,
        _: Void = ()
    ) {
        self.offer = offer
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("replayed", \.replayed),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.offer),
    ]
}

extension Offers.OffersPage: Shape {
    package init(
        offers: [Offers.OfferView],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.offers = offers
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("offers", \.offers),
            Field("next", \.next, "Where to ask on; absent when there is no more."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.offers),
    ]
}
