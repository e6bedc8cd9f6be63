/// Why something could not be done.
package enum BackingError: Error, Hashable, Sendable {
    // Of the PIN.
    case wrongPIN
    /// Too many were entered; the next is looked at after so many seconds.
    case pinDelayed(seconds: Int)
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
