import Checks
import TerminalText

/// Two runs, or two sets of figures, side by side. A difference counts only if it is larger than the spread of both.
package struct LoadComparison: Sendable, Equatable {
    package enum Unit: Sendable, Equatable {
        case perSecond
        case micros
        case bytes
        case count
    }

    /// One value and how far it went up and down within its run: the 10th and the 90th percentile of its intervals.
    package struct Spread: Sendable, Equatable {
        package var value: Double
        package var low: Double
        package var high: Double

        package init(value: Double, low: Double, high: Double) {
            self.value = value
            self.low = low
            self.high = high
        }

        package init(_ value: Double) { self.init(value: value, low: value, high: value) }

        /// The median of the samples; nil when there are none.
        package init?(samples: [Double]) {
            let sorted = samples.filter(\.isFinite).sorted()
            guard !sorted.isEmpty else { return nil }
            func at(_ part: Double) -> Double { sorted[Int((part * Double(sorted.count - 1)).rounded())] }
            self.init(value: at(0.5), low: at(0.1), high: at(0.9))
        }
    }

    package enum Outcome: String, Sendable, Equatable {
        case better
        case worse
        /// Within the spread, or within 1 %; within 5 % where no spread is known.
        case same
        /// One of both is not known.
        case unknown
    }

    package struct Metric: Sendable, Equatable {
        package var name: String
        package var unit: Unit
        package var moreIsBetter: Bool
        package var before: Spread?
        package var after: Spread?

        package init(name: String, unit: Unit, moreIsBetter: Bool, before: Spread?, after: Spread?) {
            self.name = name
            self.unit = unit
            self.moreIsBetter = moreIsBetter
            self.before = before
            self.after = after
        }

        /// After, divided by before.
        package var ratio: Double? {
            guard let before, let after, before.value > 0 else { return nil }
            return after.value / before.value
        }

        package var outcome: Outcome {
            guard let before, let after else { return .unknown }
            if before.value == after.value { return .same }
            let isSpreadKnown = before.low < before.high || after.low < after.high
            if let ratio, abs(ratio - 1) < (isSpreadKnown ? 0.01 : 0.05) { return .same }
            if before.low <= after.high, after.low <= before.high { return .same }
            return (after.value > before.value) == moreIsBetter ? .better : .worse
        }
    }

    package var metrics: [Metric]
    /// What differs between the runs besides their figures: with any of it, the ratios say little.
    package var differences: [String]

    package init(metrics: [Metric], differences: [String] = []) {
        self.metrics = metrics
        self.differences = differences
    }

    package init(before: LoadRun, after: LoadRun) {
        func spread(_ run: LoadRun, _ total: Double, _ figure: (LoadInterval) -> Double?) -> Spread? {
            guard run.overall.latency.count > 0 || total > 0 else { return nil }
            let samples = run.intervals.filter { !$0.isWarmUp }.compactMap(figure)
            guard let ranged = Spread(samples: samples) else { return Spread(total) }
            return Spread(value: total, low: min(ranged.low, total), high: max(ranged.high, total))
        }
        func metric(
            _ name: String, _ unit: Unit, moreIsBetter: Bool = false, _ total: (LoadRun) -> Double?,
            _ figure: (LoadInterval) -> Double? = { _ in nil }
        ) -> Metric {
            Metric(
                name: name, unit: unit, moreIsBetter: moreIsBetter,
                before: total(before).flatMap { spread(before, $0, figure) },
                after: total(after).flatMap { spread(after, $0, figure) })
        }
        var metrics = [
            metric("ok/s", .perSecond, moreIsBetter: true, { $0.overall.okPerSecond }, { $0.okPerSecond }),
            metric("p50", .micros, { $0.overall.latency.p50Micros }, { $0.p50Micros }),
            metric("p99", .micros, { $0.overall.latency.p99Micros }, { $0.p99Micros }),
            metric("p99.9", .micros, { $0.overall.latency.p999Micros }),
            metric("max", .micros, { $0.overall.latency.maxMicros }, { $0.maxMicros }),
            Metric(
                name: "errors", unit: .count, moreIsBetter: false, before: Spread(Double(before.overall.errorCount)),
                after: Spread(Double(after.overall.errorCount)))
        ]
        if before.ramp != nil || after.ramp != nil {
            metrics.append(
                Metric(
                    name: "highest rate", unit: .perSecond, moreIsBetter: true,
                    before: before.ramp?.highestPerSecond.map { Spread($0) },
                    after: after.ramp?.highestPerSecond.map { Spread($0) }))
        }
        for process in before.processes {
            guard let other = after.processes.first(where: { $0.name == process.name }) else { continue }
            metrics.append(
                Metric(
                    name: "CPU/operation, \(process.name)", unit: .micros, moreIsBetter: false,
                    before: process.cpuMicrosPerOperation.map { Spread($0) },
                    after: other.cpuMicrosPerOperation.map { Spread($0) }))
        }
        for (name, probe) in [("before", \LoadRun.probeBefore), ("after", \LoadRun.probeAfter)] {
            metrics.append(
                Metric(
                    name: "fdatasync \(name), p50", unit: .micros, moreIsBetter: false,
                    before: before[keyPath: probe].map { Spread($0.p50Micros) },
                    after: after[keyPath: probe].map { Spread($0.p50Micros) }))
        }
        let words: [(String, (LoadRun) -> String)] = [
            ("driver", { $0.driver.rawValue }), ("shape", { $0.shape.words }), ("scenarios", { $0.weightWords }),
            ("population", { $0.populationWords }), ("machine", { $0.machineWords }),
            ("measured", { Shown.span(seconds: $0.measuredSeconds) }),
            ("disturbances", { $0.disturbances.map(\.words).joined(separator: "; ") }),
            ("settings", { $0.settings.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }),
            ("money", { $0.verdict.word })
        ]
        self.init(
            metrics: metrics,
            differences: words.compactMap { name, word in
                let (old, new) = (word(before), word(after))
                return old == new ? nil : "\(name): \(old.isEmpty ? "none" : old) → \(new.isEmpty ? "none" : new)"
            })
    }

    /// For a terminal, each line ended.
    package func table(colour: Bool) -> String {
        let paint = Paint(isOn: colour)
        var table = TextTable("figure", " before", "spread", " after", "spread", " ratio", "")
        table.rows = metrics.map { metric in
            let outcome = metric.outcome
            return [
                metric.name.printable, shown(metric.before?.value, metric.unit), range(metric.before, metric.unit),
                shown(metric.after?.value, metric.unit), range(metric.after, metric.unit),
                metric.ratio.map { "\(Shown.fixed($0, 2))×" } ?? Shown.unknown,
                outcome == .unknown ? "" : outcome.rawValue
            ]
        }
        var lines = table.lines()
        for (index, metric) in metrics.enumerated() {
            switch metric.outcome {
            case .better: lines[index + 1] = paint.good(lines[index + 1])
            case .worse: lines[index + 1] = paint.bad(lines[index + 1])
            case .same, .unknown: break
            }
        }
        if !differences.isEmpty {
            lines.append("")
            lines.append(paint.waiting("The runs differ in more than their figures:"))
            lines += differences.map { "  \($0.printable)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func shown(_ value: Double?, _ unit: Unit) -> String {
        guard let value else { return Shown.unknown }
        return switch unit {
        case .perSecond: Shown.rate(value)
        case .micros: Shown.latency(micros: value)
        case .bytes: Shown.bytes(value)
        case .count: Shown.fixed(value, 0)
        }
    }

    private func range(_ spread: Spread?, _ unit: Unit) -> String {
        guard let spread, spread.low < spread.high else { return "" }
        return "\(shown(spread.low, unit)) … \(shown(spread.high, unit))"
    }
}
