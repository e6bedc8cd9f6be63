import Bus
import Contracts
import GatewayService
import Hummingbird
import NIOCore
import NIOHTTP1
import Primitives
import Testing

@Suite("auth's facts as hints")
struct AuthHintTests {
    private let now = FakeServices.time

    @Test("a number that is left out is a gap, and so is a head that is ahead or behind")
    func gaps() {
        var hints = AuthHints(at: now)
        #expect(hints.note(.head(7), at: now) == .missedSome)  // nothing is known of what was before
        #expect(hints.note(.fact(8), at: now) == .missedNone)
        #expect(hints.note(.head(8), at: now) == .missedNone)
        #expect(hints.note(.fact(8), at: now) == .missedNone)
        #expect(hints.note(.fact(10), at: now) == .missedSome)
        #expect(hints.note(.fact(11), at: now) == .missedNone)
        #expect(hints.note(.head(12), at: now) == .missedSome)
        #expect(hints.note(.head(12), at: now) == .missedNone)
        // Another log: one that was restored.
        #expect(hints.note(.head(3), at: now) == .missedSome)
        #expect(hints.note(.fact(4), at: now) == .missedNone)
    }

    @Test("heads come once a second; after more than two without one something is wrong")
    func silence() {
        var hints = AuthHints(at: now)
        _ = hints.note(.head(1), at: now)
        #expect(!hints.areSilent(at: now + .milliseconds(2500)))
        #expect(hints.areSilent(at: now + .milliseconds(2501)))
    }
}

@Suite("sessions and what auth publishes of them")
struct SessionHintTests {
    private let harness = GatewayHarness()
    private var reads: Int { harness.services.asked(Auth.ReadSession.self).count }

    private func current(_ token: String = "customer") async throws -> Int {
        try await harness.send("GET", "/v1/sessions/current", as: token).status
    }

    @Test("a missed fact drops all that is remembered")
    func gap() async throws {
        harness.edge.sessions.receive(.head(5), at: FakeServices.time)
        #expect(try await current() == 200)
        harness.services.remove(digest: GatewayHarness.digest("customer"))
        harness.edge.sessions.receive(.fact(6), at: FakeServices.time)
        #expect(try await current() == 200)
        // The seventh would have said that the session has ended.
        harness.edge.sessions.receive(.head(7), at: FakeServices.time)
        #expect(try await current() == 401)
    }

    @Test("while nothing comes, a session is believed for a second")
    func silence() async throws {
        harness.edge.sessions.receive(.head(5), at: FakeServices.time)
        harness.advance(.milliseconds(2501))
        #expect(try await current() == 200)
        harness.services.remove(digest: GatewayHarness.digest("customer"))
        harness.advance(.milliseconds(999))
        #expect(try await current() == 200)
        harness.advance(.milliseconds(1))
        #expect(try await current() == 401)
    }

    @Test("a session that has changed is read again, and stays open")
    func changed() async throws {
        #expect(try await harness.pay(as: "customer-pin").status == 201)
        harness.services.put(.sample(.customer, pin: false, id: 1), digest: GatewayHarness.digest("customer-pin"))
        #expect(try await harness.pay(as: "customer-pin").status == 201)
        harness.edge.sessionChanged(SessionID(high: 1, low: 0x5E))
        #expect(try await harness.pay(as: "customer-pin").code == "auth.pin_required")
        #expect(try await current("customer-pin") == 200)
    }

