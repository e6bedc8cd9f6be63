import Bus
import Contracts
import OrderingService
import Primitives
import Testing

@Suite("An order")
struct OrderTests {
    private let harness: OrderHarness

    init() async throws {
        harness = try OrderHarness()
        try await harness.setMenu()
    }

    @Test("lists what was ordered, and each item once (002-19, 002-21, 002-22)")
    func items() async throws {
        try await harness.begin()
        for low in 1...5 as ClosedRange<UInt64> { try await harness.add(low) }
        #expect(try await harness.add(3).replayed)
        let cart = try #require(try await harness.cart())
        #expect(cart.lines.count == 5)
        #expect(cart.lines.allSatisfy { $0.base == "beef" && $0.extras == ["pickles"] && $0.price == Money(920) })
        #expect(cart.total == Money(4600))
    }

    @Test("keeps the price at which an item was ordered")
    func prices() async throws {
        try await harness.begin()
        try await harness.add(1)
        let dearer = Ordering.Menu(
            title: Samples.menu.title, item: Samples.menu.item, baseTitle: Samples.menu.baseTitle,
            baseName: Samples.menu.baseName, extrasTitle: Samples.menu.extrasTitle, countries: Samples.menu.countries,
            bases: [.init(key: "beef", name: .init(en: "Beef"), price: 600)], extras: Samples.menu.extras)
        _ = try await SetMenuHandler(harness.service).answer(
            Ordering.SetMenu(merchant: Samples.merchant, menu: dearer), in: harness.context)
        #expect(try await harness.add(2).order.lines.map(\.price) == [Money(920), Money(1090)])
    }

    private func setCountries(_ countries: [Ordering.Country]) async throws {
        let menu = Ordering.Menu(
            title: Samples.menu.title, item: Samples.menu.item, baseTitle: Samples.menu.baseTitle,
            baseName: Samples.menu.baseName, extrasTitle: Samples.menu.extrasTitle, countries: countries,
            bases: Samples.menu.bases, extras: Samples.menu.extras)
        _ = try await SetMenuHandler(harness.service).answer(
            Ordering.SetMenu(merchant: Samples.merchant, menu: menu), in: harness.context)
    }

    @Test("takes items at today's factor of its country, and none where the menu does not sell there as it did")
    func countryChanged() async throws {
        try await harness.begin()
        let us = try #require(Samples.menu.countries.first { $0.key == "us" })
        try await setCountries([
            Ordering.Country(key: "us", name: us.name, currency: us.currency, factorPercent: us.factorPercent * 2)
        ])
        #expect(try await harness.add(1).order.lines.map(\.price) == [Money(1770)])
        let francs = try #require(Currency("CHF"))
        try await setCountries([
            Ordering.Country(key: "us", name: us.name, currency: francs, factorPercent: us.factorPercent)
        ])
        await #expect { try await harness.add(2) } throws: { ($0 as? Fault)?.code == .choiceUnknown }
        try await setCountries([
            Ordering.Country(key: "ca", name: us.name, currency: us.currency, factorPercent: us.factorPercent)
        ])
        await #expect { try await harness.add(2) } throws: { ($0 as? Fault)?.code == .choiceUnknown }
    }

