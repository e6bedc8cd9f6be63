import Checks
import LoadReport
import Primitives

extension LoadRun {
    /// Every field in use, few of each: for texts that are compared to the letter.
    static var small: LoadRun {
        var pay = LoadTotals(
            name: "pay", planned: 6000, sent: 6000, ok: 5988,
            refused: [CodeCount(code: "wallet.insufficient_funds", count: 10)],
            errors: [CodeCount(code: "bus.outcome_unknown", count: 2)], repeated: 7, okPerSecond: 1996,
            latency: LatencySummary(
                count: 5988, minMicros: 412, meanMicros: 1380.4, p50Micros: 1210, p90Micros: 2204, p99Micros: 4510,
                p999Micros: 18_900, p9999Micros: 81_200, maxMicros: 812_000,
                curve: [
                    PercentilePoint(percentile: 0, micros: 412), PercentilePoint(percentile: 50, micros: 1210),
                    PercentilePoint(percentile: 90, micros: 2204), PercentilePoint(percentile: 99, micros: 4510),
                    PercentilePoint(percentile: 99.9, micros: 18_900), PercentilePoint(percentile: 100, micros: 812_000)
                ]))
        var run = LoadRun(
            title: "Three seconds", started: Timestamp(milliseconds: 1_795_255_200_000), driver: .http,
            shape: .open(perSecond: 2000), weights: [ScenarioWeight(name: "pay", weight: 1)],
            population: LoadPopulation(customers: 1000, cards: 1500, merchants: 20, distribution: "zipf 0.9"),
            warmUpSeconds: 1, measuredSeconds: 3, seed: 42,
            machine: LoadMachine(
                cores: 2, cpuModel: "Example 3000", kernel: "6.1.0", memoryBytes: 8_589_934_592),
            settings: [LoadSetting(name: "BILLFOLD_WALLET_CREDIT", value: "512")], scenarios: [pay],
            warnings: ["The generator was up to 12 ms late."])
        pay.name = "all"
        run.overall = pay
        run.intervals = (0..<4).map { (second: Int) -> LoadInterval in
            var interval = LoadInterval(offsetSeconds: Double(second), okPerSecond: 1996)
            interval.p50Micros = 1210
            interval.p99Micros = 4510
            interval.maxMicros = 812_000
            interval.inFlight = 12
            interval.isWarmUp = second == 0
            interval.offeredPerSecond = 2000
            return interval
        }
        run.intervals[2].okPerSecond = 0
        run.intervals[2].errorsPerSecond = 2
        run.intervals[2].p50Micros = nil
        run.intervals[2].p99Micros = nil
        run.intervals[2].maxMicros = nil
        run.processes = [
            ProcessSeries(
                name: "wallet",
                samples: (0..<4).map {
                    ProcessSample(
                        offsetSeconds: Double($0), cores: 0.5, residentBytes: 41_943_040, restarts: $0 > 2 ? 1 : 0)
                }, cpuMicrosPerOperation: 212.5, maxResidentBytes: 41_943_040),
            ProcessSeries(
                name: "load",
                samples: (0..<4).map {
                    ProcessSample(offsetSeconds: Double($0), cores: 0.25, residentBytes: 20_971_520)
                }, cpuMicrosPerOperation: 98, maxResidentBytes: 20_971_520)
        ]
        run.queues = [
            QueueSeries(
                service: "wallet",
                samples: (0..<4).map { QueueSample(offsetSeconds: Double($0), depth: $0 * 3, inFlight: 4) })
        ]
        run.probeBefore = DiskProbe(p50Micros: 450, p99Micros: 1100, maxMicros: 5300)
        run.probeAfter = DiskProbe(p50Micros: 470, p99Micros: 1300, maxMicros: 6100)
        run.disturbances = [Disturbance(offsetSeconds: 2.1, kind: .kill, process: "wallet", durationSeconds: 0.6)]
        run.ramp = LoadRamp(
            p99LimitMicros: 20_000,
            steps: [
                RampStep(ratePerSecond: 1000, okPerSecond: 1000, p99Micros: 3100, errors: 0, metLimit: true),
                RampStep(ratePerSecond: 2000, okPerSecond: 1400, p99Micros: 912_000, errors: 3, metLimit: false),
                RampStep(ratePerSecond: 3000, okPerSecond: 0, p99Micros: nil, errors: 9000, metLimit: false)
            ], highestPerSecond: 1000)
        run.verdict = MoneyVerdict(checks: [
            MoneyVerdict.Check(
                name: "sum_is_zero", statement: "The sum over all accounts is zero", passed: true, examined: 1521),
            MoneyVerdict.Check(
                name: "answers_kept", statement: "Every payment that was answered ok is in the ledger, once",
                passed: false, examined: 5988,
                findings: ["payment 0a1b is in the ledger twice", "payment 2c3d is missing"], findingsTotal: 5)
        ])
        return run
    }

