import Bus
import Contracts
import RoutinesService
import ServiceKit

@main
struct RoutinesMain {
    static func main() async { await ServiceHost.main("routines", serve) }

    private static func serve() async throws {
        let host = try ServiceHost(Routines.service, config: try HostConfig.fromEnvironment())
        let file = "\(try host.config.dataDirectory(of: Routines.service))/routines.sqlite"
        let facts = FactPublisher(Routines.self, on: host.bus)
        try await host.takeOver(Routines.self, file: file) { try RoutineStore(.file($0)).store }
        let routines = try RoutineStore(host.config.place(of: Routines.service, file: file))
        routines.store.publish(to: facts)
        let service = RoutineService(store: routines, clock: host.clock)

        try await host.run(
            ServiceDefinition(
                answers: service.handlers,
                publishes: PublishedFacts(facts, from: routines.store),
                keeps: ServiceData(Routines.self, file: file, copy: { try await routines.store.copy(to: $0) })
                    .handedOver(of: Routines.self, by: routines.store.handOver),
                background: [
                    .every(.seconds(1), failing: "reminders are published late") { try await service.remind() }
                ]))
    }
}
