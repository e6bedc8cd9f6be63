/// What a service needs of others: those that it asks, and those whose facts it consumes.
package struct ServiceNeeds: Sendable {
    package let service: any BusService.Type
    /// Services that it asks. They stand before it in the order.
    package let asks: [any BusService.Type]
    /// Services whose facts it consumes, wherever they stand. Reading their logs to catch up is part of it.
    package let consumes: [any FactSource.Type]

    package init(
        _ service: any BusService.Type, asks: [any BusService.Type] = [], consumes: [any FactSource.Type] = []
    ) {
        self.service = service
        self.asks = asks
        self.consumes = consumes
    }

    /// Whether the service may put an ask of this type on the bus.
    package func allow(_ ask: MessageType) -> Bool {
        let other = ask.service
        return asks.contains { $0.service == other }
            || consume(other) && ask.name == other + ".facts.read.v1"
    }

    /// Whether the service may listen to the facts of another.
    package func consume(_ source: String) -> Bool { consumes.contains { $0.service == source } }
}

/// The one order of services: asks go down, facts come up.
///
/// A service asks only those before it. What it needs of those behind it, it learns from their facts. The bus refuses
/// an ask that is not declared here.
package enum ServiceOrder {
    package static let services: [ServiceNeeds] =
        behindGateway + [
            ServiceNeeds(
                Gateway.self, asks: behindGateway.map(\.service),
                consumes: [Auth.self, Wallet.self, Location.self, Payments.self, Notifications.self])
        ]

    private static let behindGateway: [ServiceNeeds] = [
        ServiceNeeds(Broker.self),
        ServiceNeeds(Auth.self),
        ServiceNeeds(Wallet.self),
        ServiceNeeds(Location.self, asks: [Auth.self]),
        ServiceNeeds(
            Offers.self, asks: [Auth.self, Location.self], consumes: [Auth.self, Location.self, Payments.self]),
        ServiceNeeds(
            Payments.self, asks: [Auth.self, Wallet.self, Location.self, Offers.self],
            consumes: [Auth.self, Wallet.self]),
        ServiceNeeds(Notifications.self, asks: [Auth.self], consumes: [Auth.self, Offers.self, Payments.self])
    ]

    /// Nil for a process that is no service of the catalogue, as people's tools are.
    package static func needs(of service: String) -> ServiceNeeds? {
        services.first { $0.service.service == service }
    }
}
