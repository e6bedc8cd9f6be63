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

extension EdgeResponse {
    /// Writes the body where a connection would: of an event stream turn after turn, until it ends or the task is
    /// cancelled.
    func write(to writer: some ResponseBodyWriter) async throws {
        var writer = writer
        guard let events else { return try await response.body.write(writer) }
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        events.whenDue { wake.yield() }
        wake.yield()
        for await _ in wakes {
            guard try await events.turn({ try await writer.write($0) }) else { return try await writer.finish(nil) }
        }
    }

    /// Runs `body` while a client listens to this response's events; the client goes when it returns.
    func whileListening(_ body: (Listener) async throws -> Void) async throws {
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/event-stream")
        #expect(response.headers[.contentLength] == nil)
        let listener = Listener()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.write(to: listener) }
            try await body(listener)
            group.cancelAll()
        }
    }
}
