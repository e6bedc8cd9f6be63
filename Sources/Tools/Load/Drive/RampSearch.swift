import LoadReport

/// Looks for the highest rate that meets a limit: upwards by a factor until a step fails, then between the best and the
/// worst by halves. A pure value that decides; its owner measures.
package struct RampSearch: Sendable, Equatable {
    package let factor: Double
    /// The search ends when the gap between what was met and what was not is below this share of the former.
    package let precision: Double
    package let stepsMax: Int
    private let start: Double
    private var best: Double?
    private var worst: Double?
    private var steps = 0

    package init(start: Double, factor: Double = 1.5, precision: Double = 0.05, stepsMax: Int = 24) {
        self.start = start
        self.factor = factor
        self.precision = precision
        self.stepsMax = stepsMax
    }

    /// The rate to measure next; nil when the search has ended.
    package var next: Double? {
        guard steps < stepsMax else { return nil }
        switch (best, worst) {
        case (nil, nil): return start
        case (let best?, nil): return best * factor
        // Not even the first rate: downwards, until there is nothing left to search for.
        case (nil, let worst?): return worst / factor >= 1 && worst > start / 100 ? worst / factor : nil
        case (let best?, let worst?): return worst - best > best * precision ? ((best + worst) / 2).rounded() : nil
        }
    }

    package mutating func measured(_ rate: Double, met: Bool) {
        steps += 1
        if met { best = max(best ?? 0, rate) } else { worst = min(worst ?? .infinity, rate) }
    }

    /// The highest rate that met the limit.
    package var highest: Double? { best }

    /// Whether a step met the limit: p99 within it, nothing failed or was refused, and the load was really there.
    ///
    /// - Parameter sentShare: of the operations due in the step, how many were answered ok.
    package static func meets(
        p99Micros: Double?, limitMicros: Double, failures: Int, answeredShare: Double
    ) -> Bool {
        guard let p99Micros else { return false }
        return p99Micros <= limitMicros && failures == 0 && answeredShare >= 0.99
    }
}
