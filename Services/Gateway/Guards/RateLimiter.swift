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

        var isRefused: Bool { if case .refused = self { true } else { false } }
    }

    package mutating func spend(_ policy: RatePolicy, at now: Timestamp) -> Decision {
        let left = (full - now).wholeMilliseconds
        // No bucket takes longer to fill than its window: this one was used while the clock was ahead.
        let missing = left > policy.windowMilliseconds ? 0 : max(0, left)
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
/// A name is at home at an address where it has succeeded. It may try there although others have used up the calls of
/// the address or of the name, so that an attacker behind a shared address or far away shuts out nobody there.
///
/// In this process only, and beside the counting that auth does durably.
package final class RateLimiter: Sendable {
    package enum Purpose: String, Sendable, CaseIterable { case registration, username, login, pin, reset }

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

    /// One try of a name at an address.
    package struct Try: Sendable {
        let purpose: Purpose
        /// A username or an account.
        let subject: String
        let client: IPAddress?
        /// Whether a session proves that it is the subject's own client.
        let hasSession: Bool

        /// Bytes of the longest name, which is an e-mail address.
        private static let subjectMax = 254
        /// All longer names, which are no account's: what is remembered of a try is not as long as its sender likes.
        private static let nobody = "\u{0}"

        package init(purpose: Purpose, subject: String, client: IPAddress?, hasSession: Bool = false) {
            self.purpose = purpose
            self.subject = subject.utf8.count <= Self.subjectMax ? subject : Self.nobody
            self.client = client?.client
            self.hasSession = hasSession
        }
    }

    private struct Key: Hashable {
        let purpose: Purpose
        var subject: String?
        var client: IPAddress?
    }

    private typealias Buckets = Mutex<AgingTable<Key, TokenBucket>>

    /// The calls of all names that are at home at an address, as a multiple of an address's usual calls. Without this
    /// bound, a client with many accounts of its own could keep auth busy with hashing.
    private static let homesShare = 10

    private let policies: Policies
    private let perAddressOfHomes: RatePolicy
    // Tables apart, so that many addresses cannot push out the names that they attack.
    private let addresses: Buckets
    private let subjects: Buckets
    /// Of a name and an address at which it is at home.
    private let homes: Buckets
    /// Of all who are at home at an address.
    private let addressesOfHomes: Buckets

    package init(_ policies: Policies) {
        self.policies = policies
        perAddressOfHomes = RatePolicy(
            calls: min(policies.perAddress.calls * Self.homesShare, Int(policies.perAddress.windowMilliseconds)),
            per: policies.perAddress.window)
        addresses = Mutex(AgingTable(capacity: policies.subjectsMax))
        subjects = Mutex(AgingTable(capacity: policies.subjectsMax))
        homes = Mutex(AgingTable(capacity: policies.subjectsMax))
        addressesOfHomes = Mutex(AgingTable(capacity: policies.subjectsMax))
    }

    /// Counts a call without a name.
    package func spend(_ purpose: Purpose, from client: IPAddress?, at now: Timestamp) throws(Fault) {
        let key = Key(purpose: purpose, client: client?.client)
        try refuse(Self.spend(addresses, key, policies.perAddress, now))
    }

    /// Counts a call of a name that is at home at an address, and may try as often as all there together.
    package func spendAtHome(_ purpose: Purpose, from client: IPAddress?, at now: Timestamp) throws(Fault) {
        let key = Key(purpose: purpose, client: client?.client)
        try refuse(Self.spend(addressesOfHomes, key, perAddressOfHomes, now))
    }

    package func spend(_ tried: Try, at now: Timestamp) throws(Fault) {
        let name = Key(purpose: tried.purpose, subject: tried.subject)
        let client = Key(purpose: tried.purpose, client: tried.client)
        let home = Key(purpose: tried.purpose, subject: tried.subject, client: tried.client)
        if tried.hasSession { settle(home, as: name, at: now) }
        if homes.withLock({ $0[home] != nil }), !Self.spend(homes, home, policies.perSubject, now).isRefused,
            !Self.spend(addressesOfHomes, client, perAddressOfHomes, now).isRefused
        {
            _ = Self.spend(subjects, name, policies.perSubject, now)
            return
        }
        try refuse(Self.spend(addresses, client, policies.perAddress, now))
        try refuse(Self.spend(subjects, name, policies.perSubject, now))
    }

    /// To be called when what was tried was right: that the password is known proves that its owner is there.
    package func succeeded(_ tried: Try, at now: Timestamp) {
        guard tried.purpose == .login || tried.purpose == .pin else { return }
        for purpose in tried.purpose == .login ? [.login, .reset] : [Purpose.pin] {
            settle(
                Key(purpose: purpose, subject: tried.subject, client: tried.client),
                as: Key(purpose: purpose, subject: tried.subject), at: now)
        }
    }

    /// With what the name has left, so that the first tries at home are not counted twice.
    private func settle(_ home: Key, as name: Key, at now: Timestamp) {
        guard homes.withLock({ $0[home] == nil }) else { return }
        let bucket = subjects.withLock { $0[name] } ?? TokenBucket(at: now)
        homes.withLock { $0[home] = bucket }
    }

    private static func spend(
        _ table: borrowing Buckets, _ key: Key, _ policy: RatePolicy, _ now: Timestamp
    ) -> TokenBucket.Decision {
        table.withLock { table in
            var bucket = table[key] ?? TokenBucket(at: now)
            let decision = bucket.spend(policy, at: now)
            table[key] = bucket
            return decision
        }
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
}
