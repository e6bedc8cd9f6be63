import Bus
import Contracts
import GatewayService
import Primitives
import Testing

@Suite("what requests become")
struct ResourceRouteTests {
    private let harness = GatewayHarness()
    private let amount = #""amount":{"amount":150,"currency":"USD"}"#

    @Test("a payment is the customer's own, under the key's charge")
    func payment() async throws {
        let body = #"{"merchant":"00000000000000070000000000000007",\#(amount),"memo":"Tea"}"#
        let answer = try await harness.pay(body)
        let ask = try #require(harness.services.asked(Payments.CreatePayment.self).first)
        #expect(ask.customer == .sample(.customer))
        #expect(ask.memo == "Tea")
        #expect(ask.card == nil)
        #expect(answer.json["charge"] == .string(ask.charge.hex))
        #expect(answer.json["replayed"] == nil)
        let context = try #require(harness.services.asked.last?.context)
        #expect(context.actor == Actor(role: .customer, party: .sample(.customer)))
        #expect(context.traceparent == answer.headers[.traceresponse])
    }

    @Test("a merchant charges a customer by id or by name")
    func charge() async throws {
        for customer in ["bob", FakeServices.bob.account.hex] {
            let body = #"{"customer":"\#(customer)",\#(amount)}"#
            let answer = try await harness.send("POST", "/v1/charges", as: "merchant", key: customer, body: body)
            #expect(answer.json["customer"] == .string(FakeServices.bob.account.hex))
        }
        #expect(harness.services.asked(Auth.ReadAccount.self).map(\.username) == ["bob"])
        for stranger in ["nobody", "shop"] {
            let body = #"{"customer":"\#(stranger)",\#(amount)}"#
            let answer = try await harness.send("POST", "/v1/charges", as: "merchant", key: stranger, body: body)
            #expect(answer.code == "payments.customer_not_found")
        }
    }

