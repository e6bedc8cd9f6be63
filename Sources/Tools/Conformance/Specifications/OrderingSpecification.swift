import Contracts
import Primitives

extension Ordering: Specified {
    package static let specification = Specification(
        service: service,
        needs: [Auth.service, Wallet.service, Location.service, Offers.service, Payments.service],
        examples: menus + orders + reading,
        log: FactsSpecification(Ordering.self) { trial in
            _ = try await trial.asker.ask(try await payment(trial.world))
        },
        load: begin.load)

    // MARK: What the examples need

    /// A new merchant with a menu.
    private static func shop(_ world: World) async throws -> PartyID {
        let merchant = try await world.newAccount(.merchant)
        _ = try await world.ask(Wallet.OpenAccount(merchant: merchant))
        _ = try await world.ask(SetMenu(merchant: merchant, menu: Samples.menu))
        return merchant
    }

    private static func beginning(_ world: World) async throws -> BeginOrder {
        BeginOrder(
            order: world.id(), customer: try await world.customer(), merchant: try await shop(world), country: "us")
    }

    private static func opened(_ world: World) async throws -> OrderView {
        try await world.ask(try await beginning(world)).order
    }

    private static func item(_ world: World) async throws -> AddItem {
        let order = try await opened(world)
        return AddItem(
            item: world.id(), order: order.order, customer: order.customer, base: "beef", extras: ["pickles"])
    }

    private static func payment(_ world: World) async throws -> PayOrder {
        let card = try await world.card()
        let order = try await world.ask(try await item(world)).order
        return PayOrder(order: order.order, customer: order.customer, total: order.total, card: card.card)
    }

    /// Throws unless the order reads as an answer has it.
    private static func expectKept(_ view: OrderView, as party: PartyID, _ world: World) async throws {
        let read = try await world.ask(ReadOrder(order: view.order, party: party))
        try require(read == view, "the order reads as \(read), and was answered as \(view)")
    }

    private static func reading(_ order: OrderID, of customer: PartyID, _ world: World) async throws -> [String] {
        [try await world.reading(ReadOrder(order: order, party: customer))]
    }

    // MARK: Examples

    private static let menus: [any AskExample] = [
        Example(
            nobody: SetMenu(merchant: nobody(), menu: Samples.menu),
            make: { world in SetMenu(merchant: try await world.newAccount(.merchant), menu: Samples.menu) },
            shows: { ask, world in [try await world.reading(ReadMenu(merchant: ask.merchant))] },
            leadsTo: [MenuChanged.type],
            expect: { ask, view, world in
                try require(view.menu == ask.menu, "the menu is another one")
                try require(
                    try await world.ask(ReadMenu(merchant: ask.merchant)) == view, "the menu reads otherwise later")
            }),
        Example(
            nobody: ReadMenu(merchant: nobody()), nobodyFinds: .refused(.menuNotFound),
            make: { world in ReadMenu(merchant: try await shop(world)) },
            expect: { ask, view, _ in
                try require(view.merchant == ask.merchant && view.menu == Samples.menu, "another menu was read")
            }),
        Example(
            nobody: ReadMenus(skip: 100_000, limit: 1), nobodyFinds: .replied,
            make: { world in
                _ = try await shop(world)
                return ReadMenus(skip: 0, limit: 1)
            },
            expect: { _, reply, _ in try require(reply.menus.count == 1, "a page for 1 has \(reply.menus.count)") })
    ]

    private static let begin = Example(
        nobody: BeginOrder(order: nobody(), customer: nobody(), merchant: nobody(), country: "us"),
        nobodyFinds: .refused(.menuNotFound),
        make: { world in try await beginning(world) },
        other: { BeginOrder(order: $0.order, customer: $0.customer, merchant: $0.merchant, country: "elsewhere") },
        reused: .orderIDReused, shows: { ask, world in try await reading(ask.order, of: ask.customer, world) },
        leadsTo: [],
        expect: { ask, reply, world in
            try require(reply.order.state == .open, "a new order is \(reply.order.state)")
            try await expectKept(reply.order, as: ask.customer, world)
        })

