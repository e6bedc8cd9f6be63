import Contracts
import Primitives

/// The flow of ordering ahead: start, base, extras, checkout. A value: from the menu, the customer's order and the
/// position follows the screen. Nothing is remembered between two screens but the order.
package struct OrderFlow: Sendable {
    let shop: Ordering.MenuView
    let order: Ordering.OrderView?
    let language: Language
    /// What cards pay in.
    let currency: Currency

    package init(
        shop: Ordering.MenuView, order: Ordering.OrderView?, language: Language, currency: Currency = .usd
    ) {
        self.shop = shop
        self.order = order
        self.language = language
        self.currency = currency
    }

    private var menu: Ordering.Menu { shop.menu }
    private var count: Int { order?.lines.count ?? 0 }

    /// The screen at a position. Without an order there is only the start and an empty checkout; with one, no way leads
    /// back to the start. A choice that the menu does not have any more is not made, and the screen says so.
    package func screen(at wanted: OrderPosition) -> OrderScreen {
        let position = known(wanted)
        var screen = screen(onMenu: position)
        if position != wanted { screen.note = [language.gone, screen.note].compactMap(\.self).joined(separator: " ") }
        return screen
    }

    private func screen(onMenu position: OrderPosition) -> OrderScreen {
        guard let order else { return position.screen == .checkout ? checkout(nil, position) : start() }
        switch position.screen {
        case nil, .start, .base: return bases(order, position)
        case .extras: return position.base == nil ? bases(order, position) : extras(order, position)
        case .checkout: return checkout(order, position)
        }
    }

    private func known(_ position: OrderPosition) -> OrderPosition {
        OrderPosition(
            screen: position.screen, base: position.base.flatMap { key in menu.bases.first { $0.key == key }?.key },
            extras: position.extras.filter { key in menu.extras.contains { $0.key == key } }, from: position.from)
    }

    // MARK: Screens

    private func start() -> OrderScreen {
        let choices = menu.countries.map { country in
            OrderScreen.Item(
                isChosen: false, price: nil,
                press: press(
                    country.key, language.text(country.name), to: OrderPosition(screen: .base),
                    act: .init(
                        method: "POST", path: "/v1/menus/\(shop.merchant.hex)/orders",
                        body: .init(country: country.key))))
        }
        return screen(.start, language.start, choices: choices)
    }

    private func bases(_ order: Ordering.OrderView, _ position: OrderPosition) -> OrderScreen {
        let choices = menu.bases.map { base in
            OrderScreen.Item(
                isChosen: base.key == position.base, price: price(of: base, in: order),
                press: press(
                    base.key, language.text(base.name),
                    to: OrderPosition(screen: .base, base: base.key, extras: position.extras)))
        }
        return screen(
            .base, language.text(menu.baseTitle), choices: choices, note: unpayable(order),
            buttons: [
                press(
                    "continue", language.next,
                    to: OrderPosition(screen: .extras, base: position.base, extras: position.extras),
                    disabled: position.base == nil ? language.chooseFirst : nil),
                cart(from: .base, position)
            ])
    }

    private func extras(_ order: Ordering.OrderView, _ position: OrderPosition) -> OrderScreen {
        let choices = menu.extras.map { extra in
            let isChosen = position.extras.contains(extra.key)
            let toggled = isChosen ? position.extras.filter { $0 != extra.key } : position.extras + [extra.key]
            return OrderScreen.Item(
                isChosen: isChosen, price: Money(extra.price, order.total.currency).display,
                press: press(
                    extra.key, language.text(extra.name),
                    to: OrderPosition(
                        screen: .extras, base: position.base,
                        extras: menu.extras.map(\.key).filter { toggled.contains($0) })))
        }
        return screen(
            .extras, language.text(menu.extrasTitle),
            back: press(
                "back", language.text(menu.baseName),
                to: OrderPosition(screen: .base, base: position.base, extras: position.extras)),
            choices: choices, takesSeveral: true, note: unpayable(order),
            buttons: [
                press(
                    "order", language.order, alias: language.next,
                    to: OrderPosition(
                        screen: .checkout, base: position.base, extras: position.extras, from: .extras),
                    disabled: refusalToAdd,
                    act: .init(
                        method: "POST", path: "/v1/orders/\(order.order.hex)/items",
                        body: .init(base: position.base, extras: position.extras))),
                cart(from: .extras, position)
            ])
    }

    private func checkout(_ order: Ordering.OrderView?, _ position: OrderPosition) -> OrderScreen {
        let lines = (order?.lines ?? []).map { line in
            OrderScreen.Line(
                name: language.text(line.name),
                detail: ([line.baseName] + line.extraNames).map(language.text).joined(separator: ", "),
                price: line.price.display)
        }
        var buttons = [
            press("order-more", language.orderMore, to: OrderPosition(screen: .base), disabled: refusalToAdd),
            press(
                "pay", language.pay, to: OrderPosition(screen: .start), disabled: refusalToPay,
                act: order.map { order in
                    .init(
                        method: "POST", path: "/v1/orders/\(order.order.hex)/payment",
                        body: .init(total: order.total))
                })
        ]
        if let order, order.state == .open {
            buttons.append(
                press(
                    "discard", language.discard, to: OrderPosition(screen: .start),
                    act: .init(method: "DELETE", path: "/v1/orders/\(order.order.hex)", body: nil)))
        }
        return screen(
            .checkout, language.checkout, back: order == nil ? nil : wayBack(position), lines: lines,
            total: order.map { .init(label: language.total, amount: $0.total.display) },
            note: order.flatMap { $0.state == .paying ? language.paying : unpayable($0) }, buttons: buttons)
    }

    /// To the screen that led to checkout.
    private func wayBack(_ position: OrderPosition) -> OrderScreen.Press {
        let isExtras = position.from == .extras && position.base != nil
        return press(
            "back", language.text(isExtras ? menu.extrasTitle : menu.baseName),
            to: OrderPosition(
                screen: isExtras ? .extras : .base, base: position.base, extras: position.extras))
    }

    private var refusalToAdd: String? {
        if order?.state == .paying { return language.paying }
        if let order, country(of: order) == nil { return language.soldElsewhere }
        return count >= Ordering.itemsMax ? language.full : nil
    }

    /// The order's country, where the menu still sells there in the order's currency.
    private func country(of order: Ordering.OrderView) -> Ordering.Country? {
        menu.countries.first { $0.key == order.country && $0.currency == order.total.currency }
    }

    /// Said from the choice of the country on: nobody puts an order together in vain.
    private func unpayable(_ order: Ordering.OrderView) -> String? {
        if country(of: order) == nil { return language.soldElsewhere }
        let own = order.total.currency
        return own == currency ? nil : language.cannotPay(own.code, currency.code)
    }

    private var refusalToPay: String? {
        guard let order, count > 0 else { return language.empty }
        return order.total.currency == currency ? nil : language.paysOnly(currency.code)
    }

    // MARK: Parts

    private func cart(from screen: OrderPosition.Screen, _ position: OrderPosition) -> OrderScreen.Press {
        press(
            "cart", language.cart(count),
            to: OrderPosition(screen: .checkout, base: position.base, extras: position.extras, from: screen))
    }

    /// What a base costs in the order's country, without extras.
    private func price(of base: Ordering.Option, in order: Ordering.OrderView) -> String? {
        guard let country = country(of: order) else { return nil }
        return menu.price(base: base.price, extras: [], in: country).display
    }

    private func press(
        _ key: String, _ label: String, alias: String? = nil, to position: OrderPosition, disabled: String? = nil,
        act: OrderScreen.Act? = nil
    ) -> OrderScreen.Press {
        .init(
            key: key, label: label, alias: alias, disabled: disabled, act: act,
            to: position.path(of: shop.merchant, in: language))
    }

    private func screen(
        _ screen: OrderPosition.Screen, _ title: String, back: OrderScreen.Press? = nil,
        choices: [OrderScreen.Item] = [], takesSeveral: Bool = false, lines: [OrderScreen.Line] = [],
        total: OrderScreen.Total? = nil, note: String? = nil, buttons: [OrderScreen.Press] = []
    ) -> OrderScreen {
        OrderScreen(
            screen: screen, shop: language.text(menu.title), title: title, back: back, choices: choices,
            takesSeveral: takesSeveral, lines: lines, total: total, note: note, buttons: buttons, order: order?.order)
    }
}

extension OrderScreen.Body {
    fileprivate init(country: String) { self.init(country: country, base: nil, extras: nil, total: nil) }
    fileprivate init(base: String?, extras: [String]) {
        self.init(country: nil, base: base, extras: extras, total: nil)
    }
    fileprivate init(total: Money) { self.init(country: nil, base: nil, extras: nil, total: total) }
}
