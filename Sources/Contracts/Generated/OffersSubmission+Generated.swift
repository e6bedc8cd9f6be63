// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Offers.SubmitOffer {
    package init(
        offer: OfferID,
        kind: Offers.Kind,
        merchant: PartyID,
        terms: Offers.Terms,
        _: Void = ()
    ) {
        self.offer = offer
        self.kind = kind
        self.merchant = merchant
        self.terms = terms
    }

    package static var summary: String { "Submits an ad or a coupon for approval. Keyed on `offer`." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("kind", \.kind),
            Field("merchant", \.merchant),
            Field("terms", \.terms),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.terms),
    ]
}

extension Offers.EditOffer {
    package init(
        offer: OfferID,
        merchant: PartyID,
        revision: Int64? = nil,
        terms: Offers.Terms,
        _: Void = ()
    ) {
        self.offer = offer
        self.merchant = merchant
        self.revision = revision
        self.terms = terms
    }

    package static var summary: String { "Changes an offer, which is pending again; the same terms as before change nothing. A time that is absent stays as it is." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("merchant", \.merchant),
            Field("revision", \.revision, "What was edited, so that a late repeat undoes nothing; whatever there is, where it is absent."),
            Field("terms", \.terms),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.terms),
    ]
}

extension Offers.EnableOffer {
    package init(
        offer: OfferID,
        merchant: PartyID,
        enabled: Bool,
        _: Void = ()
    ) {
        self.offer = offer
        self.merchant = merchant
        self.enabled = enabled
    }

    package static var summary: String { "Enables or disables an offer; approval stays as it is." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("merchant", \.merchant),
            Field("enabled", \.enabled),
        ]
    }
}

extension Offers.DecideOffer {
    package init(
        offer: OfferID,
        revision: Int64,
        accepted: Offers.Acceptance,
        reason: String? = nil,
        _: Void = ()
    ) {
        self.offer = offer
        self.revision = revision
        self.accepted = accepted
        self.reason = reason
    }

    package static var summary: String { "The administrator accepts or rejects what they saw. Keyed on `offer` and `revision`. What was accepted may still be rejected; what was rejected has to be edited first." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("revision", \.revision),
            Field("accepted", \.accepted, "`accepted` or `rejected`."),
            Field("reason", \.reason, "Why it is rejected, for the merchant: at most 255 characters. Absent where it is accepted."),
        ]
    }
}

extension Offers.ReadOffer {
    package init(
        offer: OfferID,
        _: Void = ()
    ) {
        self.offer = offer
    }

    package static var summary: String { "One offer, for its merchant and for the administrator; to nobody else does it exist." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
        ]
    }
}

extension Offers.ReadOffers {
    package init(
        merchant: PartyID,
        kind: Offers.Kind? = nil,
        accepted: Offers.Acceptance? = nil,
        before: Int64? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.kind = kind
        self.accepted = accepted
        self.before = before
        self.limit = limit
    }

    package static var summary: String { "A merchant's own offers, newest first." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("kind", \.kind),
            Field("accepted", \.accepted, "Only those of which the administrator has said so: the merchant's apps show what is approved."),
            Field("before", \.before, "The `next` of the page before."),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Offers.ReadPending {
    package init(
        before: Int64? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.before = before
        self.limit = limit
    }

    package static var summary: String { "The offers that wait for approval, newest first. For administrators." }
    package static var fields: [Field<Self>] {
        [
            Field("before", \.before),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Offers.ReadProductTypes {
    package init(
        merchant: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
    }

    package static var summary: String { "The kinds of products that a merchant says it has (auth keeps them), each under an index of its own." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
        ]
    }
}

extension Offers.ProductTypes: Shape {
    package init(
        merchant: PartyID,
        types: [Offers.ProductType],
        _: Void = ()
    ) {
        self.merchant = merchant
        self.types = types
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("types", \.types),
        ]
    }
}

extension Offers.ProductType: Shape {
    package init(
        productIndex: Int64,
        type: String,
        _: Void = ()
    ) {
        self.productIndex = productIndex
        self.type = type
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("productIndex", \.productIndex),
            Field("type", \.type),
        ]
    }
}

extension Offers.OfferSubmitted {
    package init(
        offer: OfferID,
        kind: Offers.Kind,
        merchant: PartyID,
        title: String,
        revision: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.offer = offer
        self.kind = kind
        self.merchant = merchant
        self.title = title
        self.revision = revision
        self.time = time
    }

    package static var summary: String { "A merchant submitted an offer, or an edit of it: the administrator has something to decide." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("kind", \.kind),
            Field("merchant", \.merchant),
            Field("title", \.title),
            Field("revision", \.revision),
            Field("time", \.time),
        ]
    }
}
