import Contracts
import GatewayService
import Primitives
import Testing

@Suite("idempotency")
struct IdempotencyTests {
    @Test("the same key reaches the same charge and gets the same answer")
    func replay() async throws {
        let harness = GatewayHarness()
        let first = try await harness.pay()
        let second = try await harness.pay(key: "\"key-1\"")
        #expect(first.status == 201 && second.status == 201)
        #expect(first.text == second.text)
        #expect(first.headers[.idempotencyReplayed] == nil)
        #expect(second.headers[.idempotencyReplayed] == "true")
        let charges = harness.services.asked(Payments.CreatePayment.self).map(\.charge)
        #expect(charges.count == 2 && charges[0] == charges[1])
    }

    @Test("other content under the same key is refused")
    func reused() async throws {
        let harness = GatewayHarness()
        _ = try await harness.pay()
        let other = try await harness.pay(
            #"{"merchant":"00000000000000070000000000000007","amount":{"amount":151,"currency":"USD"}}"#)
        #expect(other.status == 422)
        #expect(other.code == "wallet.id_reused")
    }

    @Test("keys are apart by account and by route")
    func scopes() async throws {
        let harness = GatewayHarness()
        let amount = #""amount":{"amount":1,"currency":"USD"}"#
        _ = try await harness.pay()
        let to = #"{"to":{"username":"bob"},\#(amount)}"#
        _ = try await harness.send("POST", "/v1/transfers", as: "customer-pin", key: "key-1", body: to)
        _ = try await harness.send("POST", "/v1/transfers", as: "merchant-pin", key: "key-1", body: to)
        let ids =
            harness.services.asked(Wallet.PostTransfer.self).map(\.operation)
            + harness.services.asked(Payments.CreatePayment.self).map { $0.charge.reinterpreted() }
        #expect(Set(ids).count == 3)
    }

    @Test("a key that is a UUID of version 7 gives its time to the operation's id, and no other key does")
    func time() async throws {
        let harness = GatewayHarness()
        let time: UInt64 = 0x0192_0A1B_2C3D
        let keys = [
            "01920a1b-2c3d-7abc-8def-0123456789ab", "01920A1B-2C3D-7ABC-BDEF-0123456789AC",
            // Version 4; the variant of others; too short, too long; no UUID.
            "01920a1b-2c3d-4abc-8def-0123456789ab", "01920a1b-2c3d-7abc-cdef-0123456789ab",
            "01920a1b-2c3d-7abc-8def-0123456789a", "01920a1b-2c3d-7abc-8def-0123456789abc",
            "01920a1b+2c3d-7abc-8def-0123456789ab", "0192Oa1b-2c3d-7abc-8def-0123456789ab"
        ]
        for key in keys { #expect(try await harness.pay(key: key).status == 201) }
        let charges = harness.services.asked(Payments.CreatePayment.self).map(\.charge)
        #expect(charges.map { $0.high >> 16 == time } == keys.indices.map { $0 < 2 })
        #expect(Set(charges.map(\.low)).count == keys.count)
    }

    @Test("a key that is still at work is in flight; afterwards it is free")
    func inFlight() async throws {
        let harness = GatewayHarness()
        let gate = Gate()
        harness.services.hold(Payments.CreatePayment.type, gate)
        async let first = harness.pay()
        await gate.reached()
        let second = try await harness.pay()
        #expect(second.status == 409)
        #expect(second.code == "gateway.key_in_flight")
        #expect(second.headers[.retryAfter] == "1")
        await gate.open()
        #expect(try await first.status == 201)
        #expect(try await harness.pay().headers[.idempotencyReplayed] == "true")
    }

    @Test("a refusal frees the key too")
    func refusalFrees() async throws {
        let harness = GatewayHarness()
        harness.services.refuse(Payments.CreatePayment.type, Fault(.insufficientFunds, replayed: true))
        for _ in 0..<2 {
            let answer = try await harness.pay()
            #expect(answer.status == 402)
            #expect(answer.headers[.idempotencyReplayed] == "true")
        }
    }

    @Test("keys at once are bounded")
    func bounded() async throws {
        let harness = GatewayHarness(
            Edge.Configuration(keysInFlightMax: 1, rates: Edge.Configuration.lenient.rates))
        let gate = Gate()
        harness.services.hold(Payments.CreatePayment.type, gate)
        async let first = harness.pay(key: "key-1")
        await gate.reached()
        let refused = try await harness.pay(key: "key-2")
        #expect(refused.status == 503)
        #expect(refused.code == "bus.queue_full")
        #expect(refused.headers[.retryAfter] == "1")
        await gate.open()
        #expect(try await first.status == 201)
        #expect(try await harness.pay(key: "key-2").status == 201)
    }

    @Test(
        "keys are 1 to 255 visible ASCII characters, bare or quoted",
        arguments: [
            ("a", true), ("\"a\"", true), ("8f14e45f-ceea", true), (#""a\"b\\c""#, true), ("", false), ("\"\"", false),
            ("a b", false), ("\"a b\"", false), ("\"a", false), ("\"a\\x\"", false), ("\"a\"b\"", false), ("é", false),
            ("a, b", false), (String(repeating: "k", count: 255), true), (String(repeating: "k", count: 256), false),
            ("\"", false), ("\"\\\"", false)
        ])
    func forms(key: String, isValid: Bool) { #expect((IdempotencyKey(key) != nil) == isValid) }

    @Test("quoted and bare are one key")
    func spellings() { #expect(IdempotencyKey("\"abc\"") == IdempotencyKey("abc")) }

    @Test("a registration's account comes from its key and username; without a key it is a new one each time")
    func registration() async throws {
        let harness = GatewayHarness()
        func register(_ name: String, _ key: String?) async throws {
            let body = FormBody.customer(name)
            #expect(try await harness.send("POST", "/v1/customers", key: key, body: body).status == 201)
        }
        for (name, key) in [("ada", "k"), ("ada", "k"), ("bob", "k"), ("ada", nil), ("ada", nil)] {
            try await register(name, key)
        }
        let ids = harness.services.asked(Auth.RegisterAccount.self).map(\.account)
        #expect(ids[0] == ids[1])
        #expect(Set(ids).count == 4)
    }
}
