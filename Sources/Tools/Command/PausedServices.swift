import Bus
import BusZMQ
import Contracts
import Primitives

enum PausedServices {
    /// A bus whose asks reach services that are paused now, too. Says on standard error which they are.
    ///
    /// - Throws: `bus.no_worker` where the bus does not answer.
    static func passing(_ bus: Bus) async throws(Fault) -> Bus {
        let paused = try await bus.queues().services.filter(\.paused).map(\.service).sorted()
        guard !paused.isEmpty else { return bus }
        for service in paused {
            complain("\(service) is paused: its asks wait until broker.service.resume.v1; it is asked past them")
        }
        return bus.passingQueues(of: Set(paused))
    }
}
