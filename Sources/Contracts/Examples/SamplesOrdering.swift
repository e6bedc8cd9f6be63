import Primitives

extension Samples {
    package static let order = Ordering.OrderID(high: 0x019a_9c3d_2c40_0070, low: 0x0DE4_0DE4_0DE4_0DE4)
    package static let nextOrder = Ordering.OrderID(high: 0x019a_9c3d_2c40_0071, low: 0x0DE5_0DE5_0DE5_0DE5)
    package static let item = Ordering.ItemID(high: 0x019a_9c3d_2c40_0072, low: 0x17E6_17E6_17E6_17E6)
    package static let orderSummary = "Burger: Beef, Pickles"

    package static let menu = Ordering.Menu(
        title: .init(en: "Burger Shop", de: nil), item: .init(en: "Burger", de: nil),
        baseTitle: .init(en: "Select the Patty", de: "Wähle den Patty"),
        baseName: .init(en: "Patty Selection", de: "Patty-Auswahl"),
        extrasTitle: .init(en: "Ingredients", de: "Zutaten"),
        countries: [
            .init(key: "us", name: .init(en: "USA", de: nil), currency: .usd, factorPercent: 170)
        ],
        bases: [.init(key: "beef", name: .init(en: "Beef", de: "Rindfleisch"), price: 500)],
        extras: [.init(key: "pickles", name: .init(en: "Pickles", de: "Essiggurken"), price: 70)])

    package static let menuView = Ordering.MenuView(
        merchant: merchant, merchantName: "Burger Shop", menu: menu, revision: 3, changed: time)
    package static let hiddenMenu = Ordering.MenuView(
        merchant: merchant, merchantName: "Burger Shop", menu: menu, revision: 3, changed: time, isHidden: true)

    package static var openOrder: Ordering.OrderView { order(.open) }

    /// The order in one state, with what is known in it.
    package static func order(_ state: Ordering.OrderState) -> Ordering.OrderView {
        let isPaid = state == .paid || state == .ready
        return Ordering.OrderView(
            order: order, state: state, number: isPaid ? 12 : nil, merchant: merchant, merchantName: "Burger Shop",
            customer: customer, customerName: isPaid ? "Ada" : nil, country: "us", countryName: menu.countries[0].name,
            lines: [
                Ordering.Line(
                    item: item, name: menu.item, base: "beef", extras: ["pickles"], baseName: menu.bases[0].name,
                    extraNames: [menu.extras[0].name], price: Money(920))
            ], total: Money(920), begun: time, paid: isPaid ? later : nil, ready: state == .ready ? later : nil,
            entry: isPaid ? 1000 : nil, successor: state == .closed ? nextOrder : nil)
    }

    /// Everything that an order can say, though no order says all of it.
    package static var closedOrder: Ordering.OrderView {
        let ready = order(.ready)
        return Ordering.OrderView(
            order: ready.order, state: .closed, number: ready.number, merchant: ready.merchant,
            merchantName: ready.merchantName, customer: ready.customer, customerName: ready.customerName,
            country: ready.country, countryName: ready.countryName, lines: ready.lines, total: ready.total,
            begun: ready.begun, paid: ready.paid, ready: ready.ready, entry: ready.entry, successor: nextOrder,
            refunded: Money(100))
    }
}
