import Histogram
import LoadReport

/// Counts and latencies of one part of a run: a scenario, a step of a ramp, a second.
package struct Tally: Sendable {
    /// Microseconds, to three digits, up to an hour.
    package private(set) var latencies = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: 3_600_000_000, numberOfSignificantValueDigits: .three)
    package var planned = 0
    package var sent = 0
    package private(set) var ok = 0
    package private(set) var refused: [UInt16: Int] = [:]
    package private(set) var unknown: [UInt16: Int] = [:]
    /// Asked again, by what made it necessary.
    package private(set) var repeats: [UInt16: Int] = [:]

    package init() {}

    package mutating func answered(nanoseconds: UInt64) {
        ok += 1
        _ = latencies.record(min(max(nanoseconds / 1000, 1), 3_600_000_000))
    }

    package mutating func refused(_ code: UInt16) { refused[code, default: 0] += 1 }
    package mutating func gaveUp(_ code: UInt16) { unknown[code, default: 0] += 1 }
    package mutating func repeated(_ code: UInt16) { repeats[code, default: 0] += 1 }

    package mutating func reset() {
        latencies.reset()
        (planned, sent, ok, refused, unknown, repeats) = (0, 0, 0, [:], [:], [:])
    }

    package mutating func add(_ other: Tally) {
        latencies.add(other.latencies)
        planned += other.planned
        sent += other.sent
        ok += other.ok
        refused.merge(other.refused, uniquingKeysWith: +)
        unknown.merge(other.unknown, uniquingKeysWith: +)
        repeats.merge(other.repeats, uniquingKeysWith: +)
    }

    package var refusedCount: Int { refused.values.reduce(0, +) }
    package var unknownCount: Int { unknown.values.reduce(0, +) }
    package var repeatCount: Int { repeats.values.reduce(0, +) }

    /// Microseconds; nil when nothing was answered.
    package func percentile(_ percentile: Double) -> Double? {
        ok == 0 ? nil : Double(latencies.valueAtPercentile(percentile))
    }

    package var summary: LatencySummary {
        guard ok > 0 else { return LatencySummary() }
        let at = { Double(latencies.valueAtPercentile($0)) }
        // Ever finer towards 100: half of what is left, four points in each half.
        var curve: [PercentilePoint] = []
        var rest = 100.0
        while rest > 100 / Double(ok) / 2, rest > 0.0005 {
            for quarter in 0..<4 {
                let percentile = 100 - rest * (1 - Double(quarter) / 8)
                curve.append(PercentilePoint(percentile: percentile, micros: at(percentile)))
            }
            rest /= 2
        }
        curve.append(PercentilePoint(percentile: 100, micros: Double(latencies.maxRecorded)))
        return LatencySummary(
            count: ok, minMicros: Double(latencies.min), meanMicros: latencies.mean, p50Micros: at(50),
            p90Micros: at(90), p99Micros: at(99), p999Micros: at(99.9), p9999Micros: at(99.99),
            maxMicros: Double(latencies.maxRecorded), curve: curve)
    }

    package func totals(_ name: String, seconds: Double, codes: CodeTable) -> LoadTotals {
        func counts(_ counts: [UInt16: Int]) -> [CodeCount] {
            counts.map { CodeCount(code: codes.code($0.key), count: $0.value) }
                .sorted { ($0.count, $1.code) > ($1.count, $0.code) }
        }
        return LoadTotals(
            name: name, planned: planned, sent: sent, ok: ok, refused: counts(refused), errors: counts(unknown),
            repeated: repeatCount, okPerSecond: seconds > 0 ? Double(ok) / seconds : 0, latency: summary)
    }
}

/// All tallies of a run. The generator's thread alone writes.
package struct Recorder {
    /// What was planned within the measured part, by scenario.
    package private(set) var scenarios: [Tally]
    /// The same for the present step of a ramp.
    package private(set) var step = Tally()
    package private(set) var intervals: [LoadInterval] = []
    /// All that was said since the run began, warm-up too.
    package private(set) var okCount = 0
    package private(set) var refusedCount = 0
    package private(set) var troubleCount = 0
    /// When the present stretch's measured operations were answered, the first and the newest: monotonic nanoseconds.
    package private(set) var answers: ClosedRange<UInt64>?

    private var second = Tally()
    private var secondStart: UInt64
    private let start: UInt64
    package var isWarmUp = false
    private var isAfterLoad = false
    package var offeredPerSecond: Double?

    package init(scenarios count: Int, start: UInt64) {
        scenarios = Array(repeating: Tally(), count: count)
        self.start = start
        secondStart = start
    }

    package mutating func beginStep() {
        step.reset()
        answers = nil
        isAfterLoad = false
    }

    package mutating func planned(_ scenario: Int, _ count: Int = 1) {
        scenarios[scenario].planned += count
        step.planned += count
    }

    package mutating func sent(_ scenario: Int) {
        scenarios[scenario].sent += 1
        step.sent += 1
    }

    package mutating func answered(_ scenario: Int, nanoseconds: UInt64, at now: UInt64, isMeasured: Bool) {
        okCount += 1
        second.answered(nanoseconds: nanoseconds)
        guard isMeasured else { return }
        answers = (answers?.lowerBound ?? now)...now
        scenarios[scenario].answered(nanoseconds: nanoseconds)
        step.answered(nanoseconds: nanoseconds)
    }

    package mutating func refused(_ scenario: Int, _ code: UInt16, isMeasured: Bool) {
        refusedCount += 1
        second.refused(code)
        guard isMeasured else { return }
        scenarios[scenario].refused(code)
        step.refused(code)
    }

    package mutating func gaveUp(_ scenario: Int, _ code: UInt16, isMeasured: Bool) {
        guard isMeasured else { return }
        scenarios[scenario].gaveUp(code)
        step.gaveUp(code)
    }

    package mutating func repeated(_ scenario: Int, _ code: UInt16, isMeasured: Bool) {
        troubleCount += 1
        second.repeated(code)
        guard isMeasured else { return }
        scenarios[scenario].repeated(code)
        step.repeated(code)
    }

    /// Closes the interval when its second is over; true when it did.
    package mutating func tick(_ now: UInt64, inFlight: Int) -> Bool {
        guard now >= secondStart + 1_000_000_000 else { return false }
        close(now, inFlight: inFlight)
        return true
    }

    /// No more operations are begun: what comes from now on is no part of the measured seconds, and neither is an
    /// interval of which less than half was.
    package mutating func endLoad(_ now: UInt64, inFlight: Int) {
        guard !isAfterLoad else { return }
        if now >= secondStart + 500_000_000 { close(now, inFlight: inFlight) }
        isAfterLoad = true
    }

    /// Ends the last interval, if there is anything in it.
    package mutating func finish(_ now: UInt64) {
        if now > secondStart + 50_000_000 { close(now, inFlight: 0) }
    }

    private mutating func close(_ now: UInt64, inFlight: Int) {
        let length = Double(now - secondStart) / 1e9
        intervals.append(
            LoadInterval(
                offsetSeconds: Double(secondStart - start) / 1e9, okPerSecond: Double(second.ok) / length,
                refusedPerSecond: Double(second.refusedCount) / length,
                errorsPerSecond: Double(second.repeatCount) / length, p50Micros: second.percentile(50),
                p99Micros: second.percentile(99), maxMicros: second.percentile(100), inFlight: inFlight,
                isWarmUp: isWarmUp, isAfterLoad: isAfterLoad ? true : nil, offeredPerSecond: offeredPerSecond))
        second.reset()
        secondStart = now
    }
}
