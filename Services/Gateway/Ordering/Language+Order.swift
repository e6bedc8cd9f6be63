import Contracts

/// The words of the screens of ordering ahead.
extension Language {
    func text(_ words: Ordering.Words) -> String {
        switch self {
        case .en: words.en
        case .de: words.de ?? words.en
        }
    }

    var start: String { self == .en ? "Choose your country" : "Wählen Sie Ihr Land" }
    var next: String { self == .en ? "Continue" : "Weiter" }
    var order: String { self == .en ? "Order" : "Bestellen" }
    func cart(_ count: Int) -> String { self == .en ? "Cart (\(count))" : "Warenkorb (\(count))" }
    var checkout: String { self == .en ? "Checkout" : "Kasse" }
    var orderMore: String { self == .en ? "Order More" : "Mehr bestellen" }
    var pay: String { self == .en ? "Pay" : "Bezahlen" }
    var discard: String { self == .en ? "Discard order" : "Bestellung verwerfen" }
    var total: String { self == .en ? "Total" : "Summe" }
    var chooseFirst: String { self == .en ? "Choose one first" : "Wählen Sie zuerst" }
    var empty: String { self == .en ? "There is nothing in the order" : "In der Bestellung ist noch nichts" }
    var full: String { self == .en ? "The order has no room for more" : "Mehr passt nicht in die Bestellung" }
    /// Said of a choice in the address.
    var gone: String {
        self == .en
            ? "Something that was chosen is not on the menu any more: choose again."
            : "Etwas, das gewählt war, steht nicht mehr auf der Karte: Wählen Sie neu."
    }
    /// Said of an order whose country the menu has changed.
    var soldElsewhere: String {
        self == .en
            ? "This shop does not sell in the country of this order any more. Discard the order at the checkout, "
                + "and begin another one."
            : "Der Laden verkauft nicht mehr im Land dieser Bestellung. Verwerfen Sie sie an der Kasse und beginnen "
                + "Sie eine neue."
    }
    var paying: String {
        self == .en
            ? "The payment of this order is being found out; this takes some seconds."
            : "Die Zahlung dieser Bestellung wird geklärt; das dauert einige Sekunden."
    }
    func paysOnly(_ currency: String) -> String {
        self == .en ? "Cards pay in \(currency)" : "Karten zahlen in \(currency)"
    }

    /// Of an order in a currency that cards do not pay in.
    func cannotPay(_ order: String, _ currency: String) -> String {
        self == .en
            ? "An order in \(order) cannot be paid: cards pay in \(currency), and nothing is converted. "
                + "To choose another country, discard the order at the checkout."
            : "Eine Bestellung in \(order) lässt sich nicht bezahlen: Karten zahlen in \(currency), und nichts wird "
                + "umgerechnet. Für ein anderes Land verwerfen Sie die Bestellung an der Kasse."
    }

    func refunded(_ part: String, isWhole: Bool) -> String {
        switch (self, isWhole) {
        case (.en, true): "Refunded: \(part)"
        case (.en, false): "Refunded in part: \(part)"
        case (.de, true): "Erstattet: \(part)"
        case (.de, false): "Teilweise erstattet: \(part)"
        }
    }

    func heading(of order: Ordering.OrderView) -> String {
        let name = self == .en ? "Order" : "Bestellung"
        return "\(name)\(order.number.map { " \($0)" } ?? "") · \(state(order.state))"
    }

    private func state(_ state: Ordering.OrderState) -> String {
        switch state {
        case .open: self == .en ? "open" : "offen"
        case .paying: self == .en ? "being paid" : "wird bezahlt"
        case .paid: self == .en ? "paid" : "bezahlt"
        case .ready: self == .en ? "ready" : "fertig"
        case .closed: self == .en ? "closed without payment" : "ohne Zahlung beendet"
        }
    }

    func paid(at time: String, entry: Int64) -> String {
        self == .en ? "Paid at \(time), ledger entry \(entry)" : "Bezahlt am \(time), Buchung \(entry)"
    }
}
