import Audit
import Bus
import BusZMQ
import CLinux
import Checks
import Glibc
import LoadReport
import Primitives
import Sodium
import Synchronization

/// The load itself: the generator on its thread, the faults on theirs, and all figures of it.
final class LoadSession: @unchecked Sendable {
    // `@unchecked`: the generator and what it leaves are the thread's own until `board.isEnded`; the watches belong to
    // the one task that samples.
    let stage: Stage
    let journal = Journal()
    let zero: UInt64
    private let plan: LoadPlan
    private let board: LiveBoard
    private let generator: Generator
    let scenarios: [any Scenario]
    private let faults: FaultInjector
    private let started: Timestamp
    private let table: ProcessTable
    private var processes: ProcessWatch
    private var queues = QueueWatch()
    private let probeDirectory: String
    private let probeBefore: DiskProbe?

    private var steps: [RampStep] = []
    private var highest: Double?
    private var measuredSeconds = 0.0
    /// How long after the last operation of an open loop was due the last answer came.
    private var lateSeconds = 0.0
    private var cpuMicros = 0.0
    private var threadMicros = 0.0

    init(
        plan: LoadPlan, population: Population, logIns: LogIns, devices: DevicePool, walks: WalkPool,
        coupons: CouponBook, paid: PaidCharges, balances: [Int64], board: LiveBoard
    ) throws {
        self.plan = plan
        self.board = board
        started = WallClock.system.now()
        stage = Stage(
            driver: plan.driver, population: population,
            run: UInt32(truncatingIfNeeded: Randomness.shared.pair().0), started: started,
            devices: devices, walks: walks, coupons: coupons, orders: TurnPool(plan.orderPairs), paid: paid)
        scenarios = ScenarioList.all
        let carrier: any Carrier =
            switch plan.driver {
            case .bus: try BusCarrier(bus: plan.bus, scenarios: scenarios, stage: stage)
            case .http:
                try HTTPCarrier(
                    gateways: try plan.gatewayAddresses, connections: plan.inFlight, scenarios: scenarios,
                    stage: stage, logins: logIns)
            }
        generator = Generator(
            carrier: carrier, stage: stage, scenarios: scenarios,
            choice: Generator.Choice(
                mix: plan.mix, cards: plan.cardChoice, merchants: plan.merchantChoice, amounts: plan.amounts,
                accountCards: max(1, plan.accounts) * plan.cardsEach, seed: plan.seed),
            balances: balances, journal: journal, board: board)
        table = plan.processTable
        probeDirectory = table.dataDirectory ?? "/var/tmp"
        probeBefore = DiskProbe.measure(in: probeDirectory)
        zero = monotonicNanoseconds()
        processes = ProcessWatch(table, start: zero)
        faults = FaultInjector(
            table, events: plan.faults.events(within: plan.length), grace: plan.grace,
            isCutShort: { board.isStopped })
    }

    func start() {
        faults.start(at: zero)
        OSThread { [self] in
            pthread_setname_np(pthread_self(), "generator")
            let cpu = ProcessWatch.ownMicros()
            switch plan.pace {
            case .closed: stretch(.closed(inFlight: plan.inFlight), plan.warmUp, plan.duration)
            case .open(let rate):
                stretch(.open(perSecond: rate, inFlightMax: plan.inFlight), plan.warmUp, plan.duration)
            case .ramp(let from, let step, let p99): ramp(from: from, step: step, p99: p99)
            }
            cpuMicros = ProcessWatch.ownMicros() - cpu
            threadMicros = ProcessWatch.threadMicros()
            faults.stop()
            while !faults.isDone { usleep(5_000) }
            board.end()
        }.detach()
    }

    private func stretch(_ pace: Generator.Stretch.Pace, _ warmUp: Span, _ measured: Span) {
        let start = monotonicNanoseconds()
        generator.run(
            Generator.Stretch(
                pace: pace, warmUp: warmUp.nanoseconds, measured: measured.nanoseconds,
                patience: plan.patience.nanoseconds))
        let length = Double(monotonicNanoseconds() - start) / 1e9 - warmUp.seconds
        var counted = min(length, measured.seconds)
        // What an open loop's operations were answered in, where that took longer than they were due in: a set that
        // lags behind does less. In a closed loop no more than those in flight are answered after the end.
        if case .open = pace, let answers = generator.recorder.answers {
            counted = max(counted, Double(answers.upperBound - answers.lowerBound) / 1e9)
            let late = Double(answers.upperBound - start) / 1e9 - warmUp.seconds - measured.seconds
            lateSeconds = max(lateSeconds, late)
        }
        measuredSeconds += max(0, board.isStopped ? length : counted)
    }

