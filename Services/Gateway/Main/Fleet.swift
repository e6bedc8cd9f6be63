import Bus
import Contracts
import GatewayService
import Primitives

/// The processes behind the gateway: which of them answer, and what they say of themselves.
///
/// Each reading is work for every service. So one is made a second for all requests for health, and one for all
/// requests for figures, over the gateway's own connection to the bus and not over those of the requests.
final class Fleet: Sendable {
    private let reading: SharedRead<FleetReader.Reading>
    /// Read more often: it costs the broker next to nothing, and shows services that come and go.
    private let workers: SharedRead<Workers?>
    private let text: SharedRead<String>
    private let view: SharedRead<OpsView>

    init(bus: Bus, own: @escaping @Sendable () async -> ServiceStats, spans: SpanRing) {
        let reader = FleetReader(bus: bus, own: own, spans: spans)
        reading = SharedRead(for: .seconds(1)) { await reader.reading() }
        workers = SharedRead(for: .milliseconds(20)) { await reader.workers() }
        text = SharedRead(for: .seconds(1)) {
            let (figures, own) = (await reader.figures(), await own())
            return PrometheusText.of(
                figures.values.compactMap(\.stats) + [own], missing: figures.filter { $0.value.stats == nil }.map(\.key)
            )
        }
        // Shorter than the page's pause: it draws no reading twice.
        view = SharedRead(for: .milliseconds(500)) { await reader.ops() }
    }

    var health: @Sendable () async -> [String: Bool] {
        { [reading, workers] in
            let workers = await workers.value()
            // What was read of a service before it was started again says nothing.
            let reported = await reading.value { $0.workers == workers }.reported
            var health = reported.mapValues { $0.stats?.troubles.isEmpty ?? false }
            // The catalogue has no asks of a service that only the broker knows: it is healthy while it has a worker.
            for name in workers?.others ?? [] { health[name] = true }
            return health
        }
    }

    var metrics: @Sendable () async -> String { { [text] in await text.value() } }

    /// The whole set for the operator's page.
    var ops: @Sendable () async -> OpsView { { [view] in await view.value() } }
}

/// What a service says of itself.
private enum Reported: Sendable {
    case figures(ServiceStats)
    /// It answers, and knows no such ask: one in another language need not.
    case nothing
    case noAnswer

    var stats: ServiceStats? { if case .figures(let stats) = self { stats } else { nil } }
    var isSilent: Bool { if case .noAnswer = self { true } else { false } }
}

/// The processes that answer, as the broker knows them.
private struct Workers: Sendable, Equatable {
    /// Services beside those of the catalogue, as many as a reader of `/health` may be shown.
    let others: [String]
    /// Which process serves what.
    private let processes: [String]
    private static let othersMax = 64

    init(_ workers: [Broker.WorkerStats]) {
        processes = workers.map { "\($0.service) \($0.processID ?? 0) \($0.draining)" }.sorted()
        let others = Set(workers.map(\.service)).filter { !Catalogue.isService($0) }
        self.others = Array(others.sorted().prefix(Self.othersMax))
    }
}

/// Asks all services.
private struct FleetReader: Sendable {
    let bus: Bus
    let own: @Sendable () async -> ServiceStats
    let spans: SpanRing

    /// How long a service may take to show that it is there.
    private static let patience = Duration.milliseconds(1000)

    /// Refusals shown of each service, and of all.
    private static let (refusalsMax, refusalsOfAllMax) = (10, 30)

    /// All that answer over the bus: the gateway knows its own figures.
    private static let services = Catalogue.services.filter { $0.service != Gateway.service }

    private var context: AskContext { AskContext(deadline: bus.clock.now() + Self.patience) }

    func ops() async -> OpsView {
        async let figures = figures()
        // Without the broker's word the page shows what there is: services by their own figures, or missing.
        async let broker = try? bus.ask(Broker.ReadQueues(), in: context)
        async let refusals = refusals()
        let (reported, queues, gateway) = (await figures, await broker, await own())
        let known = Catalogue.services.map { $0.service }
        // What others have plugged in besides.
        let others = (queues?.services ?? []).filter { $0.workers > 0 }.map(\.service)
            .filter { !Catalogue.isService($0) }.sorted()
        return OpsView(
            time: bus.clock.now(),
            services: (known + others).map { name in
                .init(
                    name, queue: queues?.services.first { $0.service == name },
                    stats: name == Gateway.service ? gateway : reported[name]?.stats,
                    isSilent: reported[name]?.isSilent ?? false)
            }, faults: await refusals, drops: queues?.drops,
            ledger: reported[Wallet.service]?.stats.flatMap { OpsView.Ledger($0) },
            payments: reported[Payments.service]?.stats.flatMap { OpsView.PaymentCount($0) })
    }

    private func refusals() async -> [OpsView.Refusal] {
        let own = spans.read(nil, refused: true, limit: Self.refusalsMax).map {
            OpsView.Refusal($0, of: Gateway.service)
        }
        let all = await withTaskGroup(of: [OpsView.Refusal].self) { group in
            for service in Self.services where service.service != Broker.service {
                group.addTask { await refusals(of: service) }
            }
            return await group.reduce(into: own) { $0 += $1 }
        }
        return Array(all.sorted { $0.time > $1.time }.prefix(Self.refusalsOfAllMax))
    }

    private func refusals<S: BusService>(of service: S.Type) async -> [OpsView.Refusal] {
        // One that does not answer is missing in the page's figures already.
        let reply = try? await bus.ask(ReadSpans<S>(refused: Self.refusalsMax), in: context)
        return (reply?.spans ?? []).map { OpsView.Refusal($0, of: S.service) }
    }

    struct Reading: Sendable {
        /// Whom the broker knew when it began; nil where it did not say.
        let workers: Workers?
        let reported: [String: Reported]
    }

    func reading() async -> Reading {
        async let workers = workers()
        async let reported = figures()
        return Reading(workers: await workers, reported: await reported)
    }

    /// How long the broker may take to say who answers: less than a probe of the gateway's health waits.
    private static let brokersPatience = Duration.milliseconds(300)

    /// The processes that answer, as the broker knows them; nil where it does not say.
    func workers() async -> Workers? {
        let context = AskContext(deadline: bus.clock.now() + Self.brokersPatience)
        // A broker that does not answer says nothing, which is nil.
        let reply = try? await bus.ask(Broker.ReadWorkers(), in: context)
        return reply.map { Workers($0.workers) }
    }

    func figures() async -> [String: Reported] {
        await withTaskGroup(of: (String, Reported).self) { group in
            for service in Self.services { group.addTask { (service.service, await figures(of: service)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private func figures<S: BusService>(of service: S.Type) async -> Reported {
        do throws(Fault) { return .figures(try await bus.ask(ReadStats<S>(), in: context)) } catch {
            return error.code == .unknownType ? .nothing : .noAnswer
        }
    }
}
