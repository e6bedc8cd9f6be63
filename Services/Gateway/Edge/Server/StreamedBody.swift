import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Writes a body part by part, each when the last has left for the client: who reads slowly is written to slowly.
///
/// The task that writes is cancelled when the client closes the connection, and what is written then fails.
final class StreamedBody: ResponseBodyWriter, Sendable {
    /// The body was not written to its end. The connection's end has to say so.
    struct CutShort: Error {}

    private let channel: any Channel
    private let framing: ResponseHead.Framing
    private let hasEnded = Atomic(false)

    private init(_ channel: any Channel, _ framing: ResponseHead.Framing) {
        self.channel = channel
        self.framing = framing
    }

    static func write(_ response: Response, _ head: ResponseHead, to channel: any Channel) async throws {
        let body = StreamedBody(channel, head.framing)
        try await channel.writeAndFlush(head.bytes)
        try await response.body.write(body)
        guard body.hasEnded.load(ordering: .relaxed) else { throw CutShort() }
    }

    func write(_ part: ByteBuffer) async throws {
        try Task.checkCancellation()
        // An empty chunk would be the last one.
        guard part.readableBytes > 0 else { return }
        guard framing == .chunked else { return try await channel.writeAndFlush(part) }
        var chunk = ByteBuffer()
        chunk.reserveCapacity(part.readableBytes + 12)
        chunk.writeString(String(part.readableBytes, radix: 16))
        chunk.writeStaticString("\r\n")
        chunk.writeImmutableBuffer(part)
        chunk.writeStaticString("\r\n")
        try await channel.writeAndFlush(chunk)
    }

    /// Trailers are not sent.
    func finish(_ trailingHeaders: HTTPFields?) async throws {
        hasEnded.store(true, ordering: .relaxed)
        if framing == .chunked { try await channel.writeAndFlush(ByteBuffer(string: "0\r\n\r\n")) }
    }
}
