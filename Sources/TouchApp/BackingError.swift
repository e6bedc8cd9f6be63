import Primitives

/// Why something could not be done.
package enum BackingError: Error, Hashable, Sendable {
    // Of the PIN.
    /// `until`: when the next one is looked at; nil where it may be entered at once.
    case wrongPIN(until: Timestamp? = nil)
    /// Too many were entered; the next is looked at after so many seconds, at `until`.
    case pinDelayed(seconds: Int, until: Timestamp? = nil)
    case pinLocked
    case pinNotSet
    /// The PIN no longer counts, or the session has ended: the app goes back to the Pin Screen.
    case pinRequired

    // Of cards and money.
    case noCard
    case insufficientFunds
    case paymentsDisabled
    case cardTaken
    case cardInvalid
    case tooManyCards

    /// There is no such service in this set.
    case notOffered
    /// Refused for another reason. Nothing has happened.
    case refused
    /// Something else was done under the same id before. Nothing has happened now.
    case doneBefore
    /// Nothing has happened; the same may succeed later.
    case unavailable
    /// Nobody knows whether it has happened; asked again under the same id, it happens once.
    case unknown

    /// When the next PIN is looked at, where that is not now.
    var nextPIN: Timestamp? {
        switch self {
        case .wrongPIN(let until), .pinDelayed(_, let until): until
        default: nil
        }
    }

    /// Whether this tells for good what became of an operation: it has not happened and will not under its id.
    var settles: Bool {
        switch self {
        case .insufficientFunds, .noCard, .cardTaken, .cardInvalid, .tooManyCards, .refused, .doneBefore: true
        case .wrongPIN, .pinDelayed, .pinLocked, .pinNotSet, .pinRequired, .paymentsDisabled, .notOffered,
            .unavailable, .unknown:
            false
        }
    }
}