    @Test("another PIN drops the sessions in which the one before was entered, before auth's facts arrive")
    func newPIN() async throws {
        #expect(try await harness.pay(as: "customer-pin").status == 201)
        harness.services.put(.sample(.customer, pin: false, id: 1), digest: GatewayHarness.digest("customer-pin"))
        let set = try await harness.send(
            "PUT", "/v1/pin", as: "customer", body: #"{"password":"12345678","pin":"4321","currentPin":"1234"}"#)
        #expect(set.status == 204)
        let ask = try #require(harness.services.asked(Auth.SetPIN.self).first)
        #expect((ask.session, ask.currentPin) == (SessionID(high: 2, low: 0x5E), "1234"))
        #expect(try await harness.pay(as: "customer-pin").code == "auth.pin_required")
    }

    @Test("a PIN that was checked before another was set does not count for a session that was read since")
    func lateProof() async throws {
        #expect(try await current() == 200)
        let gate = Gate()
        harness.services.hold(Auth.VerifyPIN.type, gate)
        async let verified = harness.send("POST", "/v1/pin/verifications", as: "customer", body: #"{"pin":"1234"}"#)
        await gate.reached()
        harness.edge.sessionChanged(SessionID(high: 2, low: 0x5E))
        #expect(try await current() == 200)
        await gate.open()
        #expect(try await verified.status == 200)
        #expect(try await harness.pay(as: "customer").code == "auth.pin_required")
    }

    @Test("every event stream ends within half a minute of its session, though nobody has heard of the end")
    func streams() async throws {
        let opened = try await harness.send("POST", "/v1/devices", as: "customer-pin", key: "phone", body: "{}")
        let device = try #require(opened.json["device"]?.string)
        for (path, token) in [
            ("/v1/notices/events?after=1", "customer"), ("/v1/customers/nearby/events", "merchant"),
            ("/v1/devices/\(device)/events", "customer-pin")
        ] {
            let request = IncomingRequest(
                method: .get, target: path, headers: ["Authorization": "Bearer \(token)"],
                body: .whole(ByteBuffer()))
            let response = try await harness.edge.respond(to: request) { nil }
            try await response.whileListening { listener in
                _ = await listener.next()
                harness.services.remove(digest: GatewayHarness.digest(token))
                harness.advance(.seconds(26))
                harness.edge.watch.tick()
                #expect(await listener.next { $0.hasPrefix("event: closed") } != nil, "\(path)")
            }
        }
    }

    @Test("a stream whose session goes on stays, though auth is in trouble")
    func streamStays() async throws {
        let request = IncomingRequest(
            method: .get, target: "/v1/notices/events?after=1", headers: ["Authorization": "Bearer customer"],
            body: .whole(ByteBuffer()))
        try await harness.edge.respond(to: request) { nil }.whileListening { listener in
            _ = await listener.next()
            harness.services.refuse(Auth.ReadSession.type, Fault(.noWorker))
            harness.advance(.seconds(26))
            harness.edge.watch.tick()
            harness.edge.notices.changed(.sample(.customer))
            #expect(await listener.next() == ":\n\n")
        }
    }

    @Test("transfers of an account that was recovered are refused until its time is over")
    func held() async throws {
        let until = FakeServices.time + .seconds(3600)
        let body = #"{"to":{"username":"bob"},"amount":{"amount":150,"currency":"USD"}}"#
        func transfer(_ key: String = "k") async throws -> GatewayHarness.Answered {
            try await harness.send("POST", "/v1/transfers", as: "customer-pin", key: key, body: body)
        }
        #expect(try await transfer("before").status == 201)
        // Nobody tells the gateway of it.
        harness.services.put(
            Auth.SessionView(
                session: SessionID(high: 1, low: 0x5E), account: .sample(.customer), role: .customer,
                expires: FakeServices.time + .seconds(86_400), pinVerifiedUntil: FakeServices.time + .seconds(86_400),
                transfersHeldUntil: until), digest: GatewayHarness.digest("customer-pin"))
        let refused = try await transfer()
        #expect((refused.status, refused.code) == (403, "auth.transfers_held"))
        #expect(refused.detail?.contains(until.rfc3339) == true && refused.detail?.contains("moved no money") == true)
        #expect(refused.headers[.retryAfter] == "3600")
        #expect(harness.services.asked(Wallet.PostTransfer.self).count == 1)
        // A transfer that was made before the hold is answered again.
        let repeated = try await transfer("before")
        #expect(repeated.status == 201 && repeated.headers[.idempotencyReplayed] == "true")
        // What is paid to merchants is no transfer.
        #expect(try await harness.pay().status == 201)
        harness.advance(.seconds(3600))
        #expect(try await transfer().status == 201)
    }

    @Test("settings change the fields that are given, with a value or null")
    func settings() async throws {
        let answer = try await harness.send(
            "PUT", "/v1/settings/account", as: "customer",
            body: #"{"student":false,"gender":null,"email":"x@example.com","password":"12345678","pin":"1234"}"#)
        #expect(answer.status == 200)
        let ask = try #require(harness.services.asked(Auth.UpdateProfile.self).first)
        #expect(Set(ask.fields ?? []) == [.student, .gender, .email])
        #expect((ask.profile.student, ask.profile.gender, ask.password, ask.pin) == (false, nil, "12345678", "1234"))
        #expect(ask.session == SessionID(high: 2, low: 0x5E))
    }

    @Test("where a stranger has the shop's name, the shop goes by another one")
    func shop() async throws {
        harness.services.take("touch-shop")
        let opened = try await harness.send("POST", "/v1/devices", as: "customer-pin", key: "phone", body: "{}")
        #expect(opened.status == 201)
        let asked = harness.services.asked(Auth.RegisterAccount.self)
        #expect(asked.count == 2 && Set(asked.map(\.account)).count == 1)
        #expect(asked.last?.username.hasPrefix("touch-shop-") == true)
    }
}
