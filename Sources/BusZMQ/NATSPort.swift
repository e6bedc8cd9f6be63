import Bus
import Contracts
import Glibc
import NATS
import Primitives
import ZMTP

/// A process's asks over NATS: stands in the broker's place for a ``Reactor``, whose frames it turns into messages of
/// NATS and back (docs/nats.md).
final class NATSPort: AsksPort {
    /// Sent before the turn is over, so that the other end can begin.
    private static let eagerBytes = 64 << 10
    /// Nanoseconds between two looks for asks that were never answered.
    private static let sweepPause: UInt64 = 1_000_000_000

    private let connection: NATSConnection
    private let clock: WallClock
    private let answers: NATSSubscription
    private let subjects: NATSSubjectBuffer
    private let headers = PeerFrames.Headers()
    private var numbers = ReplyNumbers()
    private var kept = KeptAsks()
    /// By the numbers of their answers.
    private var rolls: [UInt64: RollCall] = [:]
    private var worker: NATSWorker?
    /// Headers and bodies that the reactor has not yet been given.
    private var due: [(header: [UInt8], body: [UInt8]?)] = []
    private var openings: UInt64 = 0
    private var unsentBytes = 0
    private var nextSweep: UInt64 = 0
    private var rights = NATSRights()
    private var hasSaidTooSmall = false
    private let views = UnsafeMutablePointer<UnsafeRawBufferPointer>.allocate(capacity: 2)

    init(_ access: NATSAccess, clock: WallClock) throws {
        self.clock = clock
        connection = try NATSConnection(access, name: "billfold asks")
        let inbox = NATSSubjects.inbox(of: try access.inboxName(), .random(in: 0 ... .max))
        answers = connection.subscribe(to: inbox + "*")
        subjects = NATSSubjectBuffer(inbox: inbox)
        views.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: 2)
    }

    deinit { views.deallocate() }

    var descriptor: Int32 { connection.descriptor }
    var events: Int16 { connection.events }

    var nextTurn: UInt64 { min(connection.nextTurn, kept.nextDue, rolls.values.map(\.end).min() ?? .max) }

    var isOpen: Bool { connection.isOpen && connection.openings == openings }
    var trouble: String? { connection.trouble }

    // MARK: Sending

    func send(_ header: [UInt8], body: [UInt8]?) -> Bool {
        guard connection.hasRoom, connection.openings == openings else { return false }
        switch PeerFrames.readSent(header) {
        case .ask(let tag, let deadline, let service): ask(tag, deadline, service, body ?? [])
        case .reply(let token):
            (body ?? []).withUnsafeBytes { worker?.answer(token, $0) }
            sent(body?.count ?? 0)
        case .ping: due.append((PeerFrames.pong(instance: connection.openings), nil))
        case .ready(let service, let credit):
            worker = NATSWorker(service, credit: credit, on: connection, now: monotonicNanoseconds())
        case .goodbye: worker?.leave()
        case .disconnect:
            worker?.end()
            worker = nil
        case .heartbeat, nil: break
        }
        return true
    }

    private func ask(_ tag: UInt64, _ deadline: Timestamp, _ name: ArraySlice<UInt8>, _ body: [UInt8]) {
        // There is no queue to pass: a trial is an ask.
        let isTrial = name.starts(with: TrialName.prefix.utf8)
        let service = isTrial ? name.dropFirst(TrialName.prefix.utf8.count) : name
        if service.elementsEqual(Broker.service.utf8) {
            callRoll(tag, body)
        } else if body.count > connection.bodyBytesMax {
            due.append(refusal(tag, .tooLarge, .tooLarge))
        } else {
            kept.keep(tag, deadline: deadline, service: service, body: body)
            publish(numbers.take(tag), service, body)
        }
    }

    private func publish(_ number: UInt64, _ service: ArraySlice<UInt8>, _ body: [UInt8]) {
        let subject = service.withUnsafeBytes { subjects.ask($0) }
        body.withUnsafeBytes { connection.publish(subject, reply: subjects.answer(number), $0) }
        sent(body.count)
    }

    private func sent(_ count: Int) {
        unsentBytes += count
        guard unsentBytes > Self.eagerBytes else { return }
        unsentBytes = 0
        connection.flush()
    }

    /// Asks all workers who they are, in the place of the broker, which would know.
    private func callRoll(_ tag: UInt64, _ body: [UInt8]) {
        guard let roll = RollCall(tag, body, now: monotonicNanoseconds()) else {
            return due.append(refusal(tag))
        }
        let number = numbers.takeOnce()
        rolls[number] = roll
        guard roll.needsWorkers else { return }
        connection.publish(
            to: NATSSubjects.who, reply: subjects.answer(number), UnsafeRawBufferPointer(start: nil, count: 0))
    }

    // MARK: Turns

    func turn(_ now: UInt64) {
        connection.turn(now)
        unsentBytes = 0
        rights.settle(connection)
        if connection.openings != openings { meet() }
        if now >= nextSweep {
            nextSweep = now + Self.sweepPause
            kept.forgetOld(clock.now())
        }
        if now >= kept.nextDue { tryAgain(now) }
        for (number, roll) in rolls where roll.end <= now { end(number, roll) }
        connection.flush()
    }

    /// A new connection: what was asked on the one before may be lost, with its answers.
    private func meet() {
        if openings > 0 {
            kept.removeAll()
            numbers.giveUpAll()
            rolls.removeAll()
        }
        openings = connection.openings
        if connection.bodyBytesMax < Envelope.bytesMax, !hasSaidTooSmall {
            hasSaidTooSmall = true
            NATSRights.say(
                "NATS takes messages of \(connection.bodyBytesMax) bytes (max_payload), and a set sends up to "
                    + "\(Envelope.bytesMax): facts that do not fit are never read")
        }
        due.append((PeerFrames.pong(instance: openings), nil))
    }

    private func tryAgain(_ now: UInt64) {
        let (again, refused) = kept.due(now)
        for tag in refused { due.append(refusal(tag)) }
        for (tag, ask) in again {
            guard let number = numbers.number(of: tag) else { continue }
            publish(number, ask.service, ask.body)
        }
    }

    /// What a client gets of a broker that refuses its ask; without a reason, of one that has no worker for it.
    private func refusal(
        _ tag: UInt64, _ status: PeerFrames.Refusal = .noWorker, _ code: FaultCode = .noWorker
    ) -> (header: [UInt8], body: [UInt8]?) {
        (PeerFrames.answer(tag: tag, refusal: status), NATSWorker.refusal(code, from: Broker.service))
    }

    private func end(_ number: UInt64, _ roll: RollCall) {
        rolls[number] = nil
        let id = NATSSubjects.hex(.random(in: 0 ... .max))
        due.append((PeerFrames.answer(tag: roll.tag), roll.answer(at: clock.now(), id: id)))
    }

    // MARK: Receiving

    func receive(_ take: (LinkFrames) -> Void) -> Bool {
        let now = monotonicNanoseconds()
        var hasTaken = connection.receive { message in
            if message.subscription == answers {
                receiveAnswer(message, now, take)
            } else if let worker, let token = worker.receive(message, now) {
                give(headers.workerAsk(token), message.body, take)
            }
        }
        if !due.isEmpty {
            hasTaken = true
            let due = self.due
            self.due.removeAll(keepingCapacity: true)
            for (header, body) in due { give(header, body, take) }
        }
        if let worker, serve(worker, take) { hasTaken = true }
        return hasTaken
    }

    private func receiveAnswer(_ message: NATSMessage, _ now: UInt64, _ take: (LinkFrames) -> Void) {
        guard let number = NATSSubjects.number(atEndOf: message.subject) else { return }
        if let roll = rolls[number] {
            if message.saysNobody { return end(number, roll) }
            rolls[number]?.take(message.body)
        } else if let tag = numbers.tag(of: number) {
            if message.saysNobody, kept.wait(tag, monotonic: now, time: clock.now()) { return }
            numbers.end(number)
            kept.end(tag)
            guard message.saysNobody else { return give(headers.answer(tag: tag), message.body, take) }
            let (header, body) = refusal(tag)
            give(header, body, take)
        }
    }

    /// Gives what had waited for another ask to be answered.
    private func serve(_ worker: NATSWorker, _ take: (LinkFrames) -> Void) -> Bool {
        var hasTaken = false
        while let (token, ask) = worker.next() {
            hasTaken = true
            ask.body.withUnsafeBytes { give(headers.workerAsk(token), $0, take) }
        }
        if worker.hasLeft() {
            hasTaken = true
            give(PeerFrames.goodbye, nil, take)
        }
        return hasTaken
    }

    private func give(_ header: [UInt8], _ body: [UInt8]?, _ take: (LinkFrames) -> Void) {
        header.withUnsafeBytes { header in
            guard let body else { return give(header, nil as UnsafeRawBufferPointer?, take) }
            body.withUnsafeBytes { give(header, $0, take) }
        }
    }

    private func give(
        _ header: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer?, _ take: (LinkFrames) -> Void
    ) {
        views[0] = header
        if let body { views[1] = body }
        take(LinkFrames(start: views, count: body == nil ? 1 : 2))
    }

    func close(lingerMilliseconds: Int32) {
        worker = nil
        connection.close(lingerMilliseconds: lingerMilliseconds)
    }
}

