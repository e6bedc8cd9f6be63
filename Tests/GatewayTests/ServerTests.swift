import Contracts
import GatewayService
import HTTPClient
import Logging
import NIOCore
import NIOPosix
import Primitives
import ServiceLifecycle
import Synchronization
import Testing
import Wire

@Suite("server")
struct ServerTests {
    @Test("tasks run on the loop, across suspensions, in order")
    func executor() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let stayed = await withTaskExecutorPreference(EventLoopTaskExecutor(loop)) {
            var stayed = loop.inEventLoop
            for _ in 0..<5000 {
                await Task.yield()
                stayed = stayed && loop.inEventLoop
            }
            return stayed
        }
        #expect(stayed)
        try await group.shutdownGracefully()
    }

    @Test("real connections are served from the loop, one after the other and many at once; shutdown ends it")
    func live() async throws {
        let harness = GatewayHarness()
        let server = EdgeServer(harness.edge, .init(port: 0), logger: Logger(label: "test"))
        let listening = try await server.listen()
        let services = ServiceGroup(
            configuration: .init(
                services: [Running(server: server, listening: listening)], logger: Logger(label: "test")))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await services.run() }
            try requests(try HTTPClient("127.0.0.1:\(listening.port)"))
            // The same address cannot be had twice.
            let second = EdgeServer(harness.edge, .init(port: listening.port), logger: Logger(label: "test"))
            await #expect(throws: EdgeServer.ListenError.self) { try await second.listen() }
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func requests(_ client: HTTPClient) throws {
        for index in 0..<20 {
            let paid = try client.request(
                "POST", "/v1/payments", token: "customer-pin", key: "key-\(index)",
                body: try JSONValue(parsing: GatewayHarness.payment.utf8))
            #expect(paid.status == 201)
        }
        #expect(try client.request("PUT", "/health").status == 405)
        try client.send(
            HTTPClient.text(
                "POST", "/v1/sessions", host: "localhost", token: nil, key: nil,
                body: String(repeating: " ", count: 40_000)))
        #expect(try client.receive().status == 413)
        #expect(try client.request("DELETE", "/v1/sessions/current", token: "customer").status == 204)
    }

    @Test("dates are written as RFC 9110 has them")
    func dates() async throws {
        let harness = GatewayHarness()
        var now = FakeServices.time
        for (milliseconds, text) in [
            (784_111_777_000, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT")
        ] as [(Int64, String)] {
            harness.advance(Timestamp(milliseconds: milliseconds) - now)
            now = Timestamp(milliseconds: milliseconds)
            #expect(try await harness.send("GET", "/health").headers[.date] == text)
        }
    }
}

private struct Running: Service {
    let server: EdgeServer
    let listening: EdgeServer.Listening
    func run() async throws { try await server.run(listening) }
}
