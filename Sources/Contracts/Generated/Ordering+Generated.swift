// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension Ordering {
    package static var summary: String { "Order ahead: merchants' menus, customers' orders, and when an order is ready. Orders are paid through `payments`." }
}

extension Ordering.SetMenu {
    package init(
        merchant: PartyID,
        menu: Ordering.Menu,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.menu = menu
    }

    package static var summary: String { "Writes a merchant's whole menu. Items that were ordered before keep their prices." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("menu", \.menu),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.menu),
    ]
}

extension Ordering.ReadMenu {
    package init(
        merchant: PartyID,
        _: Void = ()
    ) {
        self.merchant = merchant
    }

    package static var summary: String { "Reads a merchant's menu. While no administrator has approved the merchant, nobody else learns that there is one." }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
        ]
    }
}

extension Ordering.ReadMenus {
    package init(
        skip: Int,
        limit: Int,
        _: Void = ()
    ) {
        self.skip = skip
        self.limit = limit
    }

    package static var summary: String { "The approved merchants that have menus, by name." }
    package static var fields: [Field<Self>] {
        [
            Field("skip", \.skip),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Ordering.ReadMenus.Reply: Shape {
    package init(
        menus: [Ordering.MenuTitle],
        next: Int? = nil,
        _: Void = ()
    ) {
        self.menus = menus
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("menus", \.menus),
            Field("next", \.next, "Ask for the next page with this as `skip`; absent when there is none."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.menus),
    ]
}

extension Ordering.MenuTitle: Shape {
    package init(
        merchant: PartyID,
        merchantName: String,
        title: Ordering.Words,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.merchantName = merchantName
        self.title = title
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("title", \.title),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.title),
    ]
}

extension Ordering.MenuView: Shape {
    package init(
        merchant: PartyID,
        merchantName: String,
        menu: Ordering.Menu,
        revision: Int64,
        changed: Timestamp,
        isHidden: Bool? = nil,
        _: Void = ()
    ) {
        self.merchant = merchant
        self.merchantName = merchantName
        self.menu = menu
        self.revision = revision
        self.changed = changed
        self.isHidden = isHidden
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("menu", \.menu),
            Field("revision", \.revision, "Counts changes, from 1."),
            Field("changed", \.changed),
            Field("isHidden", \.isHidden, "True while no administrator has approved the merchant: customers do not see the menu. Absent where they do."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.menu),
    ]
}

extension Ordering.Menu: Shape {
    package init(
        title: Ordering.Words,
        item: Ordering.Words,
        baseTitle: Ordering.Words,
        baseName: Ordering.Words,
        extrasTitle: Ordering.Words,
        countries: [Ordering.Country],
        bases: [Ordering.Option],
        extras: [Ordering.Option],
        _: Void = ()
    ) {
        self.title = title
        self.item = item
        self.baseTitle = baseTitle
        self.baseName = baseName
        self.extrasTitle = extrasTitle
        self.countries = countries
        self.bases = bases
        self.extras = extras
    }

    package static var summary: String { "What a merchant makes and where. A base multiplied by the country's factor, and extras, make an item's price." }
    package static var fields: [Field<Self>] {
        [
            Field("title", \.title, "The shop's sign."),
            Field("item", \.item, "What is ordered, such as a burger."),
            Field("baseTitle", \.baseTitle, "Asks for the base, such as «Select the Patty»."),
            Field("baseName", \.baseName, "Where one chooses the base, as the way back there is called."),
            Field("extrasTitle", \.extrasTitle, "Asks for the extras."),
            Field("countries", \.countries),
            Field("bases", \.bases),
            Field("extras", \.extras),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.title),
        .within(\.item),
        .within(\.baseTitle),
        .within(\.baseName),
        .within(\.extrasTitle),
        .each(\.countries),
        .each(\.bases),
        .each(\.extras),
    ]
}

extension Ordering.Words: Shape {
    package init(
        en: String,
        de: String? = nil,
        _: Void = ()
    ) {
        self.en = en
        self.de = de
    }

    package static var summary: String { "A text for people." }
    package static var fields: [Field<Self>] {
        [
            Field("en", \.en),
            Field("de", \.de, "The English text, where it is absent."),
        ]
    }
}

extension Ordering.Country: Shape {
    package init(
        key: String,
        name: Ordering.Words,
        currency: Currency,
        factorPercent: Int64,
        _: Void = ()
    ) {
        self.key = key
        self.name = name
        self.currency = currency
        self.factorPercent = factorPercent
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("key", \.key),
            Field("name", \.name),
            Field("currency", \.currency, "The currency of this country's orders. No amount is converted."),
            Field("factorPercent", \.factorPercent, "Multiplies the price of a base, in hundredths: 170 is 1.7."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
    ]
}

extension Ordering.Option: Shape {
    package init(
        key: String,
        name: Ordering.Words,
        price: Int64,
        _: Void = ()
    ) {
        self.key = key
        self.name = name
        self.price = price
    }

    package static var summary: String { "A base or an extra." }
    package static var fields: [Field<Self>] {
        [
            Field("key", \.key),
            Field("name", \.name),
            Field("price", \.price, "In minor units of the order's currency, before the country's factor."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
    ]
}

extension Ordering.OrderState: Choice {
    package static var summary: String { "" }
    package static var meanings: [Self: String] {
        [
            .open: "Takes items.",
            .paying: "A payment has been asked for, and its outcome is not known yet.",
            .ready: "The merchant has made it.",
            .closed: "Ended without payment: thrown away, or the payment was refused and its items are in another order.",
        ]
    }
}

extension Ordering.OrderView: Shape {
    package init(
        order: Ordering.OrderID,
        state: Ordering.OrderState,
        number: Int64? = nil,
        merchant: PartyID,
        merchantName: String,
        customer: PartyID,
        customerName: String? = nil,
        country: String,
        countryName: Ordering.Words,
        lines: [Ordering.Line],
        total: Money,
        begun: Timestamp,
        paid: Timestamp? = nil,
        ready: Timestamp? = nil,
        entry: Int64? = nil,
        successor: Ordering.OrderID? = nil,
        refunded: Money? = nil,
        _: Void = ()
    ) {
        self.order = order
        self.state = state
        self.number = number
        self.merchant = merchant
        self.merchantName = merchantName
        self.customer = customer
        self.customerName = customerName
        self.country = country
        self.countryName = countryName
        self.lines = lines
        self.total = total
        self.begun = begun
        self.paid = paid
        self.ready = ready
        self.entry = entry
        self.successor = successor
        self.refunded = refunded
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order),
            Field("state", \.state),
            Field("number", \.number, "The number by which the customer is called: the merchant's paid orders, counted from 1. Absent before it is paid."),
            Field("merchant", \.merchant),
            Field("merchantName", \.merchantName),
            Field("customer", \.customer),
            Field("customerName", \.customerName, "Absent where it could not be found out."),
            Field("country", \.country, "The country's key in the menu."),
            Field("countryName", \.countryName),
            Field("lines", \.lines),
            Field("total", \.total),
            Field("begun", \.begun),
            Field("paid", \.paid),
            Field("ready", \.ready),
            Field("entry", \.entry, "The ledger entry that paid it. The charge has the order's own id."),
            Field("successor", \.successor, "The order that has its items now."),
            Field("refunded", \.refunded, "The sum refunded. Absent where nothing was refunded, and where payments cannot say."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.countryName),
        .each(\.lines),
    ]
}

extension Ordering.Line: Shape {
    package init(
        item: Ordering.ItemID,
        name: Ordering.Words,
        base: String,
        extras: [String],
        baseName: Ordering.Words,
        extraNames: [Ordering.Words],
        price: Money,
        _: Void = ()
    ) {
        self.item = item
        self.name = name
        self.base = base
        self.extras = extras
        self.baseName = baseName
        self.extraNames = extraNames
        self.price = price
    }

    package static var summary: String { "One item of an order, as it was when it was ordered." }
    package static var fields: [Field<Self>] {
        [
            Field("item", \.item),
            Field("name", \.name, "What it is, such as a burger."),
            Field("base", \.base, "Keys in the menu."),
            Field("extras", \.extras),
            Field("baseName", \.baseName),
            Field("extraNames", \.extraNames),
            Field("price", \.price),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.name),
        .within(\.baseName),
        .each(\.extraNames),
    ]
}

extension Ordering.OrderReply: Shape {
    package init(
        order: Ordering.OrderView,
        replayed: Bool,
        _: Void = ()
    ) {
        self.order = order
        self.replayed = replayed
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order),
            Field("replayed", \.replayed),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.order),
    ]
}

extension Ordering.BeginOrder {
    package init(
        order: Ordering.OrderID,
        customer: PartyID,
        merchant: PartyID,
        country: String,
        _: Void = ()
    ) {
        self.order = order
        self.customer = customer
        self.merchant = merchant
        self.country = country
    }

    package static var summary: String { "Begins a customer's order in one country of a merchant's menu. Keyed on `order`. A customer has one order at a merchant at a time. An empty one gives way to the new one." }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order),
            Field("customer", \.customer),
            Field("merchant", \.merchant),
            Field("country", \.country, "The country's key in the menu."),
        ]
    }
}

