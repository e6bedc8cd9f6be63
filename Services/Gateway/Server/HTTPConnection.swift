import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// One connection: the last handler of its pipeline, and the loop that answers its requests one after the other.
///
/// A request is handed over once its end is there, with its body in one piece. Only where a read ends within a body is
/// it handed over before, with a body that is read as it comes (`LateBody`): a refusal that does not need the body then
/// goes out without it. An answer leaves in one write (`ResponseHead`), unless its body is a stream (`StreamedBody`).
///
/// All of it runs on the connection's event loop, the loop of requests too (`EventLoopTaskExecutor`).
final class HTTPConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = IOData

    /// How long the rest of what a client sends is read and dropped after the last answer: closed at once, the kernel
    /// would reset the connection and might take the answer with it (RFC 9112 section 9.6).
    private static let lingering = TimeAmount.seconds(2)

    /// What is known of the request whose end has not come.
    private enum Reading {
        case nothing
        case head(HTTPRequestHead, ByteBuffer)
        /// Handed over; what comes is its body's.
        case late(LateBody)
        /// Answered, or not to be.
        case unwanted
    }

    private enum Incoming {
        case request(HTTPRequestHead, IncomingBody)
        /// The client sent what cannot be read, and nothing behind it is read. With its head, if that is known.
        case broken(LastAnswer, HTTPRequestHead?)
    }

    fileprivate enum IncomingBody {
        case whole(ByteBuffer)
        case late(LateBody)
    }

    /// How long a client may take, each time from its first byte on: bytes that come meanwhile give no more.
    struct Patience {
        /// For a head; of a new connection also for its first byte.
        let head: TimeAmount
        /// For all of a request, from its beginning.
        let request: TimeAmount
        /// Between two requests, and for taking an answer.
        let idle: TimeAmount
    }

    /// Bytes of unanswered requests that each connection may have without asking for them: more than a usual head has.
    private static let freeBytes = 4096

    private let patience: Patience
    private let connections: Connections
    private let peer: IPAddress?
    /// Nil until the table of connections knows this one, and where that has no place for it.
    private var use: ConnectionUse?
    private let executor: EventLoopTaskExecutor
    private let respond: EdgeServer.Responder
    private var context: ChannelHandlerContext?
    private var reading = Reading.nothing
    /// Read, and waiting for the answer to what came before.
    private var ready = CircularBuffer<Incoming>(initialCapacity: 1)
    /// Whether a loop of requests, or an event stream as its answer, has the connection, or had it to its end.
    private var isServed = false
    /// The loop of requests, while it has none.
    private var idler: CheckedContinuation<Void, Never>?
    /// The same, while the client takes its answer too slowly.
    private var presser: CheckedContinuation<Void, Never>?
    /// The task that writes a streamed body.
    private var streaming: Task<Void, any Error>?
    /// An event stream that is the present answer. No task serves the connection meanwhile.
    private var events: EventTurns?
    private var isAnswering = false
    /// The channel wants to read, and may not yet.
    private var isReadHeld = false
    /// No more requests come: the client has ended its side, or what it sent is broken, or it was told so.
    private var isInputOver = false
    private var isQuiescing = false
    private var lastActive = NIODeadline.now()
    /// When the request that has not come whole began to come.
    private var began: NIODeadline?
    private var hasHadRequest = false
    /// Bytes that came since the last answer, and of them those that were asked for.
    private var held = 0
    private var heldOfAll = 0
    private var alarm: (due: NIODeadline, task: Scheduled<Void>)?

    /// - Parameters:
    ///   - peer: the address at the other end.
    ///   - executor: that of the channel's event loop.
    init(
        _ patience: Patience, of connections: Connections, from peer: IPAddress?, executor: EventLoopTaskExecutor,
        respond: @escaping EdgeServer.Responder
    ) {
        self.patience = patience
        self.connections = connections
        self.peer = peer
        self.executor = executor
        self.respond = respond
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        lastActive = .now()
        let loop = context.eventLoop
        let own = NIOLoopBound(self, eventLoop: loop)
        let use = ConnectionUse(since: lastActive.uptimeNanoseconds) { loop.execute { own.value.leave() } }
        if connections.admit(use, from: peer, at: lastActive) { self.use = use }
        setAlarm(at: lastActive + patience.head)
    }

    /// Others need the place.
    private func leave() {
        guard let use else { return }
        if use.now.phase == .busy { connections.stays(use) } else { context?.close(promise: nil) }
    }

    /// - Returns: whether the bytes are wanted.
    func arrived(bytes: Int) -> Bool {
        lastActive = .now()
        guard !isInputOver else { return true }
        if began == nil {
            began = lastActive
            if hasHadRequest, !isBusy { use?.set(.waiting, at: lastActive.uptimeNanoseconds) }
        }
        // What is dropped is not kept.
        if case .unwanted = reading { return true }
        held += bytes
        let needed = held - Self.freeBytes - heldOfAll
        guard needed > 0 else { return true }
        guard connections.hold(needed) else {
            abandon(.noRoom)
            return false
        }
        heldOfAll += needed
        return true
    }

    private func releaseHeld() {
        held = 0
        guard heldOfAll > 0 else { return }
        connections.release(heldOfAll)
        heldOfAll = 0
    }

    private var isBusy: Bool { isAnswering || !ready.isEmpty }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), reading) {
        case (.head(let head), _):
            if isInputOver {
                reading = .unwanted
            } else if head.isSound {
                reading = .head(head, ByteBuffer())
            } else {
                isInputOver = true
                reading = .unwanted
                take(.broken(.unreadable, head))
            }
        case (.body(var part), .head(let head, var body)):
            // Most bodies come in one part, which needs no copy.
            if body.readableBytes == 0 { swap(&body, &part) } else { body.writeBuffer(&part) }
            reading = .head(head, body)
        case (.body(let part), .late(let body)): body.append(part)
        case (.end, .head(let head, let body)):
            hasCome()
            take(.request(head, .whole(body)))
        case (.end, .late(let body)):
            hasCome()
            // Its request is being answered, unless it waits behind another.
            if ready.isEmpty, presser == nil { use?.set(.busy, at: lastActive.uptimeNanoseconds) }
            body.finish()
        case (.end, _):
            hasCome()
            if !isBusy { use?.set(.idle, at: lastActive.uptimeNanoseconds) }
        case (.body, _): break
        }
    }

    /// A request has come whole. Behind an answer that its client does not take, it makes the connection no more
    /// useful.
    private func hasCome() {
        reading = .nothing
        began = nil
        hasHadRequest = true
        if !isAnswering { use?.set(.busy, at: lastActive.uptimeNanoseconds) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        defer { if let due, began != nil { setAlarm(at: due) } }
        guard case .head(let head, let part) = reading else { return }
        let body = LateBody(part, isHeldBack: head.isHeldBack, connection: self, on: context.eventLoop)
        reading = .late(body)
        take(.request(head, .late(body)))
    }

    /// While one request is answered, another may be read ahead: so the end of a connection is noticed then too.
    func read(context: ChannelHandlerContext) {
        if mayRead { context.read() } else { isReadHeld = true }
    }

    private var mayRead: Bool {
        if case .late(let body) = reading, body.isFull { return false }
        return ready.count < 2
    }

    func readOn() {
        guard isReadHeld, mayRead else { return }
        isReadHeld = false
        context?.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable else { return }
        lastActive = .now()
        presser?.resume()
        presser = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            isInputOver = true
            if case .late(let body) = reading { body.fail(HTTPParserError.invalidEOFState) }
            // A client that listens to a stream and says that it sends nothing more has gone.
            if streaming != nil || events != nil {
                streaming?.cancel()
                context.close(promise: nil)
            }
            wake()
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            // The server drops what it accepted while it was closing.
            if isServed { wake() } else { serveSoon(context.eventLoop) }
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The decoder complains of what is left of an input that is over, too; the last answer is still to go out.
        guard !isInputOver else { return }
        guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
        isInputOver = true
        switch reading {
        // The request that it is a part of has been handed over, and is refused when it finds out.
        case .late(let body): body.fail(error)
        case .head(let head, _): take(.broken(.unreadable, head))
        case .nothing, .unwanted:
            take(.broken(error == .headerOverflow ? .headTooLarge : .unreadable, nil))
        }
        reading = .unwanted
    }

    private func take(_ incoming: Incoming) {
        ready.append(incoming)
        wake()
    }

    private func wake() {
        idler?.resume()
        idler = nil
    }

    /// The connection is gone.
    private func end() {
        guard context != nil else { return }
        context = nil
        alarm?.task.cancel()
        if let use { connections.closed(use) }
        use = nil
        releaseHeld()
        ready.removeAll()
        if case .late(let body) = reading { body.fail(ChannelError.eof) }
        reading = .unwanted
        streaming?.cancel()
        events?.cancel()
        events = nil
        wake()
        presser?.resume()
        presser = nil
    }

    // MARK: Patience

    /// Nil while it is not the client that is waited for.
    private var due: NIODeadline? {
        // A client that does not take its answer has that long, whatever else it sends meanwhile.
        if isAnswering, let (phase, since) = use?.now, phase == .waiting {
            return .uptimeNanoseconds(since) + patience.idle
        }
        if let began {
            switch reading {
            case .nothing: return isAnswering ? nil : began + patience.head
            case .head, .late, .unwanted: return began + patience.request
            }
        }
        if isAnswering { return nil }
        return lastActive + (hasHadRequest ? patience.idle : patience.head)
    }

    /// Looks at the clock then, or before: one that is set is left alone where it is early enough, as it looks again.
    private func setAlarm(at due: NIODeadline) {
        if let alarm {
            guard due < alarm.due else { return }
            alarm.task.cancel()
        }
        guard let loop = context?.eventLoop else { return }
        alarm = (due, loop.assumeIsolated().scheduleTask(deadline: due) { [weak self] in self?.checkTime() })
    }

    private func checkTime() {
        alarm = nil
        let now = NIODeadline.now()
        let due = due ?? now + patience.idle
        guard due <= now else { return setAlarm(at: due) }
        if presser == nil, began != nil { abandon(.late) } else { context?.close(promise: nil) }
        setAlarm(at: now + patience.idle)
    }

    /// Reads no more, answers what has come whole, and closes the connection.
    private func abandon(_ answer: LastAnswer) {
        isInputOver = true
        defer { reading = .unwanted }
        if case .late(let body) = reading {
            // Its handler hears of it, and the client of that.
            body.fail(answer)
        } else if isBusy {
            wake()
        } else {
            switch reading {
            case .unwanted: break
            case .head(let head, _): send(answer.bytes(to: head))
            case .nothing, .late: send(answer.bytes(to: nil))
            }
            context?.close(promise: nil)
        }
    }

    // MARK: Requests

    /// What comes after an answer.
    private enum Sequel {
        /// Another request, if one comes.
        case request
        case close
        /// The answer is an event stream, at whose end the connection is served again.
        case events
    }

    /// Answers one request after the other until no more come, and closes the connection then. One loop serves a
    /// connection at a time: another call returns at once.
    ///
    /// - Returns: false where an event stream has begun, at whose end the connection is served again.
    @discardableResult
    nonisolated(nonsending) func serve() async -> Bool {
        guard !isServed, let channel = context?.channel else { return true }
        isServed = true
        guard use != nil else {
            send(LastAnswer.noRoom.bytes(to: nil))
            channel.close(promise: nil)
            return true
        }
        var sequel = Sequel.request
        while case .request = sequel, let incoming = await next() {
            switch incoming {
            case .request(let head, let body): sequel = await answer(head, body, channel)
            case .broken(let answer, let head):
                send(answer.bytes(to: head))
                sequel = .close
            }
        }
        if case .events = sequel { return false }
        await close(channel)
        return true
    }

    /// An event stream has ended.
    private func eventsEnded(keepingAlive: Bool) {
        guard let context, events != nil else { return }
        events = nil
        isAnswered()
        if keepingAlive {
            isServed = false
            return serveSoon(context.eventLoop)
        }
        let own = NIOLoopBound(self, eventLoop: context.eventLoop)
        let channel = context.channel
        Task(executorPreference: executor) { await own.value.close(channel) }
    }

    private func serveSoon(_ loop: any EventLoop) {
        let own = NIOLoopBound(self, eventLoop: loop)
        Task(executorPreference: executor) { await own.value.serve() }
    }

    private nonisolated(nonsending) func next() async -> Incoming? {
        while ready.isEmpty, !isInputOver, !isQuiescing, context != nil {
            await withCheckedContinuation { idler = $0 }
        }
        guard let next = ready.popFirst() else { return nil }
        readOn()
        return next
    }

    private nonisolated(nonsending) func answer(
        _ head: HTTPRequestHead, _ body: IncomingBody, _ channel: any Channel
    ) async -> Sequel {
        isAnswering = true
        defer { if events == nil { isAnswered() } }
        do {
            let answer = try await respond(try IncomingRequest(head, body)) {
                peer.map { connections.proxies.client(of: $0, head.headers) }
            }
            var mayStay = true
            if case .late(let late) = body, case .late(let current) = reading, late === current {
                // Answered without all of its body: what still comes is read and dropped. Where it may never come, as
                // the client was not told to send it, nobody knows what comes next.
                mayStay = !late.isHeldBack
                reading = .unwanted
                readOn()
            }
            let isLast = !mayStay || (ready.isEmpty && (isInputOver || isQuiescing))
            let written = ResponseHead(answer.response, to: head, closing: isLast)
            if let feed = answer.events {
                guard context != nil else { return .close }
                begin(feed, behind: written, channel)
                return .events
            }
            try await write(answer.response, written, channel)
            return written.keepsAlive ? .request : .close
        } catch is HTTPParserError {
            send(LastAnswer.unreadable.bytes(to: head))
        } catch let last as LastAnswer {
            send(last.bytes(to: head))
        } catch {
            // The connection broke, or a stream failed: its end is what tells the client.
        }
        return .close
    }

    private func isAnswered() {
        isAnswering = false
        lastActive = .now()
        releaseHeld()
        if ready.isEmpty {
            use?.set(began == nil ? .idle : .waiting, at: (began ?? lastActive).uptimeNanoseconds)
        } else {
            use?.set(.busy, at: lastActive.uptimeNanoseconds)
        }
        if began != nil, let due { setAlarm(at: due) }
    }

    private func begin(_ feed: any EventFeed, behind head: ResponseHead, _ channel: any Channel) {
        send(head.bytes)
        let (own, keepsAlive) = (NIOLoopBound(self, eventLoop: channel.eventLoop), head.keepsAlive)
        let turns = EventTurns(
            of: feed, to: StreamedBody(channel, head.framing, use), on: executor
        ) { isWhole in
            own.value.eventsEnded(keepingAlive: isWhole && keepsAlive)
        }
        events = turns
        turns.begin()
        // A client that listens to a stream and says that it sends nothing more has gone.
        if isInputOver { channel.close(promise: nil) }
    }

    private nonisolated(nonsending) func write(
        _ response: Response, _ head: ResponseHead, _ channel: any Channel
    ) async throws {
        guard let context else { return }
        if head.isStreamed {
            let task = Task(executorPreference: executor) { [use] in
                try await StreamedBody.write(response, head, to: channel, use)
            }
            streaming = task
            defer { streaming = nil }
            if isInputOver { task.cancel() }
            return try await task.value
        }
        let bytes = try await head.bytes(with: response.body)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        guard !channel.isWritable else { return }
        lastActive = .now()
        use?.set(.waiting, at: lastActive.uptimeNanoseconds)
        await withCheckedContinuation { presser = $0 }
    }

    /// Tells the client to send a body that it keeps back until then (RFC 9110 section 10.1.1).
    func sendContinue() {
        context?.writeAndFlush(
            wrapOutboundOut(.byteBuffer(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"))), promise: nil)
    }

    private func send(_ answer: ByteBuffer) {
        context?.writeAndFlush(wrapOutboundOut(.byteBuffer(answer)), promise: nil)
    }

    private nonisolated(nonsending) func close(_ channel: any Channel) async {
        isInputOver = true
        ready.removeAll()
        readOn()
        if context != nil {
            // Answers that wait for the client go out first. A connection that is gone already has nothing to close.
            try? await channel.close(mode: .output).get()
            if isQuiescing { channel.close(promise: nil) }
            scheduleClose(channel)
        }
    }

    private func scheduleClose(_ channel: any Channel) {
        alarm?.task.cancel()
        let due = NIODeadline.now() + Self.lingering
        alarm = (due, channel.eventLoop.scheduleTask(deadline: due) { channel.close(promise: nil) })
    }
}

extension IncomingRequest {
    fileprivate init(_ head: HTTPRequestHead, _ body: HTTPConnection.IncomingBody) throws {
        let body: Body =
            switch body {
            case .whole(let bytes): .whole(bytes)
            case .late(let body): .late(body.parts)
            }
        self.init(
            method: try HTTPRequest.Method(head.method), target: head.uri, headers: head.headers, body: body)
    }
}
