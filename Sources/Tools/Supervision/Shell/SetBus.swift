import Bus
import BusZMQ
import Contracts
import Glibc
import HTTPClient
import Primitives
import ServiceKit
import Synchronization

/// The supervisor's end of the set's bus: finds out who answers, and pauses queues.
///
/// Nothing is polled that can be waited for: an ask to a service that is only starting waits in the broker's queue, and
/// is answered the moment the service is ready.
final class SetBus: Sendable {
    /// One life of a process, from its start to its end.
    final class Life: Sendable {
        private let ended = Atomic(false)
        var isOver: Bool { ended.load(ordering: .acquiring) }
        func end() { ended.store(true, ordering: .releasing) }
    }

    /// Between two tries to reach a socket that has no listener yet.
    private static let glance = Duration.milliseconds(2)
    /// How long one ask for health waits before it is put anew.
    private static let patience = Duration.seconds(5)

    private let run: String
    private let reactor = Mutex<Reactor?>(nil)

    init(run: String) { self.run = run }

    /// Calls `isHealthy` as soon as the process does its work, unless its life ends before.
    func awaitHealth(_ health: LocalProcess.Health, _ life: Life, isHealthy: @escaping @Sendable () -> Void) {
        switch health {
        case .runs, .command: break
        case .bus(let service):
            Task {
                while !life.isOver {
                    guard let reactor = await reached(life) else { return }
                    let deadline = WallClock.system.now() + Self.patience
                    if await HealthProbe.isAnswering(service, on: reactor, by: deadline) {
                        if !life.isOver { isHealthy() }
                        return
                    }
                    try? await Task.sleep(for: Self.glance)  // never cancelled
                }
            }
        case .gateway:
            awaitAnswer(life, isHealthy) { [run] in
                guard case .serving(let address) = GatewayAddress.read(in: run) else { return nil }
                return address
            }
        case .http(let address): awaitAnswer(life, isHealthy) { HealthProbe.reachable(address) }
        }
    }

    /// Asks over HTTP on a thread of its own, as this client waits. A nil address is looked up again.
    private func awaitAnswer(
        _ life: Life, _ isHealthy: @escaping @Sendable () -> Void, at address: @escaping @Sendable () -> String?
    ) {
        OSThread {
            while !life.isOver {
                if let address = address(), let client = try? HTTPClient(address),
                    (try? client.request("GET", "/health")) != nil
                {
                    if !life.isOver { isHealthy() }
                    return
                }
                usleep(2000)
            }
        }.detach()
    }

    /// Calls `isReady` as soon as a worker of the service answers, past a paused queue.
    func awaitWorker(_ service: String, _ life: Life, isReady: @escaping @Sendable () -> Void) {
        Task {
            while !life.isOver {
                guard let reactor = await reached(life) else { return }
                let deadline = WallClock.system.now() + Self.patience
                if await HealthProbe.isAnswering(service, on: reactor, by: deadline, isTrial: true) {
                    if !life.isOver { isReady() }
                    return
                }
                try? await Task.sleep(for: Self.glance)  // never cancelled
            }
        }
    }

    /// Nil when the service's queue is held back from now on, otherwise why it is not.
    func pause(_ service: String) async -> String? {
        await refusal { bus, context throws(Fault) in
            // Should nobody be left to resume it, the broker does.
            let most = Int64(Swap.pauseMax / .milliseconds(1))
            _ = try await bus.ask(Broker.PauseService(service: service, forMilliseconds: most), in: context)
        }
    }

    /// Nil when the service's queue flows.
    func resume(_ service: String) async -> String? {
        await refusal { bus, context throws(Fault) in
            _ = try await bus.ask(Broker.ResumeService(service: service), in: context)
        }
    }

    private func refusal(_ body: (Bus, AskContext) async throws(Fault) -> Void) async -> String? {
        guard let bus = await bus(Life()) else { return "the bus cannot be reached" }
        do throws(Fault) {
            try await body(bus, AskContext(deadline: WallClock.system.now() + .seconds(2)))
            return nil
        } catch { return "\(error.code.title) (\(error.code))" }
    }

    private func bus(_ life: Life) async -> Bus? {
        await reached(life).map { Bus(name: "billfold-up", transport: $0) }
    }

    /// The connection, made once the broker listens: libzmq would try again after 50 ms only.
    private func reached(_ life: Life) async -> Reactor? {
        while !life.isOver {
            if let reactor = reactor.withLock({ $0 }) { return reactor }
            if UnixSocket.isAccepting("\(run)/asks.sock") {
                return reactor.withLock { reactor in
                    if reactor == nil {
                        reactor = try? Reactor(Reactor.Settings(runDirectory: run))  // the path was looked at before
                        reactor?.start()
                    }
                    return reactor
                }
            }
            try? await Task.sleep(for: Self.glance)  // never cancelled
        }
        return nil
    }
}
