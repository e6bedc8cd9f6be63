import Primitives

/// What the last touch or command came to: one line on the display, until the next one that means something.
package enum Note: Hashable, Sendable {
    // Good news.
    case paid(Money, balance: Money)
    /// A payment whose outcome was not known turned out to have been made.
    case paidBefore(Money)
    case reloaded(Money, balance: Money)
    /// A reload whose outcome was not known has been made, before or now.
    case reloadedOnce(Money)
    case refreshed(balance: Money)
    case added(lastFour: String)
    case chosen(lastFour: String, balance: Money)
    case noTransactions
    case paymentsEnabled
    case noStores

    // Refusals and failures.
    case failed(BackingError, Attempt)
    case cardIDIncomplete
    case cardCodeIncomplete

    /// What was tried, as far as the words about its failure depend on it.
    package enum Attempt: Hashable, Sendable {
        case reading, payment, reload, newCard, pin, setting
    }

    /// When the next PIN is looked at, where that is not now.
    package var nextPIN: Timestamp? {
        if case .failed(let error, _) = self { error.nextPIN } else { nil }
    }

    package var isError: Bool {
        switch self {
        case .failed, .cardIDIncomplete, .cardCodeIncomplete: true
        default: false
        }
    }

    package var text: String {
        switch self {
        case .paid(let amount, let balance): "Paid \(amount.display). Balance \(balance.display)"
        case .paidBefore(let amount): "Paid \(amount.display) before, nothing charged now"
        case .reloaded(let amount, let balance): "Reloaded \(amount.display). Balance \(balance.display)"
        case .reloadedOnce(let amount): "Reloaded \(amount.display) once"
        case .refreshed(let balance): "Balance \(balance.display)"
        case .added(let lastFour): "Added card \(lastFour)"
        case .chosen(let lastFour, let balance): "Card \(lastFour). Balance \(balance.display)"
        case .noTransactions: "No transactions"
        case .paymentsEnabled: "Payments enabled"
        case .noStores: "No stores near you"
        case .failed(let error, let attempt): Self.text(error, attempt)
        case .cardIDIncomplete: "Card ID needs 16 digits"
        case .cardCodeIncomplete: "Card Code needs 8 digits"
        }
    }

    private static func text(_ error: BackingError, _ attempt: Attempt) -> String {
        switch error {
        case .wrongPIN: "Invalid Pin"
        case .pinDelayed(let seconds, _): "Too many Pins. Wait \(seconds) s"
        case .pinLocked: "Pin locked"
        case .pinNotSet: "No Pin set"
        case .pinRequired: "Enter the Pin again"
        case .noCard: "No card"
        case .insufficientFunds: "Insufficient funds"
        case .paymentsDisabled: "Payments disabled"
        case .cardTaken: "Card already registered"
        case .cardInvalid: "Card not valid"
        case .tooManyCards: "Too many cards"
        case .notOffered: "Not offered here"
        case .refused: "Refused\(nothingDone(attempt))"
        case .doneBefore: "Done before. Look at the transactions"
        case .unavailable: "Service unavailable\(nothingDone(attempt)). Try again"
        case .unknown: unconfirmed(attempt)
        }
    }

    private static func nothingDone(_ attempt: Attempt) -> String {
        switch attempt {
        case .reading: ""
        case .payment: ". Nothing was paid"
        case .reload: ". Nothing was reloaded"
        case .newCard: ". No card was added"
        case .pin: ". The Pin was not checked"
        case .setting: ". Nothing was changed"
        }
    }

    /// Tries again under the same id, so that what did happen does not happen twice.
    private static func unconfirmed(_ attempt: Attempt) -> String {
        switch attempt {
        case .payment: "Payment not confirmed. Touch again: it is paid once"
        case .reload: "Reload not confirmed. Touch again: it is reloaded once"
        case .newCard: "Card not confirmed. Add again: it is added once"
        case .reading, .pin, .setting: "No answer. Try again"
        }
    }
}
