import Bus
import BusZMQ
import Contracts
import CoreMetrics
import Dispatch
import Foundation
import Logging
import ServiceLifecycle

/// Starts what a definition declares, and stops it: prepare, answer, work; on SIGTERM drain, end.
struct ServiceRunner: Service, CustomStringConvertible {
    let host: ServiceHost
    let definition: ServiceDefinition

    /// ServiceLifecycle takes this for the service's name, and would otherwise print all that the runner holds.
    var description: String { host.name }

    /// How long the service may answer the asks that it has when it is told to stop.
    private static let drainMax = Duration.milliseconds(1000)
    /// How long the whole stop may take. Then the process ends as it is, which loses nothing but connections.
    private static let stopMax = Duration.milliseconds(1600)

    func run() async throws {
        host.figures.own.set(metrics)
        if let asks = definition.asks { host.bus.declare(asks: asks, consumes: definition.consumes.map(\.source)) }
        host.reactor.start()
        let watch = Task(executorPreference: host.reactor.executor) {
            // No warning while a set is stopped: its broker may end before the service.
            await cancelWhenGracefulShutdown { await watchBus() }
        }
        do {
            try await cancelWhenGracefulShutdown { try await prepare() }
            giveBackStart()
            if host.config.store == nil { try await cancelWhenGracefulShutdown { try await sole?.expectNobody() } }
            answerer().start(service: host.name, credit: definition.credit)
            host.logger.info("ready")
            try await work()
        } catch is CancellationError {
            // Told to stop before it was ready.
            await host.reactor.drain(atMost: Self.drainMax)
        } catch {
            host.logger.error("stopped by an error", metadata: ["error": "\(error)"])
            watch.cancel()
            await host.reactor.stop()
            throw LoggedEnd()
        }
        watch.cancel()
        await definition.ending()
        await host.reactor.stop()
        host.logger.info("stopped")
    }

    /// Nil where no other process could answer with data of its own.
    private var sole: SoleService? {
        guard case .nats = host.config.bus, definition.keeps != nil else { return nil }
        return host.sole
    }

    private static let busLookInterval = Duration.seconds(2)

    /// Says when the bus is away, and when it is back.
    private func watchBus() async {
        var wasThere = true
        while true {
            do { try await Task.sleep(for: Self.busLookInterval) } catch { return }
            guard host.reactor.isConnected != wasThere else { continue }
            wasThere.toggle()
            var metadata: Logger.Metadata = ["bus": "\(host.config.bus)"]
            if !wasThere { metadata["why"] = host.reactor.trouble.map { "\($0)" } }
            host.logger.log(
                level: wasThere ? .notice : .warning, wasThere ? "the bus is there" : "the bus is away",
                metadata: metadata)
        }
    }

    /// All that has to be done before the first ask is answered.
    private func prepare() async throws {
        for facts in definition.observes { facts.start(host.bus) }
        try await definition.preparation()
        for facts in definition.consumes { try await prepare(facts) }
        try await host.succession.value?.awaitPlace()
        // Facts of before are in the log only. A process that does not get the place has published none.
        try await definition.publishes?.prepare()
    }

    /// Waits for a log that is the one that was read before, or for an operator who moves the cursor. Meanwhile the
    /// service answers operators and readers of its own log: whatever else it did would follow from facts that are no
    /// more.
    private func prepare(_ facts: ConsumedFacts) async throws {
        do { return try await facts.prepare(host.logger, host.clock) } catch let diverged as FactsDiverged {
            // The process whose place this one takes still serves.
            if host.succession.value != nil { throw diverged }
            operatorsAnswerer(refusing: diverged).start(service: host.name, credit: 16)
            // Readers of its own log learn how far that is, until this returns.
            async let _ = publishHeads()
            try await prepareAgain(facts, after: diverged)
        }
    }

    private func publishHeads() async throws {
        try await definition.publishes?.prepare()
        try await definition.publishes?.run()
    }

