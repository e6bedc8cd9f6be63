import BusZMQ
import CZeroMQ
import Majordomo
import Synchronization

/// The thread that owns the ROUTER: receives, decides, sends, and sleeps in one place.
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
        case pause(String, forMs: Int64?, CheckedContinuation<Bool, Never>)
        case resume(String, CheckedContinuation<Bool, Never>)
    }

    /// Messages handled before the clock is read and other threads are heard again.
    private static let batch = 256

    private let mailbox: Mailbox<Call>
    private let socket: ZMQSocket
    private let shell: AsksShell
    private let limits: Limits
    private let operatorKey: [UInt8]
    /// What the loop knew when it ended; before it began, nothing.
    private let lastStats: Mutex<BrokerStats>
    private let poller: Poller
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
        // What is unsent at the end is lost: stopping must not wait for a peer that does not read.
        socket = try ZMQSocket(
            context, ZMQ_ROUTER, highWaterMark: configuration.receiveHighWaterMark, lingerMilliseconds: 0)
        // Else a message to a peer that is gone vanishes, and its ask with it.
        try socket.set(ZMQ_ROUTER_MANDATORY, 1)
        try socket.set(ZMQ_SNDHWM, configuration.sendHighWaterMark)
        try socket.bind(directory.endpoint(RunDirectory.asks))
        var endpoints = [socket.lastEndpoint]
        if let endpoint = configuration.asksTCP {
            // Set after the Unix socket is bound, so only here: a host that vanishes sends no end of stream.
            try socket.useHeartbeats()
            try socket.set(ZMQ_IPV6, endpoint.hasPrefix("tcp://[") ? 1 : 0)
            try socket.bind(endpoint)
            endpoints.append(socket.lastEndpoint)
        }
        if let remote {
            try remote.bind(socket, to: .asks)
            endpoints.append(socket.lastEndpoint)
        }
        self.endpoints = endpoints
        poller = Poller([socket], bell: mailbox.wakeup)
        shell = AsksShell(socket, limits: limits)
    }

    /// Serves until ``stop()``. Called once, on a thread of its own.
    func run() {
        var now = Clock.now()
        var router = Router(limits: limits, random: BulkRandom(), at: now)
        router.operatorKey = operatorKey
        var nextTickMs = now.monotonicMs + limits.scanEveryMs
        var isStopping = false
        while !isStopping {
            let handled = shell.receive(batch: Self.batch, &router, at: now)
            now = Clock.now()
            if now.monotonicMs >= nextTickMs {
                shell.tick(&router, at: now)
                nextTickMs = now.monotonicMs + limits.scanEveryMs
                // It may have sent something, and with that taken the news of what came in.
                continue
            }
            poller.wait(milliseconds: handled < Self.batch ? nextTickMs - now.monotonicMs : 0)
            now = Clock.now()
            if poller.isReady(1) {
                for call in mailbox.take() { isStopping = answer(call, &router, at: now) || isStopping }
            }
        }
        let stats = router.stats(at: now)
        lastStats.withLock { $0 = stats }
        for call in mailbox.close() { _ = answer(call, &router, at: now) }
    }

    func stop() { mailbox.post(.stop) }

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
    func pause(_ service: String, forMs: Int64?) async -> Bool {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.pause(service, forMs: forMs, continuation)) { continuation.resume(returning: false) }
        }
    }

    /// Lets the service's queue flow again. `false`: the service is not known.
    func resume(_ service: String) async -> Bool {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.resume(service, continuation)) { continuation.resume(returning: false) }
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
        case .pause(let service, let forMs, let continuation):
            let name = Array(service.utf8)
            let end = forMs.map { now.monotonicMs + $0 }
            continuation.resume(returning: name.withUnsafeBytes { router.pause($0, untilMs: end) })
        case .resume(let service, let continuation):
            let name = Array(service.utf8)
            let isKnown = name.withUnsafeBytes { router.resume($0, at: now) }
            shell.carryOut(&router)
            continuation.resume(returning: isKnown)
        }
        return false
    }
}
