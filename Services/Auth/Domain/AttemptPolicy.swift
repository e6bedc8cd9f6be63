import Primitives

/// The wrong tries at one secret.
package struct Attempts: Equatable, Sendable {
    /// Wrong tries since the last right one, including tries that are being checked.
    package var failures: Int
    /// No try is accepted before this time.
    package var nextTry: Timestamp?
    /// No try is accepted until the secret is set again.
    package var locked: Bool

    package init(failures: Int = 0, nextTry: Timestamp? = nil, locked: Bool = false) {
        self.failures = failures
        self.nextTry = nextTry
        self.locked = locked
    }
}

/// The cost of wrong tries: first none, then a doubling delay, in the end the lock.
///
/// A try is durably counted as wrong before it is checked, so that neither a crash nor many tries at once give a free
/// guess. A right try clears the count; a try that could not be checked is given back.
package struct AttemptPolicy: Equatable, Sendable {
    package enum Decision: Equatable, Sendable {
        case check
        /// Whole seconds, rounded up.
        case wait(seconds: Int)
        case locked
    }

    /// Wrong tries from which a delay applies; nil: never.
    package let delayFrom: Int?
    /// The first delay, in seconds. It doubles with each further wrong try.
    package let firstDelaySeconds: Int
    /// The longest delay, in seconds.
    package let delayMaxSeconds: Int
    /// Wrong tries that lock the secret; nil: never.
    package let lockAt: Int?

    package init(delayFrom: Int?, firstDelaySeconds: Int = 30, delayMaxSeconds: Int = 3600, lockAt: Int? = nil) {
        self.delayFrom = delayFrom
        self.firstDelaySeconds = firstDelaySeconds
        self.delayMaxSeconds = delayMaxSeconds
        self.lockAt = lockAt
    }

    /// Four digits: ten guesses in all, with a chance of one in a thousand.
    package static let pin = AttemptPolicy(delayFrom: 5, lockAt: 10)
    /// Never locks, as anybody who knows a username could lock its owner out. Delays a quarter of an hour at most,
    /// which allows 96 guesses a day.
    package static let login = AttemptPolicy(delayFrom: 10, delayMaxSeconds: 900)
    /// No delay and no lock, for the simulator's profile.
    package static let off = AttemptPolicy(delayFrom: nil)

    /// Limits the delay to what so many tries cost: a longer one comes from a clock that was ahead, and starts now.
    /// Store the result if it differs, or the delay would never end.
    package func bounded(_ attempts: Attempts, at now: Timestamp) -> Attempts {
        guard let nextTry = attempts.nextTry, nextTry > now else { return attempts }
        var bounded = attempts
        bounded.nextTry = delaySeconds(after: attempts.failures).map { min(nextTry, now + .seconds($0)) }
        return bounded
    }

    /// - Parameter attempts: `bounded`.
    package func decide(_ attempts: Attempts, at now: Timestamp) -> Decision {
        if attempts.locked { return .locked }
        if let nextTry = attempts.nextTry, nextTry > now {
            return .wait(seconds: Int(((nextTry - now).wholeMilliseconds + 999) / 1000))
        }
        // All tries are used up without a lock: the process ended before it could lock.
        return isUsedUp(attempts) ? .locked : .check
    }

    /// Counts one more try, as wrong until it has been checked.
    package func counting(_ attempts: Attempts, at now: Timestamp) -> Attempts {
        var counted = attempts
        counted.failures += 1
        counted.nextTry = delaySeconds(after: counted.failures).map { now + .seconds($0) }
        return counted
    }

    /// Gives back a try that was not checked (too busy, too late). `ticket` is the count with it.
    package func refunding(_ attempts: Attempts, ticket: Int) -> Attempts {
        var refunded = attempts
        refunded.failures = max(0, attempts.failures - 1)
        // If no try was counted since, the delay is this try's own; otherwise it belongs to a later one.
        if attempts.failures <= ticket || delaySeconds(after: refunded.failures) == nil { refunded.nextTry = nil }
        return refunded
    }

    /// Settles a try that was wrong: locks if it was the last one.
    package func rejecting(_ attempts: Attempts) -> Attempts {
        var rejected = attempts
        rejected.locked = attempts.locked || isUsedUp(attempts)
        return rejected
    }

    private func isUsedUp(_ attempts: Attempts) -> Bool { lockAt.map { attempts.failures >= $0 } ?? false }

    /// Nil while tries are free.
    private func delaySeconds(after failures: Int) -> Int? {
        guard let delayFrom, failures >= delayFrom else { return nil }
        // Bounds the shift. 2^20 first delays are beyond any maximum.
        let doublings = min(failures - delayFrom, 20)
        return min(firstDelaySeconds << doublings, delayMaxSeconds)
    }
}
