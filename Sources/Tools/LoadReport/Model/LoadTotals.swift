/// What came of all operations of one scenario, or of all scenarios.
package struct LoadTotals: Codable, Sendable, Equatable {
    package var name: String
    /// Operations that were due.
    package var planned: Int
    /// Operations that were sent; each counts once, however often it was asked.
    package var sent: Int
    package var ok: Int
    /// Answers that say no for good, as `wallet.insufficient_funds`.
    package var refused: [CodeCount]
    /// Operations whose outcome stayed unknown, and other failures, as `bus.outcome_unknown`.
    package var errors: [CodeCount]
    /// Times that an operation was asked again under the same key.
    package var repeated: Int
    /// Answered ok, a second.
    package var okPerSecond: Double
    /// Of the operations that were answered ok.
    package var latency: LatencySummary

    package init(
        name: String, planned: Int = 0, sent: Int = 0, ok: Int = 0, refused: [CodeCount] = [],
        errors: [CodeCount] = [], repeated: Int = 0, okPerSecond: Double = 0,
        latency: LatencySummary = LatencySummary()
    ) {
        self.name = name
        self.planned = planned
        self.sent = sent
        self.ok = ok
        self.refused = refused
        self.errors = errors
        self.repeated = repeated
        self.okPerSecond = okPerSecond
        self.latency = latency
    }

    package var refusedCount: Int { refused.reduce(0) { $0 + $1.count } }
    package var errorCount: Int { errors.reduce(0) { $0 + $1.count } }
}

package struct CodeCount: Codable, Sendable, Equatable {
    package var code: String
    package var count: Int

    package init(code: String, count: Int) {
        self.code = code
        self.count = count
    }
}

/// Latencies in microseconds. With a count of 0 all other figures mean nothing.
package struct LatencySummary: Codable, Sendable, Equatable {
    package var count: Int
    package var minMicros: Double
    package var meanMicros: Double
    package var p50Micros: Double
    package var p90Micros: Double
    package var p99Micros: Double
    package var p999Micros: Double
    package var p9999Micros: Double
    package var maxMicros: Double
    /// The histogram, for a plot: rising percentiles, 0 to 100, with their latencies.
    package var curve: [PercentilePoint]

    package init(
        count: Int = 0, minMicros: Double = 0, meanMicros: Double = 0, p50Micros: Double = 0, p90Micros: Double = 0,
        p99Micros: Double = 0, p999Micros: Double = 0, p9999Micros: Double = 0, maxMicros: Double = 0,
        curve: [PercentilePoint] = []
    ) {
        self.count = count
        self.minMicros = minMicros
        self.meanMicros = meanMicros
        self.p50Micros = p50Micros
        self.p90Micros = p90Micros
        self.p99Micros = p99Micros
        self.p999Micros = p999Micros
        self.p9999Micros = p9999Micros
        self.maxMicros = maxMicros
        self.curve = curve
    }
}

package struct PercentilePoint: Codable, Sendable, Equatable {
    /// 0 to 100.
    package var percentile: Double
    package var micros: Double

    package init(percentile: Double, micros: Double) {
        self.percentile = percentile
        self.micros = micros
    }
}
