import Contracts
import Primitives

/// An order as it is kept.
package struct Order: Sendable, Equatable {
    package let id: Ordering.OrderID
    package let customer: PartyID
    package let customerName: String?
    package let merchant: PartyID
    package let merchantName: String
    package let country: Ordering.Country
    package let begun: Timestamp
    package var state: Ordering.OrderState
    package var lines: [Ordering.Line]
    package var number: Int64?
    package var paid: Timestamp?
    package var ready: Timestamp?
    package var entry: Int64?
    package var successor: Ordering.OrderID?

    package init(
        id: Ordering.OrderID, customer: PartyID, customerName: String?, merchant: PartyID, merchantName: String,
        country: Ordering.Country, begun: Timestamp, state: Ordering.OrderState = .open, lines: [Ordering.Line] = []
    ) {
        self.id = id
        self.customer = customer
        self.customerName = customerName
        self.merchant = merchant
        self.merchantName = merchantName
        self.country = country
        self.begun = begun
        self.state = state
        self.lines = lines
    }

    /// The charge that pays it.
    package var charge: ChargeID { id.reinterpreted() }

    package var isPaid: Bool { state == .paid || state == .ready }

    package var total: Money { Money(lines.reduce(0) { $0 + $1.price.amount }, country.currency) }

    /// Whether a party may see it. Merchants see what was paid.
    package func isSeen(by party: PartyID) -> Bool { party == customer || (party == merchant && isPaid) }

    package var view: Ordering.OrderView { view() }

    /// JSON of an order while it is open, in bytes. An envelope of 64 KiB holds it in base64, as a row of a state that
    /// is handed over, also when it is paid, ready or paid back, which adds less than a kilobyte.
    package static let bytesMax = 45_000

    /// - Parameter refunded: what was paid back of it, as far as that is known.
    package func view(refunded: Money? = nil) -> Ordering.OrderView {
        Ordering.OrderView(
            order: id, state: state, number: number, merchant: merchant, merchantName: merchantName,
            customer: customer, customerName: customerName, country: country.key, countryName: country.name,
            lines: lines, total: total, begun: begun, paid: paid, ready: ready, entry: entry, successor: successor,
            refunded: refunded)
    }
}

// MARK: Words

extension Ordering.Line {
    /// `Burger: Beef, Pickles`.
    package var words: String { "\(name.en): \(([baseName] + extraNames).map(\.en).joined(separator: ", "))" }
}

extension Order {
    /// The items after each other on one line; the last words say how many more there are, where they do not fit.
    package func summary(bytesMax: Int) -> String {
        let all = lines.map(\.words)
        for shown in stride(from: all.count, through: 0, by: -1) {
            let rest = all.count - shown
            let more = rest == 0 ? [] : [shown == 0 ? "\(rest) items" : "and \(rest) more"]
            let text = (all.prefix(shown) + more).joined(separator: "; ")
            if text.utf8.count <= bytesMax { return text }
        }
        return ""
    }
}
