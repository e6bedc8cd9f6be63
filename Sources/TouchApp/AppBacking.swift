import Primitives
import Wire

/// All that the app needs of the world: the gateway asks the bus, ``MemoryBacking`` keeps it in memory.
///
/// One backing serves one customer's device. Every call ends by its own deadline; none is made while another one of the
/// same device runs. A call whose outcome is not known throws ``BackingError/unknown``, one that has done nothing
/// ``BackingError/unavailable``; the difference decides whether a payment may be tried under a new id.
package protocol AppBacking: Sendable {
    /// Proves who holds the device. Throws `wrongPIN`, `pinDelayed`, `pinLocked`, `pinNotSet`.
    func verify(pin: Digits) async throws(BackingError)

    /// The card that pays by default; nil when the customer has none.
    func currentCard() async throws(BackingError) -> CardSummary?

    /// All cards, in the order in which they were added.
    func cards() async throws(BackingError) -> [CardSummary]

    /// Makes a card the one that pays by default.
    func choose(_ card: CardID) async throws(BackingError) -> CardSummary

    /// Adds a card and makes it the default one. Done once for each `order.operation`, which may become the card's id.
    ///
    /// Throws `cardTaken`, `cardInvalid`, `tooManyCards`.
    func add(_ order: CardOrder) async throws(BackingError) -> CardSummary

    /// Pays at the touch. Done once for each `order.operation`; a repeat gets the first receipt, marked as a repeat.
    ///
    /// Throws `paymentsDisabled`, `noCard`, `insufficientFunds`.
    func pay(_ order: PaymentOrder) async throws(BackingError) -> PaymentReceipt

    /// Puts money on a card. Done once for each `order.operation`. Throws `noCard`.
    func reload(_ order: ReloadOrder) async throws(BackingError) -> CardSummary

    /// What the merchant's scanner reads. Throws `paymentsDisabled`, `noCard`.
    func payCode(card: CardID?) async throws(BackingError) -> PayCode

    /// What last happened on a card, newest first, at most `limit`. Throws `noCard`.
    func transactions(card: CardID?, limit: Int) async throws(BackingError) -> [CardTransaction]

    /// Whether this customer's device may pay.
    func paymentsEnabled() async throws(BackingError) -> Bool
    func enablePayments(_ enabled: Bool) async throws(BackingError)

    /// Throws `notOffered` where there is no loyalty programme.
    func rewards() async throws(BackingError) -> Rewards
    /// Takes part, or no longer.
    func joinRewards(_ joined: Bool) async throws(BackingError) -> Rewards

    /// Stores near the customer, nearest first. Throws `notOffered` where they are not known.
    func stores() async throws(BackingError) -> [Store]
}

/// A card as its owner sees it.
package struct CardSummary: Hashable, Sendable {
    package let card: CardID
    package let lastFour: String
    package let balance: Money
    package let isDefault: Bool

    package init(card: CardID, lastFour: String, balance: Money, isDefault: Bool) {
        self.card = card
        self.lastFour = lastFour
        self.balance = balance
        self.isDefault = isDefault
    }
}

package struct PaymentOrder: Hashable, Sendable {
    /// The touch's id.
    package let operation: OperationID
    /// The card that was shown; the default one where none was known.
    package let card: CardID?
    package let amount: Money

    package init(operation: OperationID, card: CardID?, amount: Money) {
        self.operation = operation
        self.card = card
        self.amount = amount
    }
}

package struct ReloadOrder: Hashable, Sendable {
    /// The touch's id.
    package let operation: OperationID
    package let card: CardID?
    package let amount: Money

    package init(operation: OperationID, card: CardID?, amount: Money) {
        self.operation = operation
        self.card = card
        self.amount = amount
    }
}

package struct CardOrder: Hashable, Sendable {
    /// The touch's id.
    package let operation: OperationID
    /// 16 digits.
    package let number: Digits
    /// 8 digits.
    package let code: Digits

    package init(operation: OperationID, number: Digits, code: Digits) {
        self.operation = operation
        self.number = number
        self.code = code
    }
}

/// What is handed out for a payment.
package struct PaymentReceipt: Hashable, Sendable {
    package let operation: OperationID
    package let amount: Money
    /// The card that paid, as it is afterwards.
    package let card: CardSummary
    /// The ledger entry that moved the money.
    package let entry: Int64
    package let time: Timestamp
    /// The payment had been made before, under the same id; nothing was charged now.
    package let replayed: Bool

    package init(
        operation: OperationID, amount: Money, card: CardSummary, entry: Int64, time: Timestamp, replayed: Bool
    ) {
        self.operation = operation
        self.amount = amount
        self.card = card
        self.entry = entry
        self.time = time
        self.replayed = replayed
    }
}

package struct PayCode: FastCoded, WireValue, Hashable {
    /// The content of the bar code.
    package let code: String
    package let expires: Timestamp

    package init(code: String, expires: Timestamp) {
        self.code = code
        self.expires = expires
    }
}

package struct CardTransaction: FastCoded, WireValue, Hashable {
    /// A word or two: `Payment`, `Reload`, `Opening balance`.
    package let kind: String
    /// Negative when the money went out.
    package let amount: Money
    /// The card's balance afterwards.
    package let balance: Money
    package let time: Timestamp

    package init(kind: String, amount: Money, balance: Money, time: Timestamp) {
        self.kind = kind
        self.amount = amount
        self.balance = balance
        self.time = time
    }
}

package struct Rewards: FastCoded, WireValue, Hashable {
    package let stars: Int
    /// Whether the customer takes part.
    package let joined: Bool

    package init(stars: Int, joined: Bool) {
        self.stars = stars
        self.joined = joined
    }
}

package struct Store: FastCoded, WireValue, Hashable {
    package let name: String
    package let distanceMetres: Int

    package init(name: String, distanceMetres: Int) {
        self.name = name
        self.distanceMetres = distanceMetres
    }
}