/// The subjects of asks and of their answers, written where those before were.
private final class NATSSubjectBuffer {
    private static let nameMax = 255

    private let askBytes: UnsafeMutableRawBufferPointer
    private let answerBytes: UnsafeMutableRawBufferPointer
    private let askStart: Int
    private let numberStart: Int

    init(inbox: String) {
        askStart = NATSSubjects.asks.utf8.count
        numberStart = inbox.utf8.count
        askBytes = .allocate(byteCount: askStart + Self.nameMax, alignment: 1)
        answerBytes = .allocate(byteCount: numberStart + NATSSubjects.digitsMax, alignment: 1)
        askBytes.copyBytes(from: NATSSubjects.asks.utf8)
        answerBytes.copyBytes(from: inbox.utf8)
    }

    deinit {
        askBytes.deallocate()
        answerBytes.deallocate()
    }

    func ask(_ service: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let count = min(service.count, Self.nameMax)
        UnsafeMutableRawBufferPointer(rebasing: askBytes[askStart...]).copyBytes(from: service.prefix(count))
        return UnsafeRawBufferPointer(rebasing: askBytes[..<(askStart + count)])
    }

    func answer(_ number: UInt64) -> UnsafeRawBufferPointer {
        let digits = UnsafeMutableRawBufferPointer(rebasing: answerBytes[numberStart...])
        let count = NATSSubjects.write(number, to: digits)
        return UnsafeRawBufferPointer(rebasing: answerBytes[..<(numberStart + count)])
    }
}
