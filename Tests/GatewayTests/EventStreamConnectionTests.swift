import GatewayService
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import Testing

@Suite("event streams on connections")
struct EventStreamConnectionTests {
    @Test("a stream writes turn by turn, ends with its feed, and the connection takes the next request")
    func life() async throws {
        let feed = ScriptedFeed()
        try await serving(feed) { port in
            let connection = try RawConnection(port: port)
            try await connection.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await connection.read(until: "\r\n\r\n").contains("Transfer-Encoding: chunked\r\n"))
            for text in ["one", "two"] {
                feed.put(text)
                #expect(try await connection.read(until: "\(text)\r\n") == "3\r\n\(text)\r\n")
            }
            feed.finish()
            #expect(try await connection.read(until: "\r\n\r\n") == "0\r\n\r\n")
            try await connection.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await connection.read(until: "/next")
        }
    }

    @Test("a request sent behind a stream is answered behind it")
    func pipelined() async throws {
        let feed = ScriptedFeed()
        feed.put("one")
        feed.finish()
        try await serving(feed) { port in
            let connection = try RawConnection(port: port)
            try await connection.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n")
            let answers = try await connection.read(until: "/next")
            #expect(answers.contains("3\r\none\r\n0\r\n\r\nHTTP/1.1 200"))
        }
    }

    @Test("a stream is let go when its client closes the connection, in whatever way, also between two turns")
    func gone() async throws {
        for way in [{ (one: RawConnection) in one.abort() }, { $0.finish() }] {
            let (goes, went) = AsyncStream.makeStream(of: Void.self)
            try await serving {
                ScriptedFeed(whenGone: { went.yield() }, first: "begun")
            } _: { port in
                let connection = try RawConnection(port: port)
                try await connection.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = try await connection.read(until: "begun")
                way(connection)
                #expect(await goes.first { true } != nil)
            }
        }
    }

    @Test(
        "what a client does not take is written no more, and ends its connection once it is late",
        .timeLimit(.minutes(5)))
    func slow() async throws {
        let (goes, went) = AsyncStream.makeStream(of: Void.self)
        let written = Mutex(0)
        let configuration = EdgeServer.Configuration(
            port: 0, headTimeout: .seconds(3), idleTimeout: .milliseconds(500))
        try await serving(configuration) {
            ScriptedFeed(
                whenGone: { went.yield() }, endless: ByteBuffer(repeating: 0x2E, count: 65_536),
                whenWritten: { written.withLock { $0 += 1 } })
        } _: { port in
            let connection = try RawConnection(port: port)
            try await connection.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
            // The client reads nothing: what is written fills the buffers of both sides, and then the time ends it.
            #expect(await goes.first { true } != nil)
            #expect(written.withLock { $0 } < 1000)
            withExtendedLifetime(connection) {}
        }
    }

    @Test("a stream that fails ends the connection without the sign of a whole body")
    func fails() async throws {
        let feed = ScriptedFeed(first: "half")
        try await serving(feed) { port in
            let connection = try RawConnection(port: port)
            try await connection.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await connection.read(until: "half\r\n")
            feed.fail()
            #expect(try await connection.readToEnd().isEmpty)
        }
    }
}

/// Writes what it is given.
private final class ScriptedFeed: EventFeed {
    private struct Trouble: Error {}

    private struct State {
        var texts: [String] = []
        var isFinished = false
        var fails = false
        var wake: @Sendable () -> Void = {}
    }

    private let state: Mutex<State>
    private let whenGone: @Sendable () -> Void
    private let endless: ByteBuffer?
    private let whenWritten: @Sendable () -> Void

    init(
        whenGone: @escaping @Sendable () -> Void = {}, first: String? = nil, endless: ByteBuffer? = nil,
        whenWritten: @escaping @Sendable () -> Void = {}
    ) {
        state = Mutex(State(texts: first.map { [$0] } ?? []))
        self.whenGone = whenGone
        self.endless = endless
        self.whenWritten = whenWritten
    }

    deinit { whenGone() }

    func put(_ text: String) { change { $0.texts.append(text) } }
    func finish() { change { $0.isFinished = true } }
    func fail() { change { $0.fails = true } }

    private func change(_ change: (inout State) -> Void) {
        let wake = state.withLock { state in
            change(&state)
            return state.wake
        }
        wake()
    }

    func whenDue(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    func turn(_ write: (ByteBuffer) async throws -> Void) async throws -> Bool {
        while let endless {
            try await write(endless)
            whenWritten()
        }
        while let text = state.withLock({ $0.texts.isEmpty ? nil : $0.texts.removeFirst() }) {
            try await write(ByteBuffer(string: text))
        }
        if state.withLock(\.fails) { throw Trouble() }
        return !state.withLock(\.isFinished)
    }
}

private func serving(_ feed: ScriptedFeed, _ test: (Int) async throws -> Void) async throws {
    try await serving(answeringWith: { feed }, test)
}

/// Serves a feed at `/events`, and all other paths as text.
private func serving(
    _ configuration: EdgeServer.Configuration = .init(
        port: 0, headTimeout: .seconds(600), requestTimeout: .seconds(600), idleTimeout: .seconds(600)),
    answeringWith feed: @escaping @Sendable () -> ScriptedFeed, _ test: (Int) async throws -> Void
) async throws {
    let server = EdgeServer(
        configuration, on: MultiThreadedEventLoopGroup(numberOfThreads: 1), logger: Logger(label: "test")
    ) { request, _ in
        guard request.target == "/events" else {
            return EdgeResponse(
                Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: request.target))))
        }
        return EdgeResponse(Response(status: .ok, body: ResponseBody { _ in }), events: feed())
    }
    let listening = try await server.listen()
    let services = ServiceGroup(
        configuration: .init(
            services: [RunningServer(server: server, listening: listening)], logger: Logger(label: "test")))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await services.run() }
        try await test(listening.port)
        await services.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
}

private struct RunningServer: Service {
    let server: EdgeServer
    let listening: EdgeServer.Listening

    func run() async throws { try await server.run(listening) }
}
