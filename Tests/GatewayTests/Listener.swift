import GatewayService
import Hummingbird
import NIOCore
import Testing

/// A client that takes events one by one.
final class Listener: ResponseBodyWriter, Sendable {
    private let events: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation

    init() { (events, sink) = AsyncStream.makeStream() }

    func write(_ buffer: ByteBuffer) async throws { sink.yield(String(buffer: buffer)) }
    func finish(_ trailingHeaders: HTTPFields?) async throws { sink.finish() }

    /// The next of them that fulfils a condition.
    func next(where isWanted: (String) -> Bool = { _ in true }) async -> String? { await events.first(where: isWanted) }
}

extension Response {
    /// Runs `body` while a client listens to this response's events; the client goes when it returns.
    func whileListening(_ body: (Listener) async throws -> Void) async throws {
        #expect(status == .ok)
        #expect(headers[.contentType] == "text/event-stream")
        #expect(headers[.contentLength] == nil)
        let listener = Listener()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.body.write(listener) }
            try await body(listener)
            group.cancelAll()
        }
    }
}
