import Bus
import Contracts
import Primitives

/// The processes behind the gateway: which of them answer, and what they say of themselves.
final class Fleet: Sendable {
    private let bus: Bus
    private let own: @Sendable () -> ServiceStats

    init(bus: Bus, own: @escaping @Sendable () -> ServiceStats) {
        self.bus = bus
        self.own = own
    }

    /// How long a service may take to show that it is there.
    private static let patience = Duration.milliseconds(1000)

    var health: @Sendable () async -> [String: Bool] {
        { [self] in await figures().mapValues { $0 != nil } }
    }

    var metrics: @Sendable () async -> String {
        { [self] in
            PrometheusText.of(await figures().values.compactMap(\.self) + [own()])
        }
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
