import Bus
import BusZMQ
import Contracts
import Primitives

/// Asks paused services past their queues (`try.`), and all others as ever.
final class PausedServices: AskTransport {
    private let transport: any AskTransport
    private let paused: Set<String>

    private init(_ transport: any AskTransport, _ paused: Set<String>) {
        (self.transport, self.paused) = (transport, paused)
    }

    func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8]
    ) async -> TransportAnswer {
        await transport.ask(
            service: paused.contains(service) ? "try.\(service)" : service, retry: retry, deadline: deadline,
            body: body)
    }

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
        return Bus(name: bus.name, transport: bus.transport, asks: PausedServices(bus.transport, Set(paused)))
    }
}
