import Bus
import Contracts
import Foundation
import GatewayService
import Hummingbird
import Primitives
import Synchronization
import Testing
import TouchApp
import Wire

/// One device over fake services.
private struct Phone {
    let harness: GatewayHarness
    let token: String
    let id: String

    init(
        _ harness: GatewayHarness = GatewayHarness(), as token: String = "customer-pin", key: String = "phone",
        body: String = "{}"
    ) async throws {
        self.harness = harness
        self.token = token
        let opened = try await harness.send("POST", "/v1/devices", as: token, key: key, body: body)
        id = try #require(opened.json["device"]?.string, "\(opened.text)")
    }

    func send(
        _ method: String, _ path: String, _ body: String? = nil, as token: String? = nil
    ) async throws -> GatewayHarness.Answered {
        try await harness.send(method, "/v1/devices/\(id)\(path)", as: token ?? self.token, body: body)
    }

    @discardableResult
    func touch(_ x: Int, _ y: Int, _ touchID: String? = nil) async throws -> GatewayHarness.Answered {
        let id = touchID.map { #","touchId":"\#($0)""# } ?? ""
        return try await send("POST", "/touch", #"{"x":\#(x),"y":\#(y)\#(id)}"#)
    }

    func enterPIN() async throws {
        for x in [1, 2, 3] { try await touch(x, 5) }
        try await touch(1, 6)
    }

    func toPay() async throws {
        try await enterPIN()
        try await touch(3, 3)
    }

    func screen() async throws -> String? { try await send("GET", "/display").json["screen"]?.string }
    var payments: [Payments.CreatePayment] { harness.services.asked(Payments.CreatePayment.self) }
}

@Suite("devices")
struct DeviceTests {
    @Test("000-97, A1: a touch on the pay screen is a payment, under an id that follows from its own")
    func pays() async throws {
        let phone = try await Phone(body: #"{"merchant":"00000000000000050000000000000005"}"#)
        try await phone.toPay()
        let paid = try await phone.touch(1, 2, "touch-1")
        #expect(paid.json["notice"]?.string == "Paid $1.50. Balance $15.00")
        #expect(paid.headers[.touchEffect] == "done")
        let payment = try #require(phone.payments.first)
        #expect(payment.amount == Money(150))
        #expect(payment.merchant == PartyID(high: 5, low: 5))
        #expect(paid.json["receipt", "operation"]?.string == payment.charge.hex)
        #expect(paid.json["receipt", "entry"] == .integer(5))
    }

    @Test(
        "a touch that paid from another card, before its device was opened again, shows its receipt; never another's",
        arguments: [
            (5, "notice", "Paid $1.50 before, nothing charged now"),
            (7, "error", "Done before. Look at the transactions")
        ])
    func paidBefore(merchant: UInt64, field: String, words: String) async throws {
        let body = #"{"merchant":"00000000000000050000000000000005"}"#
        let before = try await Phone(body: body)
        try await before.toPay()
        try await before.touch(1, 2, "touch-1")
        let paid = try #require(before.payments.first)
        let phone = try await Phone(body: body)
        _ = try await phone.harness.services.ask(
            Payments.CreatePayment(
                charge: paid.charge, customer: paid.customer, card: CardID(high: 0, low: 1),
                merchant: PartyID(high: merchant, low: merchant), amount: paid.amount, memo: ""),
            in: AskContext(deadline: FakeServices.time))
        try await phone.toPay()
        #expect(try await phone.touch(1, 2, "touch-1").json[field]?.string == words)
    }

    @Test("an open device is not opened under its key for another merchant")
    func otherMerchant() async throws {
        let phone = try await Phone()
        let again = try await phone.harness.send("POST", "/v1/devices", as: phone.token, key: "phone", body: "{}")
        #expect(again.status == 201)
        let other = try await phone.harness.send(
            "POST", "/v1/devices", as: phone.token, key: "phone",
            body: #"{"merchant":"00000000000000050000000000000005"}"#)
        #expect((other.status, other.code) == (422, "gateway.device_reused"))
    }

    @Test("000-9, A24: stores come on request from the last position; where none is known there are none")
    func stores() async throws {
        let phone = try await Phone()
        try await phone.enterPIN()
        _ = try await phone.send("POST", "/menu/4", "{}")
        let found = try await phone.send("POST", "/top-right", "{}")
        #expect(found.json["stores"]?.elements.first?["name"] == "Blue Bottle")
        #expect(found.json["stores"]?.elements.first?["distanceMetres"] == .integer(42))
        #expect(phone.harness.services.asked(Location.FindMerchants.self).map(\.customer) == [.sample(.customer)])
        phone.harness.services.refuse(Location.FindMerchants.type, Fault(.positionUnknown))
        let none = try await phone.send("POST", "/top-right", "{}")
        #expect(none.json["stores"]?.elements == [])
        #expect(none.json["notice"] == "No stores near you")
        phone.harness.services.refuse(Location.FindMerchants.type, Fault(.noWorker))
        let trouble = try await phone.send("POST", "/top-right", "{}")
        #expect(trouble.json["notice"] != "No stores near you")
    }

    @Test("a repeated touch is one payment; another touchId, device or customer is another")
    func ids() async throws {
        let harness = GatewayHarness()
        let phone = try await Phone(harness)
        try await phone.toPay()
        for _ in 0..<3 { try await phone.touch(2, 2, "touch-1") }
        let again = try await phone.touch(2, 2, "touch-1")
        #expect(again.headers[.idempotencyReplayed] == "true")
        #expect(again.headers[.touchEffect] == "repeated")
        #expect(phone.payments.count == 1)
        try await phone.touch(2, 2, "touch-2")
        let other = try await Phone(harness, key: "other-phone")
        try await other.toPay()
        try await other.touch(2, 2, "touch-1")
        #expect(Set(phone.payments.map(\.charge)).count == 3)
    }

    @Test("a touch that is cancelled pays nothing when it arrives; one that had arrived has paid")
    func cancelled() async throws {
        let phone = try await Phone()
        try await phone.toPay()
        let cancelled = try await phone.send("POST", "/cancel", #"{"touchId":"touch-1"}"#)
        #expect(cancelled.headers[.touchEffect] == "cancelled")
        #expect(cancelled.json["payee"]?.string == "Touch Shop")
        #expect(try await phone.touch(1, 2, "touch-1").headers[.touchEffect] == "repeated")
        #expect(phone.payments.isEmpty)
        try await phone.touch(1, 2, "touch-2")
        let late = try await phone.send("POST", "/cancel", #"{"touchId":"touch-2"}"#)
        #expect(late.headers[.touchEffect] == "repeated")
        #expect(late.headers[.idempotencyReplayed] == "true")
        #expect(phone.payments.count == 1)
        #expect(try await phone.send("POST", "/cancel", "{}").status == 400)
    }

    @Test("a device that was lost and opened again under its key pays the same touch once")
    func reopened() async throws {
        let phone = try await Phone()
        try await phone.toPay()
        try await phone.touch(1, 2, "touch-1")
        #expect(try await phone.send("DELETE", "").status == 204)
        #expect(try await phone.touch(1, 2, "touch-1").code == "gateway.device_not_found")
        let again = try await Phone(phone.harness)
        #expect(again.id == phone.id)
        #expect(try await again.screen() == "Pin Screen")
        try await again.toPay()
        let repeated = try await again.touch(1, 2, "touch-1")
        #expect(repeated.json["notice"]?.string == "Paid $1.50 before, nothing charged now")
        #expect(Set(phone.payments.map(\.charge)).count == 1)
    }

    @Test("the same touchId for another touch is refused; one that is no key too")
    func reused() async throws {
        let phone = try await Phone()
        try await phone.toPay()
        try await phone.touch(3, 3, "touch-1")
        #expect(try await phone.send("POST", "/menu/2", #"{"touchId":"touch-1"}"#).code == "gateway.touch_reused")
        #expect(try await phone.touch(1, 2, "two words").code == "bus.malformed")
    }

    @Test("touches of one device wait for each other, sixteen of them; more are refused as busy")
    func busy() async throws {
        let phone = try await Phone()
        try await phone.toPay()
        let gate = Gate()
        phone.harness.services.hold(Payments.CreatePayment.type, gate)
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await phone.touch(1, 2).status }
            await gate.reached()
            for _ in 0..<17 { group.addTask { try await phone.touch(3, 8).status } }
            // Sixteen wait for the first; the one that finds no place is told at once.
            #expect(try await group.next() == 429)
            await gate.open()
            var statuses: [Int] = []
            for try await status in group { statuses.append(status) }
            #expect(statuses == [Int](repeating: 200, count: 17))
        }
    }

    @Test("money moves for a session whose PIN counts only; else the app goes back to the Pin Screen")
    func pinTimesOut() async throws {
        let phone = try await Phone()
        try await phone.toPay()
        phone.harness.advance(.seconds(901))
        let refused = try await phone.touch(1, 2)
        #expect(refused.json["screen"]?.string == "Pin Screen")
        #expect(refused.json["error"]?.string == "Enter the Pin again")
        #expect(phone.payments.isEmpty)
    }

    @Test("A9: PINs are checked by auth, in the session of who touches; wrong ones are told")
    func pin() async throws {
        let phone = try await Phone(as: "customer")
        phone.harness.services.refuse(Auth.VerifyPIN.type, Fault(.pinWrong))
        try await phone.enterPIN()
        #expect(try await phone.send("GET", "/display").json["error"]?.string == "Invalid Pin")
        phone.harness.services.refuse(Auth.VerifyPIN.type, Fault(.pinDelayed, retryAfterSeconds: 30))
        try await phone.enterPIN()
        let delayed = try await phone.send("GET", "/display").json
        #expect(delayed["error"]?.string == "Too many Pins. Wait 30 s")
        #expect(delayed["nextPin"]?.string == (FakeServices.time + .seconds(30)).rfc3339)
        let asked = phone.harness.services.asked(Auth.VerifyPIN.self)
        #expect(asked.map(\.pin) == ["1234", "1234"])
        #expect(asked.allSatisfy { $0.session == Auth.SessionView.sample(.customer, pin: false, id: 2).session })
    }

    @Test("belong to their customer: nobody else learns that they are there")
    func others() async throws {
        let phone = try await Phone()
        phone.harness.putStranger()
        for (method, path) in [
            ("GET", "/display"), ("GET", "/events"), ("GET", "/barcode"), ("POST", "/top-left"), ("POST", "/menu/1"),
            ("POST", "/refresh"), ("DELETE", "")
        ] {
            #expect(try await phone.send(method, path, as: "stranger").code == "gateway.device_not_found")
        }
        let cancelled = try await phone.send("POST", "/cancel", #"{"touchId":"touch-1"}"#, as: "stranger")
        #expect(cancelled.code == "gateway.device_not_found")
        #expect(try await phone.screen() == "Pin Screen")
    }

    @Test("the display is JSON, and text for who would rather have that (000-24)")
    func text() async throws {
        let phone = try await Phone()
        func display(_ accept: String) async throws -> GatewayHarness.Answered {
            try await phone.harness.send(
                "GET", "/v1/devices/\(phone.id)/display", as: phone.token, headers: [.accept: accept])
        }
        for accept in ["text/plain", "text/plain, application/json;q=0.5", "TEXT/PLAIN"] {
            let text = try await display(accept)
            #expect(text.headers[.contentType] == "text/plain; charset=utf-8")
            #expect(text.text == "Pin Screen\nEnter Pin\n[ ][ ][ ][ ]\n")
        }
        for accept in ["*/*", "application/json", "application/json, text/plain"] {
            #expect(try await display(accept).json["screen"]?.string == "Pin Screen")
        }
    }

    @Test("A5: a demo customer has a card, or none, and the PIN 1234; its device needs its token")
    func demo() async throws {
        for (profile, cards) in [("demo", 1), ("no-card", 0)] {
            let harness = GatewayHarness()
            let opened = try await harness.send("POST", "/v1/devices", body: #"{"profile":"\#(profile)"}"#)
            #expect(opened.status == 201)
            #expect(opened.json["token"]?.string == "token")
            #expect(harness.services.asked(Auth.SetPIN.self).map(\.pin) == ["1234"])
            #expect(harness.services.asked(Wallet.AddCard.self).count == cards)
            let device = try #require(opened.json["device"]?.string)
            #expect(try await harness.send("GET", "/v1/devices/\(device)/display").code == "gateway.token_missing")
        }
    }

    @Test("without a merchant, touches pay the set's own shop, which is registered once")
    func shop() async throws {
        let harness = GatewayHarness()
        _ = try await Phone(harness)
        let shop = try #require(harness.services.asked(Auth.RegisterAccount.self).first)
        #expect(shop.role == .merchant)
        harness.services.refuse(Auth.RegisterAccount.type, Fault(.registrationReused))
        _ = try await Phone(harness, key: "second")
        // Who is not a merchant cannot be paid.
        let refused = try await harness.send(
            "POST", "/v1/devices", as: "customer", body: #"{"merchant":"00000000000000b0000000000000000b"}"#)
        #expect(refused.code == "payments.merchant_not_found")
    }

    @Test("unused ones are closed, one too many closes the one that was longest unused, and there is an end to them")
    func limits() async throws {
        var configuration = Edge.Configuration.lenient
        configuration.devices.perAccountMax = 2
        configuration.devices.countMax = 2
        configuration.devices.idleTime = .seconds(100)
        let harness = GatewayHarness(configuration)
        let first = try await Phone(harness, key: "1")
        harness.advance(.seconds(1))
        let second = try await Phone(harness, key: "2")
        harness.advance(.seconds(1))
        #expect(try await first.screen() != nil)
        harness.advance(.seconds(1))
        let third = try await Phone(harness, key: "3")
        #expect(try await second.send("GET", "/display").code == "gateway.device_not_found")
        #expect(try await first.screen() != nil)
        harness.putStranger()
        let more = try await harness.send("POST", "/v1/devices", as: "stranger", body: "{}")
        #expect(more.code == "gateway.too_many_devices")
        #expect(more.headers[.retryAfter] == "5")
        harness.advance(.seconds(99))
        #expect(try await third.screen() != nil)
        harness.advance(.seconds(2))
        harness.edge.devices.tick()
        #expect(try await first.send("GET", "/display").code == "gateway.device_not_found")
        #expect(try await third.screen() != nil)
        let figures = harness.edge.devices.samples
        #expect(figures.first { $0.name == "devices" }?.value == 1)
        #expect(figures.first { $0.name == "devices_expired_total" }?.value == 1)
    }

    @Test("are closed with the session that used them")
    func loggedOut() async throws {
        let phone = try await Phone()
        let other = try await Phone(phone.harness, as: "customer", key: "other")
        let session = Auth.SessionView.sample(.customer, pin: true, id: 1)
        phone.harness.edge.sessionEnded(session.session, of: session.account)
        #expect(try await phone.send("GET", "/display").code == "gateway.device_not_found")
        #expect(try await other.screen() == "Pin Screen")
    }

    @Test("a gateway that stops closes all, and opens none that it would take with it")
    func stopped() async throws {
        let phone = try await Phone()
        phone.harness.edge.devices.closeAll()
        #expect(try await phone.send("GET", "/display").code == "gateway.device_not_found")
        let again = try await phone.harness.send("POST", "/v1/devices", as: "customer", body: "{}")
        #expect(again.code == "bus.unavailable")
        #expect(again.headers[.retryAfter] == "1")
    }

    @Test("A8: touches that mean nothing are counted")
    func counted() async throws {
        let phone = try await Phone()
        #expect(try await phone.touch(1, 1).headers[.touchEffect] == "ignored")
        #expect(try await phone.touch(-5, 99).status == 200)
        try await phone.touch(1, 5, "digit")
        try await phone.touch(1, 5, "digit")
        let figures = phone.harness.edge.devices.samples.filter { $0.name == "touches_total" }
        #expect(
            Dictionary(uniqueKeysWithValues: figures.map { ($0.labels["effect"], $0.value) })
                == ["done": 1, "ignored": 2, "repeated": 1, "cancelled": 0])
    }

    @Test("what changed elsewhere is shown when it is asked for; news of an own touch is none")
    func stale() async throws {
        let phone = try await Phone()
        try await phone.toPay()
        try await phone.touch(1, 2, "touch-1")
        let own = try #require(phone.payments.first).charge.reinterpreted() as OperationID
        phone.harness.services.forget()
        let customer = Auth.SessionView.sample(.customer, pin: true, id: 1).account
        _ = try await phone.screen()
        #expect(phone.harness.services.asked(Wallet.ReadCard.self).isEmpty)
        phone.harness.edge.devices.changed(PartyID(high: 99, low: 99))
        phone.harness.edge.devices.changed(customer, by: own)
        _ = try await phone.screen()
        #expect(phone.harness.services.asked(Wallet.ReadCard.self).isEmpty)
        phone.harness.edge.devices.changed(customer, by: OperationID(high: 1, low: 1))
        _ = try await phone.screen()
        #expect(phone.harness.services.asked(Wallet.ReadCard.self).count == 1)
    }

    @Test("listening for the first time begins before the first device is open, and once")
    func firstOpened() async throws {
        let harness = GatewayHarness()
        let calls = Mutex(0)
        harness.edge.devices.whenFirstOpened { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 0)
        _ = try await Phone(harness)
        _ = try await Phone(harness, key: "second")
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("the pay code is a QR code while it is shown, and nothing else is one")
    func barCode() async throws {
        let phone = try await Phone()
        #expect(try await phone.send("GET", "/barcode").code == "gateway.no_pay_code")
        try await phone.toPay()
        let code = try await phone.send("GET", "/barcode")
        #expect(code.headers[.contentType] == "image/svg+xml")
        #expect(code.text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 29 29\""))
        try await phone.touch(3, 3)
        #expect(try await phone.send("GET", "/barcode").status == 404)
    }
}
