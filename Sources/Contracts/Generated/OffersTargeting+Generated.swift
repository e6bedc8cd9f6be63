// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Offers.Rule: Choice {
    package static var summary: String { "What has to hold for a customer to get an offer. The last are about sending; a customer who asks is shown offers without regard to them." }
    package static var meanings: [Self: String] {
        [
            .approval: "Accepted by the administrator, as it is now.",
            .merchant: "Its merchant is approved.",
            .time: "Not before `sendTime`, not after `expDate`.",
            .types: "The customer wants this type, ads or coupons.",
            .sources: "The customer has not muted the merchant.",
            .history: "The customer's payments at the merchant.",
            .uses: "The coupon is not used up.",
            .stars: "The customer has the stars that it costs.",
            .participation: "The customer is sent offers at all.",
            .amount: "The customer's own limit in 24 hours.",
            .quiet: "Not in the customer's quiet hours. Of earlier versions: now notifications has them, and puts off what is sent.",
        ]
    }
}

extension Offers.Verdict: Shape {
    package init(
        rule: Offers.Rule,
        wanted: String,
        found: String,
        passes: Bool,
        _: Void = ()
    ) {
        self.rule = rule
        self.wanted = wanted
        self.found = found
        self.passes = passes
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("rule", \.rule),
            Field("wanted", \.wanted, "What the offer asks for, or the customer wants; `any` where nobody restricts it."),
            Field("found", \.found, "What there is. Of a position only whether it is near."),
            Field("passes", \.passes),
        ]
    }
}

extension Offers.ExplainOffer {
    package init(
        offer: OfferID,
        customer: PartyID,
        latitude: Int64? = nil,
        longitude: Int64? = nil,
        _: Void = ()
    ) {
        self.offer = offer
        self.customer = customer
        self.latitude = latitude
        self.longitude = longitude
    }

    package static var summary: String { "All rules for one customer and one offer, each with its values and verdict. For administrators." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("customer", \.customer),
            Field("latitude", \.latitude, "As if the customer were there; the last known position, where both are absent."),
            Field("longitude", \.longitude),
        ]
    }
}

extension Offers.ExplainOffer.Reply: Shape {
    package init(
        offer: OfferID,
        customer: PartyID,
        shown: Bool,
        sent: Bool,
        verdicts: [Offers.Verdict],
        _: Void = ()
    ) {
        self.offer = offer
        self.customer = customer
        self.shown = shown
        self.sent = sent
        self.verdicts = verdicts
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("customer", \.customer),
            Field("shown", \.shown, "Whether the customer is shown it now, and would be sent it now."),
            Field("sent", \.sent),
            Field("verdicts", \.verdicts),
        ]
    }
}

extension Offers.CountAudience {
    package init(
        offer: OfferID,
        _: Void = ()
    ) {
        self.offer = offer
    }

    package static var summary: String { "How many customers an offer would reach as if it were accepted and its time had come: a dry run, for its merchant and for the administrator. Where customers are and what hour it is for them is left out." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
        ]
    }
}

extension Offers.CountAudience.Reply: Shape {
    package init(
        offer: OfferID,
        customers: Int64,
        subscribed: Int64,
        audience: Int64,
        excluded: [Offers.CountAudience.Excluded],
        _: Void = ()
    ) {
        self.offer = offer
        self.customers = customers
        self.subscribed = subscribed
        self.audience = audience
        self.excluded = excluded
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("customers", \.customers, "All customers, and those of them who subscribe to this merchant's offers of this kind."),
            Field("subscribed", \.subscribed),
            Field("audience", \.audience, "Whom every rule lets have it."),
            Field("excluded", \.excluded, "Subscribers whom a rule keeps from it, by rule; one may be counted under several."),
        ]
    }
}

extension Offers.CountAudience.Excluded: Shape {
    package init(
        rule: Offers.Rule,
        customers: Int64,
        _: Void = ()
    ) {
        self.rule = rule
        self.customers = customers
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("rule", \.rule),
            Field("customers", \.customers),
        ]
    }
}

extension Offers.PushOffer {
    package init(
        push: OperationID,
        offer: OfferID,
        merchant: PartyID,
        place: PlaceID? = nil,
        _: Void = ()
    ) {
        self.push = push
        self.offer = offer
        self.merchant = merchant
        self.place = place
    }

    package static var summary: String { "Sends a live offer to the customers near the merchant's places whom the rules allow it, each once. Keyed on `push`." }
    package static var fields: [Field<Self>] {
        [
            Field("push", \.push),
            Field("offer", \.offer),
            Field("merchant", \.merchant),
            Field("place", \.place, "One of the merchant's own; all of them where it is absent."),
        ]
    }
}

extension Offers.PushOffer.Reply: Shape {
    package init(
        nearby: Int64,
        sent: Int64,
        replayed: Bool,
        _: Void = ()
    ) {
        self.nearby = nearby
        self.sent = sent
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("nearby", \.nearby, "Customers that were near."),
            Field("sent", \.sent, "Those of them who are sent it now."),
            Field("replayed", \.replayed),
        ]
    }
}
