import Bus
import Contracts
import LocationService
import ServiceKit

@main
struct LocationMain {
    static func main() async { await ServiceHost.main("location", serve) }

    private static func serve() async throws {
        let config = try LocationConfig.fromEnvironment()
        let host = try ServiceHost(Location.service, config: config.host)
        let file = "\(try config.host.dataDirectory(of: Location.service))/location.sqlite"
        let copied = CopiedPresence(rules: config.rules)
        let isTaken = try await host.takeOver(
            Location.self, file: file, memory: [TraceTable.columns], follower: copied
        ) {
            try SQLPlaceStore(.file($0)).store
        }
        let facts = FactPublisher(Location.self, on: host.bus)
        let places = try SQLPlaceStore(host.config.place(of: Location.service, file: file))
        places.store.publish(to: facts)
        let service = PresenceService(store: places, asking: host.bus, clock: host.clock, rules: config.rules)

        try await host.run(
            ServiceDefinition(
                asks: [Auth.self],
                answers: service.handlers,
                credit: 1024,
                publishes: PublishedFacts(facts, from: places.store),
                observes: [
                    ObservedFacts(Auth.MerchantDecided.self) { service.decided(on: $0.merchant) }
                ],
                keeps: ServiceData(
                    Location.self, file: file,
                    copy: { try await places.store.copy(to: $0) },
                    table: { try await places.store.table($0, after: $1, limit: $2) }
                ).handedOver(of: Location.self, by: places.store.handOver, memory: [TraceTable(service)]),
                preparation: { try await service.start(with: isTaken ? copied : nil) },
                background: [
                    .every(.seconds(1), failing: "exits are told late") { try await service.sweep() }
                ],
                metrics: { service.figures.map { .gauge($0.name, $0.value) } }))
    }
}
