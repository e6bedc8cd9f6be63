import Bus
import BusZMQ
import Contracts
import Primitives

enum PausedServices {
    /// A bus whose asks reach services that are paused now, too. Says on standard error which they are.
    ///
    /// - Throws: the fault of a broker that does not answer within 3 s.
    static func passing(_ bus: Bus) async throws(Fault) -> Bus {
        let queues = try await bus.ask(
            Broker.ReadQueues(), in: AskContext(deadline: bus.clock.now() + .seconds(3)))
        let paused = queues.services.filter(\.paused).map(\.service).sorted()
        guard !paused.isEmpty else { return bus }
        for service in paused {
            complain("\(service) is paused: its asks wait until broker.service.resume.v1; it is asked past them")
        }
        return bus.passingQueues(of: Set(paused))
    }
}
