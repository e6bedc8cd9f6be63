import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Writes a body part by part, each when the last has left for the client: who reads slowly is written to slowly.
///
/// What is written after the client has closed the connection fails; a task that writes is cancelled then.
final class StreamedBody: ResponseBodyWriter, Sendable {
    /// The body was not written to its end. The connection's end has to say so.
    struct CutShort: Error {}

    /// Bytes of a long body that are written at once: a client has the time of an idle connection to take as many.
    private static let sliceBytes = 64 * 1024

    private let channel: any Channel
    private let framing: ResponseHead.Framing
    private let use: ConnectionUse?
    private let hasEnded = Atomic(false)

    init(_ channel: any Channel, _ framing: ResponseHead.Framing, _ use: ConnectionUse?) {
        self.channel = channel
        self.framing = framing
        self.use = use
    }

    static func write(
        _ response: Response, _ head: ResponseHead, to channel: any Channel, _ use: ConnectionUse?
    ) async throws {
        let body = StreamedBody(channel, head.framing, use)
        try await body.send(head.bytes)
        try await response.body.write(body)
        guard body.hasEnded.load(ordering: .relaxed) else { throw CutShort() }
    }

    func write(_ part: ByteBuffer) async throws {
        try Task.checkCancellation()
        // An empty chunk would be the last one.
        guard part.readableBytes > 0 else { return }
        guard framing == .chunked else {
            var part = part
            while let slice = part.readSlice(length: min(part.readableBytes, Self.sliceBytes)), slice.readableBytes > 0
            {
                try await send(slice)
            }
            return
        }
        var chunk = ByteBuffer()
        chunk.reserveCapacity(part.readableBytes + 12)
        chunk.writeString(String(part.readableBytes, radix: 16))
        chunk.writeStaticString("\r\n")
        chunk.writeImmutableBuffer(part)
        chunk.writeStaticString("\r\n")
        try await send(chunk)
    }

    /// The connection waits for its client until the bytes have left; with a body of known length, until all of it has.
    private func send(_ bytes: ByteBuffer) async throws {
        use?.set(.waiting, at: NIODeadline.now().uptimeNanoseconds)
        defer { if framing != .length { use?.set(.busy, at: NIODeadline.now().uptimeNanoseconds) } }
        try await channel.writeAndFlush(bytes)
    }

    /// Trailers are not sent.
    func finish(_ trailingHeaders: HTTPFields?) async throws {
        hasEnded.store(true, ordering: .relaxed)
        if framing == .chunked { try await send(ByteBuffer(string: "0\r\n\r\n")) }
    }
}