    /// Nothing was sent at all.
    static var empty: LoadRun {
        LoadRun(
            title: "Nothing", started: Timestamp(milliseconds: 0), driver: .bus, shape: .closed(inFlight: 1),
            measuredSeconds: 0)
    }

    /// Ten seconds of warm-up and sixty measured, with the wallet killed and started again.
    static var disturbed: LoadRun {
        var random = Noise(state: 7)
        var run = LoadRun.small
        run.title = "Evening peak with the wallet killed at 40 s"
        run.shape = .open(perSecond: 2400)
        run.weights = [
            ScenarioWeight(name: "pay", weight: 70), ScenarioWeight(name: "code", weight: 20),
            ScenarioWeight(name: "approve", weight: 10)
        ]
        run.population = LoadPopulation(customers: 20_000, cards: 26_000, merchants: 400, distribution: "zipf 0.9")
        run.warmUpSeconds = 10
        run.measuredSeconds = 60
        run.ramp = nil
        run.warnings = []
        run.settings = [
            LoadSetting(name: "BILLFOLD_SCHED", value: "batch"),
            LoadSetting(name: "BILLFOLD_WALLET_CREDIT", value: "512"),
            LoadSetting(name: "BILLFOLD_HTTP_LOOPS", value: "1"), LoadSetting(name: "connections", value: "128")
        ]
        run.intervals = (0..<70).map { (second: Int) -> LoadInterval in
            let cold = second < 4 ? Double(4 - second) : 0
            var interval = LoadInterval(
                offsetSeconds: Double(second), okPerSecond: 2400 + random.next(60) - cold * 210)
            interval.refusedPerSecond = 18 + random.next(6)
            interval.p50Micros = 1300 + random.next(160) + cold * 900
            interval.p99Micros = 4600 + random.next(1200) + cold * 14_000
            interval.maxMicros = 13_000 + random.next(6000) + cold * 30_000
            interval.inFlight = 6 + Int(random.next(4))
            interval.isWarmUp = second < 10
            interval.offeredPerSecond = 2400
            return interval
        }
        run.intervals[40].okPerSecond = 310
        run.intervals[40].errorsPerSecond = 21
        run.intervals[40].p99Micros = 890_000
        run.intervals[40].maxMicros = 930_000
        run.intervals[40].inFlight = 2100
        run.intervals[41].okPerSecond = 4380
        run.intervals[41].p50Micros = 640_000
        run.intervals[41].p99Micros = 1_180_000
        run.intervals[41].maxMicros = 1_420_000
        run.disturbances = [
            Disturbance(offsetSeconds: 40.1, kind: .kill, process: "wallet", durationSeconds: 1.2),
            Disturbance(offsetSeconds: 41.3, kind: .start, process: "wallet")
        ]
        let shares: [(String, Double, Double, Double)] = [
            ("broker", 0.29, 18, 121), ("gateway", 0.48, 41, 200), ("auth", 0.03, 24, 12), ("wallet", 0.36, 62, 150),
            ("payments", 0.33, 47, 137), ("load", 0.31, 33, 129)
        ]
        run.processes = shares.map { name, cores, mebibytes, micros in
            ProcessSeries(
                name: name,
                samples: (0...70).map { second in
                    let isAway = name == "wallet" && second == 41
                    return ProcessSample(
                        offsetSeconds: Double(second),
                        cores: isAway || second == 0 ? 0 : cores * (1 + random.next(0.09)) + (second == 42 ? 0.2 : 0),
                        residentBytes: isAway ? 0 : Int64((mebibytes + Double(second) * 0.09) * 1_048_576),
                        restarts: name == "wallet" && second > 41 ? 1 : 0)
                }, cpuMicrosPerOperation: micros, maxResidentBytes: Int64((mebibytes + 6.3) * 1_048_576))
        }
        run.queues = ["auth", "payments", "wallet"].map { service in
            QueueSeries(
                service: service,
                samples: (0...70).map { second in
                    let piled = second == 41 && service != "auth" ? (service == "wallet" ? 1810 : 120) : 0
                    return QueueSample(
                        offsetSeconds: Double(second), depth: piled + Int(abs(random.next(3))),
                        inFlight: 4 + Int(abs(random.next(6))))
                })
        }
        let curve = (0...200).map { step in
            let nines = Double(step) / 200 * 5
            let percentile = 100 * (1 - power(10, -nines))
            let tail = nines > 1.6 ? power(10, (nines - 1.6) * 1.15) * 900 : 0
            return PercentilePoint(percentile: percentile, micros: min(1_420_000, 620 + nines * 2300 + tail))
        }
        func totals(_ name: String, _ share: Double, slower: Double) -> LoadTotals {
            let count = Int(143_200 * share)
            return LoadTotals(
                name: name, planned: Int(144_400 * share), sent: Int(144_400 * share), ok: count,
                refused: [
                    CodeCount(code: "wallet.insufficient_funds", count: Int(980 * share)),
                    CodeCount(code: "payments.code_expired", count: Int(140 * share))
                ], errors: [CodeCount(code: "bus.worker_lost", count: Int(21 * share))], repeated: Int(2120 * share),
                okPerSecond: 2386.7 * share,
                latency: LatencySummary(
                    count: count, minMicros: 590 * slower, meanMicros: 9100 * slower, p50Micros: 1310 * slower,
                    p90Micros: 2920 * slower, p99Micros: 5200 * slower, p999Micros: 640_000, p9999Micros: 1_180_000,
                    maxMicros: 1_420_000,
                    curve: curve.map {
                        PercentilePoint(percentile: $0.percentile, micros: min(1_420_000, $0.micros * slower))
                    }))
        }
        run.overall = totals("all", 1, slower: 1)
        run.scenarios = [
            totals("pay", 0.7, slower: 0.92), totals("code", 0.2, slower: 1.15), totals("approve", 0.1, slower: 1.7)
        ]
        run.verdict = MoneyVerdict(
            checks: [
                ("sum_is_zero", "The sum over all accounts is zero", 26_402),
                ("answers_kept", "Every payment that was answered ok is in the ledger, once and as answered", 143_200),
                ("refusals_kept", "No refused payment moved money", 1120),
                ("unknown_resolved", "Every unknown outcome was found out by asking again", 21),
                ("balances_match", "Every balance is what its entries make it", 26_402),
                ("chain_unbroken", "The ledger's hash chain is unbroken", 169_604)
            ].map { MoneyVerdict.Check(name: $0.0, statement: $0.1, passed: true, examined: $0.2) })
        return run
    }

