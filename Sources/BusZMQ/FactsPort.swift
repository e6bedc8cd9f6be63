import Bus
import CZeroMQ
import Glibc

/// A process's way to and from the bus's facts. For one thread.
protocol FactsPort: AnyObject {
    /// What to poll, and for what; -1: nothing.
    var descriptor: Int32 { get }
    var events: Int16 { get }
    /// Monotonic nanoseconds at which ``turn(_:)`` is due though nothing comes in.
    var nextTurn: UInt64 { get }

    func subscribe(to prefix: String, receive: @escaping @Sendable ([[UInt8]]) -> Void)
    func publish(_ fact: PublishedFact)
    /// Connects where that is due, and gives the kernel what was published.
    ///
    /// - Parameter now: monotonic nanoseconds.
    func turn(_ now: UInt64)
    /// Gives each subscriber the facts that have come in for it.
    ///
    /// - Returns: false when nothing had come in: then the descriptor may be polled.
    func receive() -> Bool
    /// Waits until what was published is on its way, at most so long.
    func close(lingerMilliseconds: Int32)
}

/// Through the broker, by libzmq.
final class ZMQFacts: FactsPort {
    /// Facts taken at a time.
    private static let turnMax = 256

    private let context: ZMQContext
    private let out: ZMQSocket
    private let incoming: ZMQSocket
    private let frames = ReceivedFrames(capacity: 3)
    private var subscribers: [(topic: [UInt8], receive: @Sendable ([[UInt8]]) -> Void)] = []

    init(_ bus: BusAddress, lingerMilliseconds: Int32) throws {
        context = try ZMQContext()
        out = try ZMQSocket(context, ZMQ_PUB, highWaterMark: 100_000, lingerMilliseconds: lingerMilliseconds)
        incoming = try ZMQSocket(context, ZMQ_SUB, highWaterMark: 100_000, lingerMilliseconds: 0)
        try bus.connect(out, to: .factsIn)
        try bus.connect(incoming, to: .factsOut)
    }

    var descriptor: Int32 { incoming.descriptor }
    var events: Int16 { Int16(POLLIN) }
    var nextTurn: UInt64 { .max }

    /// libzmq's own thread does both.
    func turn(_ now: UInt64) {}
    func close(lingerMilliseconds: Int32) {}

    func subscribe(to prefix: String, receive: @escaping @Sendable ([[UInt8]]) -> Void) {
        let topic = Array(prefix.utf8)
        subscribers.append((topic, receive))
        zmq_setsockopt(incoming.raw, ZMQ_SUBSCRIBE, topic, topic.count)
    }

    func publish(_ fact: PublishedFact) {
        // The zero ends the topic: a subscription to `a.v1` must not take `a.v10`.
        let topic = Array(fact.type.utf8) + [0]
        guard topic.withUnsafeBytes({ out.send($0, more: true) }) else { return }
        fact.envelope.withUnsafeBytes { _ = out.send($0, more: false) }
    }

    func receive() -> Bool {
        // Also without subscribers: the socket has news of its own connection, and would be awake until they are taken.
        var facts = [[[UInt8]]](repeating: [], count: subscribers.count)
        var count = 0
        while count < Self.turnMax, frames.receive(from: incoming.raw) {
            count += 1
            guard let body = frames.all.body else { continue }
            for (index, subscriber) in subscribers.enumerated() where frames.all[0].starts(with: subscriber.topic) {
                facts[index].append([UInt8](body))
            }
        }
        for (subscriber, facts) in zip(subscribers, facts) where !facts.isEmpty { subscriber.receive(facts) }
        return count > 0
    }
}
