import Bus
import BusZMQ
import Contracts
import Primitives
import Synchronization
import Wire

/// Whether a service that keeps data is the only one of its name on NATS, whose queue groups take anyone: two with
/// data of their own would each get half of the asks.
///
/// A broker on the same host has one set in its directory, and of services in PostgreSQL only the leader answers.
final class SoleService: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How long another process may take to show that it is there.
    private static let patience = Duration.milliseconds(300)
    private static let glance = Duration.milliseconds(20)
    private static let lookInterval = Duration.seconds(2)
    /// Looks in a row that show no other process, after which there is none: NATS gives each ask to any of them.
    private static let looksWithoutMax = 10

    private let service: String
    private let reactor: Reactor
    private let instance: String
    private let clock: WallClock
    private let looksLeft = Atomic(0)

    init(_ service: String, instance: String, on reactor: Reactor, clock: WallClock) {
        (self.service, self.instance, self.reactor, self.clock) = (service, instance, reactor, clock)
    }

    /// 1 where another process answers for the service, too.
    var sample: ServiceStats.Sample { .gauge("service_doubled", looksLeft.load(ordering: .relaxed) > 0 ? 1 : 0) }

    /// Returns when NATS is there and no other process answers for the service; to be called before it takes asks.
    ///
    /// - Throws: ``Failure`` where somebody does.
    func expectNobody() async throws {
        while await !isConnected { try await Task.sleep(for: Self.glance) }
        // This process answers operators by then if it waited for one.
        guard await HealthProbe.isAnswering(service, on: reactor, by: clock.now() + Self.patience),
            await stats()?.instance != instance
        else { return }
        throw Failure(
            description: "another process answers for \(service) on this bus, and has data of its own: one account of "
                + "NATS is one set. Nothing was done. End the other one, or give this set an account of its own")
    }

    /// Looks again and again whether another process answers for the service, too.
    func watch() async throws {
        while true {
            try await Task.sleep(for: Self.lookInterval)
            guard let answering = await stats()?.instance else { continue }
            let left = looksLeft.load(ordering: .relaxed)
            looksLeft.store(answering == instance ? max(0, left - 1) : Self.looksWithoutMax, ordering: .relaxed)
        }
    }

    private var isConnected: Bool {
        get async { await Task(executorPreference: reactor.executor) { [reactor] in reactor.isConnected }.value }
    }

    private func stats() async -> ServiceStats? {
        let bus = Bus(name: service, transport: reactor, clock: clock)
        let data = try? await bus.ask(
            MessageType("\(service).stats.read.v1"), data: Array("{}".utf8), retry: .idempotent, of: service,
            in: AskContext(deadline: clock.now() + Self.patience))
        return data.flatMap { try? ServiceStats(json: $0) }
    }
}
