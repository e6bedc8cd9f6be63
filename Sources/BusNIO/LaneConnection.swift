import BusZMQ
import NIOCore
import ZMTP

/// A connection to the broker's asks as a channel's only handler: a DEALER, as ``LinkPort`` is one on a thread that it has for itself.
///
/// What is sent in one tick of the loop leaves with one write.
final class LaneConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What may wait for a broker that does not read.
    static let unsentBytes = ChannelOptions.Types.WriteBufferWaterMark(
        low: limits.unsentBytes / 2, high: limits.unsentBytes)
    static let reads = AdaptiveRecvByteBufferAllocator(minimum: 4 << 10, initial: 16 << 10, maximum: 256 << 10)
    private static let limits = LinkLimits()
    /// How long the other end may take to say READY.
    private static let patience = TimeAmount.seconds(5)
    /// How often the broker is asked whether it is still the same.
    private static let heartbeat = TimeAmount.milliseconds(250)

    private let inFlight: AsksInFlight
    private var session = Session(.dealer, limits: limits)
    private let table = FrameTable(capacity: 3)
    /// The beginning of a message whose end has not come yet.
    private var rest = ByteBuffer()
    private var unsent = ByteBuffer()
    private var isFlushDue = false
    private var context: ChannelHandlerContext?
    /// Whether the broker has said which one it is: what is asked from now on is not taken for what its predecessor had.
    private(set) var isOpen = false

    init(_ inFlight: AsksInFlight) { self.inFlight = inFlight }

    /// Whether another message may be sent.
    var hasRoom: Bool {
        guard isOpen, let context else { return false }
        return context.channel.isWritable && unsent.readableBytes < Self.limits.unsentBytes
    }

    func send(_ header: [UInt8], _ body: [UInt8]? = nil) {
        append(header, more: body != nil)
        if let body { append(body, more: false) }
        flushLater()
    }

    private func append(_ frame: [UInt8], more: Bool) {
        unsent.writeWithUnsafeMutableBytes(minimumWritableBytes: LinkFrame.headBytesMax + frame.count) { room in
            let head = LinkFrame.writeHead(of: frame.count, more: more, to: room)
            frame.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: room[head...]).copyMemory(from: $0) }
            return head + frame.count
        }
    }

    private func flushLater() {
        guard !isFlushDue, let context else { return }
        isFlushDue = true
        context.eventLoop.assumeIsolated().execute { self.flush() }
    }

    private func flush() {
        isFlushDue = false
        guard let context else { return }
        let bytes = unsent
        unsent = context.channel.allocator.buffer(capacity: Self.reads.minimum)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    // MARK: The channel

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        unsent.writeBytes(Opening.greeting)
        unsent.writeBytes(Ready.frame(.dealer))
        flush()
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
            if !self.isOpen { self.context?.close(promise: nil) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) { self.context = nil }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if rest.readableBytes > 0 {
            rest.writeBuffer(&bytes)
            swap(&rest, &bytes)
        }
        let wasOpen = session.isOpen
        do {
            try bytes.withUnsafeReadableBytes { region in
                while try session.next(in: region, table) { take(table.frames) }
            }
        } catch {
            // Not ZeroMQ, or broken: nothing behind it can be read.
            return context.close(promise: nil)
        }
        bytes.moveReaderIndex(forwardBy: session.done)
        session.rebase()
        rest = bytes.readableBytes > 0 ? bytes : ByteBuffer()
        rest.discardReadBytes()
        if session.isOpen, !wasOpen { sendPing() }
        guard !session.replies.isEmpty else { return }
        unsent.writeBytes(session.replies)
        session.replies.removeAll()
        flushLater()
    }

    private func take(_ frames: LinkFrames) {
        switch PeerFrames.read(frames[0]) {
        case .answer(let tag, let status): inFlight.answer(tag, status: status, frames.body)
        case .pong(let instance):
            inFlight.meet(instance)
            isOpen = true
        default: break
        }
    }

    private func sendPing() {
        guard let context else { return }
        send(PeerFrames.ping)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.heartbeat) { self.sendPing() }
    }
}
