import Bus
import Contracts
import Glibc
import Primitives
import Synchronization
import ZMTP

/// The transport: one thread that owns all sockets and timers of a process and runs its handlers' tasks.
///
/// A turn of the loop runs the tasks that are ready, sends what they left, takes what has come in and hands it on as
/// one batch; only when all of that is empty does it sleep. Work in flight is thus batched by itself. Asks go through
/// an ``AsksPort``, facts through a ``FactsPort``: to the broker (ADR 28) or to NATS (ADR 47).
///
/// `@unchecked`: `inbox`, `inFlight` and the atomics are for any thread; everything else is the reactor thread's own.
package final class Reactor: Transport, TaskExecutor, @unchecked Sendable {
    package struct Settings: Sendable {
        package var bus: BusAddress
        /// Messages that may wait for a broker that is away. Further asks are refused at once (`bus.queue_full`).
        package var backlogMax = 65_536
        /// Bytes of all messages that wait.
        package var backlogBytesMax = 64 << 20
        /// How often the broker gets a heartbeat, and is asked whether it is still the same.
        package var heartbeat = ConnectPauses.heartbeat

        package init(bus: BusAddress) { self.bus = bus }

        /// - Parameter runDirectory: the directory of the broker's sockets.
        package init(runDirectory: String) { self.init(bus: .directory(runDirectory)) }
    }

    /// What other threads leave for the reactor.
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var messages: [Outgoing] = []
        var facts: [PublishedFact] = []
        var commands: [@Sendable (Reactor) -> Void] = []
        var isSleeping = false
        var isEmpty: Bool { jobs.isEmpty && messages.isEmpty && facts.isEmpty && commands.isEmpty }
    }

    private struct Outgoing: Sendable {
        let header: [UInt8]
        var body: [UInt8]?
        /// The tag of an ask; nil for another message.
        var tag: UInt64?

        var bytes: Int { header.count + (body?.count ?? 0) }
    }

    private let settings: Settings
    private let inbox = Mutex(Inbox())
    private let inFlight: AsksInFlight
    private let wakeup: Wakeup
    private let stopping = Atomic(false)
    /// The reactor thread's pthread_t; 0 before it runs.
    private let thread = Atomic<UInt>(0)
    private let ended = ThreadEnd()

    // The reactor thread's own.
    private let asks: any AsksPort
    private let facts: any FactsPort
    private var jobs: [UnownedJob] = []
    private var backlog: [Outgoing] = []
    private var backlogBytes = 0
    private var wasOpen = false
    /// Whether the broker has said on this connection which one it is. Nothing but heartbeats is sent before: what was
    /// asked before another connection was lost is refused then, and must not be done on this one.
    private var isMet = false
    private var nextHeartbeat: UInt64 = 0
    private var nextExpiry: UInt64 = 0
    /// When facts are looked for next; 0 when some may be there.
    private var nextFacts: UInt64 = 0
    private var serving: Serving?
    /// Empty; its memory is for the asks of the next turn.
    private var spare: [TransportAsk] = []

    private struct Serving {
        let service: String
        let credit: Int
        let receive: @Sendable ([TransportAsk]) -> Void
        var unanswered = 0
        var draining = false
        /// Monotonic nanoseconds at which draining ends, whatever is left.
        var drainEnd = UInt64.max
        var drained: [CheckedContinuation<Void, Never>] = []
    }

    package init(_ settings: Settings, clock: WallClock = .system) throws {
        self.settings = settings
        inFlight = AsksInFlight(clock: clock)
        wakeup = try Wakeup()
        asks = try settings.bus.openAsks(lingerMilliseconds: Self.lingerMilliseconds, clock: clock)
        facts = try settings.bus.openFacts(lingerMilliseconds: Self.lingerMilliseconds)
    }

    /// Starts the thread. The reactor lives until `stop`.
    package func start() {
        OSThread { [self] in run() }.detach()
    }

    /// Ends the loop and returns when the thread is gone. Asks in flight are refused.
    package func stop() async {
        stopping.store(true, ordering: .releasing)
        wakeup.ring()
        await ended.wait()
    }

    // MARK: TaskExecutor

    package var executor: any TaskExecutor { self }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isOnThread {
            jobs.append(job)
        } else {
            leave { $0.jobs.append(job) }
        }
    }

    private var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Puts something into the inbox and wakes the reactor if it sleeps.
    private func leave(_ put: (inout sending Inbox) -> Void) {
        let wake = inbox.withLock { inbox in
            put(&inbox)
            defer { inbox.isSleeping = false }
            return inbox.isSleeping
        }
        if wake { wakeup.ring() }
    }

    // MARK: Transport

    package nonisolated(nonsending) func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8]
    ) async -> TransportAnswer {
        await inFlight.ask(service: service, retry: retry, deadline: deadline, body: body) { header, tag in
            send(Outgoing(header: header, body: body, tag: tag), tag)
        }
    }

    package func ask(
        service: String, retry: RetryClass, deadline: Timestamp, body: [UInt8],
        then: @escaping @Sendable (TransportAnswer) -> Void
    ) {
        inFlight.ask(
            service: service, retry: retry, deadline: deadline, body: body,
            send: { header, tag in send(Outgoing(header: header, body: body, tag: tag), tag) }, then: then)
    }

    private func send(_ ask: Outgoing, _ tag: UInt64) {
        if stopping.load(ordering: .acquiring) {
            // Registered after the last ones were refused, or before: whichever finds it ends it.
            inFlight.cancel(tag)
        } else if isOnThread {
            send(ask)
        } else {
            leave { $0.messages.append(ask) }
        }
    }

    package func serve(
        _ service: String, credit: Int, receive: @escaping @Sendable ([TransportAsk]) -> Void
    ) {
        leave {
            $0.commands.append { reactor in
                let unanswered = reactor.serving?.unanswered ?? 0
                reactor.serving = Serving(service: service, credit: credit, receive: receive, unanswered: unanswered)
                reactor.sendReady()
            }
        }
    }

    package func reply(to token: ReplyToken, body: [UInt8]) {
        let message = Outgoing(header: PeerFrames.reply(to: token), body: body)
        if isOnThread {
            sendReply(message)
        } else {
            leave { $0.commands.append { $0.sendReply(message) } }
        }
    }

    package func drain(atMost patience: Duration) async {
        await withCheckedContinuation { continuation in
            leave {
                $0.commands.append { reactor in
                    guard reactor.serving != nil else { return continuation.resume() }
                    reactor.serving?.drained.append(continuation)
                    reactor.serving?.drainEnd =
                        monotonicNanoseconds() + UInt64(patience.wholeMilliseconds) * 1_000_000
                    reactor.send(Outgoing(header: PeerFrames.goodbye))
                }
            }
        }
    }

    package func publish(_ facts: [PublishedFact]) {
        if isOnThread {
            for fact in facts { self.facts.publish(fact) }
        } else {
            leave { $0.facts.append(contentsOf: facts) }
        }
    }

    package func subscribe(to prefix: String, receive: @escaping @Sendable ([[UInt8]]) -> Void) {
        leave { $0.commands.append { $0.facts.subscribe(to: prefix, receive: receive) } }
    }

    // MARK: The loop

    /// How long what was sent last may outlive the loop.
    private static let lingerMilliseconds: Int32 = 500
    /// Milliseconds between two tries to send what could not be sent.
    private static let backlogPause: Int64 = 10
    /// Nanoseconds between two looks for facts while the loop never sleeps.
    private static let factsPause: UInt64 = 5_000_000

    private func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        let poller = Poller([asks.descriptor, facts.descriptor, wakeup.readEnd])
        while !stopping.load(ordering: .acquiring) {
            let worked = takeInbox()
            let ran = runJobs()
            let now = monotonicNanoseconds()
            tick(now)
            asks.turn(now)
            facts.turn(now)
            // In this order: a receive that finds nothing takes the news of a connection, a send may not. An answer
            // that has come in is taken before its ask's time is up.
            let received = receive(now)
            expire(now)
            if received || flushBacklog() || worked || ran { continue }
            let asleep = inbox.withLock { inbox in
                guard inbox.isEmpty, jobs.isEmpty else { return false }
                inbox.isSleeping = true
                return true
            }
            guard asleep else { continue }
            let isTiming = inFlight.count > 0 || serving?.drained.isEmpty == false
            let until = min(nextHeartbeat, asks.nextTurn, facts.nextTurn, isTiming ? nextExpiry : .max)
            // Rounded up: waking a millisecond early would mean another turn for nothing. What waits to be sent is
            // tried again soon, whatever the sockets tell.
            let milliseconds = until > now ? Int64((until - now + 999_999) / 1_000_000) : 0
            poller.watch(0, asks.descriptor, events: asks.events)
            poller.watch(1, facts.descriptor, events: facts.events)
            poller.wait(milliseconds: backlog.isEmpty ? milliseconds : min(milliseconds, Self.backlogPause))
            inbox.withLock { $0.isSleeping = false }
            if poller.isReady(1) { nextFacts = 0 }
            if poller.isReady(2) { wakeup.silence() }
        }
        end()
    }

    private func end() {
        if serving != nil { stopServing() }
        inFlight.cancelAll()
        // Tasks that were waiting for answers get to see that there are none.
        while takeInbox() || runJobs() {}
        asks.close(lingerMilliseconds: Self.lingerMilliseconds)
        facts.close(lingerMilliseconds: Self.lingerMilliseconds)
        thread.store(0, ordering: .relaxed)
        ended.signal()
    }

    private func takeInbox() -> Bool {
        let taken = inbox.withLock { inbox -> Inbox? in
            guard !inbox.isEmpty else { return nil }
            defer { inbox = Inbox() }
            return inbox
        }
        guard let taken else { return false }
        jobs.append(contentsOf: taken.jobs)
        for command in taken.commands { command(self) }
        for message in taken.messages { send(message) }
        for fact in taken.facts { facts.publish(fact) }
        return true
    }

    private func runJobs() -> Bool {
        guard !jobs.isEmpty else { return false }
        // Jobs add jobs; those run too, in the order in which they came, before the loop turns.
        var next = 0
        while next < jobs.count {
            let job = jobs[next]
            next += 1
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        jobs.removeAll(keepingCapacity: true)
        return true
    }

    /// Whether the bus is there. To be called on ``executor``.
    package var isConnected: Bool { asks.isOpen }

    /// Why the bus is not there, where that is known. To be called on ``executor``.
    package var trouble: String? { asks.trouble }

    /// Notices whether the connection is open, and sends heartbeats.
    private func tick(_ now: UInt64) {
        if asks.isOpen != wasOpen {
            wasOpen.toggle()
            if wasOpen {
                // Told at once who is there, and asked whether it is still the same.
                nextHeartbeat = 0
            } else {
                isMet = false
                inFlight.connectionLost()
            }
        }
        if now >= nextHeartbeat {
            nextHeartbeat = now + UInt64(settings.heartbeat.wholeMilliseconds) * 1_000_000
            // A heartbeat that finds no room is sent again soon, and worth nothing later.
            if serving != nil { _ = sendNow(Outgoing(header: PeerFrames.heartbeat)) }
            _ = sendNow(Outgoing(header: PeerFrames.ping))
        }
    }

    private func expire(_ now: UInt64) {
        guard now >= nextExpiry else { return }
        nextExpiry = now + 20_000_000
        inFlight.expire(at: now)
        if let serving, now >= serving.drainEnd { stopServing() }
    }

    // MARK: Sending

    private func send(_ message: Outgoing) {
        guard backlog.isEmpty, isMet, sendNow(message) else { return keep(message) }
    }

    private func keep(_ message: Outgoing) {
        guard backlog.count < settings.backlogMax, backlogBytes + message.bytes <= settings.backlogBytesMax else {
            if let tag = message.tag { inFlight.refuse(tag, .queueFull) }
            return
        }
        backlog.append(message)
        backlogBytes += message.bytes
    }

    private func sendNow(_ message: Outgoing) -> Bool { asks.send(message.header, body: message.body) }

    /// Whether something that had waited has been sent.
    private func flushBacklog() -> Bool {
        guard !backlog.isEmpty, isMet else { return false }
        var sent = 0
        // An ask that has its outcome, as its time is up, is not sent any more.
        while sent < backlog.count, backlog[sent].tag.map(inFlight.waits) == false || sendNow(backlog[sent]) {
            backlogBytes -= backlog[sent].bytes
            sent += 1
        }
        backlog.removeFirst(sent)
        finishDraining()
        return sent > 0
    }

    private func sendReply(_ message: Outgoing) {
        serving?.unanswered -= 1
        send(message)
        finishDraining()
    }

    private func sendReady() {
        guard let serving, !serving.draining else { return }
        send(Outgoing(header: PeerFrames.ready(service: serving.service, credit: serving.credit)))
    }

    private func finishDraining() {
        guard let serving, serving.draining, serving.unanswered <= 0, backlog.isEmpty else { return }
        stopServing()
    }

    private func stopServing() {
        send(Outgoing(header: PeerFrames.disconnect))
        let waiters = serving?.drained ?? []
        serving = nil
        for waiter in waiters { waiter.resume() }
    }

    // MARK: Receiving

    /// Takes what has come in. What it returns false after may be slept on: nothing was sent since it found nothing.
    private func receive(_ now: UInt64) -> Bool {
        var asked = spare
        spare = []
        let hasTaken = asks.receive { frames in
            guard let message = inFlight.take(frames) else { return }
            handle(message, frames.body, &asked)
        }
        if !asked.isEmpty {
            serving?.receive(asked)
            asked.removeAll(keepingCapacity: true)
        }
        spare = asked
        guard now >= nextFacts else { return hasTaken }
        let received = facts.receive()
        nextFacts = received ? 0 : now + Self.factsPause
        return received || hasTaken
    }

    private func handle(
        _ message: PeerFrames.Incoming, _ body: UnsafeRawBufferPointer?, _ asked: inout [TransportAsk]
    ) {
        switch message {
        case .ask(let token, let deadline):
            // Anything but one body frame is no envelope, like an empty one.
            let envelope = body.map { $0.count <= Envelope.bytesMax ? [UInt8]($0) : nil } ?? []
            asked.append(TransportAsk(token: token, deadline: deadline, body: envelope))
            // Now, not when they are handed on: GOODBYE may come behind it in this turn.
            serving?.unanswered += 1
        case .disconnect:
            // The broker does not know this worker: it has just started, or had lost it.
            sendReady()
        case .goodbye:
            serving?.draining = true
            finishDraining()
        case .pong: isMet = true
        case .answer, .heartbeat: break
        }
    }
}
