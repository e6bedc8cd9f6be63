import Contracts
import Primitives

/// The name under which a service is asked past its queue, also while that is paused: `try.wallet`.
package enum TrialName {
    package static let prefix = "try."

    package static func of(_ service: String) -> String { prefix + service }
}

/// Carries asks past the queues of some services, and all others as ever.
package final class QueuePassing: AskTransport {
    private let transport: any AskTransport
    private let services: Set<String>

    package init(_ transport: any AskTransport, for services: Set<String>) {
        (self.transport, self.services) = (transport, services)
    }

    package func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8]
    ) async -> TransportAnswer {
        await transport.ask(
            service: services.contains(service) ? TrialName.of(service) : service, retry: retry, deadline: deadline,
            body: body)
    }
}

extension Bus {
    /// A bus whose asks pass the queues of these services. It may ask anybody.
    package func passingQueues(of services: Set<String>) -> Bus {
        Bus(name: name, transport: transport, asks: QueuePassing(asks, for: services), clock: clock)
    }
}
