import Bus
import BusZMQ
import Contracts
import Glibc
import HTTPClient
import Primitives
import ServiceKit
import Synchronization
import Wire

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
    /// How long the read of one fact may take: asks wait meanwhile.
    private static let logPatience = Duration.milliseconds(700)
    /// Between two looks at how far a copy is.
    private static let copyGlance = Duration.milliseconds(20)
    /// How long a process may take to answer that it reads the state.
    private static let besideMax = Duration.seconds(10)
    /// How long one ask for health waits before it is put anew.
    private static let patience = Duration.seconds(5)

    private let run: String
    private let address: BusAddress
    private let reactor = Mutex<Reactor?>(nil)

    init(run: String, address: BusAddress) { (self.run, self.address) = (run, address) }

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
                guard case .serving(let address, _) = GatewayAddress.read(in: run) else { return nil }
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

    /// Brings a process that takes a service's state over to a phase, however long it copies.
    ///
    /// - Parameters:
    ///   - group: its process group. Nothing is taken from another program that answers in its place.
    ///   - goesOn: whether it is still waited for.
    /// - Returns: nil when it is there, otherwise why not.
    func advance(
        _ service: String, to phase: TakeOverPhase, in group: pid_t?, while goesOn: @Sendable () -> Bool
    ) async -> String? {
        guard let bus = await bus(Life()) else { return "the bus cannot be reached" }
        let start = WallClock.system.now() + Self.besideMax
        while goesOn() {
            do {
                let reply = try await bus.ask(
                    MessageType("\(service).takeover.advance.v1"), data: Array(#"{"to":"\#(phase.rawValue)"}"#.utf8),
                    retry: .idempotent, of: "next.\(service)",
                    in: AskContext(deadline: WallClock.system.now() + Self.patience))
                guard try TakeOver(json: reply).phase == .copying else {
                    // A process that has ended is told of by its end.
                    guard let group else { return nil }
                    return await stranger(as: "next.\(service)", beside: group)
                }
            } catch let fault as Fault {
                guard Self.isStarting(fault) else { return fault.detail ?? fault.code.title }
                guard WallClock.system.now() < start else {
                    return "nobody answers as next.\(service): the program does not take a state over"
                }
            } catch { return "its answer cannot be read: \(error)" }
            try? await Task.sleep(for: Self.copyGlance)  // never cancelled
        }
        return "it was given up"
    }

    /// Why a name is not known to be the process group's alone, or nobody's where there is none; nil if it is.
    func stranger(as name: String, beside group: pid_t? = nil) async -> String? {
        guard let bus = await bus(Life()) else { return "the bus cannot be reached" }
        let context = AskContext(deadline: WallClock.system.now() + Self.patience)
        do throws(Fault) {
            let workers = try await bus.ask(Broker.ReadWorkers(service: name), in: context).workers
            guard let id = workers.compactMap(\.processID).first(where: { getpgid(pid_t($0)) != group })
            else { return nil }
            return "process \(id) answers as \(name) too, and this swap did not start it: end it first"
        } catch {
            return "the broker does not say which processes answer as \(name): \(error.detail ?? error.code.title)"
        }
    }

    /// Whether nobody answers under the name yet.
    private static func isStarting(_ fault: Fault) -> Bool {
        [.noWorker, .deadlineExceeded, .outcomeUnknown].contains(fault.code)
    }

    /// Nil when the service's queue is held back from now on, otherwise why it is not.
    func pause(_ service: String) async -> String? {
        await refusal { bus, context throws(Fault) in
            // Should nobody be left to resume it, the broker does.
            let most = Int64(Swap.pauseMax / .milliseconds(1))
            _ = try await bus.ask(
                Broker.PauseService(service: service, forMilliseconds: most, by: Self.holder), in: context)
        }
    }

    /// The holder of a swap's pauses, apart from an operator's.
    private static let holder = "swap"

    /// Ends the swap's pause.
    ///
    /// - Returns: why it did not, if so; and whether an operator's pause still holds the queue back.
    func resume(_ service: String) async -> (refusal: String?, isHeldBack: Bool) {
        var isHeldBack = false
        let refusal = await refusal { bus, context throws(Fault) in
            isHeldBack = try await bus.ask(
                Broker.ResumeService(service: service, by: Self.holder), in: context
            ).paused
        }
        return (refusal, isHeldBack)
    }

    /// The last fact in the log of the process that serves, past a paused queue; at 0 for a service without a log.
    func logEnd(of service: String) async throws(LogTrouble) -> FactPosition {
        // The newest number first, then the fact of that number.
        guard let head = try await page(of: service, after: .max - 1)?.head, head > 0 else { return 0 }
        guard let last = try await page(of: service, after: head - 1), let mark = try last.mark(of: head) else {
            throw LogTrouble(reason: "it lacks its fact \(head)")
        }
        return FactPosition(sequence: head, mark: mark)
    }

    /// Why the log of the process that serves may not follow the old one; nil if it may.
    func obstacle(
        toFollowing old: FactPosition, of service: String, _ continuity: LogContinuity
    ) async -> String? {
        if old.sequence == 0 || continuity == .forgotten { return nil }
        do throws(LogTrouble) {
            let page = try await page(of: service, after: old.sequence - 1)
            return continuity.obstacle(
                after: old, head: page?.head ?? 0, mark: try page?.mark(of: old.sequence))
        } catch { return "its log cannot be read: \(error.reason)" }
    }

    struct LogTrouble: Error {
        let reason: String
    }

    /// One fact of a log and its newest number; nil for a service that has no log.
    private func page(of service: String, after sequence: Int64) async throws(LogTrouble) -> FactsPage? {
        guard let bus = await bus(Life()) else { throw LogTrouble(reason: "the bus cannot be reached") }
        let context = AskContext(deadline: WallClock.system.now() + Self.logPatience)
        let data: ArraySlice<UInt8>
        do throws(Fault) {
            data = try await bus.ask(
                MessageType("\(service).facts.read.v1"), data: Array(#"{"after":\#(sequence),"limit":1}"#.utf8),
                retry: .idempotent, of: TrialName.of(service), in: context)
        } catch {
            if error.code == .unknownType { return nil }
            throw LogTrouble(reason: "\(error.code.title) (\(error.code))")
        }
        do throws(WireError) { return try FactsPage(json: data) } catch { throw LogTrouble(reason: "\(error)") }
    }

    private func refusal(_ body: (Bus, AskContext) async throws(Fault) -> Void) async -> String? {
        guard let bus = await bus(Life()) else { return "the bus cannot be reached" }
        do throws(Fault) {
            try await body(bus, AskContext(deadline: WallClock.system.now() + .seconds(2)))
            return nil
        } catch { return error.detail ?? "\(error.code.title) (\(error.code))" }
    }

    private func bus(_ life: Life) async -> Bus? {
        await reached(life).map { Bus(name: "billfold-up", transport: $0) }
    }

    /// Whether NATS, which makes its connection itself, or a broker that listens already.
    private var canConnect: Bool {
        if case .directory(let directory) = address { UnixSocket.isAccepting("\(directory)/asks.sock") } else { true }
    }

    /// The connection, made once the broker listens: libzmq would try again after 50 ms only.
    private func reached(_ life: Life) async -> Reactor? {
        while !life.isOver {
            if let reactor = reactor.withLock({ $0 }) { return reactor }
            if canConnect {
                return reactor.withLock { reactor in
                    if reactor == nil {
                        // It was looked at before.
                        reactor = try? Reactor(Reactor.Settings(bus: address.whenRefused(.triesAgain)))
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

extension FactsPage {
    /// What distinguishes the fact of that number; nil if it is not on the page.
    fileprivate func mark(of sequence: Int64) throws(SetBus.LogTrouble) -> [UInt8]? {
        guard let first = facts.first else { return nil }
        do throws(WireError) {
            let fact = try Envelope(json: first.bytes)
            return fact.sequence == sequence ? fact.mark : nil
        } catch { throw SetBus.LogTrouble(reason: "\(error)") }
    }
}
