import Checks
import LoadPage
import LoadReport
import Primitives

extension LoadRun {
    /// Figures that no clock and no counter gives.
    static var odd: LoadRun {
        var run = LoadRun.small
        run.measuredSeconds = .nan
        run.warmUpSeconds = -1
        run.weights = [ScenarioWeight(name: "pay", weight: 0)]
        run.intervals[0].okPerSecond = .infinity
        run.intervals[1].p99Micros = .nan
        run.intervals[3].maxMicros = -5
        run.intervals[3].p50Micros = 1e-300
        run.processes[0].samples[1].cores = .nan
        run.processes[0].samples[2].residentBytes = .max
        run.processes[0].cpuMicrosPerOperation = .infinity
        run.queues[0].samples[1].depth = .max
        run.overall.latency.curve.append(PercentilePoint(percentile: 150, micros: 1e300))
        run.disturbances[0].offsetSeconds = -40
        run.ramp?.p99LimitMicros = 0
        return run
    }

    /// Markup, control characters and texts that turn the line around, wherever text comes from outside.
    static var hostile: LoadRun {
        let text = "<script>alert(\"1\")</script></title><b>\u{0}\u{1B}[2J\u{202E}<img src=x onerror='x'>&amp;"
        var run = LoadRun.small
        run.title = text
        run.weights[0].name = text
        run.population.distribution = text
        run.machine.cpuModel = text
        run.machine.kernel = text
        run.settings = [LoadSetting(name: text, value: text)]
        run.overall.name = text
        run.overall.refused = [CodeCount(code: text, count: 1)]
        run.scenarios[0].name = text
        run.processes[0].name = text
        run.queues[0].service = text
        run.disturbances[0].process = text
        run.warnings = [text]
        run.verdict.checks[0].name = text
        run.verdict.checks[0].statement = text
        run.verdict.checks[0].findings = [text]
        return run
    }

    /// Nothing was answered ok.
    static var allErrors: LoadRun {
        var run = LoadRun.small
        run.overall = LoadTotals(
            name: "all", planned: 10, sent: 10, errors: [CodeCount(code: "bus.no_worker", count: 10)])
        run.scenarios = []
        run.intervals = (0..<4).map {
            LoadInterval(offsetSeconds: Double($0), okPerSecond: 0, errorsPerSecond: 2.5)
        }
        run.ramp = LoadRamp(p99LimitMicros: 20_000, steps: [], highestPerSecond: nil)
        return run
    }

    /// One interval, one sample, one operation.
    static var onePoint: LoadRun {
        var run = LoadRun.small
        run.warmUpSeconds = 0
        run.intervals = [LoadInterval(offsetSeconds: 0, okPerSecond: 1, p50Micros: 900, p99Micros: 900, maxMicros: 900)]
        run.overall.latency = LatencySummary(
            count: 1, minMicros: 900, meanMicros: 900, p50Micros: 900, p90Micros: 900, p99Micros: 900, p999Micros: 900,
            p9999Micros: 900, maxMicros: 900, curve: [PercentilePoint(percentile: 100, micros: 900)])
        for index in run.processes.indices { run.processes[index].samples = run.processes[index].samples.suffix(1) }
        run.ramp?.steps.removeFirst(2)
        return run
    }
}
