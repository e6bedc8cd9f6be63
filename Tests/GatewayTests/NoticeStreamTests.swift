import Contracts
import GatewayService
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Primitives
import Synchronization
import Testing

@Suite("streams of notices")
struct NoticeStreamTests {
    private let harness = GatewayHarness()

    /// Opens a stream behind a number and gives what is written to it, as it is written.
    private func open(after: Int64) async throws -> (Parts, Task<Void, any Error>) {
        let request = IncomingRequest(
            method: .get, target: "/v1/notices/events?after=\(after)",
            headers: HTTPHeaders([("authorization", "Bearer customer")]), body: .whole(ByteBuffer()))
        let answer = try await harness.edge.respond(to: request) { nil }
        let parts = Parts()
        return (parts, Task { try await answer.write(to: Writer(parts: parts)) })
    }

    @Test("tells what there is, beats, looks when word may have been lost, and ends with its session")
    func life() async throws {
        let (parts, task) = try await open(after: 0)
        #expect(await parts.next() == ":\n\n")
        let event = try #require(await parts.next())
        #expect(event.hasPrefix("id: 1\nevent: notice\ndata: {") && event.hasSuffix("}\n\n"))
        harness.services.forget()

        harness.advance(.seconds(15))
        harness.edge.notices.tick()
        #expect(await parts.next() == ":\n\n")
        #expect(harness.services.asked(Notifications.ReadInbox.self).isEmpty)
        harness.advance(.seconds(15))
        harness.edge.notices.tick()
        #expect(await parts.next() == ":\n\n")
        #expect(harness.services.asked(Notifications.ReadInbox.self).map(\.after) == [1])
        // Word of a notice is a look too; of another account's it is nothing.
        harness.edge.notices.changed(.sample(.merchant))
        harness.edge.notices.changed(.sample(.customer))
        #expect(await parts.next() == ":\n\n")
        #expect(harness.services.asked(Notifications.ReadInbox.self).count == 2)

        harness.edge.sessionEnded(SessionID(high: 9, low: 9), of: .sample(.customer))
        harness.edge.sessionEnded(SessionID(high: 2, low: 0x5E), of: .sample(.customer))
        #expect(await parts.next() == "event: closed\ndata: {}\n\n")
        try await task.value
    }

    @Test("a service that is away ends no stream; what was missed is told when it is back")
    func trouble() async throws {
        harness.services.refuse(Notifications.ReadInbox.type, nil)
        let (parts, task) = try await open(after: 1)
        #expect(await parts.next() == ":\n\n")
        harness.services.refuse(Notifications.ReadInbox.type, Fault(.noWorker))
        harness.edge.notices.changed(.sample(.customer))
        #expect(await parts.next() == ":\n\n")
        harness.edge.notices.closeAll()
        #expect(await parts.next() == "event: closed\ndata: {}\n\n")
        try await task.value
    }

    @Test("an account has eight streams; a ninth is refused until one has gone")
    func bounded() async throws {
        var open: [Task<Void, any Error>] = []
        for _ in 0..<8 {
            let (parts, task) = try await self.open(after: 1)
            #expect(await parts.next() == ":\n\n")
            open.append(task)
        }
        let refused = try await harness.send("GET", "/v1/notices/events", as: "customer")
        #expect(refused.status == 429 && refused.code == "gateway.too_many_streams")
        #expect(try await harness.send("GET", "/v1/notices/events", as: "merchant").status == 200)
        let gone = open.removeLast()
        gone.cancel()
        _ = await gone.result
        #expect(try await harness.send("GET", "/v1/notices/events", as: "customer").status == 200)
        harness.edge.notices.closeAll()
        for task in open { try await task.value }
        #expect(try await harness.send("GET", "/v1/notices/events", as: "merchant").status == 429)
    }

    @Test("a session's time ends its streams too")
    func expiry() async throws {
        let (parts, task) = try await open(after: 1)
        #expect(await parts.next() == ":\n\n")
        harness.advance(.seconds(86_400))
        harness.edge.notices.tick()
        #expect(await parts.next() == "event: closed\ndata: {}\n\n")
        try await task.value
    }
}

/// What was written, part by part.
private final class Parts: Sendable {
    private let stream: AsyncStream<String>
    let continuation: AsyncStream<String>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(of: String.self) }

    func next() async -> String? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}

private struct Writer: ResponseBodyWriter {
    let parts: Parts

    func write(_ buffer: ByteBuffer) async throws { parts.continuation.yield(String(buffer: buffer)) }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