extension Ordering.AddItem {
    package init(
        item: Ordering.ItemID,
        order: Ordering.OrderID,
        customer: PartyID,
        base: String,
        extras: [String],
        _: Void = ()
    ) {
        self.item = item
        self.order = order
        self.customer = customer
        self.base = base
        self.extras = extras
    }

    package static var summary: String { "Adds one item to an open order, at the menu's price. Keyed on `item`." }
    package static var fields: [Field<Self>] {
        [
            Field("item", \.item),
            Field("order", \.order),
            Field("customer", \.customer),
            Field("base", \.base, "The base's key in the menu."),
            Field("extras", \.extras, "Keys of extras, each once."),
        ]
    }
}

extension Ordering.DiscardOrder {
    package init(
        order: Ordering.OrderID,
        customer: PartyID,
        _: Void = ()
    ) {
        self.order = order
        self.customer = customer
    }

    package static var summary: String { "Throws an open order away. Nothing is paid." }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order),
            Field("customer", \.customer),
        ]
    }
}

extension Ordering.PayOrder {
    package init(
        order: Ordering.OrderID,
        customer: PartyID,
        total: Money,
        card: CardID? = nil,
        _: Void = ()
    ) {
        self.order = order
        self.customer = customer
        self.total = total
        self.card = card
    }

