import Contracts
import Primitives
import Synchronization

/// A leaky bucket for each merchant, which limits how often something happens. In memory only.
///
/// Of unpaid requests: a request adds one, a payment and time take one away. Merchants whose customers pay are not
/// limited, those that send texts to strangers are. Of wrong codes: each adds one.
package final class MerchantBuckets: Sendable {
    /// Merchants in memory.
    package static let merchantsMax = 100_000

    private struct Bucket {
        var level: Double
        var time: Timestamp
    }

    private let perMinute: Int
    private let buckets = Mutex(Remembered<PartyID, Bucket>(atMost: merchantsMax))

    package init(perMinute: Int) { self.perMinute = perMinute }

    /// Seconds until there is room for one more; nil if there is now.
    package func wait(of merchant: PartyID, at now: Timestamp) -> Int? {
        let excess = level(of: merchant, at: now) + 1 - Double(perMinute)
        return excess <= 0 ? nil : max(1, Int((excess * 60 / Double(perMinute)).rounded(.up)))
    }

    package func add(to merchant: PartyID, at now: Timestamp) { change(merchant, at: now, by: 1) }

    package func take(from merchant: PartyID, at now: Timestamp) { change(merchant, at: now, by: -1) }

    private func level(of merchant: PartyID, at now: Timestamp) -> Double {
        buckets.withLock { buckets in
            guard var bucket = buckets[merchant] else { return 0 }
            if bucket.time > now {  // The clock was set back.
                bucket.time = now
                buckets[merchant] = bucket
            }
            return level(bucket, at: now)
        }
    }

    private func level(_ bucket: Bucket, at now: Timestamp) -> Double {
        let minutes = Double(max(0, (now - bucket.time).wholeMilliseconds)) / 60_000
        return max(0, bucket.level - minutes * Double(perMinute))
    }

    private func change(_ merchant: PartyID, at now: Timestamp, by count: Double) {
        buckets.withLock { buckets in
            let before = buckets[merchant].map { level($0, at: now) } ?? 0
            let after = max(0, before + count)
            buckets[merchant] = after > 0 ? Bucket(level: after, time: now) : nil
        }
    }
}