    private func ramp(from: Double, step: Span, p99: Span) {
        var search = RampSearch(start: from)
        let warmUp = Span(nanoseconds: min(step.nanoseconds / 4, 1_000_000_000))
        while let rate = search.next, !board.isStopped {
            let number = steps.count + 1
            board.update { $0.step = "step \(number): \(Int(rate))/s" }
            stretch(.open(perSecond: rate, inFlightMax: plan.inFlight), warmUp, step)
            let tally = generator.recorder.step
            let failures = tally.refusedCount + tally.unknownCount + tally.repeatCount
            let due = rate * step.seconds
            let met = RampSearch.meets(
                p99Micros: tally.percentile(99), limitMicros: p99.micros, failures: failures,
                answeredShare: Double(tally.ok) / due)
            if board.isStopped { break }
            steps.append(
                RampStep(
                    ratePerSecond: rate, okPerSecond: Double(tally.ok) / step.seconds,
                    p99Micros: tally.percentile(99), errors: failures, metLimit: met))
            search.measured(rate, met: met)
        }
        highest = search.highest
    }

    // MARK: While it runs

    func sample(_ bus: Bus, at now: UInt64) async {
        processes.sample(at: now)
        await queues.sample(bus, offsetSeconds: Double(now - zero) / 1e9)
    }

    func progress(at now: UInt64) -> LoadProgress {
        let figures = board.now
        let elapsed = Double(now - zero) / 1e9
        let total = plan.warmUp.seconds + plan.duration.seconds
        let isRamp = if case .ramp = plan.pace { true } else { false }
        let phase: LoadProgress.Phase =
            board.isStopped || !isRamp && elapsed > total ? .settling : figures.isWarmUp ? .warmUp : .measuring
        let inPhase = phase == .warmUp ? elapsed : phase == .measuring ? elapsed - plan.warmUp.seconds : elapsed - total
        return LoadProgress(
            phase: phase, elapsedSeconds: isRamp ? elapsed : max(0, inPhase),
            totalSeconds: isRamp || phase == .settling
                ? nil : phase == .warmUp ? plan.warmUp.seconds : plan.duration.seconds,
            okPerSecond: figures.last?.okPerSecond ?? 0, p50Micros: figures.last?.p50Micros,
            p99Micros: figures.last?.p99Micros, ok: figures.ok, refused: figures.refused, errors: figures.trouble,
            inFlight: figures.inFlight, note: figures.step ?? faults.note)
    }

    // MARK: Afterwards

    var oddReceipts: [String] { generator.oddReceipts }

    /// When the present process of a service was started; nil where it is not on this machine.
    func birth(of service: String) -> Timestamp? { table.find(service).flatMap { ProcFile.birth(of: $0.id) } }

    func report(
        verdict: MoneyVerdict, listenerMicros: Double, streams: StreamEvidence?, streamMicros: Double,
        gatewayBytesBefore: Int64?
    ) -> LoadRun {
        let recorder = generator.recorder
        var all = Tally()
        for tally in recorder.scenarios { all.add(tally) }
        let played = plan.mix.parts.map(\.scenario)
        let totals = scenarios.enumerated().filter { played.contains($0.element.name) }.map { number, scenario in
            recorder.scenarios[number].totals(scenario.name, seconds: measuredSeconds, codes: stage.codes)
        }
        var run = LoadRun(
            title: "\(plan.mix.description) over \(plan.driver == .bus ? "the bus" : "HTTP")", started: started,
            driver: plan.driver, shape: plan.shape, measuredSeconds: measuredSeconds)
        run.weights = plan.mix.parts.map { ScenarioWeight(name: $0.scenario, weight: $0.weight) }
        run.population = LoadPopulation(
            customers: plan.customers, cards: plan.customers * plan.cardsEach, merchants: plan.merchants,
            distribution: "cards \(plan.cardChoice), merchants \(plan.merchantChoice)")
        run.warmUpSeconds = plan.warmUp.seconds
        run.seed = plan.seed
        run.machine = .read()
        run.overall = all.totals("all", seconds: measuredSeconds, codes: stage.codes)
        run.scenarios = totals
        run.intervals = recorder.intervals
        run.processes = processes.series(operations: recorder.okCount)
        run.queues = queues.all
        run.probeBefore = probeBefore
        run.probeAfter = DiskProbe.measure(in: probeDirectory)
        run.disturbances = faults.disturbances
        if case .ramp(_, _, let p99) = plan.pace {
            run.ramp = LoadRamp(p99LimitMicros: p99.micros, steps: steps, highestPerSecond: highest)
        }
        run.verdict = MoneyVerdict(
            checks: verdict.checks + (plan.faults.faults.isEmpty ? [] : [faultsHappened()]))
        run.streams = streams.map { figures($0, run, gatewayBytesBefore) }
        run.settings = settings(listenerMicros, streams, streamMicros) + (run.streams?.settings ?? [])
        run.warnings = warnings(all, recorder)
        return run
    }

