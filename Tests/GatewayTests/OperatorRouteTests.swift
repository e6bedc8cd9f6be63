import Contracts
import GatewayService
import HTTPTypes
import Primitives
import Synchronization
import Testing

/// What is about the gateway itself, and who may ask for how much of it.
@Suite("operators' routes")
struct OperatorRouteTests {
    private func harness(token: String?) -> GatewayHarness {
        GatewayHarness(Edge.Configuration(metricsToken: token.flatMap { TokenDigest(authorization: "Bearer \($0)") }))
    }

    @Test("figures are for this machine, and for the bearer of the token elsewhere")
    func metrics() async throws {
        let harness = harness(token: "0123456789abcdef")
        func status(_ token: String? = nil, from address: String, headers: HTTPFields = [:]) async throws -> String {
            let answer = try await harness.send("GET", "/metrics", as: token, headers: headers, from: address)
            return "\(answer.status) \(answer.code ?? "")"
        }
        for address in ["127.0.0.1", "127.1.2.3", "::1"] { #expect(try await status(from: address) == "200 ") }
        #expect(try await status(from: "192.0.2.1") == "401 gateway.token_missing")
        #expect(try await status("0123456789abcdeg", from: "192.0.2.1") == "403 bus.forbidden")
        #expect(try await status("customer", from: "192.0.2.1") == "403 bus.forbidden")
        #expect(try await status("0123456789abcdef", from: "192.0.2.1") == "200 ")
        // A proxy on this machine brings clients from elsewhere.
        for name in ["X-Forwarded-For", "Forwarded", "Via"] {
            let field = HTTPField(name: try #require(HTTPField.Name(name)), value: "192.0.2.1")
            #expect(try await status(from: "127.0.0.1", headers: HTTPFields([field])) == "401 gateway.token_missing")
        }
        let closed = self.harness(token: nil)
        #expect(try await closed.send("GET", "/metrics", as: "customer", from: "192.0.2.1").status == 403)
        #expect(try await closed.send("GET", "/health", from: "192.0.2.1").status == 200)
    }

    @Test("a listener of its own gives figures, and nothing else")
    func scraped() async throws {
        let edge = harness(token: nil).edge
        for (method, path, status) in [
            (HTTPRequest.Method.get, "/metrics", 200), (.get, "/metrics?x", 200), (.head, "/metrics", 200),
            (.post, "/metrics", 405), (.get, "/v1/ops", 404), (.get, "/", 404), (.post, "/v1/sessions", 404)
        ] {
            let request = IncomingRequest(method: method, target: path, headers: [:], body: .whole(.init()))
            #expect(await edge.respondToOperator(request).status.code == status)
        }
    }

    @Test("a document that the client has already is not sent again")
    func documents() async throws {
        let harness = harness(token: nil)
        let first = try await harness.send("GET", "/openapi.json")
        let tag = try #require(first.headers[.eTag])
        let again = try await harness.send("GET", "/openapi.json", headers: [.ifNoneMatch: tag])
        #expect(again.status == 304 && again.text.isEmpty && again.headers[.eTag] == tag)
        #expect(try await harness.send("GET", "/asyncapi.json", headers: [.ifNoneMatch: tag]).status == 200)
    }

    @Test("all who ask at once get one reading, and it is kept for its time")
    func sharedReading() async {
        let readings = Mutex(0)
        let now = Mutex<UInt64>(0)
        let (opens, open) = AsyncStream.makeStream(of: Void.self)
        let read: @Sendable () async -> Int = {
            let reading = readings.withLock { readings in
                readings += 1
                return readings
            }
            if reading == 1 { _ = await opens.first { true } }
            return reading
        }
        let shared = SharedRead(for: .seconds(1), nanoseconds: { now.withLock { $0 } }, read)
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<32 { group.addTask { await shared.value() } }
            // However long it takes, it is one.
            now.withLock { $0 = 5_000_000_000 }
            group.addTask { await shared.value() }
            open.yield()
            for await reading in group { #expect(reading <= 2) }
        }
        let before = await shared.value()
        now.withLock { $0 += 999_000_000 }
        #expect(await shared.value() == before)
        now.withLock { $0 += 1_000_000 }
        #expect(await shared.value() == before + 1)
        // What no longer holds is read again, once for all who find that out.
        #expect(await shared.value { $0 == before + 1 } == before + 1)
        let again = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<32 { group.addTask { await shared.value { $0 > before + 1 } } }
            return await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(again == [before + 2])
    }

    @Test("an account has so many requests at once; others go on")
    func accountLoad() async throws {
        let harness = GatewayHarness(Edge.Configuration(requestsPerAccountMax: 1))
        let gate = Gate()
        harness.services.hold(Wallet.ReadCards.type, gate)
        async let held = harness.send("GET", "/v1/cards", as: "customer")
        await gate.reached()
        let second = try await harness.send("GET", "/v1/cards", as: "customer-pin")
        #expect(second.status == 429 && second.code == "gateway.account_busy")
        #expect(second.headers[.retryAfter] == "1")
        #expect(try await harness.send("GET", "/v1/sessions/current", as: "merchant").status == 200)
        await gate.open()
        #expect(try await held.status == 200)
        #expect(try await harness.send("GET", "/v1/cards", as: "customer").status == 200)
    }

    @Test("event streams leave some connections to requests")
    func streamPlaces() async throws {
        let harness = GatewayHarness(Edge.Configuration(streamsOfAllMax: 1))
        func open() async throws -> Int {
            try await harness.edge.respond(
                to: IncomingRequest(
                    method: .get, target: "/v1/notices/events", headers: ["Authorization": "Bearer customer"],
                    body: .whole(.init()))
            ) { nil }.response.status.code
        }
        do {
            let first = try await harness.edge.respond(
                to: IncomingRequest(
                    method: .get, target: "/v1/notices/events", headers: ["Authorization": "Bearer merchant"],
                    body: .whole(.init()))
            ) { nil }
            #expect(first.response.status == .ok)
            #expect(try await open() == 429)
            #expect(try await harness.send("GET", "/v1/cards", as: "customer").status == 200)
            withExtendedLifetime(first) {}
        }
        #expect(try await open() == 200)
    }
}
