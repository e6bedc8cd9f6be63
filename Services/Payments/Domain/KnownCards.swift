import Contracts
import Primitives
import Synchronization

/// The card that each customer was last known to have. The wallet removes no card and gives none to somebody else, so
/// what is remembered stays true.
package final class KnownCards: Sendable {
    /// Customers remembered.
    package static let customersMax = 100_000

    private let cards = Mutex(Remembered<PartyID, CardID>(atMost: customersMax))

    package init() {}

    /// Whether the customer is known to have the card; nil is the customer's default card, which is there if any is.
    package func contains(_ card: CardID?, of customer: PartyID) -> Bool {
        cards.withLock { cards in
            guard let known = cards[customer] else { return false }
            return card == nil || card == known
        }
    }

    package func note(_ card: CardID, of customer: PartyID) {
        cards.withLock { $0[customer] = card }
    }
}
