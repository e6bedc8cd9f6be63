import Bus
import Contracts
import GatewayService
import Primitives
import Testing

@Suite("sessions")
struct SessionTests {
    private func reads(_ harness: GatewayHarness) -> Int { harness.services.asked(Auth.ReadSession.self).count }
    private func current(_ harness: GatewayHarness) async throws -> Int {
        try await harness.send("GET", "/v1/sessions/current", as: "customer").status
    }

    @Test("are asked for once, by digest, and again after five seconds in which nobody used them")
    func cached() async throws {
        let harness = GatewayHarness()
        for _ in 0..<3 { #expect(try await current(harness) == 200) }
        #expect(reads(harness) == 1)
        #expect(harness.services.asked(Auth.ReadSession.self)[0].tokenDigest == GatewayHarness.digest("customer"))
        harness.advance(.milliseconds(2499))
        #expect(try await current(harness) == 200)
        #expect(reads(harness) == 1)
        harness.advance(.milliseconds(2501))
        #expect(try await current(harness) == 200)
        #expect(reads(harness) == 2)
    }

    @Test("in use are read again once, while nobody waits for it", .timeLimit(.minutes(5)))
    func readAgain() async throws {
        let harness = GatewayHarness()
        #expect(try await harness.pay(as: "customer-pin").status == 201)
        harness.services.put(.sample(.customer, pin: false, id: 1), digest: GatewayHarness.digest("customer-pin"))
        let gate = Gate()
        harness.services.hold(Auth.ReadSession.type, gate)
        harness.advance(.milliseconds(4999))
        for _ in 0..<3 { #expect(try await harness.pay(as: "customer-pin").status == 201) }
        await gate.reached()
        #expect(try await harness.pay(as: "customer-pin").status == 201)
        await gate.open()
        // What auth said meanwhile is known some time later, and asked once more before somebody is refused.
        while try await harness.pay(as: "customer-pin").code != "auth.pin_required" { await Task.yield() }
        #expect(reads(harness) == 3)
    }

    @Test("see a PIN that was entered at another gateway")
    func pinElsewhere() async throws {
        let harness = GatewayHarness()
        #expect(try await harness.pay(as: "customer").code == "auth.pin_required")
        harness.services.put(.sample(.customer, pin: true, id: 2), digest: GatewayHarness.digest("customer"))
        #expect(try await harness.pay(as: "customer").status == 201)
        #expect(reads(harness) == 2)
        #expect(try await harness.pay(as: "customer").status == 201)
        #expect(reads(harness) == 2)
    }

    @Test("that auth no longer knows end when they are read again", .timeLimit(.minutes(5)))
    func endedUnheard() async throws {
        let harness = GatewayHarness()
        #expect(try await current(harness) == 200)
        harness.services.remove(digest: GatewayHarness.digest("customer"))
        harness.advance(.milliseconds(4999))
        #expect(try await current(harness) == 200)
        while try await current(harness) != 401 { await Task.yield() }
    }

    @Test(
        "are used until they are too old, and tried again meanwhile, when auth is in trouble", .timeLimit(.minutes(5)))
    func authInTrouble() async throws {
        let harness = GatewayHarness()
        #expect(try await current(harness) == 200)
        harness.services.refuse(Auth.ReadSession.type, Fault(.unavailable))
        harness.advance(.milliseconds(4499))
        for tries in 2...3 {
            harness.advance(.milliseconds(250))
            // Once each time, however many come.
            for _ in 0..<3 { #expect(try await current(harness) == 200) }
            while reads(harness) < tries { await Task.yield() }
            #expect(try await current(harness) == 200)
            #expect(reads(harness) == tries)
        }
        harness.advance(.milliseconds(1))
        #expect(try await current(harness) == 503)
    }

    @Test("are asked for again when the clock was set back")
    func clockBack() async throws {
        let harness = GatewayHarness()
        #expect(try await current(harness) == 200)
        harness.advance(.seconds(-3600))
        #expect(try await current(harness) == 200)
        #expect(reads(harness) == 2)
    }

    @Test("that are unknown are not remembered")
    func negative() async throws {
        let harness = GatewayHarness()
        harness.services.remove(digest: GatewayHarness.digest("customer"))
        #expect(try await current(harness) == 401)
        harness.services.put(.sample(.customer, pin: false), digest: GatewayHarness.digest("customer"))
        #expect(try await current(harness) == 200)
    }

    @Test("end at once when auth says so")
    func ended() async throws {
        let harness = GatewayHarness()
        #expect(try await current(harness) == 200)
        harness.services.remove(digest: GatewayHarness.digest("customer"))
        #expect(try await current(harness) == 200)
        let ended = Auth.SessionView.sample(.customer, pin: false, id: 2)
        harness.edge.sessionEnded(ended.session, of: ended.account)
        #expect(try await current(harness) == 401)
    }

    @Test("end at once with the log-out")
    func loggedOut() async throws {
        let harness = GatewayHarness()
        #expect(try await harness.send("DELETE", "/v1/sessions/current", as: "customer").status == 204)
        harness.services.remove(digest: GatewayHarness.digest("customer"))
        #expect(try await current(harness) == 401)
    }

    @Test("that ended while they were read are not remembered")
    func race() async throws {
        let harness = GatewayHarness()
        let gate = Gate()
        harness.services.hold(Auth.ReadSession.type, gate)
        async let first = current(harness)
        await gate.reached()
        harness.edge.sessionEnded(SessionID(high: 9, low: 9), of: PartyID(high: 9, low: 9))
        await gate.open()
        #expect(try await first == 200)
        #expect(try await current(harness) == 200)
        #expect(reads(harness) == 2)
    }

    @Test("expire by themselves")
    func expired() async throws {
        let harness = GatewayHarness()
        harness.advance(.seconds(86_400))
        #expect(try await current(harness) == 401)
    }

    @Test("know at once that the PIN was entered")
    func pin() async throws {
        let harness = GatewayHarness()
        #expect(try await harness.pay(as: "customer").code == "auth.pin_required")
        let entered = try await harness.send("POST", "/v1/pin/verifications", as: "customer", body: #"{"pin":"1234"}"#)
        #expect(entered.status == 200)
        #expect(try await harness.pay(as: "customer").status == 201)
        #expect(reads(harness) == 1)
    }

    @Test("are bounded in number, and the ones in use stay")
    func bounded() async throws {
        let harness = GatewayHarness(Edge.Configuration(sessionsMax: 10, rates: Edge.Configuration.lenient.rates))
        for index in 0..<100 {
            let token = "t\(index)"
            harness.services.put(
                .sample(.customer, pin: false, id: UInt64(index + 100)), digest: GatewayHarness.digest(token))
            #expect(try await harness.send("GET", "/v1/sessions/current", as: token).status == 200)
            #expect(try await current(harness) == 200)
        }
        #expect(reads(harness) == 101)
        for index in 0..<90 {
            #expect(try await harness.send("GET", "/v1/sessions/current", as: "t\(index)").status == 200)
        }
        #expect(reads(harness) == 191)
    }

    @Test(
        "tokens come as RFC 6750 says",
        arguments: [
            ("Bearer abc", true), ("bearer abc", true), ("Basic abc", false), ("Bearer ", false), ("Bearer a b", false),
            ("Bearer", false), ("", false), ("Bearer " + String(repeating: "a", count: 2042), false)
        ])
    func tokens(field: String, isOne: Bool) { #expect((TokenDigest(authorization: field) != nil) == isOne) }

    @Test("a digest is the SHA-256 of the token's text")
    func digest() {
        #expect(
            TokenDigest(of: Array("abc".utf8)).hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
    }
}
