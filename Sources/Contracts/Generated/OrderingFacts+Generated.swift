// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Ordering.MenuChanged {
    package init(
        merchant: PartyID,
        revision: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.revision = revision
        self.time = time
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("revision", \.revision),
            Field("time", \.time),
        ]
    }
}

extension Ordering.OrderPlaced {
    package init(
        order: Ordering.OrderID,
        merchant: PartyID,
        customer: PartyID,
        total: Money,
        time: Timestamp,
        _: Void = ()
    ) {
        self.order = order
        self.merchant = merchant
        self.customer = customer
        self.total = total
        self.time = time
    }

    package static var summary: String { "A payment is being asked for under the order's id. `ordering.order.paid.v1` follows if it succeeds." }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order),
            Field("merchant", \.merchant),
            Field("customer", \.customer),
            Field("total", \.total),
            Field("time", \.time),
        ]
    }
}

extension Ordering.OrderPaid {
    package init(
        order: Ordering.OrderID,
        number: Int64,
        merchant: PartyID,
        merchantName: String,
        customer: PartyID,
        customerName: String? = nil,
        total: Money,
        summary: String,
        entry: Int64,
        time: Timestamp,
        _: Void = ()
    ) {
        self.order = order
        self.number = number
        self.merchant = merchant
        self.merchantName = merchantName
        self.customer = customer
        self.customerName = customerName
        self.total = total
        self.summary = summary
        self.entry = entry
        self.time = time
    }

    package static var summary: String { "An order has come to its merchant, and is paid." }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order),
            Field("number", \.number),
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("customer", \.customer),
            Field("customerName", \.customerName),
            Field("total", \.total),
            Field("summary", \.summary, "The items in English, on one line."),
            Field("entry", \.entry, "The ledger entry that paid it."),
            Field("time", \.time),
        ]
    }
}

extension Ordering.OrderFinished {
    package init(
        order: Ordering.OrderID,
        number: Int64,
        merchant: PartyID,
        merchantName: String,
        customer: PartyID,
        time: Timestamp,
        _: Void = ()
    ) {
        self.order = order
        self.number = number
        self.merchant = merchant
        self.merchantName = merchantName
        self.customer = customer
        self.time = time
    }

    package static var summary: String { "The merchant has made an order: the customer can fetch it." }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order),
            Field("number", \.number),
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("customer", \.customer),
            Field("time", \.time),
        ]
    }
}
