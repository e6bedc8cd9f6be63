import Contracts
import Primitives
import Synchronization

/// So many calls in so long a time, evenly refilled.
package struct RatePolicy: Sendable, Equatable {
    package let calls: Int
    package let window: Duration

    package init(calls: Int, per window: Duration) {
        precondition(calls > 0 && window >= .milliseconds(calls), "at least a millisecond for each call")
        self.calls = calls
        self.window = window
    }

    var windowMilliseconds: Int64 { window.wholeMilliseconds }
    /// How long one call's share of the bucket takes to fill up again.
    var intervalMilliseconds: Int64 { windowMilliseconds / Int64(calls) }
}

/// A token bucket, kept as the one moment at which it will be full again (the generic cell rate algorithm of ATM).
package struct TokenBucket: Sendable {
    private var full: Timestamp

    package init(at now: Timestamp) { full = now }

    package enum Decision: Equatable {
        case spent(remaining: Int)
        case refused(retryAfter: Duration)
    }

    package mutating func spend(_ policy: RatePolicy, at now: Timestamp) -> Decision {
        // A clock that was set back must not lock anyone out: no bucket is ever emptier than empty.
        let missing = min(max(0, (full - now).wholeMilliseconds), policy.windowMilliseconds)
        let after = missing + policy.intervalMilliseconds
        guard after <= policy.windowMilliseconds else {
            full = now + .milliseconds(missing)
            return .refused(retryAfter: .milliseconds(after - policy.windowMilliseconds))
        }
        full = now + .milliseconds(after)
        return .spent(remaining: Int((policy.windowMilliseconds - after) / policy.intervalMilliseconds))
    }
}

/// Slows down those who guess passwords and PINs or make accounts in bulk: per client address and per name.
///
/// In this process only, and beside the counting that auth does durably.
package final class RateLimiter: Sendable {
    package enum Purpose: String, Sendable, CaseIterable { case registration, login, pin, reset }

    package struct Policies: Sendable {
        package var perAddress: RatePolicy
        /// Per username or account.
        package var perSubject: RatePolicy
        /// Addresses and names that are remembered.
        package var subjectsMax: Int

        package init(
            perAddress: RatePolicy = RatePolicy(calls: 60, per: .seconds(60)),
            perSubject: RatePolicy = RatePolicy(calls: 10, per: .seconds(60)), subjectsMax: Int = 100_000
        ) {
            self.perAddress = perAddress
            self.perSubject = perSubject
            self.subjectsMax = subjectsMax
        }
    }

    private struct Name: Hashable {
        let purpose: Purpose
        let text: String
    }

    private let policies: Policies
    // Two tables, so that many addresses cannot push out the names that they attack.
    private let addresses: Mutex<AgingTable<Name, TokenBucket>>
    private let subjects: Mutex<AgingTable<Name, TokenBucket>>

    package init(_ policies: Policies) {
        self.policies = policies
        addresses = Mutex(AgingTable(capacity: policies.subjectsMax))
        subjects = Mutex(AgingTable(capacity: policies.subjectsMax))
    }

    package func spend(_ purpose: Purpose, address: String, at now: Timestamp) throws(Fault) {
        let name = Name(purpose: purpose, text: network(of: address))
        let decision = addresses.withLock { Self.spend(&$0, name, policies.perAddress, now) }
        try refuse(decision)
    }

    func spend(_ purpose: Purpose, subject: String, at now: Timestamp) throws(Fault) {
        let name = Name(purpose: purpose, text: subject)
        let decision = subjects.withLock { Self.spend(&$0, name, policies.perSubject, now) }
        try refuse(decision)
    }

    private static func spend(
        _ table: inout AgingTable<Name, TokenBucket>, _ name: Name, _ policy: RatePolicy, _ now: Timestamp
    ) -> TokenBucket.Decision {
        var bucket = table[name] ?? TokenBucket(at: now)
        let decision = bucket.spend(policy, at: now)
        table[name] = bucket
        return decision
    }

    private func refuse(_ decision: TokenBucket.Decision) throws(Fault) {
        guard case .refused(let retryAfter) = decision else { return }
        throw Fault(.rateLimited, retryAfterSeconds: Int((retryAfter.wholeMilliseconds + 999) / 1000))
    }

    /// `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers) of a refusal.
    func fields(refusedFor seconds: Int) -> (limit: String, policy: String) {
        func quota(_ name: String, _ policy: RatePolicy) -> String {
            "\"\(name)\";q=\(policy.calls);w=\(policy.windowMilliseconds / 1000)"
        }
        return (
            "\"default\";r=0;t=\(seconds)",
            "\(quota("address", policies.perAddress)), \(quota("name", policies.perSubject))"
        )
    }

    /// An IPv6 customer holds 2^64 addresses: their network counts as one (the first four groups). IPv4 as it is.
    private func network(of address: String) -> String {
        guard address.contains(":"), !address.hasPrefix("::ffff:") else { return address }
        let groups = address.split(separator: ":", omittingEmptySubsequences: false)
        let gap = groups.firstIndex(of: "") ?? groups.count
        return groups.prefix(min(4, gap)).joined(separator: ":")
    }
}
