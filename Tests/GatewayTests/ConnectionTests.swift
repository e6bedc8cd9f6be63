import GatewayService
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import Testing

/// What holds on one connection, byte by byte, over answers made for the test.
@Suite("connection")
struct ConnectionTests {
    @Test("requests sent at once are answered in their order, however long each takes")
    func pipelined() async throws {
        let (sent, send) = AsyncStream.makeStream(of: Void.self)
        try await serving { request, _ in
            if request.target == "/0" { _ = await sent.first { true } }
            return .text(request.target)
        } _: { port in
            let connection = try RawConnection(port: port)
            let targets = (0..<50).map { "/\($0)" }
            try await connection.send(targets.map { get($0) }.joined() + get("/last", "Connection: close"))
            send.yield()
            let got = try await connection.readToEnd()
            #expect(bodies(got) == targets + ["/last"])
            #expect(got.contains("Connection: close\r\n"))
        }
    }

    @Test("a request in pieces is put together")
    func pieces() async throws {
        try await serving { request, _ in
            request.target == Self.settling
                ? .text(request.target) : .text(String(buffer: try await request.body.collectAll()))
        } _: { port in
            let connection = try RawConnection(port: port)
            for piece in ["POST / HT", "TP/1.1\r\nHos", "t: x\r\nContent-Le", "ngth: 6\r\n\r", "\nab", "cd", "ef"] {
                try await connection.send(piece)
                try await settle(port)
            }
            #expect(try await connection.read(until: "abcdef").hasPrefix("HTTP/1.1 200 OK\r\n"))
            try await connection.send(
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nuvw\r\n3\r\nxyz\r\n0\r\n\r\n")
            #expect(try await connection.read(until: "uvwxyz").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("a client that has ended its side gets its answers, and then the end")
    func halfClosed() async throws {
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        try await serving { request, _ in
            if request.target == "/1" { _ = await ends.first { true } }
            return .text(request.target)
        } _: { port in
            let connection = try RawConnection(port: port)
            try await connection.send(get("/1") + get("/2"))
            connection.finish()
            ended.yield()
            #expect(bodies(try await connection.readToEnd()) == ["/1", "/2"])
        }
    }

    @Test("a refusal does not wait for the body, and what comes of it is passed over")
    func refusedEarly() async throws {
        try await serving { request, _ in
            .text(request.target)
        } _: { port in
            let connection = try RawConnection(port: port)
            try await connection.send("POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\nx")
            _ = try await connection.read(until: "/early")
            try await connection.send(String(repeating: "y", count: 299_999) + get("/next"))
            #expect(try await connection.read(until: "/next").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("a body that is held back is asked for when it is wanted, and only then")
    func expectations() async throws {
        try await serving { request, _ in
            request.target == "/refused" ? .text("no") : .text(String(buffer: try await request.body.collectAll()))
        } _: { port in
            let fields = "Host: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
            let wanted = try RawConnection(port: port)
            try await wanted.send("POST / HTTP/1.1\r\n" + fields)
            #expect(try await wanted.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await wanted.send("abc")
            #expect(try await wanted.read(until: "abc").hasPrefix("HTTP/1.1 200 OK\r\n"))

            let refused = try RawConnection(port: port)
            try await refused.send("POST /refused HTTP/1.1\r\n" + fields)
            let got = try await refused.readToEnd()
            #expect(got.hasPrefix("HTTP/1.1 200 OK\r\n") && got.contains("Connection: close\r\n"))
        }
    }

    @Test("a client that leaves within a body ends that request only")
    func abortInBody() async throws {
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let (broken, ended) = AsyncStream.makeStream(of: Void.self)
        try await serving { request, _ in
            begun.yield()
            do { return .text(String(buffer: try await request.body.collectAll())) } catch {
                ended.yield()
                throw error
            }
        } _: { port in
            for way in [{ (one: RawConnection) in one.abort() }, { $0.finish() }] {
                let leaving = try RawConnection(port: port)
                try await leaving.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx")
                #expect(await begins.first { true } != nil)
                way(leaving)
                #expect(await broken.first { true } != nil)
            }
            let staying = try RawConnection(port: port)
            try await staying.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok")
            _ = try await staying.read(until: "ok")
        }
    }

    @Test("what is not HTTP is refused behind the answers to what was")
    func broken() async throws {
        let (sent, send) = AsyncStream.makeStream(of: Void.self)
        try await serving { request, _ in
            _ = await sent.first { true }
            return .text(request.target)
        } _: { port in
            let connection = try RawConnection(port: port)
            try await connection.send(get("/1") + "no HTTP\r\n\r\n")
            send.yield()
            let got = try await connection.readToEnd()
            #expect(got.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(got.contains("/1HTTP/1.1 400 Bad Request\r\n") && got.contains("\r\nConnection: close\r\n"))
            #expect(got.contains("\"code\":\"gateway.request_unreadable\"") && got.hasSuffix("}"))
        }
    }

    @Test("HEAD has no body, nor has 204; HTTP/1.0 is kept open only when it says so")
    func bodiless() async throws {
        try await serving { request, _ in
            switch request.target {
            case "/none": return Response(status: .noContent)
            default:
                let whole = Response.text("content")
                return request.method == .head ? whole.createHeadResponse() : whole
            }
        } _: { port in
            let connection = try RawConnection(port: port)
            try await connection.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n" + get("/none") + get("/"))
            let got = try await connection.read(until: "\r\n\r\ncontent")
            #expect(got.components("HTTP/1.1 ").count == 4)
            #expect(got.components("content").count == 2)

            let old = try RawConnection(port: port)
            try await old.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try await old.read(until: "\r\n\r\ncontent").contains("Connection: keep-alive\r\n"))
            try await old.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try await old.readToEnd().contains("Connection: close\r\n"))
        }
    }

    @Test("a long answer reaches a client that reads slowly, whole")
    func slowReader() async throws {
        let long = String(repeating: "0123456789abcdef", count: 400_000)
        try await serving { request, _ in
            .text(request.target == "/" ? long : request.target)
        } _: { port in
            let connection = try RawConnection(port: port)
            try await connection.send(get("/") + get("/", "Connection: close"))
            // Others are served while this answer waits for its reader.
            try await settle(port)
            let got = try await connection.readToEnd()
            #expect(got.utf8.count > 2 * long.utf8.count && got.hasSuffix(long))
        }
    }

    @Test("a stream goes out part by part and ends with the body, and the connection stays open")
    func streamed() async throws {
        let (steps, step) = AsyncStream.makeStream(of: String.self)
        try await serving { request, _ in
            guard request.target == "/stream" else { return .text(request.target) }
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    for await text in steps { try await writer.write(ByteBuffer(string: text)) }
                    try await writer.finish(nil)
                })
        } _: { port in
            let connection = try RawConnection(port: port)
            try await connection.send(get("/stream"))
            #expect(try await connection.read(until: "\r\n\r\n").contains("Transfer-Encoding: chunked\r\n"))
            for text in ["one", "two"] {
                step.yield(text)
                #expect(try await connection.read(until: "\(text)\r\n") == "3\r\n\(text)\r\n")
            }
            step.finish()
            #expect(try await connection.read(until: "\r\n\r\n") == "0\r\n\r\n")
            try await connection.send(get("/next"))
            _ = try await connection.read(until: "/next")
        }
    }

    @Test("a stream is cancelled when the client closes the connection, in whatever way")
    func streamCancelled() async throws {
        let (cancels, cancelled) = AsyncStream.makeStream(of: Void.self)
        try await serving { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "begun"))
                    // Sends nothing more by itself: nobody yields to this stream.
                    let (silence, _) = AsyncStream.makeStream(of: Void.self)
                    for await _ in silence {}
                    cancelled.yield()
                    throw CancellationError()
                })
        } _: { port in
            for way in [{ (one: RawConnection) in one.abort() }, { $0.finish() }] {
                let connection = try RawConnection(port: port)
                try await connection.send(get("/"))
                _ = try await connection.read(until: "begun")
                way(connection)
                #expect(await cancels.first { true } != nil)
            }
        }
    }

    @Test("a stream waits for a client that does not read, and ends with it")
    func streamPressed() async throws {
        let written = Mutex(0)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        try await serving { request, _ in
            guard request.target == "/" else { return .text(request.target) }
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    defer { ended.yield() }
                    while true {
                        try await writer.write(ByteBuffer(repeating: 0x2E, count: 65_536))
                        written.withLock { $0 += 1 }
                    }
                })
        } _: { port in
            let connection = try RawConnection(port: port)
            try await connection.send(get("/"))
            // Until the buffers of both sides, some megabytes, are full: no write ends while the event loop serves
            // others.
            let full = 1000
            var (count, turnsWithoutWrite) = (0, 0)
            while turnsWithoutWrite < 100, count < full {
                try await settle(port)
                let now = written.withLock { $0 }
                turnsWithoutWrite = now == count && now > 0 ? turnsWithoutWrite + 1 : 0
                count = now
            }
            #expect(count < full)
            connection.abort()
            #expect(await ends.first { true } != nil)
        }
    }

    @Test("a stream that fails ends the connection without the sign of a whole body")
    func streamFails() async throws {
        struct Trouble: Error {}
        try await serving { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "half"))
                    throw Trouble()
                })
        } _: { port in
            let connection = try RawConnection(port: port)
            try await connection.send(get("/"))
            #expect(try await connection.readToEnd().hasSuffix("4\r\nhalf\r\n"))
        }
    }

    @Test("a silent connection is closed, one whose answer takes its time is not")
    func silence() async throws {
        let (closed, close) = AsyncStream.makeStream(of: Void.self)
        try await serving(
            .init(port: 0, headTimeout: .seconds(3), idleTimeout: .seconds(3))
        ) { request, _ in
            // Longer than a silent connection lives: until those that were opened after it are closed.
            _ = await closed.first { true }
            return .text(request.target)
        } _: { port in
            let busy = try RawConnection(port: port)
            try await busy.send(get("/busy"))
            let silent = try RawConnection(port: port)
            let half = try RawConnection(port: port)
            try await half.send("GET / HTTP/1.1\r\nHos")
            #expect(try await silent.readToEnd().isEmpty)
            #expect(try await half.readToEnd().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
            close.yield()
            _ = try await busy.read(until: "/busy")
        }
    }

    @Test(
        "a head and a body have a time of their own, and a byte now and then gives them no more",
        .timeLimit(.minutes(5)))
    func dripped() async throws {
        let (failures, failed) = AsyncStream.makeStream(of: Void.self)
        try await serving(
            .init(
                port: 0, headTimeout: .seconds(2), requestTimeout: .seconds(2), idleTimeout: .seconds(60))
        ) { request, _ in
            if request.target == Self.settling { return .text(request.target) }
            do { return .text(String(buffer: try await request.body.collectAll())) } catch {
                failed.yield()
                throw error
            }
        } _: { port in
            for beginning in [
                "GET / HTTP/1.1\r\nHost: x\r\nX: ", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n"
            ] {
                let dripping = try RawConnection(port: port)
                try await dripping.send(beginning)
                // Until it is closed: the bytes alone would keep an idle connection for a minute each.
                let drops = Task {
                    while true {
                        try await dripping.send("x")
                        for _ in 0..<20 { try await settle(port) }
                    }
                }
                #expect(try await dripping.readToEnd().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
                drops.cancel()
            }
            #expect(await failures.first { true } != nil)
            // One that has waited between requests for longer than a request may take is served.
            let used = try RawConnection(port: port)
            try await used.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab")
            _ = try await used.read(until: "ab")
            // As long as a request may take has passed once one that began later has been refused.
            let late = try RawConnection(port: port)
            try await late.send("GET / HTTP/1.1\r\nHos")
            #expect(try await late.readToEnd().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
            try await used.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\ncd")
            _ = try await used.read(until: "cd")
        }
    }

    @Test("where there is no place, a silent connection goes for a new one, and none that is being answered")
    func crowded() async throws {
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        try await serving(.patient(connectionsMax: 3)) { request, _ in
            if request.target == "/busy" {
                begun.yield()
                _ = await releases.first { true }
            }
            return .text(request.target)
        } _: { port in
            let busy = try RawConnection(port: port)
            try await busy.send(get("/busy"))
            _ = await begins.first { true }
            let idle = try RawConnection(port: port)
            try await idle.send(get("/idle"))
            _ = try await idle.read(until: "/idle")
            // Young ones that have said nothing stay before one that is idle: their first request may be on its way.
            let new = [try RawConnection(port: port), try RawConnection(port: port)]
            #expect(try await idle.readToEnd().isEmpty)
            try await new[1].send(get("/new"))
            _ = try await new[1].read(until: "/new")
            for index in 0..<10 {
                let another = try RawConnection(port: port)
                try await another.send(get("/\(index)"))
                _ = try await another.read(until: "/\(index)")
            }
            release.yield()
            _ = try await busy.read(until: "/busy")
        }
    }

    @Test("who does not take an answer has an end, and gives way before")
    func untaken() async throws {
        // More than the kernel keeps on both sides.
        let long = String(repeating: "0123456789abcdef", count: 2_000_000)
        try await serving(
            .init(port: 0, connectionsMax: 2, headTimeout: .seconds(2), idleTimeout: .seconds(2))
        ) { request, _ in
            .text(request.target == "/long" ? long : request.target)
        } _: { port in
            func take() async throws -> RawConnection {
                let made = try RawConnection(port: port)
                try await made.send(get("/long"))
                _ = try await made.read(until: "\r\n\r\n")
                return made
            }
            let untaken = [try await take(), try await take()]
            // Neither of them can have taken its answer: there is no place, and yet there is one for those who come.
            for index in 0..<4 {
                let next = try RawConnection(port: port)
                try await next.send(get("/\(index)", "Connection: close"))
                _ = try await next.read(until: "/\(index)")
            }
            // They are closed before two that are silent from now on, one after the other: what is left never comes.
            for _ in untaken { #expect(try await RawConnection(port: port).readToEnd().isEmpty) }
            for one in untaken { #expect(try await one.readToEnd().utf8.count < long.utf8.count) }
        }
    }

    @Test("a connection is turned away when all that there may be are being answered")
    func allBusy() async throws {
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        try await serving(.patient(connectionsMax: 2)) { request, _ in
            begun.yield()
            _ = await releases.first { true }
            return .text(request.target)
        } _: { port in
            let busy = [try RawConnection(port: port), try RawConnection(port: port)]
            for (index, one) in busy.enumerated() {
                try await one.send(get("/\(index)"))
                _ = await begins.first { true }
            }
            #expect(try await RawConnection(port: port).readToEnd().hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            for (index, one) in busy.enumerated() {
                release.yield()
                _ = try await one.read(until: "/\(index)")
            }
        }
    }

    @Test("large heads that do not end have a bound together, small ones do not feel it")
    func largeHeads() async throws {
        try await serving(.patient(heldBytesMax: 20_000)) { request, _ in
            .text(request.target)
        } _: { port in
            var large: [RawConnection] = []
            for _ in 0..<4 {
                large.append(try RawConnection(port: port))
                try await large.last?.send("GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "x", count: 12_000))
            }
            // All that was sent has been read by then.
            for _ in 0..<5 {
                let small = try RawConnection(port: port)
                try await small.send(get("/small"))
                _ = try await small.read(until: "/small")
            }
            // 8 KiB of each is more than what it has for itself: for two of them there is room.
            var answered = 0
            for one in large {
                try? await one.send("\r\nConnection: close\r\n\r\n")
                if try await one.readToEnd().hasPrefix("HTTP/1.1 200 ") { answered += 1 }
            }
            #expect(answered == 2)
            // What they had is free again.
            let next = try RawConnection(port: port)
            try await next.send(
                "GET /next HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "x", count: 12_000) + "\r\n\r\n")
            _ = try await next.read(until: "/next")
        }
    }

    @Test(
        "what does not say whom it is for, or in more than one way where it ends, is refused",
        arguments: [
            "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n", "GET / HTTP/1.1\r\nHost: x, y\r\n",
            "GET / HTTP/1.1\r\nHost: x y\r\n", "GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n",
            "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n", "GET / HTTP/1.1\nHost: x\n"
        ])
    func unsound(_ head: String) async throws {
        try await serving { request, _ in
            .text(request.target)
        } _: { port in
            let connection = try RawConnection(port: port)
            // What is behind it may be its body or another request: it is not answered.
            try await connection.send(head + "\r\n1\r\nx\r\n0\r\n\r\n" + get("/behind"))
            let got = try await connection.readToEnd()
            #expect(got.hasPrefix("HTTP/1.1 400 Bad Request\r\n") && !got.contains("/behind"))
            #expect(got.hasSuffix("}") && got.contains("\"code\":\"gateway.request_unreadable\""))
            let old = try RawConnection(port: port)
            try await old.send("GET /old HTTP/1.0\r\n\r\n")
            #expect(try await old.readToEnd().hasSuffix("/old"))
        }
    }

    @Test("a shutdown lets open requests finish, those that wait behind them too, and closes the rest")
    func shutdown() async throws {
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let server = EdgeServer(.init(port: 0), logger: Logger(label: "test")) { request, _ in
            if request.target == "/open" {
                begun.yield()
                _ = await releases.first { true }
            }
            return EdgeResponse(.text(request.target))
        }
        let listening = try await server.listen()
        let port = listening.port
        let services = ServiceGroup(
            configuration: .init(services: [Running(server, listening)], logger: Logger(label: "test")))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            let (idle, busy) = (try RawConnection(port: port), try RawConnection(port: port))
            try await busy.send(get("/open") + get("/behind"))
            _ = await begins.first { true }
            await services.triggerGracefulShutdown()
            #expect(try await idle.readToEnd().isEmpty)
            release.yield()
            #expect(bodies(try await busy.readToEnd()) == ["/open", "/behind"])
            try await tasks.waitForAll()
        }
    }

    /// A server that is being closed hands over none of the connections that it has just accepted.
    @Test(
        "a connection that nobody serves when a shutdown begins is closed, behind the answer to what has come",
        arguments: [(false, []), (true, ["/late"])])
    func dropped(hasRead: Bool, answered: [String]) async throws {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let edge = EdgeChannel(.patient(), on: loops) { request, _ in EdgeResponse(.text(request.target)) }
        let listening = try await ServerBootstrap(group: loops).childChannelInitializer { channel in
            edge.setup(channel: channel, logger: Logger(label: "test")).flatMapThrowing { _ in
                try channel.pipeline.syncOperations.addHandler(ShutdownTold(hasRead: hasRead), position: .first)
            }
        }.bind(host: "127.0.0.1", port: 0).get()
        let connection = try RawConnection(port: try #require(listening.localAddress?.port))
        try? await connection.send(get("/late"))  // it may be closed already
        #expect(bodies(try await connection.readToEnd()) == answered)
        try await listening.close()
        try await loops.shutdownGracefully()
    }

    @Test("several event loops serve their connections each")
    func loops() async throws {
        let seen = Mutex<Set<ObjectIdentifier>>([])
        try await serving(loops: 3) { request, _ in
            if let loop = MultiThreadedEventLoopGroup.currentEventLoop {
                seen.withLock { _ = $0.insert(ObjectIdentifier(loop)) }
            }
            return .text(request.target)
        } _: { port in
            for index in 0..<9 {
                let connection = try RawConnection(port: port)
                try await connection.send(get("/\(index)"))
                _ = try await connection.read(until: "/\(index)")
            }
        }
        #expect(seen.withLock(\.count) == 3)
    }
}

// MARK: A server for one test

extension ConnectionTests {
    /// The target of requests that only show that the event loop has come so far.
    fileprivate static let settling = "/settle"
}

/// Returns once the server's one event loop has read all that was sent to it before: it serves two requests in a row,
/// and reads whatever was ready before the second.
private func settle(_ port: Int) async throws {
    let other = try RawConnection(port: port)
    for _ in 0..<2 {
        try await other.send(get(ConnectionTests.settling))
        _ = try await other.read(until: ConnectionTests.settling)
    }
}

/// Tells the connection of a shutdown when it is there, or once it has read something.
private final class ShutdownTold: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let hasRead: Bool

    init(hasRead: Bool) { self.hasRead = hasRead }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if !hasRead { context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if hasRead { context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }
}

private typealias PlainResponder =
    nonisolated(nonsending) @Sendable (IncomingRequest, () -> IPAddress?) async throws -> Response

private func serving(
    _ configuration: EdgeServer.Configuration = .patient(), loops: Int = 1,
    _ respond: @escaping PlainResponder,
    _ test: (Int) async throws -> Void
) async throws {
    let server = EdgeServer(
        configuration, on: MultiThreadedEventLoopGroup(numberOfThreads: loops), logger: Logger(label: "test")
    ) { EdgeResponse(try await respond($0, $1)) }
    let listening = try await server.listen()
    let services = ServiceGroup(
        configuration: .init(services: [Running(server, listening)], logger: Logger(label: "test")))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await services.run() }
        try await test(listening.port)
        await services.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
}

extension EdgeServer.Configuration {
    /// For tests that are not about deadlines: they may wait long for a thread, behind other tests.
    fileprivate static func patient(connectionsMax: Int = 4096, heldBytesMax: Int = 16 << 20) -> Self {
        .init(
            port: 0, connectionsMax: connectionsMax, headTimeout: .seconds(600), requestTimeout: .seconds(600),
            idleTimeout: .seconds(600), heldBytesMax: heldBytesMax)
    }
}

private struct Running: Service {
    let server: EdgeServer
    let listening: EdgeServer.Listening

    init(_ server: EdgeServer, _ listening: EdgeServer.Listening) {
        self.server = server
        self.listening = listening
    }

    func run() async throws { try await server.run(listening) }
}

private func get(_ target: String, _ fields: String...) -> String {
    (["GET \(target) HTTP/1.1", "Host: x"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
}

/// The bodies of answers that stand one behind the other.
private func bodies(_ text: String) -> [String] {
    text.components("\r\n\r\n").dropFirst().map { $0.components("HTTP/1.1")[0] }
}

extension String {
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

extension Response {
    fileprivate static func text(_ text: String) -> Response {
        Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension IncomingRequest.Body {
    fileprivate func collectAll() async throws -> ByteBuffer {
        switch self {
        case .whole(let bytes): bytes
        case .late(let parts): try await parts.collect(upTo: 1 << 20)
        }
    }
}
