import Foundation
import TerminalText

/// What a value's place along one side of a plot follows from, with the values that are marked.
package struct Axis: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case linear
        case logarithmic
        /// For percentiles: 90, 99, 99.9, … are equally far apart, so that the tail has as much room as the rest.
        case percentile
    }

    package struct Tick: Sendable, Equatable {
        package let value: Double
        /// Empty: a line without words.
        package let label: String
        /// Whether the label may go where there is little room.
        package let isMinor: Bool
    }

    package let kind: Kind
    package let lower: Double
    package let upper: Double
    package let ticks: [Tick]
    /// What is along the axis, with its unit if the labels have none.
    package let title: String

    /// 0 at the lower end, 1 at the upper one; what lies beyond is put there.
    package func fraction(of value: Double) -> Double {
        guard !value.isNaN else { return 0 }
        let part: Double
        switch kind {
        case .linear: part = upper > lower ? (value - lower) / (upper - lower) : 0
        case .logarithmic:
            part = value > 0 && upper > lower ? log(value / lower) / log(upper / lower) : 0
        case .percentile: part = Self.nines(value) / Self.nines(upper)
        }
        return min(max(part.isNaN ? 0 : part, 0), 1)
    }

    /// 0 for 0, 1 for 90, 2 for 99, 3 for 99.9; as many as a double can tell apart for 100.
    package static func nines(_ percentile: Double) -> Double {
        -log10(max(1 - min(max(percentile, 0), 100) / 100, 1e-15))
    }

    /// The smallest of 1, 2, 5 times a power of ten with which `span` has no more than `count` steps.
    package static func niceStep(span: Double, atMost count: Int) -> Double {
        guard span > 0, span.isFinite, count > 0 else { return 1 }
        let raw = span / Double(count)
        let power = pow(10, log10(raw).rounded(.down))
        for factor in [1.0, 2, 5] where factor * power >= raw * (1 - 1e-9) { return factor * power }
        return 10 * power
    }

    /// From 0 to the first step at or above `highest`.
    package static func linear(
        upTo highest: Double, steps: Int = 5, wholeSteps: Bool = false, title: String, label: (Double) -> String
    ) -> Axis {
        let highest = highest.isFinite && highest > 0 ? highest : 1
        var step = niceStep(span: highest, atMost: steps)
        if wholeSteps { step = max(1, step) }
        let count = max(1, Int((highest / step - 1e-9).rounded(.up)))
        let ticks = (0...count).map { Tick(value: Double($0) * step, label: label(Double($0) * step), isMinor: false) }
        return Axis(kind: .linear, lower: 0, upper: Double(count) * step, ticks: ticks, title: title)
    }

    /// From 1, 2 or 5 times a power of ten below all values to one above them. Values of 0 and less, and such
    /// that no clock measures, are left out.
    package static func logarithmic(of values: [Double], title: String, label: (Double) -> String) -> Axis {
        let values = values.filter { $0 >= 1e-6 && $0 <= 1e18 }
        let lowest = values.min() ?? 1
        let highest = max(values.max() ?? 10, lowest * 1.0001)
        var steps: [(value: Double, isDecade: Bool)] = []
        for exponent in Int(log10(lowest).rounded(.down)) - 1...Int(log10(highest).rounded(.up)) + 1 {
            for factor in [1.0, 2, 5] {
                // By division below one: 0.1 is nearer to 1 / 10 than to 10 to the power of -1 as computed.
                let power = exponent < 0 ? 1 / pow(10, Double(-exponent)) : pow(10, Double(exponent))
                steps.append((factor * power, factor == 1))
            }
        }
        let first = steps.lastIndex { $0.value <= lowest * (1 + 1e-9) } ?? 0
        let last = steps.firstIndex { $0.value >= highest * (1 - 1e-9) } ?? steps.count - 1
        let shown = steps[first...max(last, first + 1)]
        let isShort = shown.count <= 7
        return Axis(
            kind: .logarithmic, lower: shown.first!.value, upper: shown.last!.value,
            ticks: shown.map { step in
                Tick(value: step.value, label: isShort || step.isDecade ? label(step.value) : "", isMinor: false)
            }, title: title)
    }

    /// 0 to the last percentile that so many samples can tell, at least 99 and at most 99.99999.
    package static func percentiles(samples: Int) -> Axis {
        let nines = min(max(log10(Double(max(samples, 1))), 2), 7)
        let upper = 100 * (1 - pow(10, -nines))
        // The words for 0 would cover those for 50.
        var ticks = [0, 50, 90].map { Tick(value: $0, label: $0 == 0 ? "" : Shown.percentile($0), isMinor: $0 == 50) }
        for count in 2...7 where Double(count) <= nines + 1e-9 {
            let value = 100 - 100 / pow(10, Double(count))
            ticks.append(Tick(value: value, label: Shown.percentile(value), isMinor: count >= 3 && count % 2 == 1))
        }
        return Axis(kind: .percentile, lower: 0, upper: upper, ticks: ticks, title: "percentile of the answers")
    }

    /// 0 to the end of a run.
    package static func time(upTo seconds: Double) -> Axis {
        let end = seconds.isFinite && seconds > 0 ? seconds : 1
        let steps: [Double] = [
            0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400
        ]
        let step = steps.first { end / $0 <= 10 } ?? niceStep(span: end, atMost: 10)
        let inMinutes = step >= 60
        let ticks = (0...Int((end / step + 1e-9).rounded(.down))).map { index in
            let value = Double(index) * step
            let label = inMinutes ? Shown.fixed(value / 60, 0) : Shown.fixed(value, step < 1 ? 1 : 0)
            return Tick(value: value, label: label, isMinor: index % 2 == 1)
        }
        return Axis(
            kind: .linear, lower: 0, upper: end, ticks: ticks,
            title: "\(inMinutes ? "minutes" : "seconds") since the first send")
    }

    /// Latencies differ by orders of magnitude when a process is killed, and hardly otherwise: the scale follows.
    package static func latency(of micros: [Double], title: String = "latency") -> Axis {
        let known = micros.filter { $0 >= 1e-6 && $0 <= 1e18 }
        let label = { (value: Double) in value == 0 ? "0" : shortLatency(value) }
        guard let lowest = known.min(), let highest = known.max(), highest > 20 * lowest else {
            return .linear(upTo: known.max() ?? 1000, title: title, label: label)
        }
        return .logarithmic(of: known, title: title + ", logarithmic", label: label)
    }

    /// A round latency without needless zeros: `2 ms`, `500 µs`, `1.5 s`.
    private static func shortLatency(_ micros: Double) -> String {
        let (value, unit) =
            micros >= 999_500 ? (micros / 1_000_000, "s") : micros >= 999.5 ? (micros / 1000, "ms") : (micros, "µs")
        var text = Shown.fixed(value, 2)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return "\(text) \(unit)"
    }
}
