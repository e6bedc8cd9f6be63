import Bus
import Contracts
import LocationService
import Primitives
import ServiceKit

@main
struct LocationMain {
    static func main() async { await ServiceHost.main("location", serve) }

    private static func serve() async throws {
        let config = try LocationConfig.fromEnvironment()
        let host = try ServiceHost(Location.service, config: config.host)
        let data = try config.host.dataDirectory(of: Location.service)
        let logger = host.logger
        let places = try SQLPlaceStore(path: "\(data)/location.sqlite")
        places.store.publish(to: host.publish(Location.self, from: places.store))

        let desk = LocationDesk(
            store: places, asking: host.bus, clock: host.clock, rules: config.rules)
        host.beforeReady { try await desk.start() }
        host.answer(with: UpdatePositionHandler(desk))
        host.answer(with: UpdatePositionsHandler(desk))
        host.answer(with: ReadPositionHandler(desk))
        host.answer(with: ForgetPositionHandler(desk))
        host.answer(with: SetSharingHandler(desk))
        host.answer(with: ReadSharingHandler(desk))
        host.answer(with: PutPlaceHandler(desk))
        host.answer(with: RemovePlaceHandler(desk))
        host.answer(with: ReadPlacesHandler(desk))
        host.answer(with: FindCustomersHandler(desk))
        host.answer(with: FindMerchantsHandler(desk))
        host.answer(with: ProvePresenceHandler(desk))
        host.keeps(Location.self, in: "\(data)/location.sqlite") { try await places.store.copy(to: $0) }
        host.answer(with: TableHandler(Location.self) { try await places.store.table($0, after: $1, limit: $2) })
        host.take(atMost: 1024)
        host.tell { desk.figures }
        host.every(.seconds(1)) {
            do { try await desk.sweep() } catch {
                logger.warning("exits are told late", metadata: ["error": "\(error)"])
            }
        }
        try await host.run()
    }
}
