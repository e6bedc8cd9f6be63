import Primitives

/// How often, how long and how many at a time deliveries are tried.
package struct DeliveryRules: Sendable {
    /// The longest pause before the second attempt; twice as long before each further one, up to `pauseMax`.
    package var pauseFirst = Duration.seconds(5)
    /// The longest pause between two attempts.
    package var pauseMax = Duration.seconds(6 * 3600)
    /// Attempts before a delivery is given up.
    package var attemptsMax: Int64 = 12
    /// How long a delivery is tried, however few attempts that gave.
    package var ageMax = Duration.seconds(3 * 86_400)
    /// What is older when it is heard, as after an outage, or in a set that had no notifications before, is in the
    /// inbox and is pushed to nobody: it is no news. Web hooks are told of everything.
    package var newsMax = Duration.seconds(3600)
    /// Deliveries in the air at once, over all endpoints. Of one endpoint there is never more than one.
    package var inFlightMax = 64
    /// Deliveries that may wait for one endpoint. One more is dead at once: whoever is so far behind reads the inbox,
    /// or asks payments.
    package var waitingPerEndpointMax = 1000
    /// Unread notices that one merchant may have in one inbox. For one more its oldest goes, and nobody else's.
    package var unreadPerSenderMax = 50
    /// Failures in a row after which all that waits for an endpoint waits for its next probe.
    package var circuitFailures = 5
    /// What arrived is kept so long: until then its key is known.
    package var deliveredKept = Duration.seconds(7 * 86_400)
    /// Dead letters are kept so long.
    package var deadKept = Duration.seconds(30 * 86_400)

    package init() {}

    /// What one attempt came to.
    package enum Attempt: Sendable, Equatable {
        /// `simulated`: what the local simulator would have sent.
        case delivered(simulated: String? = nil)
        /// Worth another try, not before the time that the receiver asked for.
        case failed(String, retryAfter: Duration? = nil)
        /// The receiver will never take it.
        case refused(String)
        /// The registration is no more.
        case gone(String)
    }

    /// What becomes of the delivery.
    package enum Settlement: Sendable, Equatable {
        case delivered(simulated: String?)
        case again(at: Timestamp, reason: String)
        case dead(reason: String)
        /// Dead, and its endpoint removed.
        case gone(reason: String)
    }

    /// - Parameters:
    ///   - attempts: with this one.
    ///   - random: any number; full jitter is made of it.
    package func settle(
        _ attempt: Attempt, attempts: Int64, expires: Timestamp, at now: Timestamp, random: UInt64
    ) -> Settlement {
        switch attempt {
        case .delivered(let simulated): return .delivered(simulated: simulated)
        case .refused(let reason): return .dead(reason: reason)
        case .gone(let reason): return .gone(reason: reason)
        case .failed(let reason, let retryAfter):
            guard attempts < attemptsMax else { return .dead(reason: reason) }
            let next = now + max(pause(after: attempts, random: random), retryAfter ?? .zero)
            guard next < expires else { return .dead(reason: reason) }
            return .again(at: next, reason: reason)
        }
    }

    /// Exponential back-off with full jitter: anything from nothing to twice as much as the time before.
    package func pause(after attempts: Int64, random: UInt64) -> Duration {
        var most = pauseFirst.wholeMilliseconds
        let ceiling = pauseMax.wholeMilliseconds
        for _ in 1..<max(1, attempts) {
            most *= 2
            if most >= ceiling { break }
        }
        most = min(most, ceiling)
        return .milliseconds(Int64(random % UInt64(max(1, most + 1))))
    }
}
