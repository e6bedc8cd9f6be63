import NIOCore

/// Sees what comes before it is parsed: the parser tells nothing of a head that is not complete.
final class ArrivalMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: HTTPConnection

    init(_ connection: HTTPConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard connection.arrived(bytes: unwrapInboundIn(data).readableBytes) else { return }
        context.fireChannelRead(data)
    }
}
