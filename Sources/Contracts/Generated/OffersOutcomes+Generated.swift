// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Offers.SeeDeal {
    package init(
        customer: PartyID,
        offer: OfferID,
        _: Void = ()
    ) {
        self.customer = customer
        self.offer = offer
    }

    package static var summary: String { "Remembers that the customer has looked at a deal. The first look counts." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("offer", \.offer),
        ]
    }
}

extension Offers.SeeDeal.Reply: Shape {
    package init(
        seen: Timestamp,
        _: Void = ()
    ) {
        self.seen = seen
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("seen", \.seen, "When the customer looked at it first."),
        ]
    }
}

extension Offers.ReadOutcome {
    package init(
        offer: OfferID,
        _: Void = ()
    ) {
        self.offer = offer
    }

    package static var summary: String { "What came of an offer since it was submitted, through all its revisions: for its merchant and for the administrator." }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
        ]
    }
}

extension Offers.ReadOutcome.Reply: Shape {
    package init(
        offer: OfferID,
        sent: Int64,
        seen: Int64,
        customers: Int64,
        used: Int64,
        discount: Money,
        paid: Money,
        _: Void = ()
    ) {
        self.offer = offer
        self.sent = sent
        self.seen = seen
        self.customers = customers
        self.used = used
        self.discount = discount
        self.paid = paid
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("offer", \.offer),
            Field("sent", \.sent, "Customers who were sent it."),
            Field("seen", \.seen, "Customers who have looked at it, sent or found."),
            Field("customers", \.customers, "Customers who have paid with it, and how often all of them have."),
            Field("used", \.used),
            Field("discount", \.discount, "The sum of its discounts."),
            Field("paid", \.paid, "The sum paid for these charges. Later refunds are not subtracted."),
        ]
    }
}