    @Test("of a customer are read by when they were paid, not by when they were begun")
    func newestFirst() async throws {
        let store = harness.store
        var orders: [Ordering.OrderID] = []
        for (low, merchant) in [(1, Samples.merchant), (2, Samples.friend)] as [(UInt64, PartyID)] {
            _ = try await store.setMenu(
                Ordering.SetMenu(merchant: merchant, menu: Samples.menu), merchantName: "Shop", at: Samples.time,
                because: harness.context)
            let order = Ordering.OrderID(high: 5, low: low)
            orders.append(order)
            _ = try await store.begin(
                Ordering.BeginOrder(order: order, customer: Samples.customer, merchant: merchant, country: "us"),
                customerName: nil, at: Samples.time)
            try await harness.add(low, to: order)
        }
        for (entry, order) in orders.reversed().enumerated() {
            _ = try await store.place(
                Ordering.PayOrder(order: order, customer: Samples.customer, total: Money(920)), in: .usd,
                settles: Samples.time, at: Samples.time, because: harness.context)
            _ = try await store.pay(order, entry: Int64(entry + 1), at: Samples.time, because: harness.context)
        }
        let first = try await store.orders(
            of: Samples.customer, asMerchant: false, waiting: true, before: nil, limit: 1)
        #expect((first.orders.map(\.id), first.next) == ([orders[0]], 2))
        let second = try await store.orders(
            of: Samples.customer, asMerchant: false, waiting: true, before: first.next, limit: 1)
        #expect((second.orders.map(\.id), second.next) == ([orders[1]], nil))
    }

    @Test("whose payment was asked for while the clock was ahead is settled all the same")
    func clockAhead() async throws {
        try await harness.begin()
        try await harness.add(1)
        _ = try await harness.store.place(
            Ordering.PayOrder(order: Samples.order, customer: Samples.customer, total: Money(920)), in: .usd,
            settles: Samples.time + .seconds(86_400), at: Samples.time, because: harness.context)
        #expect(try await harness.store.unsettled(at: Samples.time, limit: 10) == [Samples.order])
        let soon = Samples.time + .seconds(86_400) - .seconds(5)
        #expect(try await harness.store.unsettled(at: soon, limit: 10).isEmpty)
    }

    @Test("is one at a time, and an empty one gives way to another country's")
    func oneAtATime() async throws {
        try await harness.begin()
        #expect(try await harness.begin().replayed)
        try await harness.begin(Samples.nextOrder)
        #expect(try await harness.cart()?.order == Samples.nextOrder)
        try await harness.add(1, to: Samples.nextOrder)
        await #expect(throws: Fault(.orderOpen)) { try await harness.begin(.init(high: 9, low: 9)) }
        await #expect(throws: Fault(.orderNotOpen)) { try await harness.add(2) }
    }

    @Test("has room for 20 items")
    func full() async throws {
        try await harness.begin()
        for low in 1...20 as ClosedRange<UInt64> { try await harness.add(low) }
        await #expect { try await harness.add(21) } throws: { ($0 as? Fault)?.code == .orderFull }
    }

