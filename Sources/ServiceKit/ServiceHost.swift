import Bus
import BusZMQ
import Contracts
import CoreMetrics
import Foundation
import Logging
import Primitives
import ServiceLifecycle
import Sodium

/// What every process repeats: its end of the bus, logs, metrics, ordered start and graceful stop.
///
/// Set up in the order in which things depend on each other, then `run`. Nothing is answered before everything that was
/// to happen `beforeReady` has happened.
@usableFromInline
package final class ServiceHost {
    package let name: String
    package let config: HostConfig
    package let logger: Logger
    package let clock: WallClock
    package let bus: Bus
    /// What it has answered lately; read through `<service>.spans.read.v1`.
    package let spans = SpanRing()
    /// Figures that are more than numbers, told with those of `tell`.
    package let samples = Late<@Sendable () -> [ServiceStats.Sample]>()
    /// Another one at each start.
    private let instance: String
    private let startedAt: Timestamp
    private let reactor: Reactor
    private let metrics: MetricsRegistry
    private let started = monotonicNanoseconds()
    @usableFromInline
    var answers = Answerer.Builder()
    private var credit = 256
    private var figures: [Figures] = []
    private var preparations: [@Sendable () async throws -> Void] = []
    private var backgrounds: [@Sendable () async throws -> Void] = []
    private var endings: [@Sendable () async -> Void] = []
    private var server: (@Sendable () async throws -> Void)?

    /// Figures of this process's own, read whenever somebody asks for its stats.
    package typealias Figures = @Sendable () async -> [ServiceStats.Sample]

    /// How long a service finishes what it has after it was told to stop.
    fileprivate static let drainMax = Duration.milliseconds(1000)
    /// How long the whole stop may take; then the process ends as it is, which loses nothing but connections.
    fileprivate static let stopMax = Duration.milliseconds(1600)

    /// Runs a process's `main`: what it throws becomes one line and exit status 1.
    ///
    /// - Parameter health: what `--health` looks at, instead of running.
    package static func main(
        _ name: String, health: HealthProbe = .bus, _ body: () async throws -> Void
    ) async {
        // Told to stop before the service group listens for it: nothing has begun that would have to be finished.
        for stop in [SIGTERM, SIGINT] { signal(stop) { _ in _exit(EXIT_SUCCESS) } }
        switch CommandLine.arguments.dropFirst().first {
        case nil:
            do { try await body() } catch is LoggedEnd { _exit(EXIT_FAILURE) } catch { end(name, "\(error)") }
        case "--health":
            if let trouble = await health.run(name) { end(name, trouble) }
            _exit(EXIT_SUCCESS)
        case "--help", "-h":
            print(help(name))
        case .some(let other):
            end(name, "'\(other)' is no option; settings are environment variables. See --help", status: EX_USAGE)
        }
    }

    private static func help(_ name: String) -> String {
        """
        billfold-\(name): one process of a Billfold set. It runs until SIGTERM or Ctrl-C.

          billfold-\(name)            serves; what it is told, environment variables tell (README.md, "Settings")
          billfold-\(name) --health   exit status 0 when the \(name) that runs answers within 2 s, else 1

        BILLFOLD_RUN is the directory of the bus's sockets, BILLFOLD_DATA that of the data. Logs are on standard error.
        """
    }

    /// Ends the process with one line.
    static func end(_ name: String, _ why: String, status: Int32 = EXIT_FAILURE) -> Never {
        let line = Array("billfold-\(name): \(why)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        // Not `exit`: it would take down C++ libraries under the threads that still use them.
        _exit(status)
    }

    /// - Parameter scheduling: where the environment names no other.
    /// - Throws: when the bus's sockets cannot be made.
    package init(
        _ name: String, config: HostConfig, scheduling: Scheduling = .batch, clock: WallClock = .system
    ) throws {
        self.name = name
        self.config = config
        self.clock = clock
        startedAt = clock.now()
        instance = String((Randomness.shared.identifier(at: startedAt) as MessageID).hex.suffix(16))
        let (level, json) = (config.logLevel, config.logsJSON)
        LoggingSystem.bootstrap { _ in LineLog(logLevel: level, service: name, json: json) }
        logger = Logger(label: name)
        for unknown in SettingNames.unknown(among: ProcessInfo.processInfo.environment.keys) {
            logger.warning(
                "a setting is not known and has no effect",
                metadata: ["setting": "\(unknown.name)"].merging(
                    unknown.nearest.map { ["nearest": "\($0)"] } ?? [:]
                ) { $1 })
        }
        metrics = MetricsRegistry()
        MetricsSystem.bootstrap(metrics)
        if config.scheduling ?? scheduling == .batch { useBatchScheduling() }
        signal(SIGPIPE, SIG_IGN)
        if case .directory(let directory) = config.bus { try RunDirectoryCheck.verify(directory) }
        reactor = try Reactor(Reactor.Settings(bus: config.bus), clock: clock)
        bus = Bus(name: name, transport: reactor, clock: clock, needs: ServiceOrder.needs(of: name))
    }

    // MARK: What the service does

    package func answer(with handler: some Answering) { answers.answer(with: handler) }

    @inlinable
    package func answer(with handler: some Relaying) { answers.answer(with: handler) }

    /// Asks taken together by one answerer; `credit` of them at most wait unanswered.
    package func answer(inBatches answerer: any BatchAnswering, credit: Int) {
        answers.answer(inBatches: answerer)
        self.credit = credit
    }

    /// Gauges of the service's own, read whenever somebody asks for its stats.
    package func tell(_ gauges: @escaping @Sendable () -> [(name: String, value: Int)]) {
        measure {
            gauges().map { .init(name: $0.name, kind: "gauge", labels: [:], value: Int64($0.value)) }
        }
    }

    /// Figures of whatever kind, with labels.
    package func measure(_ figures: @escaping Figures) { self.figures.append(figures) }

    /// The service's data: tells how large it is, and answers operators who want a copy of it.
    ///
    /// - Parameters:
    ///   - keys: files of keys that the data cannot be used without, by the names that they have beside it.
    ///   - copy: writes a copy to a path.
    package func keeps<Service: BusService>(
        _ service: Service.Type, in file: String, keys: [String: String] = [:],
        copy: @escaping @Sendable (_ path: String) async throws -> DataCopy
    ) {
        answer(with: BackupHandler<Service>(file: file, keys: keys, copy: copy, logger: logger))
        measure { ProcessFigures.samples(ofFile: file) }
    }

    /// Asks that the broker may have given this process without an answer yet.
    package func take(atMost credit: Int) { self.credit = credit }

    /// A process that serves something else, and answers for itself only: it ends when `server` does, which has to end by
    /// itself on graceful shutdown.
    package func serve(_ server: @escaping @Sendable () async throws -> Void) {
        self.server = server
    }

    /// Hears facts of one type as `Bus.glimpse` does, from before this process is ready.
    package func glimpse<F: Fact>(_ type: F.Type, _ body: @escaping @Sendable (F) -> Void) {
        let bus = bus
        beforeReady { bus.glimpse(type, body) }
    }

    /// Publishes a log's facts, tells its head, and answers who reads them.
    package func publish<Source: FactSource>(_ source: Source.Type, from log: any FactLog) -> FactPublisher<Source> {
        let publisher = FactPublisher(source, on: bus, log: log)
        answer(with: publisher.reader)
        beforeReady { try await publisher.start() }
        inBackground { try await publisher.tellHead() }
        measure {
            [.init(name: "facts_head", kind: "gauge", labels: [:], value: publisher.head)]
                + publisher.counts.map {
                    .init(name: "facts_total", kind: "counter", labels: ["type": $0.key], value: $0.value)
                }
        }
        return publisher
    }

    /// Hears all facts of another service from a durable cursor on, and has caught up before this one says READY.
    ///
    /// A source that does not answer delays the start, and is told of in the log: half a state is worse than none. A source
    /// whose log is not the one that was read before ends the process, now or later (`FactsDiverged`).
    package func hear<Source: FactSource>(
        _ source: Source.Type, from position: FactPosition, pause: Duration = .zero,
        apply: @escaping FactSubscription<Source>.Apply
    ) -> FactSubscription<Source> {
        let subscription = subscribe(to: source, from: position, pause, apply)
        let (logger, clock) = (logger, clock)
        beforeReady {
            subscription.listen()
            while true {
                do { return try await subscription.catchUp(deadline: clock.now() + .seconds(5)) } catch {
                    if let diverged = error as? FactsDiverged { throw diverged }
                    try Task.checkCancellation()
                    logger.notice("waiting for facts", metadata: ["source": "\(Source.service)", "error": "\(error)"])
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
        }
        inBackground {
            await subscription.run()
            if let diverged = subscription.diverged { throw diverged }
        }
        return subscription
    }

    /// Hears all facts of another service from a durable cursor on, whenever that service is there: for who can be of use
    /// before it has caught up. A source that is not there delays nothing; once it is, its head tells how far it has come.
    /// One whose log is not the one that was read before is told of as an error, and heard again when it is.
    package func follow<Source: FactSource>(
        _ source: Source.Type, from position: FactPosition, pause: Duration = .zero,
        apply: @escaping FactSubscription<Source>.Apply
    ) {
        let subscription = subscribe(to: source, from: position, pause, apply)
        let logger = logger
        beforeReady { subscription.listen() }
        inBackground {
            while true {
                await subscription.run()
                guard let diverged = subscription.diverged, !Task.isCancelled else { return }
                logger.error("facts are not read", metadata: ["source": "\(Source.service)", "error": "\(diverged)"])
                try await Task.sleep(for: Self.pauseAfterDivergence)
            }
        }
    }

    /// Until an operator has done something about it.
    private static let pauseAfterDivergence = Duration.seconds(5)

    private func subscribe<Source: FactSource>(
        to source: Source.Type, from position: FactPosition, _ pause: Duration,
        _ apply: @escaping FactSubscription<Source>.Apply
    ) -> FactSubscription<Source> {
        let logger = logger
        let subscription = FactSubscription(to: source, on: bus, from: position, pause: pause) { error in
            logger.warning("facts are late", metadata: ["source": "\(Source.service)", "error": "\(error)"])
        } apply: { facts in
            try await apply(facts)
        }
        measure {
            let (position, head) = (subscription.position, subscription.head)
            return [
                ("facts_position", position), ("facts_behind", max(0, head - position)),
                ("facts_diverged", subscription.diverged == nil ? 0 : 1)
            ].map { .init(name: $0.0, kind: "gauge", labels: ["source": Source.service], value: $0.1) }
        }
        return subscription
    }

    package func beforeReady(_ body: @escaping @Sendable () async throws -> Void) { preparations.append(body) }

    /// Runs from READY until the service stops, on the reactor's thread between its suspensions.
    package func inBackground(_ body: @escaping @Sendable () async throws -> Void) { backgrounds.append(body) }

    /// Runs when no ask is left, before the process ends.
    package func atEnd(_ body: @escaping @Sendable () async -> Void) { endings.append(body) }

    /// Runs `body` again and again with a pause between, until the service stops.
    package func every(_ pause: Duration, _ body: @escaping @Sendable () async -> Void) {
        inBackground {
            while true {
                try await Task.sleep(for: pause)
                await body()
            }
        }
    }

    // MARK: Running

    /// Runs until SIGTERM or SIGINT: takes no more asks, finishes those it has, says goodbye.
    package func run() async throws {
        answers.answer(MessageType("\(name).stats.read.v1")) { [stats = self.stats] _ in .reply(await stats().json) }
        answers.answer(MessageType("\(name).spans.read.v1"), reading: SpansAnswer(spans: spans).outcome)
        measureDelay()
        let (metrics, spans) = (AskMetrics(), spans)
        let body = HostBody(
            name: name, logger: logger, bus: bus, reactor: reactor,
            answerer: Answerer(answers, on: bus) { ask, microseconds, fault in
                metrics.observe(ask.type, microseconds, fault)
                spans.record(ask, microseconds: microseconds, fault: fault)
            }, credit: credit,
            preparations: preparations, backgrounds: backgrounds, server: server, endings: endings)
        // Without `maximumGracefulShutdownDuration`: the group would always wait for all of it.
        let configuration = ServiceGroupConfiguration(
            services: [body], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// How late the reactor's thread gets to what is due: everything that this process answers waits as long.
    private func measureDelay() {
        let delays = CoreMetrics.Timer(label: "reactor_delay_seconds")
        inBackground {
            while true {
                let due = monotonicNanoseconds() + UInt64(Self.delayInterval.wholeMilliseconds) * 1_000_000
                try await Task.sleep(for: Self.delayInterval)
                let now = monotonicNanoseconds()
                delays.recordNanoseconds(Int64(now > due ? now - due : 0))
            }
        }
    }
    private static let delayInterval = Duration.seconds(1)

    /// This process's own figures.
    package var stats: @Sendable () async -> ServiceStats {
        let (name, metrics, started, figures, samples) = (name, metrics, started, figures, samples)
        let (instance, startedAt) = (instance, startedAt)
        return {
            var own = ProcessFigures.samples
            for figures in figures { own += await figures() }
            return ServiceStats(
                service: name, uptimeMilliseconds: Int64((monotonicNanoseconds() - started) / 1_000_000),
                residentKiB: residentKiB(), metrics: metrics.samples + own + (samples.value?() ?? []),
                version: Release.version, instance: instance, processID: Int64(getpid()), startedAt: startedAt)
        }
    }
}

/// The log says already why the process ends.
private struct LoggedEnd: Error {}

/// Memory that the process occupies, from /proc.
private func residentKiB() -> Int64 {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }  // no /proc
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE))) / 1024
}

private struct HostBody: Service {
    let name: String
    let logger: Logger
    let bus: Bus
    let reactor: Reactor
    let answerer: Answerer
    let credit: Int
    let preparations: [@Sendable () async throws -> Void]
    let backgrounds: [@Sendable () async throws -> Void]
    let server: (@Sendable () async throws -> Void)?
    let endings: [@Sendable () async -> Void]

    func run() async throws {
        reactor.start()
        do {
            try await cancelWhenGracefulShutdown {
                for prepare in preparations { try await prepare() }
            }
            giveBackStart()
            answerer.start(service: name, credit: credit)
            logger.info("ready")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for background in backgrounds {
                    group.addTask(executorPreference: reactor.executor) { try await background() }
                }
                group.addTask {
                    try await withGracefulShutdownHandler {
                        if let server { try await server() } else { try await gracefulShutdown() }
                    } onGracefulShutdown: {
                        endLate()
                    }
                }
                // The first to end is the server, or graceful shutdown, or a background that failed.
                try await group.next()
                group.cancelAll()
            }
        } catch is CancellationError {
            // Told to stop.
        } catch {
            logger.error("stopped by an error", metadata: ["error": "\(error)"])
            await reactor.stop()
            throw LoggedEnd()
        }
        await reactor.drain(atMost: ServiceHost.drainMax)
        for ending in endings { await ending() }
        await reactor.stop()
        logger.info("stopped")
    }
}

/// Ends the process if it has not ended by itself in time.
private func endLate() {
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(ServiceHost.stopMax.wholeMilliseconds))) {
        _exit(EXIT_SUCCESS)
    }
}