    /// A ramp that ends above its limit; the money is wrong.
    static var ramped: LoadRun {
        var run = LoadRun.disturbed
        run.title = "How many payments a second?"
        run.driver = .bus
        run.shape = .ramp(startPerSecond: 1000, stepSeconds: 10, p99LimitMicros: 20_000)
        run.disturbances = []
        run.intervals = run.intervals.enumerated().map { index, interval in
            var interval = interval
            let rate = 1000 * power(1.3, Double(index / 10))
            interval.offeredPerSecond = rate
            interval.okPerSecond = min(rate, 3900)
            let load = rate / 4000
            interval.p50Micros = load < 1 ? 900 / (1.02 - load) : 400_000 + Double(index % 10) * 90_000
            interval.p99Micros = interval.p50Micros.map { $0 * 2.4 }
            interval.maxMicros = interval.p50Micros.map { $0 * 4.1 }
            interval.errorsPerSecond = 0
            interval.refusedPerSecond = 0
            return interval
        }
        run.ramp = LoadRamp(
            p99LimitMicros: 20_000,
            steps: (0..<7).map { step in
                let rate = 1000 * power(1.3, Double(step))
                let micros = run.intervals[step * 10 + 5].p99Micros
                return RampStep(
                    ratePerSecond: rate, okPerSecond: min(rate, 3900), p99Micros: micros, errors: step > 5 ? 310 : 0,
                    metLimit: (micros ?? 0) <= 20_000)
            }, highestPerSecond: 2856.1)
        run.verdict = LoadRun.small.verdict
        run.warnings = ["From 63 s on the generator was late by up to 40 ms: the machine was full."]
        return run
    }

    /// An hour, a second an interval.
    static var long: LoadRun {
        var run = LoadRun.disturbed
        run.title = "An hour"
        run.measuredSeconds = 3590
        let minute = run.intervals.suffix(25)
        run.intervals = (0..<3600).map { second in
            var interval = minute[minute.startIndex + second % minute.count]
            interval.offsetSeconds = Double(second)
            interval.isWarmUp = second < 10
            return interval
        }
        run.disturbances = (1...8).map {
            Disturbance(offsetSeconds: Double($0) * 400, kind: .kill, process: "wallet", durationSeconds: 1.2)
        }
        return run
    }

    /// Base to an exponent that need not be whole, without Foundation: samples have to be the same everywhere.
    private static func power(_ base: Double, _ exponent: Double) -> Double {
        var whole = 1.0
        var rest = exponent
        while rest >= 1 { (whole, rest) = (whole * base, rest - 1) }
        while rest < 0 { (whole, rest) = (whole / base, rest + 1) }
        // Square roots of the base, one for each binary digit of the rest.
        var root = base
        for _ in 0..<40 {
            root = root.squareRoot()
            rest *= 2
            if rest >= 1 { (whole, rest) = (whole * root, rest - 1) }
        }
        return whole
    }

    private struct Noise {
        var state: UInt64

        /// Between `-size` and `size`.
        mutating func next(_ size: Double) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Double(state >> 11) / Double(1 << 53) * 2 - 1) * size
        }
    }
}
