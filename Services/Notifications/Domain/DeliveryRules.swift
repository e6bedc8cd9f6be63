import Primitives

/// How often and how long deliveries are tried, and how many at once.
package struct DeliveryRules: Sendable {
    /// The longest pause before the second attempt. It doubles for each further attempt, up to `pauseMax`.
    package var pauseFirst = Duration.seconds(5)
    /// The longest pause between two attempts.
    package var pauseMax = Duration.seconds(6 * 3600)
    /// Attempts before a delivery is given up.
    package var attemptsMax: Int64 = 40
    /// How long a delivery is tried, however few attempts were made.
    package var ageMax = Duration.seconds(3 * 86_400)
    /// A notice that is older when it is made, as after an outage, is stored in the inbox and not pushed. Web hooks get
    /// everything.
    package var newsMax = Duration.seconds(3600)
    /// Deliveries of one medium in flight at once. One endpoint has one at most.
    package var inFlightMax = 64
    /// Further ones of a medium, of endpoints whose last attempt has failed.
    package var inFlightFailingMax = 16
    /// Deliveries that may wait for one endpoint. A further one is dead at once: a receiver so far behind can read the
    /// inbox, or ask payments.
    package var waitingPerEndpointMax = 1000
    /// Unread notices of one merchant in one inbox. A further one deletes that merchant's oldest.
    package var unreadPerSenderMax = 50
    /// New notices that gather, of all accounts, before they are filed into the inboxes of those who have not asked.
    package var incomingMax: Int64 = 16_384
    /// Failures in a row after which an endpoint's deliveries wait for the next probe.
    package var circuitFailures = 5
    /// How long they wait for it at most.
    package var probePauseMax = Duration.seconds(60)
    /// How long a delivered delivery is kept; its key is known until then.
    package var deliveredKept = Duration.seconds(7 * 86_400)
    /// How long dead letters are kept.
    package var deadKept = Duration.seconds(30 * 86_400)

    package init() {}

    /// The outcome of one attempt.
    package enum Attempt: Sendable, Equatable {
        /// `simulated` is what the local simulator would have sent.
        case delivered(simulated: String? = nil)
        /// To be tried again, not before the time that the receiver asked for.
        case failed(String, retryAfter: Duration? = nil)
        /// The receiver will never accept it.
        case refused(String)
        /// The registration no longer exists.
        case gone(String)

        package var isDelivered: Bool {
            if case .delivered = self { true } else { false }
        }
    }

    /// What happens to the delivery next.
    package enum Settlement: Sendable, Equatable {
        case delivered(simulated: String?)
        case again(at: Timestamp, reason: String)
        case dead(reason: String)
        /// Dead, and its endpoint removed.
        case gone(reason: String)
    }

    /// - Parameters:
    ///   - attempts: with this one.
    /// - random: a random number, for full jitter.
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

    /// Exponential back-off with full jitter: from zero to the maximum, which doubles with each attempt.
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
