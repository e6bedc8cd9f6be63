import Primitives

/// How far auth's facts have come, and whether some were missed. They are hints here: which session has ended or
/// changed.
///
/// Facts are numbered without a gap, and once a second auth publishes how far its log has come. So a missed fact is
/// noticed by the next fact or within a second.
package struct AuthHints: Sendable {
    package enum Hint: Sendable {
        /// A fact with its number.
        case fact(Int64)
        /// The number of auth's newest fact.
        case head(Int64)
    }

    package enum Noted: Equatable, Sendable { case missedNone, missedSome }

    /// Heads come once a second: after this, one was missed or nobody publishes them.
    package static let silenceMax = Duration.milliseconds(2500)

    /// The newest number; nil before the first.
    private var newest: Int64?
    private var received: Timestamp

    package init(at now: Timestamp) { received = now }

    package mutating func note(_ hint: Hint, at now: Timestamp) -> Noted {
        received = now
        switch hint {
        case .fact(let number):
            guard let newest else {
                self.newest = number
                return .missedSome
            }
            // One that was published twice, or by a log that was set back: its head tells which.
            guard number > newest else { return .missedNone }
            self.newest = number
            return number == newest + 1 ? .missedNone : .missedSome
        case .head(let number):
            defer { newest = number }
            return number == newest ? .missedNone : .missedSome
        }
    }

    /// Whether nothing came lately: the broker or auth is away, or what they publish does not arrive.
    package func areSilent(at now: Timestamp) -> Bool { now - received > Self.silenceMax }
}
