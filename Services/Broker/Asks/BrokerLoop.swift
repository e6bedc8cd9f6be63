import BusZMQ
import CZeroMQ
import Majordomo
import Synchronization

/// The thread that owns the asks' sockets: receives, decides, sends, and sleeps in one place.
///
/// `init` opens and binds, ``run()`` serves until ``stop()``; every other call may come from any thread and is
/// carried out between two batches of messages.
///
/// `@unchecked`: the shell is handed from `init` to the one thread that calls ``run()``, and used by no other.
final class BrokerLoop: @unchecked Sendable {
    private enum Call: Sendable {
        case stop
        case stats(CheckedContinuation<BrokerStats, Never>)
        case workers(CheckedContinuation<[BrokerStats.Worker], Never>)
        case pause(String, by: String, forMs: Int64?, CheckedContinuation<Bool, Never>)
        case resume(String, by: String, CheckedContinuation<Bool, Never>)
    }

    /// Messages from tcp handled before others are heard again.
    private static let batch = 256
    /// Milliseconds that a tick may be late. Later, this process stood still: what came meanwhile is read first, or
    /// workers whose heartbeats wait would be lost.
    private static let lateMaxMs: Int64 = 1_000

    private let mailbox: Mailbox<Call>
    private let epoll: Epoll
    private let local: LocalPeers
    private let shell: AsksShell
    let limits: Limits
    private let operatorKey: [UInt8]
    /// What the loop knew when it ended; before it began, nothing.
    private let lastStats: Mutex<BrokerStats>
    /// Where asks are taken, with the port that the kernel chose.
    let endpoints: [String]

    /// Binds the asks socket in a run directory this process holds.
    ///
    /// - Parameter remote: where peers on other hosts come in; `nil`: nowhere.
    init(
        configuration: BrokerConfiguration, directory: RunDirectory, context: ZMQContext, remote: RemotePeers?
    ) throws {
        mailbox = try Mailbox()
        limits = configuration.limits
        operatorKey = directory.operatorKey
        let now = Clock.now()
        lastStats = Mutex(Router(limits: limits, random: BulkRandom(), at: now).stats(at: now))
        let frames = limits.bodyFrames + AsksShell.framesBesideBody
        epoll = try Epoll()
        local = try LocalPeers(path: directory.path(of: RunDirectory.asks), frames: frames, epoll: epoll)
        let socket = try RemoteSocket(configuration, frames: frames, context: context, peers: remote)
        epoll.watch(mailbox.wakeup, LoopEvent.bell.word)
        if let socket { epoll.watch(socket.descriptor, LoopEvent.remote.word) }
        endpoints = [directory.endpoint(RunDirectory.asks)] + (socket?.endpoints ?? [])
        shell = AsksShell(local, socket, limits: limits, memory: configuration.memory)
    }

    /// Serves until ``stop()``. Called once, on a thread of its own.
    func run() {
        var now = Clock.now()
        var router = Router(limits: limits, random: BulkRandom(), at: now)
        router.operatorKey = operatorKey
        var nextTickMs = now.monotonicMs + limits.scanEveryMs
        var isStopping = false
        var mayBeMore = false
        while !isStopping {
            let ready = epoll.wait(milliseconds: mayBeMore ? 0 : nextTickMs - now.monotonicMs)
            now = Clock.now()
            for index in 0..<ready {
                switch LoopEvent(word: epoll[index]) {
                case .link(let name):
                    local.resume(name)
                    shell.receive(name, &router, at: now)
                case .listener: local.accept(nowMs: now.monotonicMs)
                case .bell:
                    for call in mailbox.take() { isStopping = answer(call, &router, at: now) || isStopping }
                case .remote: break
                }
            }
            if now.monotonicMs >= nextTickMs {
                if now.monotonicMs <= nextTickMs + Self.lateMaxMs { shell.tick(&router, at: now) }
                nextTickMs = now.monotonicMs + limits.scanEveryMs
            }
            // Last of all that may send by tcp, see `RemoteSocket.descriptor`.
            shell.flush(&router)
            mayBeMore = shell.receiveRemote(batch: Self.batch, &router, at: now)
            shell.flush(&router)
        }
        shell.end(&router, at: now)
        let stats = router.stats(at: now)
        lastStats.withLock { $0 = stats }
        for call in mailbox.close() { _ = answer(call, &router, at: now) }
    }

    func stop() { mailbox.post(.stop) }

    /// What the buffers of connections take, as of the last tick.
    var connectionBytes: Int { shell.connectionBytesNow.load(ordering: .relaxed) }

    /// Counters and queues as they are now, or were when the loop ended.
    func stats() async -> BrokerStats {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.stats(continuation)) { continuation.resume(returning: lastStats.withLock { $0 }) }
        }
    }

    func workers() async -> [BrokerStats.Worker] {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.workers(continuation)) { continuation.resume(returning: []) }
        }
    }

    /// Keeps what is asked of the service in its queue, for so long at most. `false`: it is no service name.
    func pause(_ service: String, by holder: String, forMs: Int64?) async -> Bool {
        await withCheckedContinuation { continuation in
            let call = Call.pause(service, by: holder, forMs: forMs, continuation)
            if !mailbox.post(call) { continuation.resume(returning: false) }
        }
    }

    /// Ends a holder's pause. Whether another one still holds the queue back.
    func resume(_ service: String, by holder: String) async -> Bool {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.resume(service, by: holder, continuation)) { continuation.resume(returning: false) }
        }
    }

    /// `true`: the call was to stop.
    private func answer(_ call: Call, _ router: inout Router, at now: Instant) -> Bool {
        switch call {
        case .stop:
            return true
        case .stats(let continuation):
            continuation.resume(returning: router.stats(at: now))
        case .workers(let continuation):
            continuation.resume(returning: router.workersNow(at: now))
        case .pause(let service, let holder, let forMs, let continuation):
            let name = Array(service.utf8)
            let end = forMs.map { now.monotonicMs + $0 }
            continuation.resume(returning: name.withUnsafeBytes { router.pause($0, by: holder, untilMs: end) })
        case .resume(let service, let holder, let continuation):
            let name = Array(service.utf8)
            let isPaused = name.withUnsafeBytes { router.resume($0, by: holder, at: now) }
            shell.carryOut(&router)
            continuation.resume(returning: isPaused ?? false)
        }
        return false
    }
}
