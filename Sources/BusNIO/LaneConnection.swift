import BusZMQ
import NIOCore
import ZMTP

/// Drives a connection to the broker's asks as a channel's only handler, as a ``Link`` does with system calls.
///
/// What is sent in one tick of the loop leaves with one write.
final class LaneConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What may wait for a broker that does not read.
    static let unsentBytes = ChannelOptions.Types.WriteBufferWaterMark(
        low: LinkLimits().unsentBytes / 2, high: LinkLimits().unsentBytes)
    static let reads = AdaptiveRecvByteBufferAllocator(minimum: 4 << 10, initial: 16 << 10, maximum: 256 << 10)

    private let inFlight: AsksInFlight
    private let connection = Connection(role: .dealer)
    private let table = FrameTable(capacity: 3)
    private var isFlushDue = false
    private var context: ChannelHandlerContext?
    /// Whether the broker has said which one it is: what is asked from now on is not taken for what its predecessor
    /// had.
    private(set) var isOpen = false

    init(_ inFlight: AsksInFlight) { self.inFlight = inFlight }

    /// Whether another message may be sent.
    var hasRoom: Bool { isOpen && connection.hasRoom && context?.channel.isWritable == true }

    func send(_ header: [UInt8], _ body: [UInt8]? = nil) {
        header.withUnsafeBytes { connection.append($0, more: body != nil) }
        body?.withUnsafeBytes { connection.append($0, more: false) }
        flushLater()
    }

    private func flushLater() {
        guard !isFlushDue, let context else { return }
        isFlushDue = true
        context.eventLoop.assumeIsolated().execute { self.flush() }
    }

    private func flush() {
        isFlushDue = false
        guard let context, !connection.unsent.isEmpty else { return }
        let bytes = context.channel.allocator.buffer(bytes: connection.unsent.bytes)
        connection.unsent.removeFirst(bytes.readableBytes)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    // MARK: The channel

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        flush()
        let patience = TimeAmount.milliseconds(ConnectPauses.patience.wholeMilliseconds)
        context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
            if !self.isOpen { self.context?.close(promise: nil) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) { self.context = nil }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let wasOpen = connection.isOpen
        do {
            try unwrapInboundIn(data).withUnsafeReadableBytes { bytes in
                try connection.receive(bytes, table) { frames in
                    if case .pong = inFlight.take(frames) { isOpen = true }
                }
            }
        } catch {
            // Not ZeroMQ, or broken: nothing behind it can be read.
            return context.close(promise: nil)
        }
        if connection.isOpen, !wasOpen { sendPing() }
        if !connection.unsent.isEmpty { flushLater() }
    }

    private func sendPing() {
        guard let context else { return }
        send(PeerFrames.ping)
        let pause = TimeAmount.milliseconds(ConnectPauses.heartbeat.wholeMilliseconds)
        context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.sendPing() }
    }
}
