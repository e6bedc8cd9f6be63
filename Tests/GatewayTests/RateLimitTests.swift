import Contracts
import Edge
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

    @Test("a clock that is set back locks nobody out for long")
    func clockBack() {
        var bucket = TokenBucket(at: FakeServices.time)
        let before = FakeServices.time + .seconds(-86_400)
        for _ in 0..<3 { _ = bucket.spend(policy, at: FakeServices.time) }
        guard case .refused(let wait) = bucket.spend(policy, at: before) else {
            Issue.record("an empty bucket gave something")
            return
        }
        #expect(wait <= .seconds(20))
        #expect(bucket.spend(policy, at: before + wait) == .spent(remaining: 0))
    }

    private func harness(address: Int, name: Int) -> GatewayHarness {
        GatewayHarness(
            Edge.Configuration(
                rates: RateLimiter.Policies(
                    perAddress: RatePolicy(calls: address, per: .seconds(60)),
                    perSubject: RatePolicy(calls: name, per: .seconds(60)))))
    }

    private func logIn(_ harness: GatewayHarness, _ name: String) async throws -> GatewayHarness.Answered {
        try await harness.send("POST", "/v1/sessions", body: #"{"username":"\#(name)","password":"12345678"}"#)
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
        let body = #"{"username":"e","password":"12345678"}"#
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
        try limiter.spend(.login, address: "2001:db8:1:2:3:4:5:6", at: now)
        #expect(throws: Fault.self) { try limiter.spend(.login, address: "2001:db8:1:2:ffff::1", at: now) }
        try limiter.spend(.login, address: "2001:db8:1:3::1", at: now)
        try limiter.spend(.login, address: "192.0.2.1", at: now)
        try limiter.spend(.login, address: "192.0.2.2", at: now)
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
