import Bus
import Contracts
import GatewayService
import Primitives
import Testing

@Suite("what an administrator looks up")
struct DeskRouteTests {
    private let harness = GatewayHarness()

    private func get(_ path: String) async throws -> GatewayHarness.Answered {
        try await harness.send("GET", path, as: "administrator")
    }

    @Test("an account by its username; a merchant's with its balance, without which the rest is shown too")
    func accounts() async throws {
        let customer = try await get("/v1/accounts?username=ada")
        #expect(customer.status == 200 && customer.json["profile"]?["email"] == "ada@example.com")
        #expect(harness.services.asked(Wallet.ReadAccount.self).isEmpty)
        let shop = try await get("/v1/accounts?username=shop")
        #expect(shop.json["balance"]?["amount"] == 12_345)
        harness.services.refuse(Wallet.ReadAccount.type, Fault(.noWorker))
        #expect(try await get("/v1/accounts?username=shop").status == 200)
        #expect(try await get("/v1/accounts?username=nobody").code == "auth.account_not_found")
        #expect(try await get("/v1/accounts").code == "bus.malformed")
    }

    @Test("an account's charges are asked for in its name, as its own would be")
    func charges() async throws {
        let account = PartyID(high: 5, low: 5)
        let answer = try await get("/v1/accounts/\(account.hex)/charges?state=captured&limit=5&before=9")
        #expect(answer.status == 200)
        #expect(
            harness.services.asked(Payments.ReadCharges.self) == [
                .init(party: account, state: .captured, before: 9, limit: 5)
            ])
    }

    // MARK: The trace of a charge

    private static let charge = ChargeID(high: 0xC, low: 0xA)

    private func fact(
        _ service: String, _ sequence: Int64, _ type: String, about charge: ChargeID? = charge,
        correlation: MessageID, after seconds: Double = 0
    ) -> Envelope {
        let subject = charge.map { "\"charge\":\"\($0.hex)\"," } ?? ""
        return Envelope(
            id: "\(service)-\(sequence)", source: service, type: type,
            time: FakeServices.time + .milliseconds(Int64(seconds * 1000)), correlationID: correlation.hex,
            causationID: "1", sequence: sequence, data: Array("{\(subject)\"entry\":\(sequence)}".utf8))
    }

    @Test("a charge's trace has its facts, what else its requests led to, and the asks before them, oldest first")
    func trace() async throws {
        let (asked, other) = (MessageID(high: 1, low: 1), MessageID(high: 2, low: 2))
        harness.services.publish(
            [
                fact("payments", 1, "payments.charge.captured.v1", correlation: asked, after: -600),
                fact(
                    "payments", 2, "payments.charge.captured.v1", about: ChargeID(high: 9, low: 9), correlation: other),
                fact("payments", 3, "payments.charge.requested.v1", correlation: asked, after: 0.2)
            ], by: "payments")
        harness.services.publish(
            [
                fact("wallet", 7, "wallet.payment.posted.v1", about: nil, correlation: asked, after: 0.1),
                fact("wallet", 8, "wallet.payment.posted.v1", about: nil, correlation: other, after: 0.1)
            ], by: "wallet")
        harness.services.remember(
            [
                Span(
                    id: MessageID(high: 3, low: 3), parent: nil, correlation: asked, trace: nil,
                    name: "wallet.payment.post.v1", startMicroseconds: FakeServices.time.milliseconds * 1000,
                    microseconds: 812, fault: nil, status: nil)
            ], by: "wallet")
        harness.services.refuse(ReadFacts<Offers>.type, Fault(.noWorker))
        let answer = try await get("/v1/charges/\(Self.charge.hex)/trace")
        #expect(answer.status == 200, "\(answer.text)")
        let steps = answer.json["steps"]?.elements ?? []
        // What happened ten minutes before is no part of it, although it names the charge.
        #expect(
            steps.map { $0["name"]?.string } == [
                "wallet.payment.post.v1", "wallet.payment.posted.v1", "payments.charge.requested.v1"
            ])
        #expect(steps.map { $0["kind"]?.string } == ["ask", "fact", "fact"])
        #expect(steps[1]["entry"] == 7)
        #expect(answer.json["missing"]?.elements == ["offers"])
    }

    @Test("a charge that there is not has no trace")
    func noTrace() async throws {
        harness.services.refuse(Payments.ReadCharge.type, Fault(.chargeNotFound))
        #expect(try await get("/v1/charges/\(Self.charge.hex)/trace").status == 404)
    }

    // MARK: The books

    @Test("the books, and their check from one stretch to the next")
    func books() async throws {
        let books = try await get("/v1/books")
        #expect(books.json["total"]?["amount"] == 0 && books.json["verified"]?["problems"] == 0)
        let first = try await harness.send("POST", "/v1/books/checks", as: "administrator", body: "{}")
        #expect(first.json["next"] == 2000)
        let last = try await harness.send("POST", "/v1/books/checks", as: "administrator", body: #"{"after":2000}"#)
        #expect(last.status == 200 && last.json["next"] == nil)
        #expect(harness.services.asked(Wallet.VerifyLedger.self).map(\.after) == [0, 2000])
    }
}