    @Test("fits into an answer, whatever the items are called")
    func long() async throws {
        let long = Ordering.Words(en: String(repeating: "e", count: 60), de: String(repeating: "d", count: 60))
        let extras = (1...30).map { Ordering.Option(key: "extra\($0)", name: long, price: 10) }
        let menu = Ordering.Menu(
            title: Samples.menu.title, item: Samples.menu.item, baseTitle: Samples.menu.baseTitle,
            baseName: Samples.menu.baseName, extrasTitle: Samples.menu.extrasTitle, countries: Samples.menu.countries,
            bases: Samples.menu.bases, extras: extras)
        _ = try await SetMenuHandler(harness.service).answer(
            Ordering.SetMenu(merchant: Samples.merchant, menu: menu), in: harness.context)
        try await harness.begin()
        var items: UInt64 = 0
        await #expect {
            while true {
                try await harness.add(items + 1, extras: extras.map(\.key))
                items += 1
            }
        } throws: { ($0 as? Fault)?.code == .orderFull }
        #expect((1..<20).contains(items))
        let order = try #require(try await harness.cart())
        #expect(order.lines.count == Int(items) && order.json.count <= Order.bytesMax)
    }

    @Test("is paid once, gets its number, and leaves the cart empty (002-24)")
    func paid() async throws {
        try await harness.begin()
        try await harness.add(1)
        let paid = try await harness.pay()
        #expect(paid.order.state == .paid && paid.order.number == 1 && paid.order.entry == 7 && !paid.replayed)
        #expect(try await harness.pay() == Ordering.OrderReply(order: paid.order, replayed: true))
        #expect(harness.world.payments == 1)
        #expect(try await harness.cart() == nil)
        #expect(
            try await harness.facts() == [
                "ordering.menu.changed.v1", "ordering.order.placed.v1", "ordering.order.paid.v1"
            ])
    }

    @Test("is not paid when it is empty, or when the customer saw another total (A64)")
    func refused() async throws {
        try await harness.begin()
        await #expect(throws: Fault(.orderEmpty)) { try await harness.pay() }
        try await harness.add(1)
        await #expect { try await harness.pay(Samples.order, 919) } throws: { ($0 as? Fault)?.code == .totalChanged }
        #expect(harness.world.payments == 0)
        #expect(try await harness.cart()?.state == .open)
    }

    @Test("whose payment is refused goes on under another id, which can be paid")
    func renewed() async throws {
        try await harness.begin()
        try await harness.add(1)
        harness.world.refuse(Fault(.insufficientFunds))
        await #expect {
            try await harness.pay()
        } throws: { error in
            (error as? Fault)?.code == .insufficientFunds && (error as? Fault)?.detail?.contains("was closed") == true
        }
        harness.world.refuse(nil)
        let old = try #require(try await harness.store.order(Samples.order))
        let cart = try #require(try await harness.cart())
        #expect(old.state == .closed && old.lines.isEmpty && old.successor == cart.order)
        #expect(cart.state == .open && cart.total == Money(920))
        await #expect { try await harness.pay() } throws: { ($0 as? Fault)?.code == .orderClosed }
        // The item is known under the order that it was added to.
        #expect(try await harness.add(1).order.order == cart.order)
        #expect(try await harness.pay(cart.order).order.state == .paid)
    }

    @Test("whose answer was lost is settled by what the wallet has decided", arguments: [true, false])
    func settled(isPosted: Bool) async throws {
        try await harness.begin()
        try await harness.add(1)
        if isPosted { harness.world.lose(Fault(.outcomeUnknown)) } else { harness.world.refuse(Fault(.unavailable)) }
        await #expect(throws: Fault.self) { try await harness.pay() }
        #expect(try await harness.cart()?.state == .paying)
        await #expect { try await harness.add(2) } throws: { ($0 as? Fault)?.code == .orderNotOpen }
        switch try await harness.service.settle(Samples.order, in: harness.context) {
        case .paid(let order): #expect(isPosted && order.state == .paid)
        case .closed(let successor):
            let cart = try await harness.cart()
            #expect(!isPosted && cart?.order == successor)
        }
        let order = try #require(try await harness.store.order(Samples.order))
        #expect(order.state == (isPosted ? .paid : .closed))
        #expect(try await harness.cart()?.lines.count == (isPosted ? nil : 1))
        #expect(harness.world.posted.count == (isPosted ? 1 : 0))
    }

    @Test("that is paid is never said to be unpaid: another total or currency is told that it is paid")
    func paidBefore() async throws {
        try await harness.begin()
        try await harness.add(1)
        try await harness.pay()
        for total in [Money(919), Money(920, Currency("CHF") ?? .usd)] {
            await #expect {
                try await harness.store.place(
                    Ordering.PayOrder(order: Samples.order, customer: Samples.customer, total: total),
                    in: .usd, settles: harness.context.deadline, at: Samples.time, because: harness.context)
            } throws: { error in
                (error as? Fault)?.code == .totalChanged && (error as? Fault)?.detail?.contains("was paid") == true
            }
        }
        #expect(harness.world.posted.count == 1)
    }

    @Test("is asked for again under the same id after an answer was lost, and paid once")
    func again() async throws {
        try await harness.begin()
        try await harness.add(1)
        harness.world.lose(Fault(.outcomeUnknown))
        await #expect(throws: Fault(.outcomeUnknown)) { try await harness.pay() }
        harness.world.lose(nil)
        #expect(try await harness.pay().order.state == .paid)
        #expect(harness.world.posted.count == 1)
        #expect(try await harness.facts().count { $0 == "ordering.order.placed.v1" } == 1)
    }

    @Test("is seen by its customer, by its merchant once it is paid, and by nobody else")
    func seen() async throws {
        func read(_ party: PartyID?) async throws -> Ordering.OrderView {
            try await ReadOrderHandler(harness.service).answer(
                Ordering.ReadOrder(order: Samples.order, party: party), in: harness.context)
        }
        try await harness.begin()
        try await harness.add(1)
        #expect(try await read(Samples.customer).state == .open)
        await #expect(throws: Fault(.orderNotFound)) { try await read(Samples.merchant) }
        try await harness.pay()
        #expect(try await read(Samples.merchant).state == .paid)
        await #expect(throws: Fault(.orderNotFound)) { try await read(Samples.friend) }
    }

    @Test("is made ready once, by its own merchant and after it is paid")
    func ready() async throws {
        func finish(_ merchant: PartyID = Samples.merchant) async throws -> Ordering.OrderReply {
            try await FinishOrderHandler(harness.service).answer(
                Ordering.FinishOrder(order: Samples.order, merchant: merchant), in: harness.context)
        }
        try await harness.begin()
        try await harness.add(1)
        await #expect(throws: Fault(.orderNotPaid)) { try await finish() }
        try await harness.pay()
        await #expect(throws: Fault(.orderNotFound)) { try await finish(Samples.friend) }
        #expect(try await finish().order.state == .ready)
        #expect(try await finish().replayed)
        #expect(try await harness.facts().count { $0 == "ordering.order.finished.v1" } == 1)
    }

    @Test("that was paid back in full leaves the list without a word to its customer")
    func takenOffTheList() async throws {
        try await harness.begin()
        try await harness.add(1)
        try await harness.pay()
        harness.world.refund([Samples.order.reinterpreted(): Money(920)])
        let finished = try await FinishOrderHandler(harness.service).answer(
            Ordering.FinishOrder(order: Samples.order, merchant: Samples.merchant), in: harness.context)
        #expect(finished.order.state == .ready)
        #expect(try await !harness.facts().contains("ordering.order.finished.v1"))
    }

    @Test("is thrown away without a payment")
    func discarded() async throws {
        try await harness.begin()
        try await harness.add(1)
        let ask = Ordering.DiscardOrder(order: Samples.order, customer: Samples.customer)
        #expect(try await DiscardOrderHandler(harness.service).answer(ask, in: harness.context).order.state == .closed)
        #expect(try await harness.cart() == nil)
        await #expect { try await harness.pay() } throws: { ($0 as? Fault)?.code == .orderClosed }
    }

    @Test("that is closed is deleted when its time is up, one that was paid or still can be is kept")
    func dropped() async throws {
        func id(_ low: UInt64) -> Ordering.OrderID { .init(high: 7, low: low) }
        let (discarded, empty, paid, open) = (id(1), id(2), id(3), id(4))
        try await harness.begin(discarded)
        try await harness.add(1, to: discarded)
        _ = try await DiscardOrderHandler(harness.service).answer(
            Ordering.DiscardOrder(order: discarded, customer: Samples.customer), in: harness.context)
        try await harness.begin(empty)
        try await harness.begin(paid)
        try await harness.add(2, to: paid)
        try await harness.pay(paid)
        try await harness.begin(open)
        func drop(closedBefore end: Timestamp) async throws {
            #expect(try await !harness.store.drop(closedBefore: end, at: Samples.time))
        }
        // As an older version has left it.
        try await harness.store.store.write { try $0.run("UPDATE orders SET closed = NULL WHERE id = ?", discarded) }
        try await drop(closedBefore: Samples.time)
        #expect(try await harness.store.order(discarded)?.lines.count == 1)
        #expect(try await harness.store.order(empty)?.state == .closed)
        try await drop(closedBefore: Samples.time + .milliseconds(1))
        for dropped in [discarded, empty] { #expect(try await harness.store.order(dropped) == nil) }
        #expect(try await harness.store.order(paid)?.lines.count == 1)
        #expect(try await harness.store.order(open)?.state == .open)
    }

    private func read(
        _ party: PartyID = Samples.customer
    ) async throws -> (one: Ordering.OrderView, all: [Ordering.OrderView]) {
        let actor = AskContext(
            deadline: harness.context.deadline,
            actor: Actor(role: party == Samples.customer ? .customer : .merchant, party: party))
        let one = try await ReadOrderHandler(harness.service).answer(
            Ordering.ReadOrder(order: Samples.order, party: party), in: actor)
        let all = try await ReadOrdersHandler(harness.service).answer(
            Ordering.ReadOrders(party: party, waiting: false, limit: 10), in: actor)
        return (one, all.orders)
    }

    @Test("says what was paid back, to its customer and its merchant, and nothing of it while payments is away")
    func refunded() async throws {
        try await harness.begin()
        try await harness.add(1)
        try await harness.pay()
        for refunded in [nil, Money(100), Money(920)] {
            harness.world.refund(refunded.map { [Samples.order.reinterpreted(): $0] } ?? [:])
            for party in [Samples.customer, Samples.merchant] {
                let (one, all) = try await read(party)
                #expect(one.refunded == refunded)
                #expect(all == [one])
            }
        }
        harness.world.refund(nil)
        #expect(try await read().one.refunded == nil)
        #expect(try await read().all.map(\.state) == [.paid])
    }

    @Test("and its menu have the merchant's name of today, however old the menu is")
    func renamed() async throws {
        harness.world.rename("Zebra House")
        harness.service.decided(on: Samples.merchant)
        #expect(try await harness.begin().order.merchantName == "Zebra House")
        let list = ReadMenusHandler(harness.service)
        let titles = try await list.answer(.init(skip: 0, limit: 10), in: harness.context).menus
        #expect(titles.map(\.merchantName) == ["Zebra House"])
        let ask = Ordering.ReadMenu(merchant: Samples.merchant)
        let menu = try await ReadMenuHandler(harness.service).answer(ask, in: harness.context)
        #expect(menu.merchantName == "Zebra House" && menu.revision == 1)
        // The list is sorted by what is written.
        #expect(try await harness.store.menu(of: Samples.merchant) == menu)
    }

    @Test("is begun at approved merchants only; others read no menu but their own (A95)")
    func hidden() async throws {
        harness.world.approve(false)
        harness.service.decided(on: Samples.merchant)
        await #expect(throws: Fault(.menuNotFound)) { try await harness.begin() }
        let read = ReadMenuHandler(harness.service)
        let ask = Ordering.ReadMenu(merchant: Samples.merchant)
        await #expect(throws: Fault(.menuNotFound)) { try await read.answer(ask, in: harness.context) }
        for actor in [
            Actor(role: .merchant, party: Samples.merchant), Actor(role: .administrator, party: Samples.customer)
        ] {
            let context = AskContext(deadline: harness.context.deadline, actor: actor)
            #expect(try await read.answer(ask, in: context).isHidden == true)
        }
        let list = ReadMenusHandler(harness.service)
        #expect(try await list.answer(.init(skip: 0, limit: 10), in: harness.context) == .init(menus: [], next: nil))
        harness.world.approve(true)
        #expect(try await read.answer(ask, in: harness.context).isHidden == nil)
        #expect(try await list.answer(.init(skip: 0, limit: 10), in: harness.context).menus.count == 1)
        try await harness.begin()
        // What was begun before goes on under its id.
        harness.world.approve(false)
        harness.service.decided(on: Samples.merchant)
        #expect(try await harness.begin().replayed)
    }
}
