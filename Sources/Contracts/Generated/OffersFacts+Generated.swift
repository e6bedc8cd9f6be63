// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Offers {
    package static var summary: String { "Ads and coupons: who wrote them, whom they are for, what was used; and stars." }
}

extension Offers.Kind: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [:]
    }
}

extension Offers.Acceptance: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [:]
    }
}

extension Offers.Occasion: Choice {
    package static var summary: String { "Why a customer was sent an offer." }
    package static var meanings: [Self: String] {
        [
            .pushed: "The merchant pushed it to customers nearby.",
            .entered: "The customer came to a place of the merchant.",
            .scheduled: "The offer's `sendTime` had come.",
        ]
    }
}

extension Offers.OfferDecided {
    package init(
        offer: OfferID,
        kind: Offers.Kind,
        merchant: PartyID,
        title: String,
        acceptance: Offers.Acceptance,
        reason: String? = nil,
        time: Timestamp,
        _: Void = ()
    ) {
        self.offer = offer
        self.kind = kind
        self.merchant = merchant
        self.title = title
        self.acceptance = acceptance
        self.reason = reason
        self.time = time
    }

    package static var summary: String { "The administrator decided on an offer." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("kind", \.kind),
            Field("merchant", \.merchant),
            Field("title", \.title),
            Field("acceptance", \.acceptance, "`accepted` or `rejected`."),
            Field("reason", \.reason, "Why it was rejected, for the merchant."),
            Field("time", \.time),
        ]
    }
}

extension Offers.QuietHoursMoved {
    package init(
        customer: PartyID,
        from: Int64,
        until: Int64,
        offset: Int64,
        _: Void = ()
    ) {
        self.customer = customer
        self.from = from
        self.until = until
        self.offset = offset
    }

    package static var summary: String { "Quiet hours that an earlier version of offers had stored. Notifications has them from then on, unless the customer has set others there." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("from", \.from, "Minutes after midnight."),
            Field("until", \.until),
            Field("offset", \.offset, "Minutes that local time is ahead of UTC."),
        ]
    }
}

extension Offers.OfferSent {
    package init(
        offer: OfferID,
        kind: Offers.Kind,
        merchant: PartyID,
        merchantName: String,
        customer: PartyID,
        title: String,
        content: String,
        occasion: Offers.Occasion,
        place: PlaceID? = nil,
        expires: Timestamp,
        time: Timestamp,
        _: Void = ()
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

    package static var summary: String { "An offer was directed to a customer, whose rules and limits all allow it. At most once an offer and customer." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("kind", \.kind),
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("customer", \.customer),
            Field("title", \.title),
            Field("content", \.content),
            Field("occasion", \.occasion),
            Field("place", \.place, "The place that it was about."),
            Field("expires", \.expires, "When the offer ends."),
            Field("time", \.time),
        ]
    }
}
