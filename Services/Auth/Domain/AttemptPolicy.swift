import Primitives

/// What is known of the wrong tries at one secret.
package struct Attempts: Equatable, Sendable {
    /// Wrong tries since the last right one, those still being checked among them.
    package var failures: Int
    /// Before this no try is accepted.
    package var nextTry: Timestamp?
    /// Closed until the secret is set anew.
    package var locked: Bool

    package init(failures: Int = 0, nextTry: Timestamp? = nil, locked: Bool = false) {
        self.failures = failures
        self.nextTry = nextTry
        self.locked = locked
    }
}

/// How many wrong tries cost what (A9): first nothing, then a delay that doubles, in the end the lock.
///
/// A try is counted as wrong before it is checked, and durably so: neither a crash nor many tries at once give a guess
/// for free. A right one clears the count, one that could not be checked is given back.
package struct AttemptPolicy: Equatable, Sendable {
    package enum Decision: Equatable, Sendable {
        case check
        /// Whole seconds, rounded up.
        case wait(seconds: Int)
        case locked
    }

    /// Wrong tries from which on one has to wait; nil: never.
    package let delayFrom: Int?
    /// The wait after that many; it doubles with each further one. In seconds.
    package let firstDelaySeconds: Int
    /// No wait is longer, in seconds.
    package let delayMaxSeconds: Int
    /// Wrong tries after which nothing is checked any more; nil: never.
    package let lockAt: Int?

    package init(delayFrom: Int?, firstDelaySeconds: Int = 30, delayMaxSeconds: Int = 3600, lockAt: Int? = nil) {
        self.delayFrom = delayFrom
        self.firstDelaySeconds = firstDelaySeconds
        self.delayMaxSeconds = delayMaxSeconds
        self.lockAt = lockAt
    }

    /// Four digits: ten guesses in all, one in a thousand to be right.
    package static let pin = AttemptPolicy(delayFrom: 5, lockAt: 10)
    /// Never locked: anybody who knows a username could shut its owner out. A quarter of an hour at most, and so no
    /// more than 96 guesses a day.
    package static let login = AttemptPolicy(delayFrom: 10, delayMaxSeconds: 900)
    /// No delay and no lock, as in the seed: the simulator's profile (A9).
    package static let off = AttemptPolicy(delayFrom: nil)

    /// With no longer a wait than so many tries cost: a longer one is from a clock that was ahead, and begins now. To
    /// be stored where it differs, or it would never end.
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
        // Used up and yet not locked: the process ended before it could lock.
        return isUsedUp(attempts) ? .locked : .check
    }

    /// With one more try, taken for wrong until it has been checked.
    package func counting(_ attempts: Attempts, at now: Timestamp) -> Attempts {
        var counted = attempts
        counted.failures += 1
        counted.nextTry = delaySeconds(after: counted.failures).map { now + .seconds($0) }
        return counted
    }

    /// Without a try that never was checked (too busy, too late). `ticket` is the count that it made.
    package func refunding(_ attempts: Attempts, ticket: Int) -> Attempts {
        var refunded = attempts
        refunded.failures = max(0, attempts.failures - 1)
        // Nothing was counted since: the delay is this try's own. Otherwise it belongs to what came after.
        if attempts.failures <= ticket || delaySeconds(after: refunded.failures) == nil { refunded.nextTry = nil }
        return refunded
    }

    /// With a try that has been found wrong: locked if it was the last one.
    package func rejecting(_ attempts: Attempts) -> Attempts {
        var rejected = attempts
        rejected.locked = attempts.locked || isUsedUp(attempts)
        return rejected
    }

    private func isUsedUp(_ attempts: Attempts) -> Bool { lockAt.map { attempts.failures >= $0 } ?? false }

    /// Nil while tries are free.
    private func delaySeconds(after failures: Int) -> Int? {
        guard let delayFrom, failures >= delayFrom else { return nil }
        // 2^20 first delays are beyond any maximum; the bound keeps the shift from overflowing.
        let doublings = min(failures - delayFrom, 20)
        return min(firstDelaySeconds << doublings, delayMaxSeconds)
    }
}
