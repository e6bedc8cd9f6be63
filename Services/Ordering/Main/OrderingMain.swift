import Bus
import Contracts
import OrderingService
import ServiceKit

@main
struct OrderingMain {
    static func main() async { await ServiceHost.main("ordering", serve) }

    private static func serve() async throws {
        let config = try HostConfig.fromEnvironment()
        let host = try ServiceHost(Ordering.service, config: config)
        let file = "\(try config.dataDirectory(of: Ordering.service))/ordering.sqlite"
        let facts = FactPublisher(Ordering.self, on: host.bus)
        try await host.takeOver(Ordering.self, file: file) { try OrderStore(.file($0)).store }
        let orders = try OrderStore(host.config.place(of: Ordering.service, file: file))
        orders.store.publish(to: facts)
        let service = OrderService(store: orders, asking: host.bus, clock: host.clock)

        try await host.run(
            ServiceDefinition(
                asks: [Auth.self, Payments.self, Wallet.self],
                answers: service.handlers,
                publishes: PublishedFacts(facts, from: orders.store),
                observes: [ObservedFacts(Auth.MerchantDecided.self) { service.decided(on: $0.merchant) }],
                keeps: ServiceData(Ordering.self, file: file, copy: { try await orders.store.copy(to: $0) })
                    .handedOver(of: Ordering.self, by: orders.store.handOver),
                background: [
                    .every(.milliseconds(500), failing: "orders are settled late") { try await service.sweep() },
                    .every(.seconds(10), failing: "closed orders are kept longer") { try await service.dropClosed() }
                ]))
    }
}
