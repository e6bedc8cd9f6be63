import BusZMQ
import CZeroMQ
import Majordomo
import Synchronization

/// Facts from all publishers to all subscribers: XSUB in, XPUB out, and subscriptions the other way.
///
/// It loses facts for a subscriber that does not keep up, and never waits for one: whoever misses a fact asks its
/// owner for it.
///
/// `@unchecked`: the sockets are handed from `init` to the one thread that calls ``run()``.
final class FactsRelay: @unchecked Sendable {
    private enum Call: Sendable { case stop }

    /// Bytes of a topic, an event type and a NUL; a subscription has one byte before it.
    private static let topicBytesMax = 255
    /// Subscriptions that differ. A publisher gets all of them when it connects, and a further one is dropped.
    private static let subscriptionsMax = 10_000
    private static let batch = 256
    /// Facts of one publisher that have come in: more wait in its socket.
    private static let receiveHighWaterMark: Int32 = 1_000
    /// Between two looks at what memory can be given back; all else it waits for wakes it.
    private static let sleepMs: Int64 = 1_000

    private let mailbox: Mailbox<Call>
    private let publishers: ZMQSocket
    private let subscribers: ZMQSocket
    private let poller: RelayPoller
    private let frames = ReceivedFrames(capacity: 4)
    private let memory: MemoryBudget
    private let unsent = UnsentBytes()
    private var freed = FreedMemory()
    /// Topics that publishers were told of.
    private var subscriptions: Set<[UInt8]> = []
    private var relayedBytes = 0
    /// When what was relayed is looked at next; milliseconds.
    private var nextLook: Int64 = 0
    private let droppedFacts = Atomic<Int64>(0)

    /// What libzmq has of facts that subscribers have not read.
    var unsentBytes: Int { unsent.count }
    /// Facts that no subscriber got: for want of memory, or as they are not a topic and an envelope.
    var dropped: Int64 { droppedFacts.load(ordering: .relaxed) }

    init(
        configuration: BrokerConfiguration, directory: RunDirectory, context: ZMQContext, remote: RemotePeers?
    ) throws {
        mailbox = try Mailbox()
        memory = configuration.memory
        let waiting = configuration.factsHighWaterMark
        publishers = try ZMQSocket(
            context, ZMQ_XSUB, highWaterMark: Self.receiveHighWaterMark, lingerMilliseconds: 0)
        try publishers.setSendHighWaterMark(2 * Int32(Self.subscriptionsMax))
        subscribers = try ZMQSocket(context, ZMQ_XPUB, highWaterMark: waiting, lingerMilliseconds: 0)
        try publishers.bind(directory.endpoint(RunDirectory.factsIn))
        try subscribers.bind(directory.endpoint(RunDirectory.factsOut))
        try remote?.bind(publishers, to: .factsIn)
        try remote?.bind(subscribers, to: .factsOut)
        poller = RelayPoller([.socket(publishers), .socket(subscribers), .descriptor(mailbox.wakeup)])
    }

    /// Relays until ``stop()``. Called once, on a thread of its own.
    func run() {
        while true {
            poller.wait(ms: Self.sleepMs)
            if poller.isReady(2), !mailbox.take().isEmpty { break }
            if poller.isReady(1) { relaySubscriptions() }
            if poller.isReady(0) { relayFacts() }
            giveBack()
        }
        _ = mailbox.close()
    }

    func stop() { mailbox.post(.stop) }

    /// Facts of a burst wait in the sockets of both sides, of which only one counts them: so what was relayed in a
    /// second stands for both.
    private func giveBack() {
        let now = Clock.now().monotonicMs
        guard now >= nextLook else { return }
        freed.giveBack(used: max(unsent.count, relayedBytes))
        (relayedBytes, nextLook) = (0, now + Self.sleepMs)
    }

    private func relayFacts() {
        for _ in 0..<Self.batch {
            guard frames.receive(from: publishers.raw) else { return }
            let (topic, envelope) = (frames.message(0), frames.message(1))
            guard frames.count == 2, zmq_msg_size(topic) <= Self.topicBytesMax,
                memory.hasRoom(fact: zmq_msg_size(envelope), unsent: unsent.count)
            else {
                droppedFacts.add(1, ordering: .relaxed)
                continue
            }
            relayedBytes += zmq_msg_size(envelope)
            zmq_msg_send(topic, subscribers.raw, ZMQ_SNDMORE | ZMQ_DONTWAIT)
            unsent.send(envelope, to: subscribers.raw, ZMQ_DONTWAIT)
        }
    }

    /// Hands on the first subscription (1) to a topic and the end (0) of the last one, and drops all else a subscriber
    /// may send.
    private func relaySubscriptions() {
        for _ in 0..<Self.batch {
            guard frames.receive(from: subscribers.raw) else { return }
            guard frames.count == 1, let kind = frames.all[0].first, kind <= 1 else { continue }
            let topic = [UInt8](frames.all[0].dropFirst())
            guard topic.count <= Self.topicBytesMax else { continue }
            let isNew =
                kind == 1
                ? subscriptions.count < Self.subscriptionsMax && subscriptions.insert(topic).inserted
                : subscriptions.remove(topic) != nil
            guard isNew else { continue }
            zmq_msg_send(frames.message(0), publishers.raw, ZMQ_DONTWAIT)
        }
    }
}
