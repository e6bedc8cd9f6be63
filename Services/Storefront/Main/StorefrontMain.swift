import Bus
import Contracts
import ServiceKit
import StorefrontService

@main
struct StorefrontMain {
    static func main() async { await ServiceHost.main("storefront", serve) }

    private static func serve() async throws {
        let host = try ServiceHost(Storefront.service, config: try HostConfig.fromEnvironment())
        let file = "\(try host.config.dataDirectory(of: Storefront.service))/storefront.sqlite"
        let facts = FactPublisher(Storefront.self, on: host.bus)
        try await host.takeOver(Storefront.self, file: file) { try PageStore(.file($0)).store }
        let pages = try PageStore(host.config.place(of: Storefront.service, file: file))
        pages.store.publish(to: facts)
        let service = PageService(store: pages, asking: host.bus, clock: host.clock)

        try await host.run(
            ServiceDefinition(
                asks: [Auth.self],
                answers: service.handlers,
                publishes: PublishedFacts(facts, from: pages.store),
                observes: [ObservedFacts(Auth.MerchantDecided.self) { service.decided(on: $0.merchant) }],
                keeps: ServiceData(Storefront.self, file: file, copy: { try await pages.store.copy(to: $0) })
                    .handedOver(of: Storefront.self, by: pages.store.handOver)))
    }
}