    private func prepareAgain(_ facts: ConsumedFacts, after first: FactsDiverged) async throws {
        var diverged = first
        while true {
            host.logger.error(
                "facts are not read, and asks are refused",
                metadata: ["source": "\(diverged.source)", "error": "\(diverged)"])
            try await Task.sleep(for: ConsumedFacts.pauseAfterDivergence)
            do { return try await facts.prepare(host.logger, host.clock) } catch let again as FactsDiverged {
                diverged = again
            }
        }
    }

    private func operatorsAnswerer(refusing diverged: FactsDiverged) -> Answerer {
        var answers = Answerer.Builder()
        answers.otherwise = Fault(.unavailable, "\(host.name) waits for an operator: \(diverged)")
        return answerer(operators, &answers)
    }

    /// The service's own handlers, and those that every service has.
    private func answerer() -> Answerer {
        var answers = Answerer.Builder()
        if let batches = definition.answersInBatches { answers.answer(inBatches: batches) }
        return answerer(definition.answers + operators, &answers)
    }

    /// What operators and readers ask of the data.
    private var operators: [any Answering] {
        var answers = (definition.keeps?.answers(host.logger) ?? []) + [definition.publishes?.reader].compactMap(\.self)
        if let consumer = definition.keeps?.owner as? any FactConsumer.Type { answers.append(cursors(consumer)) }
        return answers
    }

    private func cursors<Service: FactConsumer>(_ service: Service.Type) -> any Answering {
        CursorHandler(service, definition.consumes, host.logger)
    }

    private func answerer(_ handlers: [any Answering], _ answers: inout Answerer.Builder) -> Answerer {
        for handler in handlers { answers.answer(with: handler) }
        answers.answer(MessageType("\(host.name).stats.read.v1")) { [host] _ in
            .reply(await host.stats().fitting().json)
        }
        answers.answer(MessageType("\(host.name).spans.read.v1"), reading: SpansAnswer(spans: host.spans).outcome)
        let (metrics, spans) = (AskMetrics(), host.spans)
        return Answerer(answers, on: host.bus) { ask, microseconds, fault in
            metrics.observe(ask.type, microseconds, fault)
            spans.record(ask, microseconds: microseconds, fault: fault)
        }
    }

    /// Returns when the server has ended, or on graceful shutdown; throws what a background task throws.
    private func work() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            func add(_ body: @escaping @Sendable () async throws -> Void) {
                group.addTask(executorPreference: host.reactor.executor) { try await body() }
            }
            add(measureDelay)
            if let sole { add(sole.watch) }
            if let facts = definition.publishes { add(facts.run) }
            for facts in definition.consumes { add { [host] in try await facts.run(host.logger) } }
            for work in definition.background { add { [host] in try await work.run(host.logger) } }
            let server = definition.server
            group.addTask {
                try await withGracefulShutdownHandler {
                    if let server { try await server() } else { try await gracefulShutdown() }
                } onGracefulShutdown: {
                    Self.endLate()
                }
            }
            try await group.next()
            // Asks that were taken may wait for facts, or for what background work does.
            await host.reactor.drain(atMost: Self.drainMax)
            group.cancelAll()
        }
    }

    /// Ends the process if it has not ended in time.
    private static func endLate() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(stopMax.wholeMilliseconds))) {
            _exit(EXIT_SUCCESS)
        }
    }

    private var metrics: ServiceDefinition.Metrics {
        { [definition, sole] in
            var samples = (definition.keeps?.metrics() ?? []) + [sole?.sample].compactMap(\.self)
            samples += definition.publishes?.metrics() ?? []
            for facts in definition.consumes { samples += facts.metrics() }
            return samples + (await definition.metrics())
        }
    }

    private static let delayInterval = Duration.seconds(1)

    /// Measures how late the reactor's thread runs what is due: every answer of this process waits as long.
    private func measureDelay() async throws {
        let delays = CoreMetrics.Timer(label: "reactor_delay_seconds")
        while true {
            let due = monotonicNanoseconds() + UInt64(Self.delayInterval.wholeMilliseconds) * 1_000_000
            try await Task.sleep(for: Self.delayInterval)
            let now = monotonicNanoseconds()
            delays.recordNanoseconds(Int64(now > due ? now - due : 0))
        }
    }
}
