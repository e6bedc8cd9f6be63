import Bus
import Contracts
import Primitives
import ServiceKit

/// The processes behind the gateway: which of them answer, and what they say of themselves.
final class Fleet: Sendable {
    private let bus: Bus
    private let own: @Sendable () async -> ServiceStats
    /// What the gateway counts of its own requests; known once there is an edge.
    let requests = Late<@Sendable () -> [ServiceStats.Sample]>()

    init(bus: Bus, own: @escaping @Sendable () async -> ServiceStats) {
        self.bus = bus
        self.own = own
    }

    /// How long a service may take to show that it is there.
    private static let patience = Duration.milliseconds(1000)

    var health: @Sendable () async -> [String: Bool] {
        { [self] in await figures().mapValues { $0.map(Self.isWell) ?? false } }
    }

    var metrics: @Sendable () async -> String {
        { [self] in
            let process = await own()
            let gateway = ServiceStats(
                service: process.service, uptimeMilliseconds: process.uptimeMilliseconds,
                residentKiB: process.residentKiB, metrics: process.metrics + (requests.value?() ?? []))
            let figures = await figures()
            return PrometheusText.of(
                figures.values.compactMap(\.self) + [gateway], missing: figures.filter { $0.value == nil }.map(\.key))
        }
    }

    /// A service that knows of facts which their source has forgotten answers, and is not well (ADR 26).
    private static func isWell(_ stats: ServiceStats) -> Bool {
        !stats.metrics.contains { $0.name == "facts_diverged" && $0.value > 0 }
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
