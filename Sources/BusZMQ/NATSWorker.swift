import Bus
import Contracts
import Glibc
import NATS
import Primitives
import Wire

/// A process's service on NATS: its subscriptions, and the asks that came by them.
final class NATSWorker {
    enum Stage {
        case serving
        /// Has said goodbye: what is on its way still comes.
        case leaving
        /// Nothing comes any more, and its reactor knows.
        case left
    }

    let service: String
    let start: UInt64
    private(set) var stage = Stage.serving
    private let connection: NATSConnection
    private let asks: [NATSSubscription]
    private let roll: NATSSubscription
    private var queue: WorkerQueue<NATSMessage>

    /// - Throws: ``NATSError`` when the connection is closed for good.
    init(_ service: String, credit: Int, on connection: NATSConnection, now: UInt64) throws(NATSError) {
        self.service = service
        self.connection = connection
        start = now
        queue = WorkerQueue(credit: credit)
        asks = [
            try connection.subscribe(to: NATSSubjects.ask(service), queue: service),
            try connection.subscribe(to: NATSSubjects.ask("try.\(service)"), queue: service)
        ]
        roll = try connection.subscribe(to: NATSSubjects.who)
    }

    deinit { for message in queue.removeAll() { message.free() } }

    /// Takes what has come in.
    func receive(_ now: UInt64) -> Bool {
        var hasTaken = false
        for subscription in asks {
            let has = subscription.receive { message in
                // Without a subject for the answer it is no ask.
                guard message.replySubject != nil else { return message.free() }
                if !queue.offer(message, bytes: message.body.count) { refuse(message) }
            }
            hasTaken = hasTaken || has
        }
        let has = roll.receive { message in
            answerRoll(message, now)
            message.free()
        }
        return hasTaken || has
    }

    /// The next ask for the reactor.
    func next() -> (token: ReplyToken, message: NATSMessage)? { queue.next() }

    /// Whether the reactor is to be told now that nothing comes any more. True once.
    func hasLeft() -> Bool {
        guard stage == .leaving, asks.allSatisfy(\.isDrained), queue.waitingCount == 0 else { return false }
        stage = .left
        return true
    }

    func answer(_ token: ReplyToken, _ body: UnsafeRawBufferPointer) {
        guard let message = queue.end(token) else { return }
        if let subject = message.replySubject { connection.publish(subject, body) }
        message.free()
    }

    func leave() {
        guard stage == .serving else { return }
        stage = .leaving
        for subscription in asks { subscription.drain() }
    }

    /// Ends at once. What no handler had is refused, and can be asked elsewhere.
    func end() {
        for message in queue.removeWaiting() { refuse(message) }
    }

    private func refuse(_ message: NATSMessage) {
        if let subject = message.replySubject {
            Self.refusal(.queueFull, from: service).withUnsafeBytes { connection.publish(subject, $0) }
        }
        message.free()
    }

    /// The envelope of a refusal that is the bus's own.
    static func refusal(_ code: FaultCode, from source: String) -> [UInt8] {
        Envelope(
            id: NATSSubjects.hex(.random(in: 0 ... .max)), source: source, type: "bus.fault.v1", data: Fault(code).json
        ).json
    }

    private func answerRoll(_ message: NATSMessage, _ now: UInt64) {
        guard let subject = message.replySubject else { return }
        let presence = WorkerPresence(
            worker: Broker.WorkerStats(
                service: service, dialect: "nats", credit: queue.credit, inFlight: queue.given,
                draining: stage != .serving, connectedMilliseconds: Int64((now - start) / 1_000_000),
                silentMilliseconds: 0, processID: Int(getpid())),
            queued: queue.waitingCount, queuedBytes: queue.waitingBytes, asks: queue.asks, answers: queue.answers)
        presence.json.withUnsafeBytes { connection.publish(subject, $0) }
    }
}
