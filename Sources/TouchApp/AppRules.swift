import Primitives

/// The knobs of the app.
package struct AppRules: Sendable {
    /// What one touch pays.
    package var touchAmount = Money(150)
    /// The name of whom it pays, where it is known.
    package var payee: String?
    /// What one reload puts on the card.
    package var reloadAmount = Money(1000)
    /// How many transactions are shown; as many as fit on a phone.
    package var transactionsMax = 10
    /// How many stores are shown.
    package var storesMax = 10
    /// Touches of one device that may wait for the one before them. A person has two thumbs; 16 leaves room for a
    /// client that repeats itself.
    package var waitingMax = 16

    package static let standard = AppRules()

    package init() {}
}
