import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("requesting a charge (A31, 001-83)")
struct RequestTests {
    @Test("is durable and told before it is acknowledged, with the merchant in it", arguments: StoreKind.allCases)
    func requests(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind)
        let asked = try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop)
        #expect(!asked.replayed)
        #expect(
            asked.charge
                == Payments.ChargeView(
                    charge: .test(1), state: .requested, merchant: .shop, merchantName: "The Shop", customer: .alice,
                    amount: Money(150), memo: "coffee", requested: payments.clock.now,
                    expires: payments.clock.now + .seconds(300), decided: nil, card: nil, entry: nil,
                    refunded: Money(0), customerName: "Alice", productIndex: 1))
        #expect(payments.announcements.count == 1)
        let fact = try #require(try await payments.facts().first)
        let published = try Payments.ChargeRequested(json: fact.data)
        #expect(published.merchant == .shop && published.merchantName == "The Shop")
        #expect(fact.correlationID == "touch-1")
        // No money moves yet (A56).
        #expect(payments.services.asked(Wallet.PostPayment.self).isEmpty)
        for party in [PartyID.alice, .shop] {
            #expect(try await payments.ask(Payments.ReadCharge(charge: .test(1), party: party)) == asked.charge)
        }
    }

    @Test("asked again it says so and tells nothing new")
    func replays() async throws {
        let payments = try PaymentsHarness()
        let first = try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop)
        payments.clock.advance(.seconds(60))
        let again = try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop)
        #expect(again.replayed)
        #expect(again.charge == first.charge)
        #expect(payments.announcements.count == 1)
        #expect(try await payments.facts().count == 1)
    }

    @Test("asked again after the answer it tells what came of it")
    func replaysDecided() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop)
        try await payments.ask(Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil))
        try await payments.deliverNews()
        #expect(try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop).charge.state == .captured)
    }

    @Test("other content under the same id is refused")
    func reused() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1)))
        try await payments.ask(Payments.CreatePayment.sample(.test(2)))
        try await payments.deliverNews()
        let others: [Payments.RequestCharge] = [
            .sample(.test(1), 151), .sample(.test(1), memo: "tea"), .sample(.test(1), customer: .carol),
            .sample(.test(1), merchant: .bakery),
            // A payment without approval is no request, even with the same content.
            .sample(.test(2))
        ]
        for other in others { #expect(await payments.refusal(of: other) == .chargeIDReused) }
        // The request and the payment; a refusal tells of nothing.
        #expect(payments.announcements.count == 2)
    }

    @Test("the user has to exist, as a customer (001-53)", arguments: [PartyID.nobody, .bakery])
    func customers(customer: PartyID) async throws {
        let payments = try PaymentsHarness()
        #expect(
            await payments.refusal(of: Payments.RequestCharge.sample(.test(1), customer: customer), as: .shop)
                == .customerNotFound)
        #expect(try await payments.facts().isEmpty)
    }

    @Test("only merchants ask", arguments: [PartyID.nobody, .carol])
    func merchants(merchant: PartyID) async throws {
        let payments = try PaymentsHarness()
        #expect(
            await payments.refusal(of: Payments.RequestCharge.sample(.test(1), merchant: merchant))
                == .merchantNotFound)
    }

    @Test("what the rules refuse leaves nothing (A50)")
    func rules() async throws {
        let payments = try PaymentsHarness(rules: ChargeRules(amountMax: 500))
        #expect(await payments.refusal(of: Payments.RequestCharge.sample(.test(1), 0)) == .amountInvalid)
        #expect(await payments.refusal(of: Payments.RequestCharge.sample(.test(1), 501)) == .amountTooLarge)
        #expect(await payments.refusal(of: Payments.RequestCharge.sample(.test(1), memo: "\u{7}")) == .malformed)
        #expect(await payments.refusal(of: Payments.RequestCharge.sample(.test(1), 500)) == nil)
    }

    @Test("behind its deadline nothing is recorded")
    func late() async throws {
        let payments = try PaymentsHarness()
        let context = AskContext(deadline: payments.clock.now)
        await #expect(throws: Fault(.deadlineExceeded)) {
            try await RequestChargeHandler(service: payments.service).admit(.sample(.test(1)), in: context)
        }
        #expect(try await payments.facts().isEmpty)
    }

    @Test("the time to answer is a setting (A55)")
    func approvalTime() async throws {
        let payments = try PaymentsHarness(rules: ChargeRules(approvalTime: .seconds(10)))
        let asked = try await payments.ask(Payments.RequestCharge.sample(.test(1)))
        #expect(asked.charge.expires == payments.clock.now + .seconds(10))
    }
}
