import Audit
import Bus
import BusZMQ
import CLinux
import CZeroMQ
import Contracts
import Glibc
import Synchronization

/// A subscriber as merchants' notices need one: consumes what payments publishes, on its own thread, and keeps each
/// fact's sequence and digest.
package final class NoticeListener: Sendable {
    private struct State {
        var received: ReceivedNotices
        /// The highest head that payments has published.
        var head: Int64 = 0
        var isConnected = false
        var cpuMicros = 0.0

        mutating func take(_ fact: UnsafeRawBufferPointer, isHead: Bool) {
            if isHead {
                head = max(head, AnswerText(fact).integer("\"head\":") ?? 0)
            } else if let sequence = AnswerText(fact).integer("\"sequence\":\"") {
                received.receive(sequence, digest: digest(of: fact))
            }
        }
    }

    private let state: Mutex<State>
    private let stopping = Atomic(false)
    private static let headTopic = Array("payments.facts.head.v1".utf8) + [0]
    private static let capturedTopic = Array((Payments.ChargeCaptured.type.name).utf8) + [0]

    /// - Parameter after: payments' newest fact before the run.
    package init(after: Int64) {
        state = Mutex(State(received: ReceivedNotices(after: after)))
    }

    /// Listens on a thread of its own.
    package func start(on bus: BusAddress) throws {
        let socket = try ZMQSocket(try ZMQContext(), ZMQ_SUB, highWaterMark: 1_000_000, lingerMilliseconds: 0)
        try socket.set(ZMQ_RCVTIMEO, 100)
        for topic in [Self.headTopic, Self.capturedTopic] {
            zmq_setsockopt(socket.raw, ZMQ_SUBSCRIBE, topic, topic.count)
        }
        try bus.connect(socket, to: .factsOut)
        let held = SocketBox(socket)
        OSThread { [self] in run(held.socket) }.detach()
    }

    /// Listens where there is no broker, on the transport's thread.
    package func start(on transport: any Transport) {
        for topic in [Self.headTopic, Self.capturedTopic] {
            let isHead = topic == Self.headTopic
            transport.subscribe(to: String(decoding: topic, as: UTF8.self)) { [self] facts in
                guard !stopping.load(ordering: .relaxed) else { return }
                state.withLock { state in
                    state.isConnected = true
                    for fact in facts { fact.withUnsafeBytes { state.take($0, isHead: isHead) } }
                }
            }
        }
    }

    package func stop() { stopping.store(true, ordering: .relaxed) }
    /// Whether the subscription is known to work: something from payments has arrived.
    package var isConnected: Bool { state.withLock { $0.isConnected } }
    package var received: ReceivedNotices { state.withLock { $0.received } }
    /// Processor time of the listening thread so far, without that of ZeroMQ's own.
    package var cpuMicros: Double { state.withLock { $0.cpuMicros } }

    private func run(_ socket: ZMQSocket) {
        pthread_setname_np(pthread_self(), "listener")
        let topic = UnsafeMutablePointer<zmq_msg_t>.allocate(capacity: 2)
        defer { topic.deallocate() }
        zmq_msg_init(topic)
        zmq_msg_init(topic + 1)
        defer {
            zmq_msg_close(topic)
            zmq_msg_close(topic + 1)
        }
        var batch: [(sequence: Int64, digest: UInt64)] = []
        while !stopping.load(ordering: .relaxed) {
            var flags: Int32 = 0
            var head: Int64?
            while batch.count < 256, zmq_msg_recv(topic, socket.raw, flags) >= 0 {
                guard zmq_msg_more(topic) != 0, zmq_msg_recv(topic + 1, socket.raw, 0) >= 0 else { break }
                let bytes = UnsafeRawBufferPointer(start: zmq_msg_data(topic + 1), count: zmq_msg_size(topic + 1))
                if zmq_msg_size(topic) == Self.headTopic.count {
                    head = AnswerText(bytes).integer("\"head\":")
                } else if let sequence = AnswerText(bytes).integer("\"sequence\":\"") {
                    batch.append((sequence, digest(of: bytes)))
                }
                flags = ZMQ_DONTWAIT
            }
            let cpu = ProcessWatch.threadMicros()
            state.withLock { state in
                for fact in batch { state.received.receive(fact.sequence, digest: fact.digest) }
                state.isConnected = state.isConnected || head != nil || !batch.isEmpty
                state.head = max(state.head, head ?? 0)
                state.cpuMicros = cpu
            }
            // Nobody waits for these: many at once cost less than each by itself.
            if batch.count < 200 { usleep(10_000) }
            batch.removeAll(keepingCapacity: true)
        }
    }
}

/// Carries a socket to its thread. `@unchecked`: only that thread uses it.
private final class SocketBox: @unchecked Sendable {
    let socket: ZMQSocket
    init(_ socket: ZMQSocket) { self.socket = socket }
}
