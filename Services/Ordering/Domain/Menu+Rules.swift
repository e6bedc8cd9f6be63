import Contracts
import Primitives

extension Ordering.Menu {
    /// What a menu must be beyond its fields' limits.
    ///
    /// - Throws: `ordering.menu_invalid`.
    package func checkWhole() throws(Fault) {
        for keys in [countries.map(\.key), bases.map(\.key), extras.map(\.key)] {
            guard Set(keys).count == keys.count else { throw Fault(.menuInvalid, "each key may stand in a list once") }
        }
        let words =
            [title, item, baseTitle, baseName, extrasTitle] + countries.map(\.name)
            + (bases + extras).map(\.name)
        guard words.allSatisfy({ $0.en.isShownAndVisible && $0.de?.isShownAndVisible ?? true }) else {
            throw Fault(.menuInvalid, "each text must have a visible character")
        }
        for country in countries {
            for base in bases where price(base: base.price, extras: [], in: country).amount < 1 {
                throw Fault(.menuInvalid, "'\(base.key)' costs nothing in '\(country.key)'")
            }
        }
    }

    /// - Throws: `ordering.choice_unknown`.
    package func country(_ key: String) throws(Fault) -> Ordering.Country {
        guard let country = countries.first(where: { $0.key == key }) else {
            throw Fault(.choiceUnknown, "there is no country '\(key)' in this menu")
        }
        return country
    }

    /// The country of an order as the menu has it now: what the screens show is what is added.
    ///
    /// - Throws: `ordering.choice_unknown`, also where its currency is another one by now.
    package func country(of order: Order) throws(Fault) -> Ordering.Country {
        let country = try country(order.country.key)
        guard country.currency == order.country.currency else {
            throw Fault(
                .choiceUnknown,
                "this menu sells in \(country.currency.code) there now: discard the order, and begin another one")
        }
        return country
    }

    /// One item at its price, with its extras in the menu's order.
    ///
    /// - Throws: `ordering.choice_unknown`, also for an extra that is named twice.
    package func line(
        _ item: Ordering.ItemID, base key: String, extras keys: [String], in country: Ordering.Country
    ) throws(Fault) -> Ordering.Line {
        guard let base = bases.first(where: { $0.key == key }) else {
            throw Fault(.choiceUnknown, "there is no base '\(key)' in this menu")
        }
        let chosen = extras.filter { keys.contains($0.key) }
        guard chosen.count == keys.count else {
            throw Fault(.choiceUnknown, "an extra is not in this menu, or is named twice")
        }
        return Ordering.Line(
            item: item, name: self.item, base: base.key, extras: chosen.map(\.key), baseName: base.name,
            extraNames: chosen.map(\.name), price: price(base: base.price, extras: chosen.map(\.price), in: country))
    }
}
