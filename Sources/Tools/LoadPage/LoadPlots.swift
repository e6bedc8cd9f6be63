import Contracts
import LoadReport
import TerminalText

/// The plots of a run's page. The same thing has the same colour in each of them.
package struct LoadPlots {
    private let run: LoadRun
    private let time: Axis
    private let marks: [Plot.Mark]
    /// Half the length of an interval, in seconds: a point stands in its interval's middle.
    private let half: Double

    package init(_ run: LoadRun) {
        self.run = run
        let first = run.intervals.first?.offsetSeconds ?? 0
        let count = run.intervals.count
        let step = count > 1 ? (run.intervals[count - 1].offsetSeconds - first) / Double(count - 1) : 1
        half = step.isFinite && step > 0 ? step / 2 : 0.5
        let ends =
            [run.warmUpSeconds + run.measuredSeconds, (run.intervals.last?.offsetSeconds ?? 0) + 2 * half]
            + run.disturbances.map(\.offsetSeconds)
        // What is sampled after the end, while the money is counted, is not the load's.
        time = .time(upTo: ends.filter(\.isFinite).max() ?? 1)
        marks = run.disturbances.map { [time] disturbance in
            Plot.Mark(
                x: disturbance.offsetSeconds,
                words: "\(Self.at(disturbance.offsetSeconds, on: time)): \(disturbance.words)")
        }
    }

    /// In the order to show them.
    package var all: [Plot] {
        (run.ramp.map { [ramp($0)] } ?? [])
            + [latencyOverTime, distribution, throughput, failures, processors, memory, queues]
    }

    /// A process's line, by its name alone: the same in every plot of every report.
    package static func look(ofProcess name: String) -> (hue: Plot.Hue, stroke: Plot.Stroke) {
        let name = name.hasPrefix("billfold-") ? String(name.dropFirst(9)) : name
        if name == LoadRun.generatorName { return (.grey, .dotted) }
        guard let place = Catalogue.services.firstIndex(where: { $0.service == name }) else { return other(name) }
        let strokes: [Plot.Stroke] = [.dashed, .solid, .mixed]
        // Each colour once before any comes again, then with another stroke.
        let (turn, hue) = place.quotientAndRemainder(dividingBy: hues.count)
        return (hues[hue], strokes[(hue + turn) % strokes.count])
    }

    private static let hues = Plot.Hue.allCases.filter { $0 != .grey }

    /// One of a service that is not ours: two of them may look the same, and the legend names them.
    private static func other(_ name: String) -> (hue: Plot.Hue, stroke: Plot.Stroke) {
        let sum = name.utf8.reduce(0) { ($0 * 31 + Int($1)) % 65_521 }
        return (hues[sum % hues.count], .dotted)
    }

    package var latencyOverTime: Plot {
        let micros = run.intervals.flatMap { [$0.p50Micros, $0.p99Micros, $0.maxMicros].compactMap { $0 } }
        var plot = timed(
            "latency-over-time", "Latency over time", latencySummary, y: .latency(of: micros),
            lines: [
                Plot.Line("p50", .blue, points: points(\.p50Micros)),
                Plot.Line("p99", .orange, .dashed, points: points(\.p99Micros)),
                Plot.Line("max", .grey, .dotted, points: points(\.maxMicros))
            ]
        ) { Shown.latency(micros: $0) }
        plot.isWide = true
        return plot
    }

    package var distribution: Plot {
        let latency = run.overall.latency
        let scenarios = run.scenarios.filter { !$0.latency.curve.isEmpty }
        let hues: [Plot.Hue] = [.blue, .orange, .purple, .rose, .ochre, .red]
        let several = scenarios.count > 1
        var lines = [Plot.Line(several ? "all" : "latency", .green, points: curve(latency))]
        if several {
            lines += scenarios.enumerated().map { index, totals in
                Plot.Line(
                    totals.name, hues[index % hues.count], index % 2 == 0 ? .dashed : .dotted,
                    points: curve(totals.latency))
            }
        }
        var plot = Plot(
            name: "distribution", title: "Latency distribution",
            summary:
                "99 % of the answers came within \(Shown.latency(micros: latency.p99Micros)), 99.9 % within "
                + "\(Shown.latency(micros: latency.p999Micros)). Each nine to the right is ten times rarer.",
            x: .percentiles(samples: latency.count),
            y: .latency(of: lines.flatMap { $0.points.compactMap(\.y) }), lines: lines
        ) {
            Shown.percentile(($0 * 1e5).rounded() / 1e5)
        } figure: {
            Shown.latency(micros: $0)
        }
        plot.emptyWords = "No operation was answered ok, so there is no latency to show."
        return plot
    }

    package var throughput: Plot {
        var lines = [Plot.Line("answered ok", .green, isFilled: true, points: points { $0.okPerSecond })]
        if run.intervals.contains(where: { $0.offeredPerSecond != nil }) {
            lines.append(Plot.Line("due", .grey, .dotted, points: points(\.offeredPerSecond)))
        }
        let measured = run.intervals.filter(\.isMeasured)
        let slowest = measured.min { $0.okPerSecond < $1.okPerSecond }
        let summary =
            "Answered ok: \(Shown.rate(run.overall.okPerSecond)) on average"
            + (slowest.map { ", \(Shown.rate($0.okPerSecond)) in the slowest second, at \(at($0.offsetSeconds))." }
                ?? ".")
        return timed(
            "throughput", "Throughput", summary, y: rates(lines), lines: lines
        ) { Shown.rate($0) }
    }

    package var failures: Plot {
        let failed = run.intervals.contains { $0.errorsPerSecond > 0 || $0.refusedPerSecond > 0 }
        let lines =
            failed
            ? [
                Plot.Line("asked again", .red, points: points { $0.errorsPerSecond }),
                Plot.Line("refused", .ochre, .dashed, points: points { $0.refusedPerSecond })
            ] : []
        let seconds = run.intervals.count { !$0.isWarmUp && $0.errorsPerSecond > 0 }
        var plot = timed(
            "failures", "Refusals and repeats",
            "\(Shown.count(run.overall.refusedCount)) refused, \(Shown.count(run.overall.errorCount)) failed or unknown"
                + (seconds == 0
                    ? "." : "; asked again in \(Shown.count(seconds)) \(seconds == 1 ? "interval." : "intervals.")"),
            y: rates(lines), lines: lines
        ) { Shown.rate($0) }
        plot.emptyWords =
            run.intervals.isEmpty
            ? "Nothing was recorded for this plot." : "No operation was refused and none failed at any time."
        return plot
    }

    package var processors: Plot {
        let lines = processLines { $0.cores }
        let busiest = run.processes.compactMap { process in process.meanCores.map { (process.name, $0) } }
            .max { $0.1 < $1.1 }
        let together = run.processes.compactMap(\.meanCores).reduce(0, +)
        var summary = "Cores kept busy by each process."
        if let busiest {
            summary += " Busiest: \(busiest.0) with \(Shown.cores(busiest.1)) on average; "
            summary += "all together \(Shown.cores(together))"
            summary += run.machine.cores > 0 ? " of \(run.machine.cores)." : "."
        }
        let highest = lines.flatMap { $0.points.compactMap(\.y) }.max() ?? 0
        return timed(
            "processors", "CPU of each process", summary,
            y: .linear(upTo: highest, title: "cores") { Shown.fixed($0, highest < 0.5 ? 2 : 1) }, lines: lines
        ) { Shown.cores($0) }
    }

    package var memory: Plot {
        let mebibyte = 1_048_576.0
        let lines = processLines { Double($0.residentBytes) / mebibyte }
        let largest = run.processes.max { $0.maxResidentBytes < $1.maxResidentBytes }
        return timed(
            "memory", "Memory of each process",
            "Resident memory."
                + (largest.map { " Largest: \($0.name) with \(Shown.bytes($0.maxResidentBytes))." } ?? ""),
            y: .linear(upTo: lines.flatMap { $0.points.compactMap(\.y) }.max() ?? 0, title: "resident memory in MiB") {
                Shown.fixed($0, $0 > 0 && $0 < 1 ? 1 : 0)
            }, lines: lines
        ) { Shown.bytes($0 * mebibyte) }
    }

    package var queues: Plot {
        var lines = run.queues.map { queue in
            let look = Self.look(ofProcess: queue.service)
            return Plot.Line(
                queue.service, look.hue, look.stroke,
                points: queue.samples.map { Plot.Point($0.offsetSeconds, Double($0.depth)) })
        }
        let deepest = run.queues.flatMap { queue in queue.samples.map { (queue.service, $0) } }
            .max { $0.1.depth < $1.1.depth }
        if !lines.isEmpty, !run.intervals.isEmpty {
            lines.append(Plot.Line("sent, not answered", .grey, .dotted, points: points { Double($0.inFlight) }))
        }
        return timed(
            "queues", "Queue of each service",
            "Asks that wait at the broker for a worker, and what the generator has sent and not seen answered."
                + (deepest.map { name, sample in
                    " Deepest: \(name) with \(Shown.count(sample.depth)), at \(at(sample.offsetSeconds))."
                } ?? ""),
            y: .linear(
                upTo: lines.flatMap { $0.points.compactMap(\.y) }.max() ?? 0, wholeSteps: true, title: "asks waiting"
            ) { Shown.fixed($0, 0) }, lines: lines
        ) { Shown.fixed($0, 0) }
    }

    private func ramp(_ ramp: LoadRamp) -> Plot {
        let points = ramp.steps.map { Plot.Point($0.ratePerSecond, $0.p99Micros) }
        let highest = ramp.steps.map(\.ratePerSecond).max() ?? 0
        var plot = Plot(
            name: "ramp", title: "Ramp: p99 at each rate",
            summary: ramp.words + " A hollow point did not meet the limit.",
            x: .linear(upTo: highest, steps: 8, title: "rate at which operations were due, per second") {
                Shown.fixed($0, 0)
            },
            y: .latency(of: points.compactMap(\.y) + [ramp.p99LimitMicros], title: "p99"),
            lines: [Plot.Line("p99", .orange, points: points)]
        ) {
            "due \(Shown.rate($0))"
        } figure: {
            Shown.latency(micros: $0)
        }
        plot.isWide = true
        plot.limit = (ramp.p99LimitMicros, "limit \(Shown.latency(micros: ramp.p99LimitMicros))")
        plot.dots = ramp.steps.compactMap { step in
            step.p99Micros.map {
                Plot.Dot(
                    x: step.ratePerSecond, y: $0, isHollow: !step.metLimit,
                    words: "\(Shown.rate(step.ratePerSecond)): p99 \(Shown.latency(micros: $0))")
            }
        }
        return plot
    }

    private func timed(
        _ name: String, _ title: String, _ summary: String, y: Axis, lines: [Plot.Line],
        figure: @escaping @Sendable (Double) -> String
    ) -> Plot {
        var plot = Plot(
            name: name, title: title, summary: summary, x: time, y: y, lines: lines,
            place: { [time] in "at \(Self.at($0, on: time))" }, figure: figure)
        plot.marks = marks
        plot.shadeUpTo = run.warmUpSeconds
        return plot
    }

    private func points(_ figure: (LoadInterval) -> Double?) -> [Plot.Point] {
        run.intervals.map { Plot.Point($0.offsetSeconds + half, figure($0)) }
    }

    private func curve(_ latency: LatencySummary) -> [Plot.Point] {
        latency.curve.map { Plot.Point($0.percentile, $0.micros) }
    }

    private func processLines(_ figure: (ProcessSample) -> Double) -> [Plot.Line] {
        run.processes.map { process in
            let look = Self.look(ofProcess: process.name)
            return Plot.Line(
                process.name, look.hue, look.stroke,
                points: process.samples.filter { $0.offsetSeconds <= time.upper + half }.map {
                    Plot.Point($0.offsetSeconds, figure($0))
                })
        }
    }

    private func rates(_ lines: [Plot.Line]) -> Axis {
        .linear(upTo: lines.flatMap { $0.points.compactMap(\.y) }.max() ?? 0, title: "operations per second") {
            Shown.fixed($0, $0 == $0.rounded() ? 0 : 1)
        }
    }

    private func at(_ seconds: Double) -> String { Self.at(seconds, on: time) }

    /// A moment in the unit that the axis has.
    private static func at(_ seconds: Double, on axis: Axis) -> String {
        guard axis.upper <= 600, seconds.isFinite else { return Shown.span(seconds: seconds) }
        return Shown.fixed(seconds, seconds == seconds.rounded() ? 0 : 1) + " s"
    }

    private var latencySummary: String {
        let known = run.intervals.filter(\.isMeasured)
            .compactMap { interval in interval.p99Micros.map { (interval.offsetSeconds, $0) } }
        guard let worst = known.max(by: { $0.1 < $1.1 }) else { return "Nothing was answered ok." }
        let median = known.map(\.1).sorted()[known.count / 2]
        return "p99 was \(Shown.latency(micros: median)) in the median second and \(Shown.latency(micros: worst.1)) in "
            + "the worst, at \(at(worst.0))."
    }
}