    @Test(
        "a transfer goes to a name, or to an account and its role",
        arguments: [
            (#"{"username":"shop"}"#, Wallet.Holder(party: PartyID(high: 5, low: 5), role: .merchant)),
            (
                #"{"account":"00000000000000070000000000000007","role":"customer"}"#,
                Wallet.Holder(party: PartyID(high: 7, low: 7), role: .customer)
            ),
            (
                #"{"account":"00000000000000050000000000000005","role":"merchant"}"#,
                Wallet.Holder(party: PartyID(high: 5, low: 5), role: .merchant)
            ),
            // Auth does not know it: the ledger says whether there is such an account.
            (
                #"{"account":"00000000000000080000000000000008","role":"merchant"}"#,
                Wallet.Holder(party: PartyID(high: 8, low: 8), role: .merchant)
            )
        ])
    func transfer(to: String, holder: Wallet.Holder) async throws {
        for role in ["customer", "merchant"] {
            let answer = try await harness.send(
                "POST", "/v1/transfers", as: "\(role)-pin", key: "k", body: #"{"to":\#(to),\#(amount)}"#)
            #expect(answer.status == 201)
        }
        let asks = harness.services.asked(Wallet.PostTransfer.self)
        #expect(asks.map(\.to) == [holder, holder])
        #expect(asks.map(\.from.role) == [.customer, .merchant])
    }

    @Test(
        "a transfer to both, to neither or to nobody is refused",
        arguments: [
            (#"{}"#, "bus.malformed"), (#"{"username":"bob","role":"customer"}"#, "bus.malformed"),
            (#"{"account":"00000000000000070000000000000007"}"#, "bus.malformed"),
            (#"{"username":"nobody"}"#, "auth.account_not_found"),
            (#"{"username":"root"}"#, "auth.account_not_found"),
            // A36: who waits for approval, or was refused it, is not paid.
            (#"{"username":"waiting"}"#, "payments.merchant_not_approved"),
            (#"{"account":"00000000000000060000000000000006","role":"merchant"}"#, "payments.merchant_not_approved"),
            (#"{"username":"refused"}"#, "payments.merchant_not_approved"),
            (#"{"account":"00000000000000060000000000000007","role":"merchant"}"#, "payments.merchant_not_approved")
        ])
    func noTransfer(to: String, code: String) async throws {
        let body = #"{"to":\#(to),\#(amount)}"#
        let answer = try await harness.send("POST", "/v1/transfers", as: "customer-pin", key: "k", body: body)
        #expect(answer.code == code)
        #expect(harness.services.asked(Wallet.PostTransfer.self).isEmpty)
    }

    @Test("a transfer is read again by its sender, also when nobody knows the receiver's name now")
    func readTransfer() async throws {
        let body = #"{"to":{"username":"bob"},\#(amount)}"#
        let made = try await harness.send("POST", "/v1/transfers", as: "customer-pin", key: "k", body: body)
        let operation = try #require(harness.services.asked(Wallet.PostTransfer.self).first?.operation)
        #expect(try await harness.send("GET", "/v1/transfers/\(operation.hex)", as: "customer").text == made.text)
        harness.services.refuse(Auth.ReadAccount.type, Fault(.noWorker))
        let nameless = try await harness.send("GET", "/v1/transfers/\(operation.hex)", as: "customer")
        #expect(nameless.status == 200 && nameless.json["toName"] == nil)
        let unknown = try await harness.send("GET", "/v1/transfers/\(PartyID(high: 9, low: 9).hex)", as: "customer")
        #expect((unknown.status, unknown.code) == (404, "wallet.transfer_not_found"))
    }

    @Test("a merchant has no card to transfer from")
    func merchantCard() async throws {
        let body = #"{"to":{"username":"bob"},"card":"00000000000000070000000000000007",\#(amount)}"#
        let answer = try await harness.send("POST", "/v1/transfers", as: "merchant-pin", key: "k", body: body)
        #expect(answer.detail == "'card' is for customers only")
    }

    @Test("a merchant's account is opened with its registration, whatever comes of that")
    func merchant() async throws {
        harness.services.refuse(Wallet.OpenAccount.type, Fault(.noWorker))
        let answer = try await harness.send("POST", "/v1/merchants", body: FormBody.merchant("shop"))
        #expect(answer.status == 201)
        let opened = try #require(harness.services.asked.last)
        let account = try #require(harness.services.asked(Wallet.OpenAccount.self).first?.merchant)
        #expect(answer.json["account"] == .string(account.hex))
        #expect(opened.context.actor == Actor(role: .merchant, party: account))
    }

    @Test("a merchant's account that its registration did not open is opened by a transfer to it, and by its reader")
    func unopened() async throws {
        let shop = PartyID(high: 5, low: 5)
        let body = #"{"to":{"username":"shop"},\#(amount)}"#
        harness.services.refuse(Wallet.OpenAccount.type, Fault(.noWorker))
        let away = try await harness.send("POST", "/v1/transfers", as: "customer-pin", key: "k", body: body)
        #expect(away.code == "bus.no_worker")
        #expect(harness.services.asked(Wallet.PostTransfer.self).isEmpty)

        harness.services.refuse(Wallet.ReadAccount.type, Fault(.accountNotFound))
        harness.services.refuse(Wallet.OpenAccount.type, nil)
        #expect(try await harness.send("POST", "/v1/transfers", as: "customer-pin", key: "k", body: body).status == 201)
        #expect(try await harness.send("GET", "/v1/account", as: "merchant").status == 200)
        let opened = harness.services.asked.filter { $0.ask is Wallet.OpenAccount }
        #expect(opened.suffix(2).map(\.context.actor?.party) == [shop, .sample(.merchant)])
    }

    @Test("an approval may be empty, and names what was agreed to where it is not")
    func approval() async throws {
        let path = "/v1/charges/00000000000000070000000000000007/approval"
        #expect(try await harness.send("POST", path, as: "customer-pin").status == 200)
        #expect(try await harness.send("POST", path, as: "customer-pin", body: "{\(amount)}").status == 200)
        let asks = harness.services.asked(Payments.ApproveCharge.self)
        #expect(asks.map(\.amount) == [nil, Money(150)])
        #expect(Set(asks.map(\.charge)) == [ChargeID(high: 7, low: 7)])
    }

    @Test("a repeated decline says that it is one")
    func decline() async throws {
        let path = "/v1/charges/00000000000000070000000000000007/decline"
        let answer = try await harness.send("POST", path, as: "customer")
        #expect(answer.status == 200)
        #expect(answer.headers[.idempotencyReplayed] == "true")
    }

    @Test("an unknown type is the installation's fault, and strange statuses do not get out")
    func strangeFaults() async throws {
        harness.services.refuse(Payments.CreatePayment.type, Fault(.unknownType))
        #expect(try await harness.pay().status == 503)
        harness.services.refuse(Payments.CreatePayment.type, Fault(FaultCode("x.odd", 200, .never, "Odd")))
        let odd = try await harness.pay()
        #expect(odd.status == 500)
        #expect(odd.json["status"] == 500)
        #expect(odd.code == "x.odd")
    }

    @Test(
        "a client's trace goes on; anything else begins a new one",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
            ("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-brings", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false), ("", false), ("00-4b", false)
        ])
    func trace(parent: String, isValid: Bool) async throws {
        let answer = try await harness.send("GET", "/v1/cards", as: "customer", headers: [.traceparent: parent])
        let response = try #require(answer.headers[.traceresponse])
        #expect(response.utf8.count == 55)
        #expect(response.contains("4bf92f3577b34da6a3ce929d0e0e4736") == isValid)
        #expect(!response.contains("00f067aa0ba902b7"))
        if parent.hasSuffix("-00") { #expect(response.hasSuffix("-00")) }
    }
}
