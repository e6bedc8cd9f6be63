import Contracts
import Hummingbird
import Primitives
import Schemas
import Wire

extension Ordering.Menu: RequestBody {
    static var notes: [String: SchemaNote] {
        [
            "title": SchemaNote("The shop's sign."), "item": SchemaNote("What is ordered, such as a burger."),
            "baseTitle": SchemaNote("Asks for the base."), "baseName": SchemaNote("The way back to the bases."),
            "extrasTitle": SchemaNote("Asks for the extras."),
            "countries": SchemaNote(
                "1 to 20, each with a currency and a factor in hundredths by which prices of bases are multiplied."),
            "bases": SchemaNote("1 to 12, with prices in minor units."),
            "extras": SchemaNote("Up to 30, with prices in minor units.")
        ]
    }
}

package struct NewOrder: RequestBody, Equatable {
    package let country: String

    static let notes: [String: SchemaNote] = ["country": SchemaNote("The country's key in the menu.", example: "us")]
}

/// What is ordered. Its price is the menu's.
package struct NewItem: RequestBody, Equatable {
    package let base: String
    package let extras: [String]?

    static let notes: [String: SchemaNote] = [
        "base": SchemaNote("The base's key in the menu.", example: "beef"),
        "extras": SchemaNote("Keys of extras, each once.", example: ["pickles"])
    ]
}

package struct OrderPayment: RequestBody, Equatable {
    package let total: TypedAmount
    package let card: CardID?

    static let notes: [String: SchemaNote] = [
        "total": SchemaNote("What the customer saw. Nothing is paid if the order's total is another one."),
        "card": .payingCard
    ]
}

extension QueryParameter {
    static let waiting = QueryParameter(
        name: "waiting", summary: "`true`: only orders that are not ready yet.", schema: ["type": "boolean"],
        example: true)
    static let language = QueryParameter(
        name: "language", summary: "Of the words on the screen; English where none is given.",
        schema: ["type": "string", "enum": .array(Language.allCases.map { .string($0.rawValue) })], example: "en")
    static let position = [
        QueryParameter(
            name: "screen", summary: "Which screen; the one to begin with where none is given.",
            schema: [
                "type": "string", "enum": .array(OrderPosition.Screen.allCases.map { .string($0.rawValue) })
            ], example: "base"),
        QueryParameter(
            name: "base", summary: "The key of the base that is chosen.", schema: ["type": "string"], example: "beef"),
        QueryParameter(
            name: "extras", summary: "Keys of the extras that are chosen, with commas.", schema: ["type": "string"],
            example: "pickles"),
        QueryParameter(
            name: "from", summary: "The screen that led to checkout.",
            schema: [
                "type": "string", "enum": .array(OrderPosition.Screen.allCases.map { .string($0.rawValue) })
            ], example: "extras"), language
    ]
}