    package static var summary: String { "Pays an order by one payment, whose charge has the order's id. Keyed on `order`. An order in a currency that cards do not pay in is refused and stays open: nothing is converted. Any other refused payment closes the order; its items are in the order's `successor` then, which is open." }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order),
            Field("customer", \.customer),
            Field("total", \.total, "The total that the customer saw and agreed to. Another one is refused."),
            Field("card", \.card, "The default card where none is named."),
        ]
    }
}

extension Ordering.FinishOrder {
    package init(
        order: Ordering.OrderID,
        merchant: PartyID,
        _: Void = ()
    ) {
        self.order = order
        self.merchant = merchant
    }

    package static var summary: String { "The merchant has made a paid order. The customer is told." }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order),
            Field("merchant", \.merchant),
        ]
    }
}

extension Ordering.ReadOrder {
    package init(
        order: Ordering.OrderID,
        party: PartyID? = nil,
        _: Void = ()
    ) {
        self.order = order
        self.party = party
    }

    package static var summary: String { "One order, for its customer, or for its merchant once it is paid." }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order),
            Field("party", \.party, "Absent: an administrator asks, or somebody who acts for nobody."),
        ]
    }
}

extension Ordering.ReadCart {
    package init(
        customer: PartyID,
        merchant: PartyID,
        _: Void = ()
    ) {
        self.customer = customer
        self.merchant = merchant
    }

    package static var summary: String { "The order that a customer has at a merchant now: what its cart shows." }
    package static var fields: [Field<Self>] {
        [
            Field("customer", \.customer),
            Field("merchant", \.merchant),
        ]
    }
}

extension Ordering.ReadCart.Reply: Shape {
    package init(
        order: Ordering.OrderView? = nil,
        _: Void = ()
    ) {
        self.order = order
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("order", \.order, "Absent where the customer has none."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .within(\.order),
    ]
}

extension Ordering.ReadOrders {
    package init(
        party: PartyID,
        waiting: Bool,
        before: Int64? = nil,
        limit: Int,
        _: Void = ()
    ) {
        self.party = party
        self.waiting = waiting
        self.before = before
        self.limit = limit
    }

    package static var summary: String { "Paid orders, newest first: a customer's own, or those that came to a merchant." }
    package static var fields: [Field<Self>] {
        [
            Field("party", \.party),
            Field("waiting", \.waiting, "Only orders that are not ready yet."),
            Field("before", \.before),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension Ordering.ReadOrders.Reply: Shape {
    package init(
        orders: [Ordering.OrderView],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.orders = orders
        self.next = next
    }

    package static var summary: String { "" }
    package static var fields: [Field<Self>] {
        [
            Field("orders", \.orders),
            Field("next", \.next, "Ask for the next page with this as `before`; absent when there is none."),
        ]
    }
    package static let parts: [Limit<Self>] = [
        .each(\.orders),
    ]
}