    private func figures(_ streams: StreamEvidence, _ run: LoadRun, _ gatewayBytesBefore: Int64?) -> LoadStreams {
        let pushes = StreamChecks.pushes(journal, streams, since: zero + plan.warmUp.nanoseconds)
        // The most that was seen, with all that the gateway keeps for the requests of the run.
        let most = run.processes.filter { ProcessTable.isGateway($0.name) }.map(\.maxResidentBytes).reduce(0, +)
        let grown = gatewayBytesBefore.map { max(0, most - $0) }
        return LoadStreams(
            count: streams.streams, broken: streams.broken,
            pushesPerSecond: run.measuredSeconds > 0 ? Double(pushes.count) / run.measuredSeconds : 0,
            latency: pushes, gatewayBytesEach: grown.map { Double($0) / Double(max(1, streams.streams)) })
    }

    /// A run without the faults that were asked for says nothing about them.
    private func faultsHappened() -> MoneyVerdict.Check {
        var findings = Findings("faults_happened", "Each fault that was asked for happened", about: "faults")
        let happened = faults.happened
        for fault in plan.faults.faults {
            findings.examined += 1
            if !happened.contains(fault) { findings.add("'\(fault.description)' never happened") }
        }
        return findings.check
    }

    private func settings(
        _ listenerMicros: Double, _ streams: StreamEvidence?, _ streamMicros: Double
    ) -> [LoadSetting] {
        func each(_ micros: Double) -> String {
            let tenths = Int((micros / Double(max(1, generator.requests)) * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) µs"
        }
        var settings = [
            LoadSetting(name: "generator's CPU per request", value: each(cpuMicros)),
            LoadSetting(name: "of that, the generator's thread", value: each(threadMicros)),
            LoadSetting(name: "of that, hearing merchants' notices", value: each(listenerMicros)),
            LoadSetting(name: "requests", value: "\(generator.requests)"),
            LoadSetting(name: "operations journaled", value: "\(journal.count)"),
            LoadSetting(name: "amounts", value: "\(plan.amounts.lowerBound) to \(plan.amounts.upperBound) minor units"),
            LoadSetting(name: "population", value: plan.populationName)
        ]
        if let streams {
            settings.append(
                LoadSetting(name: "event streams", value: "\(streams.streams), broken off \(streams.broken) times"))
            settings.append(LoadSetting(name: "of the CPU, reading event streams", value: each(streamMicros)))
        }
        if !plan.faults.faults.isEmpty {
            settings.append(
                LoadSetting(name: "faults", value: plan.faults.faults.map(\.description).joined(separator: "; ")))
        }
        return settings
    }

    private func warnings(_ all: Tally, _ recorder: Recorder) -> [String] {
        var warnings = faults.warnings
        if board.isStopped { warnings.append("the load was ended early") }
        if case .open(let rate) = plan.pace, measuredSeconds > 0, !board.isStopped {
            let due = rate * plan.duration.seconds
            if Double(all.sent) < due * 0.99 {
                warnings.append("of \(Int(due)) operations due, \(all.sent) were sent: the set could not take the rate")
            }
            if lateSeconds > 1 {
                warnings.append(
                    "the last answers came \(Int(lateSeconds.rounded())) s after the last operation was due: the set could not "
                        + "take the rate")
            }
        }
        if processes.names.isEmpty {
            warnings.append("no process of the set was found on this machine: their CPU and memory are not known")
        }
        return warnings
    }
}