extension RouteTable {
    /// Menus, and what customers order from them.
    static let ordering = [
        Route(
            .get, "/v1/menus", "readMenus", "Merchants with menus, by name", for: .everyone, query: [.skip, .limit],
            asks: [Ordering.ReadMenus.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Ordering.ReadMenus.Reply> in
            Given(
                try await call.ask(
                    Ordering.ReadMenus(skip: Int(try call.query.skip() ?? 0), limit: try call.query.limit())))
        },
        Route(
            .put, "/v1/menu", "changeMenu", "Writes the merchant's whole menu", for: .merchant,
            asks: [Ordering.SetMenu.self]
        ) { (call: Call, menu: Ordering.Menu) async throws(Fault) -> Given<Ordering.MenuView> in
            Given(try await call.ask(Ordering.SetMenu(merchant: call.account, menu: menu)))
        },
        Route(
            .get, "/v1/menus/{merchant}", "readMenu",
            "A merchant's menu; only the merchant's own while it is not approved", for: .anyone,
            asks: [Ordering.ReadMenu.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Ordering.MenuView> in
            Given(try await call.ask(Ordering.ReadMenu(merchant: call.id())))
        },
        screen,
        Route(
            .get, "/v1/menus/{merchant}/cart", "readCart", "The order that the customer has at the merchant now",
            for: .customer, asks: [Ordering.ReadCart.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Ordering.ReadCart.Reply> in
            Given(try await call.ask(Ordering.ReadCart(customer: call.account, merchant: call.id())))
        },
        Route(
            .post, "/v1/menus/{merchant}/orders", "beginOrder", "Begins an order in one of the menu's countries",
            for: .customer, key: .required, status: 201, asks: [Ordering.BeginOrder.self]
        ) { (call: Call, body: NewOrder) async throws(Fault) -> Given<Ordering.OrderView> in
            let begun = try await call.ask(
                Ordering.BeginOrder(
                    order: call.operation(), customer: call.account, merchant: call.id(), country: body.country))
            return Given(begun.order, replayed: begun.replayed)
        },
        Route(
            .post, "/v1/orders/{order}/items", "addItem", "Adds an item to an open order, at the menu's price",
            for: .customer, key: .required, status: 201, asks: [Ordering.AddItem.self]
        ) { (call: Call, body: NewItem) async throws(Fault) -> Given<Ordering.OrderView> in
            let added = try await call.ask(
                Ordering.AddItem(
                    item: call.operation(), order: call.id(), customer: call.account, base: body.base,
                    extras: body.extras ?? []))
            return Given(added.order, replayed: added.replayed)
        },
        Route(
            .delete, "/v1/orders/{order}", "discardOrder", "Throws an open order away; nothing is paid",
            for: .customer, asks: [Ordering.DiscardOrder.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Ordering.OrderView> in
            let discarded = try await call.ask(Ordering.DiscardOrder(order: call.id(), customer: call.account))
            return Given(discarded.order, replayed: discarded.replayed)
        },
        Route(
            .post, "/v1/orders/{order}/payment", "payOrder", "Pays an order by one payment under its own id",
            for: .customer, key: .required, pin: true, status: 201, asks: [Ordering.PayOrder.self]
        ) { (call: Call, body: OrderPayment) async throws(Fault) -> Given<Ordering.OrderView> in
            let paid = try await call.ask(
                Ordering.PayOrder(
                    order: call.id(), customer: call.account, total: body.total.money, card: body.card))
            return Given(paid.order, replayed: paid.replayed)
        },
        Route(
            .post, "/v1/orders/{order}/ready", "finishOrder", "Says that a paid order is ready; its customer is told",
            for: .merchant, asks: [Ordering.FinishOrder.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Ordering.OrderView> in
            let finished = try await call.ask(Ordering.FinishOrder(order: call.id(), merchant: call.account))
            return Given(finished.order, replayed: finished.replayed)
        },
        Route(
            .get, "/v1/orders", "readOrders", "Paid orders, newest first: the customer's, or the merchant's",
            for: .holders, query: [.waiting] + QueryParameter.page, asks: [Ordering.ReadOrders.self]
        ) { (call: Call, _: Nothing) async throws(Fault) -> Given<Ordering.ReadOrders.Reply> in
            Given(
                try await call.ask(
                    Ordering.ReadOrders(
                        party: call.account, waiting: try call.query.waiting() ?? false,
                        before: try call.query.before(), limit: try call.query.limit())))
        },
        order
    ]

    /// A screen of the flow, as JSON or as text.
    private static let screen = Route(
        .get, "/v1/menus/{merchant}/screen", "readOrderScreen",
        "One screen of ordering ahead, with what can be pressed",
        for: .customer, key: .none, pin: false, rate: nil, query: QueryParameter.position, body: .none, status: 200,
        reply: .jsonOrText(OrderScreen.self), asks: [Ordering.ReadMenu.self, Ordering.ReadCart.self]
    ) { (call: Call) async throws(Fault) -> Answer in
        let position = try call.query.position()
        let shop = try await call.ask(Ordering.ReadMenu(merchant: call.id()))
        let cart = try await call.ask(Ordering.ReadCart(customer: call.account, merchant: call.id()))
        let flow = OrderFlow(shop: shop, order: cart.order, language: try call.query.language())
        let screen = flow.screen(at: position)
        return call.answer(screen, text: screen.text)
    }

    /// An order, as JSON or as a receipt in text.
    private static let order = Route(
        .get, "/v1/orders/{order}", "readOrder", "One order; as text its receipt", for: .holders, key: .none,
        pin: false, rate: nil, query: [.language], body: .none, status: 200,
        reply: .jsonOrText(Ordering.OrderView.self),
        asks: [Ordering.ReadOrder.self]
    ) { (call: Call) async throws(Fault) -> Answer in
        let language = try call.query.language()
        let order = try await call.ask(Ordering.ReadOrder(order: call.id(), party: call.account))
        return call.answer(order, text: order.text(in: language))
    }
}

extension Call {
    func answer(_ reply: some WireMessage, text: @autoclosure () -> String) -> Answer {
        fields.wantsText
            ? Answer(status: 200, content: .text, body: ByteBuffer(string: text()))
            : Answer(status: 200, content: .json, body: ByteBuffer(bytes: reply.json))
    }
}

extension Query {
    fileprivate func waiting() throws(Fault) -> Bool? { try flag("waiting") }

    func language() throws(Fault) -> Language { try choice("language") ?? .en }

    fileprivate func position() throws(Fault) -> OrderPosition {
        OrderPosition(
            screen: try choice("screen"), base: text("base"),
            extras: text("extras")?.split(separator: ",").map(String.init) ?? [], from: try choice("from"))
    }
}
