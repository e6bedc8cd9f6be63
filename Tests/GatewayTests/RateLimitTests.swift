import Contracts
import GatewayService
import Primitives
import Testing

@Suite("rate limits")
struct RateLimitTests {
    private let policy = RatePolicy(calls: 3, per: .seconds(60))

    @Test("a bucket gives so many at once, then one each interval")
    func bucket() {
        var now = FakeServices.time
        var bucket = TokenBucket(at: now)
        #expect((0..<3).map { _ in bucket.spend(policy, at: now) } == [2, 1, 0].map { .spent(remaining: $0) })
        #expect(bucket.spend(policy, at: now) == .refused(retryAfter: .seconds(20)))
        now = now + .seconds(19)
        #expect(bucket.spend(policy, at: now) == .refused(retryAfter: .seconds(1)))
        now = now + .seconds(1)
        #expect(bucket.spend(policy, at: now) == .spent(remaining: 0))
        now = now + .seconds(600)
        #expect(bucket.spend(policy, at: now) == .spent(remaining: 2))
    }

    @Test("a clock that is set back locks nobody out")
    func clockBack() {
        var bucket = TokenBucket(at: FakeServices.time)
        let before = FakeServices.time + .seconds(-86_400)
        for _ in 0..<3 { _ = bucket.spend(policy, at: FakeServices.time) }
        #expect(bucket.spend(policy, at: before) == .spent(remaining: 2))
    }

    private func harness(address: Int, name: Int) -> GatewayHarness {
        GatewayHarness(
            Edge.Configuration(
                rates: RateLimiter.Policies(
                    perAddress: RatePolicy(calls: address, per: .seconds(60)),
                    perSubject: RatePolicy(calls: name, per: .seconds(60)))))
    }

    private func logIn(
        _ harness: GatewayHarness, _ name: String, from address: String = "192.0.2.1"
    ) async throws -> GatewayHarness.Answered {
        try await harness.send(
            "POST", "/v1/sessions", body: #"{"username":"\#(name)","password":"12345678"}"#, from: address)
    }

    @Test("names that are longer than any account's count as one, so that little is remembered of them")
    func longNames() {
        func spend(_ length: Int, _ letter: Character) -> Bool {
            let name = String(repeating: letter, count: length)
            return
                (try? limiter.spend(RateLimiter.Try(purpose: .login, subject: name, client: nil), at: FakeServices.time))
                != nil
        }
        let limiter = RateLimiter(
            RateLimiter.Policies(
                perAddress: RatePolicy(calls: 1000, per: .seconds(60)),
                perSubject: RatePolicy(calls: 1, per: .seconds(60))))
        #expect(spend(254, "a") && spend(254, "b") && !spend(254, "a"))
        #expect(spend(255, "a") && !spend(255, "b") && !spend(16_000, "c"))
    }

    @Test("log-ins are limited per name, others go on")
    func perName() async throws {
        let harness = harness(address: 1000, name: 2)
        for _ in 0..<2 { #expect(try await logIn(harness, "ada").status == 201) }
        let refused = try await logIn(harness, "ada")
        #expect(refused.status == 429)
        #expect(refused.code == "gateway.rate_limited")
        #expect(refused.headers[.retryAfter] == "30")
        #expect(refused.headers[.rateLimit] == "\"default\";r=0;t=30")
        #expect(refused.headers[.rateLimitPolicy] == "\"address\";q=1000;w=60, \"name\";q=2;w=60")
        #expect(try await logIn(harness, "bob").status == 201)
        harness.advance(.seconds(30))
        #expect(try await logIn(harness, "ada").status == 201)
    }

    @Test("log-ins are limited per address, whatever the name; nothing is asked of auth then")
    func perAddress() async throws {
        let harness = harness(address: 3, name: 1000)
        for name in ["a", "b", "c"] { #expect(try await logIn(harness, name).status == 201) }
        #expect(try await logIn(harness, "d").status == 429)
        #expect(harness.services.asked(Auth.OpenSession.self).count == 3)
        // Registrations are counted apart.
        let body = FormBody.merchant("e")
        #expect(try await harness.send("POST", "/v1/merchants", body: body).status == 201)
    }

    @Test("PINs are limited per account")
    func pins() async throws {
        let harness = harness(address: 1000, name: 1)
        func enter(_ token: String) async throws -> Int {
            try await harness.send("POST", "/v1/pin/verifications", as: token, body: #"{"pin":"1234"}"#).status
        }
        #expect(try await enter("customer") == 200)
        #expect(try await enter("customer-pin") == 429)
        #expect(try await enter("merchant") == 200)
    }

    @Test("an IPv6 network counts as one client")
    func networks() throws {
        let limiter = RateLimiter(RateLimiter.Policies(perAddress: RatePolicy(calls: 1, per: .seconds(60))))
        let now = FakeServices.time
        func spend(_ address: String) throws { try limiter.spend(.login, from: IPAddress(address), at: now) }
        try spend("2001:db8:1:2:3:4:5:6")
        #expect(throws: Fault.self) { try spend("2001:db8:1:2:ffff::1") }
        try spend("2001:db8:1:3::1")
        try spend("192.0.2.1")
        #expect(throws: Fault.self) { try spend("::ffff:192.0.2.1") }
        try spend("192.0.2.2")
    }

    @Test("who has logged in at an address may do so again although others there have used up its tries")
    func sharedAddress() async throws {
        let harness = harness(address: 5, name: 3)
        #expect(try await logIn(harness, "ada").status == 201)
        for attempt in 0..<4 { #expect(try await logIn(harness, "victim\(attempt)").status == 201) }
        #expect(try await logIn(harness, "another").status == 429)
        #expect(try await logIn(harness, "ada").status == 201)
        #expect(try await logIn(harness, "another", from: "192.0.2.2").status == 201)
        // Not more tries than others have, nor elsewhere.
        #expect(try await logIn(harness, "ada").status == 201)
        #expect(try await logIn(harness, "ada").status == 429)
        #expect(try await logIn(harness, "ada", from: "192.0.2.3").status == 429)
    }

    @Test("who tries a name from elsewhere does not shut out its owner at home")
    func namedFromAfar() async throws {
        let harness = harness(address: 100, name: 4)
        #expect(try await logIn(harness, "ada").status == 201)
        for attempt in 0..<3 { #expect(try await logIn(harness, "ada", from: "198.51.100.\(attempt)").status == 201) }
        #expect(try await logIn(harness, "ada", from: "198.51.100.9").status == 429)
        #expect(try await logIn(harness, "ada").status == 201)
    }

    @Test("accounts that are made to be at home do not lift the address's bound")
    func manyHomes() throws {
        let limiter = RateLimiter(
            RateLimiter.Policies(
                perAddress: RatePolicy(calls: 2, per: .seconds(60)), perSubject: RatePolicy(calls: 5, per: .seconds(60))
            ))
        let now = FakeServices.time
        let tries = (0..<100).map {
            RateLimiter.Try(purpose: .pin, subject: "\($0)", client: IPAddress("192.0.2.1"), hasSession: true)
        }
        let allowed = tries.count { tried in (try? limiter.spend(tried, at: now)) != nil }
        #expect(allowed == 22)
    }

    @Test("the table is bounded and keeps what is used")
    func table() {
        var table = AgingTable<Int, Int>(capacity: 10)
        for index in 0..<1000 {
            table[index] = index
            table[-1] = (table[-1] ?? 0) + 1
            #expect(table.count <= 10)
        }
        #expect(table[-1] == 1000)
        #expect(table[0] == nil)
        table[-1] = nil
        #expect(table[-1] == nil)
    }
}
