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
    private let asks: NATSSubscription
    private let roll: NATSSubscription
    private var queue: WorkerQueue<Ask>
    private var hasSaidTooLarge = false

    /// What is kept of an ask until it is answered.
    struct Ask {
        let replySubject: [UInt8]
        /// Empty once the reactor has it.
        var body: [UInt8] = []
    }

    init(_ service: String, credit: Int, on connection: NATSConnection, now: UInt64) {
        self.service = service
        self.connection = connection
        start = now
        queue = WorkerQueue(credit: credit)
        asks = connection.subscribe(to: NATSSubjects.ask(service), queue: service)
        roll = connection.subscribe(to: NATSSubjects.who)
    }

    deinit { for subscription in [asks, roll] { connection.unsubscribe(subscription) } }

    /// Takes a message that has come in.
    ///
    /// - Returns: the token of an ask that a handler may have at once.
    func receive(_ message: NATSMessage, _ now: UInt64) -> ReplyToken? {
        // Without a subject for the answer it is no ask. Under one of Billfold's others the answer would be published
        // with this process's rights.
        guard let reply = message.replySubject, NATSSubjects.isForAnswers(reply) else { return nil }
        if message.subscription == roll {
            answerRoll(reply, now)
        } else if message.subscription == asks {
            var ask = Ask(replySubject: [UInt8](reply))
            if let token = queue.give(ask) { return token }
            ask.body = [UInt8](message.body)
            if !queue.offer(ask, bytes: message.body.count) { refuse(ask, .queueFull) }
        }
        return nil
    }

    /// The next ask for the reactor, of those that had to wait.
    func next() -> (token: ReplyToken, message: Ask)? { queue.next() }

    /// Whether the reactor is to be told now that nothing comes any more. True once.
    func hasLeft() -> Bool {
        guard stage == .leaving, connection.isDrained(asks), queue.waitingCount == 0 else { return false }
        stage = .left
        return true
    }

    func answer(_ token: ReplyToken, _ body: UnsafeRawBufferPointer) {
        guard let ask = queue.end(token) else { return }
        guard body.count <= connection.bodyBytesMax else {
            sayTooLarge(body.count)
            return refuse(ask, .tooLarge)
        }
        ask.replySubject.withUnsafeBytes { connection.publish($0, body) }
    }

    func leave() {
        guard stage == .serving else { return }
        stage = .leaving
        connection.drain(asks)
    }

    /// Ends at once. What no handler had is refused, and can be asked elsewhere.
    func end() {
        for ask in queue.removeWaiting() { refuse(ask, .queueFull) }
    }

    private func sayTooLarge(_ count: Int) {
        guard !hasSaidTooLarge else { return }
        hasSaidTooLarge = true
        NATSRights.say(
            "an answer of \(service) has \(count) bytes, and NATS takes \(connection.bodyBytesMax) (max_payload): "
                + "such asks are refused")
    }

    private func refuse(_ ask: Ask, _ code: FaultCode) {
        ask.replySubject.withUnsafeBytes { subject in
            Self.refusal(code, from: service).withUnsafeBytes { connection.publish(subject, $0) }
        }
    }

    /// The envelope of a refusal that is the bus's own.
    static func refusal(_ code: FaultCode, from source: String) -> [UInt8] {
        Envelope(
            id: NATSSubjects.hex(.random(in: 0 ... .max)), source: source, type: "bus.fault.v1", data: Fault(code).json
        ).json
    }

    private func answerRoll(_ subject: UnsafeRawBufferPointer, _ now: UInt64) {
        let presence = WorkerPresence(
            worker: Broker.WorkerStats(
                service: service, dialect: "nats", credit: queue.credit, inFlight: queue.given,
                draining: stage != .serving, connectedMilliseconds: Int64((now - start) / 1_000_000),
                silentMilliseconds: 0, processID: Int(getpid())),
            queued: queue.waitingCount, queuedBytes: queue.waitingBytes, asks: queue.asks, answers: queue.answers)
        presence.json.withUnsafeBytes { connection.publish(subject, $0) }
    }
}
