import Bus
import Contracts
import Edge
import Primitives

/// The processes behind the gateway: which of them answer, and what they say of themselves.
final class Fleet: Sendable {
    private let bus: Bus
    private let own: @Sendable () async -> ServiceStats
    private let spans: SpanRing

    init(bus: Bus, own: @escaping @Sendable () async -> ServiceStats, spans: SpanRing) {
        self.bus = bus
        self.own = own
        self.spans = spans
    }

    /// How long a service may take to show that it is there.
    private static let patience = Duration.milliseconds(1000)

    var health: @Sendable () async -> [String: Bool] {
        { [self] in await figures().mapValues { $0.map(Self.isWell) ?? false } }
    }

    var metrics: @Sendable () async -> String {
        { [self] in
            let (figures, own) = (await figures(), await own())
            return PrometheusText.of(
                figures.values.compactMap(\.self) + [own], missing: figures.filter { $0.value == nil }.map(\.key))
        }
    }

    /// A service that knows of facts which their source has forgotten answers, and is not well (ADR 26); nor is a wallet
    /// that writes nothing, as its clock or its ledger cannot be right (ADR 35).
    private static func isWell(_ stats: ServiceStats) -> Bool {
        let alarms = ["facts_diverged", "clock_refusing", "anchors_missing"]
        return !stats.metrics.contains { alarms.contains($0.name) && $0.value > 0 }
    }

    /// Refusals shown of each service, and of all.
    private static let (refusalsMax, refusalsOfAllMax) = (10, 30)

    /// The whole set for the operator's page; services in the order in which an ask comes through them.
    var ops: @Sendable () async -> OpsView {
        { [self] in
            async let figures = figures()
            // Without the broker's word the page shows what there is: services by their own figures, or missing.
            async let broker = try? bus.ask(
                Broker.ReadQueues(), in: AskContext(deadline: bus.clock.now() + Self.patience))
            async let refusals = refusals()
            let (stats, queues, gateway) = (await figures, await broker, await own())
            let known = [Gateway.service, Broker.service] + Self.behindBroker
            // What others have plugged in besides.
            let others = (queues?.services ?? []).filter { $0.workers > 0 }.map(\.service)
                .filter { !known.contains($0) }.sorted()
            return OpsView(
                time: bus.clock.now(),
                services: (known + others).map { name in
                    let told = name == Gateway.service ? gateway : stats[name] ?? nil
                    return .init(name, queue: queues?.services.first { $0.service == name }, stats: told)
                }, faults: await refusals, drops: queues?.drops)
        }
    }

    private static let behindBroker = [
        Auth.service, Payments.service, Wallet.service, Location.service, Offers.service, Notifications.service
    ]

    private func refusals() async -> [OpsView.Refusal] {
        async let auth = refused(ReadSpans<Auth>(refused: Self.refusalsMax))
        async let wallet = refused(ReadSpans<Wallet>(refused: Self.refusalsMax))
        async let payments = refused(ReadSpans<Payments>(refused: Self.refusalsMax))
        async let location = refused(ReadSpans<Location>(refused: Self.refusalsMax))
        async let offers = refused(ReadSpans<Offers>(refused: Self.refusalsMax))
        async let notifications = refused(ReadSpans<Notifications>(refused: Self.refusalsMax))
        let own = spans.read(nil, refused: true, limit: Self.refusalsMax).map {
            OpsView.Refusal($0, of: Gateway.service)
        }
        let all = await own + auth + wallet + payments + location + offers + notifications
        return Array(all.sorted { $0.time > $1.time }.prefix(Self.refusalsOfAllMax))
    }

    private func refused<S: BusService>(_ ask: ReadSpans<S>) async -> [OpsView.Refusal] {
        // One that does not answer is missing in the page's figures already.
        let reply = try? await bus.ask(ask, in: AskContext(deadline: bus.clock.now() + Self.patience))
        return (reply?.spans ?? []).map { OpsView.Refusal($0, of: S.service) }
    }

    /// What each service answers; nil for one that does not.
    private func figures() async -> [String: ServiceStats?] {
        async let broker = ask(ReadStats<Broker>())
        async let auth = ask(ReadStats<Auth>())
        async let wallet = ask(ReadStats<Wallet>())
        async let payments = ask(ReadStats<Payments>())
        async let location = ask(ReadStats<Location>())
        async let offers = ask(ReadStats<Offers>())
        async let notifications = ask(ReadStats<Notifications>())
        return await [
            Broker.service: broker, Auth.service: auth, Wallet.service: wallet, Payments.service: payments,
            Location.service: location, Offers.service: offers, Notifications.service: notifications
        ]
    }

    private func ask<S: BusService>(_ ask: ReadStats<S>) async -> ServiceStats? {
        // Whatever the reason, a service that does not answer is missing.
        try? await bus.ask(ask, in: AskContext(deadline: bus.clock.now() + Self.patience))
    }
}