    private static let orders: [any AskExample] = [
        begin,
        Example(
            nobody: AddItem(item: nobody(), order: nobody(), customer: nobody(), base: "beef", extras: []),
            nobodyFinds: .refused(.orderNotFound),
            make: { world in try await item(world) },
            other: { AddItem(item: $0.item, order: $0.order, customer: $0.customer, base: $0.base, extras: []) },
            reused: .orderIDReused, shows: { ask, world in try await reading(ask.order, of: ask.customer, world) },
            leadsTo: [],
            expect: { ask, reply, world in
                // 5 × 1.7 + 0.7.
                try require(
                    reply.order.lines.map(\.price) == [Money(920)], "the item costs \(reply.order.total.display)")
                try await expectKept(reply.order, as: ask.customer, world)
            }),
        Example(
            nobody: DiscardOrder(order: nobody(), customer: nobody()), nobodyFinds: .refused(.orderNotFound),
            make: { world in
                let order = try await opened(world)
                return DiscardOrder(order: order.order, customer: order.customer)
            },
            shows: { ask, world in try await reading(ask.order, of: ask.customer, world) },
            leadsTo: [],
            expect: { ask, reply, world in
                try require(reply.order.state == .closed, "it is \(reply.order.state)")
                try await expectKept(reply.order, as: ask.customer, world)
            }),
        Example(
            nobody: PayOrder(order: nobody(), customer: nobody(), total: .cent),
            nobodyFinds: .refused(.orderNotFound),
            make: { world in try await payment(world) },
            other: { PayOrder(order: $0.order, customer: $0.customer, total: $0.total.more, card: $0.card) },
            reused: .totalChanged,
            effect: { _, world in
                let own = try await world.card()
                return try await world.money(on: own.card, of: own.customer)
            },
            shows: { ask, world in try await reading(ask.order, of: ask.customer, world) },
            leadsTo: [OrderPlaced.type, OrderPaid.type], moves: [-920, -920],
            expect: { ask, reply, world in
                try await expectKept(reply.order, as: ask.customer, world)
                try require(reply.order.state == .paid, "a paid order is \(reply.order.state)")
                let receipt = try await world.ask(
                    Payments.ReadReceipt(charge: ask.order.reinterpreted(), party: ask.customer))
                try require(receipt.amount == ask.total, "\(receipt.amount.display) were paid")
                try require(receipt.entry == reply.order.entry, "the order names another entry")
            }),
        Example(
            nobody: FinishOrder(order: nobody(), merchant: nobody()), nobodyFinds: .refused(.orderNotFound),
            make: { world in
                let paid = try await world.ask(try await payment(world)).order
                return FinishOrder(order: paid.order, merchant: paid.merchant)
            },
            shows: { ask, world in try await reading(ask.order, of: ask.merchant, world) },
            leadsTo: [OrderFinished.type],
            expect: { ask, reply, world in
                try require(reply.order.state == .ready, "it is \(reply.order.state)")
                try await expectKept(reply.order, as: ask.merchant, world)
            })
    ]

    private static let reading: [any AskExample] = [
        Example(
            nobody: ReadOrder(order: nobody(), party: nobody()), nobodyFinds: .refused(.orderNotFound),
            make: { world in
                let order = try await opened(world)
                return ReadOrder(order: order.order, party: order.customer)
            },
            expect: { ask, view, _ in
                try require(view.order == ask.order && view.customer == ask.party, "another order was read")
            }),
        Example(
            nobody: ReadCart(customer: nobody(), merchant: nobody()), nobodyFinds: .replied,
            make: { world in
                let order = try await world.ask(try await item(world)).order
                return ReadCart(customer: order.customer, merchant: order.merchant)
            },
            expect: { ask, reply, world in
                guard let order = reply.order else { throw Wrong("the cart is not there") }
                try require(order.merchant == ask.merchant, "it is a cart at another merchant")
                try await expectKept(order, as: ask.customer, world)
            }),
        Example(
            nobody: ReadOrders(party: nobody(), waiting: false, limit: 1), nobodyFinds: .replied,
            make: { world in
                let paid = try await world.ask(try await payment(world)).order
                return ReadOrders(party: paid.merchant, waiting: true, limit: 1)
            },
            expect: { ask, reply, world in
                try require(reply.orders.map(\.state) == [.paid], "\(reply.orders.count) orders wait instead of 1")
                for order in reply.orders { try await expectKept(order, as: ask.party, world) }
            }),
        Example(facts: Ordering.self), Example(stats: Ordering.self), Example(spans: Ordering.self),
        Example(backup: Ordering.self),
        Example(follow: Ordering.self), Example(state: Ordering.self), Example(seal: Ordering.self)
    ]
}
