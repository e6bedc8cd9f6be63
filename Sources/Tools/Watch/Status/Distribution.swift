import Contracts

/// How long things took, counted by upper bound: what a histogram of stats holds, or what came to it between two looks.
package struct Distribution: Sendable, Equatable {
    /// Cumulative, by upper bound in microseconds.
    private var buckets: [Int64: Int64] = [:]
    package private(set) var count: Int64 = 0

    package init() {}

    package mutating func add(_ sample: ServiceStats.Sample) { combine(sample, sign: 1) }
    package mutating func remove(_ sample: ServiceStats.Sample) { combine(sample, sign: -1) }

    private mutating func combine(_ sample: ServiceStats.Sample, sign: Int64) {
        count += sign * (sample.count ?? 0)
        for bucket in sample.buckets ?? [] { buckets[bucket.upTo, default: 0] += sign * bucket.count }
    }

    /// Microseconds within which this part of all was done, evenly spread within its bucket. Nil where there was
    /// nothing; the largest bound for what took longer than that.
    package func quantile(_ part: Double) -> Double? {
        guard count > 0 else { return nil }
        let wanted = part * Double(count)
        var (lower, before) = (0.0, 0.0)
        for (upTo, cumulative) in buckets.sorted(by: { $0.key < $1.key }) {
            if Double(cumulative) >= wanted, Double(cumulative) > before {
                return lower + (Double(upTo) - lower) * (wanted - before) / (Double(cumulative) - before)
            }
            (lower, before) = (Double(upTo), max(before, Double(cumulative)))
        }
        return lower
    }
}
