import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// One connection: the last handler of its pipeline, and the loop that answers its requests one after the other.
///
/// A request is handed over once its end is there, with its body in one piece. Only where a read ends within a body is it
/// handed over before, with a body that is read as it comes (`LateBody`): a refusal that does not need the body then goes
/// out without it. An answer leaves in one write (`ResponseHead`), unless its body is a stream (`StreamedBody`).
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
        /// What came is not HTTP, and nothing behind it can be read.
        case broken
    }

    fileprivate enum IncomingBody {
        case whole(ByteBuffer)
        case late(LateBody)
    }

    private let idleTimeout: TimeAmount
    private let executor: EventLoopTaskExecutor
    private var context: ChannelHandlerContext?
    private var reading = Reading.nothing
    /// Read, and waiting for the answer to what came before.
    private var ready = CircularBuffer<Incoming>(initialCapacity: 1)
    /// The loop of requests, while it has none.
    private var idler: CheckedContinuation<Void, Never>?
    /// The same, while the client takes its answer too slowly.
    private var presser: CheckedContinuation<Void, Never>?
    /// The task that writes a streamed body.
    private var streaming: Task<Void, any Error>?
    private var isAnswering = false
    /// The channel wants to read, and may not yet.
    private var isReadHeld = false
    /// No more requests come: the client has ended its side, or what it sent is broken, or it was told so.
    private var isInputOver = false
    private var isQuiescing = false
    private var lastActive = NIODeadline.now()
    private var idleAlarm: Scheduled<Void>?

    /// - Parameter executor: that of the channel's event loop.
    init(idleTimeout: TimeAmount, executor: EventLoopTaskExecutor) {
        self.idleTimeout = idleTimeout
        self.executor = executor
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        lastActive = .now()
        scheduleIdleAlarm(after: idleTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastActive = .now()
        switch (unwrapInboundIn(data), reading) {
        case (.head(let head), _): reading = isInputOver ? .unwanted : .head(head, ByteBuffer())
        case (.body(var part), .head(let head, var body)):
            // Most bodies come in one part, which needs no copy.
            if body.readableBytes == 0 { swap(&body, &part) } else { body.writeBuffer(&part) }
            reading = .head(head, body)
        case (.body(let part), .late(let body)): body.append(part)
        case (.end, .head(let head, let body)):
            reading = .nothing
            take(.request(head, .whole(body)))
        case (.end, .late(let body)):
            reading = .nothing
            body.finish()
        case (.end, _): reading = .nothing
        case (.body, _): break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
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
            // Whoever listens to a stream and says that nothing more comes has gone.
            if let streaming {
                streaming.cancel()
                context.close(promise: nil)
            }
            wake()
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            wake()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return context.close(promise: nil) }
        guard !isInputOver else { return }
        isInputOver = true
        switch reading {
        // The request that it is a part of has been handed over, and is refused when it finds out.
        case .late(let body): body.fail(error)
        case .nothing, .head, .unwanted: take(.broken)
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
        idleAlarm?.cancel()
        ready.removeAll()
        if case .late(let body) = reading { body.fail(ChannelError.eof) }
        reading = .unwanted
        streaming?.cancel()
        wake()
        presser?.resume()
        presser = nil
    }

    // MARK: Silence

    private func scheduleIdleAlarm(after delay: TimeAmount) {
        idleAlarm = context?.eventLoop.assumeIsolated().scheduleTask(in: delay) { [weak self] in
            self?.checkIdle()
        }
    }

    private func checkIdle() {
        let isWaitingForClient = !isAnswering || presser != nil || isReadingBody
        let silence = NIODeadline.now() - lastActive
        if isWaitingForClient, silence >= idleTimeout {
            context?.close(promise: nil)
        } else {
            scheduleIdleAlarm(after: isWaitingForClient ? idleTimeout - silence : idleTimeout)
        }
    }

    private var isReadingBody: Bool {
        switch reading {
        case .nothing: false
        case .head, .late, .unwanted: true
        }
    }

    // MARK: Requests

    /// Answers one request after the other until no more come, and returns when the connection is closed.
    nonisolated(nonsending) func serve(_ respond: EdgeServer.Responder) async {
        guard let channel = context?.channel else { return }
        var staysOpen = true
        while staysOpen, let incoming = await next() {
            guard case .request(let head, let body) = incoming else {
                refuse()
                break
            }
            staysOpen = await answer(head, body, respond, channel)
        }
        await close(channel)
    }

    private nonisolated(nonsending) func next() async -> Incoming? {
        while ready.isEmpty, !isInputOver, !isQuiescing, context != nil {
            await withCheckedContinuation { idler = $0 }
        }
        guard let next = ready.popFirst() else { return nil }
        readOn()
        return next
    }

    /// - Returns: whether the connection can take another request.
    private nonisolated(nonsending) func answer(
        _ head: HTTPRequestHead, _ body: IncomingBody, _ respond: EdgeServer.Responder, _ channel: any Channel
    ) async -> Bool {
        isAnswering = true
        defer {
            isAnswering = false
            lastActive = .now()
        }
        do {
            let response = try await respond(try IncomingRequest(head, body)) { channel.remoteAddress?.ipAddress }
            var mayStay = true
            if case .late(let late) = body, case .late(let current) = reading, late === current {
                // Answered without all of its body: what still comes is read and dropped. Where it may never come, as the
                // client was not told to send it, nobody knows what comes next.
                mayStay = !late.isHeldBack
                reading = .unwanted
                readOn()
            }
            let isLast = !mayStay || (ready.isEmpty && (isInputOver || isQuiescing))
            let written = ResponseHead(response, to: head, closing: isLast)
            try await write(response, written, channel)
            return written.keepsAlive
        } catch is HTTPParserError {
            refuse()
        } catch {
            // The connection broke, or a stream failed: its end is what tells the client.
        }
        return false
    }

    private nonisolated(nonsending) func write(
        _ response: Response, _ head: ResponseHead, _ channel: any Channel
    ) async throws {
        guard let context else { return }
        if head.isStreamed {
            let task = Task(executorPreference: executor) { try await StreamedBody.write(response, head, to: channel) }
            streaming = task
            defer { streaming = nil }
            if isInputOver { task.cancel() }
            return try await task.value
        }
        let bytes = try await head.bytes(with: response.body)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        if !channel.isWritable { await withCheckedContinuation { presser = $0 } }
    }

    /// Tells the client to send a body that it keeps back until then (RFC 9110 section 10.1.1).
    func sendContinue() {
        context?.writeAndFlush(
            wrapOutboundOut(.byteBuffer(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"))), promise: nil)
    }

    private func refuse() {
        context?.writeAndFlush(wrapOutboundOut(.byteBuffer(ResponseHead.badRequest)), promise: nil)
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
        try? await channel.closeFuture.get()  // closed is closed, whatever the reason
    }

    private func scheduleClose(_ channel: any Channel) {
        idleAlarm?.cancel()
        idleAlarm = channel.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
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

extension HTTPRequestHead {
    /// HTTP/1.0 knows neither chunks nor informational answers, and closes what is not to be kept.
    var isHTTP10: Bool { version.minor == 0 }

    /// Whether the client waits for a word before it sends the body (RFC 9110 section 10.1.1).
    fileprivate var isHeldBack: Bool {
        !isHTTP10 && headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }
}
