import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("refunds")
struct RefundTests {
    private func paid() async throws -> PaymentsHarness {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.CreatePayment.sample(.test(1)), as: .alice)
        return payments
    }

    private func refunded(_ payments: PaymentsHarness) async throws -> Money {
        try await payments.ask(Payments.ReadCharge(charge: .test(1), party: .alice), as: .alice).refunded
    }

    @Test("in full, where no amount is given")
    func full() async throws {
        let payments = try await paid()
        await payments.delayNews()
        let reply = try await payments.ask(Payments.RefundCharge.sample(.test(9), .test(1), nil), as: .shop)
        #expect(
            reply
                == .init(
                    refund: .test(9), charge: .test(1), amount: Money(150), refunded: Money(150), entry: 2,
                    time: payments.clock.now, replayed: false))
        #expect(try await refunded(payments) == Money(150))
        #expect(payments.wallet.balance(of: .aliceCard) == 1650)
        #expect(payments.wallet.balance(of: .shop) == 0)
        // It stays paid, and its receipt what it was.
        #expect(try await payments.state(of: .test(1)) == .captured)
        #expect(try await payments.ask(Payments.ReadReceipt(charge: .test(1), party: .alice)).amount == Money(150))
        #expect(try await payments.factTypes() == [Payments.ChargeCaptured.type, Payments.ChargeRefunded.type])
    }

    @Test("in parts, up to what was paid")
    func parts() async throws {
        let payments = try await paid()
        #expect(
            try await payments.ask(Payments.RefundCharge.sample(.test(9), .test(1), 50), as: .shop).refunded
                == Money(50))
        #expect(
            await payments.refusal(of: Payments.RefundCharge.sample(.test(10), .test(1), 101), as: .shop)
                == .refundTooLarge)
        #expect(
            try await payments.ask(Payments.RefundCharge.sample(.test(11), .test(1), 60), as: .shop).refunded
                == Money(110))
        #expect(
            try await payments.ask(Payments.RefundCharge.sample(.test(12), .test(1), nil), as: .shop).amount
                == Money(40))
        #expect(
            await payments.refusal(of: Payments.RefundCharge.sample(.test(13), .test(1), 1), as: .shop)
                == .refundTooLarge)
        #expect(try await refunded(payments) == Money(150))
    }

    @Test("the fact names the merchant where the payment had been requested, and only then")
    func names() async throws {
        let payments = try await paid()
        try await payments.ask(Payments.RequestCharge.sample(.test(2)), as: .shop)
        try await payments.ask(Payments.ApproveCharge(charge: .test(2), customer: .alice, card: nil), as: .alice)
        for (refund, charge) in [(10, 1), (11, 2)] as [(UInt64, UInt64)] {
            try await payments.ask(Payments.RefundCharge.sample(.test(refund), .test(charge), nil), as: .shop)
        }
        try await payments.deliverNews()
        let published = try await payments.facts().filter { $0.type == Payments.ChargeRefunded.type.name }
        #expect(try published.map { try Payments.ChargeRefunded(json: $0.data).merchantName } == [nil, "The Shop"])
    }

    @Test("asked again it says so and pays back once; other content is refused")
    func replays() async throws {
        let payments = try await paid()
        let ask = Payments.RefundCharge.sample(.test(9), .test(1), 50)
        #expect(try await !payments.ask(ask, as: .shop).replayed)
        let again = try await payments.ask(ask, as: .shop)
        #expect(again.replayed && again.refunded == Money(50))
        #expect(
            await payments.refusal(of: Payments.RefundCharge.sample(.test(9), .test(1), 51), as: .shop) == .idReused)
        #expect(payments.wallet.balance(of: .aliceCard) == 1550)
    }

    @Test("not of nothing, and not of less", arguments: [0, -1] as [Int64])
    func amounts(amountMinor: Int64) async throws {
        let payments = try await paid()
        #expect(
            await payments.refusal(of: Payments.RefundCharge.sample(.test(9), .test(1), amountMinor), as: .shop)
                == .amountInvalid)
    }

    @Test("only of what is paid", arguments: [nil, .decline, .cancel, .expire] as [Answer?])
    func notCaptured(answer: Answer?) async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1)))
        if let answer { _ = try await payments.give(answer, to: .test(1)) }
        #expect(
            await payments.refusal(of: Payments.RefundCharge.sample(.test(9), .test(1), nil), as: .shop)
                == .chargeNotCaptured)
        #expect(payments.services.asked(Wallet.PostRefund.self).isEmpty)
    }

    @Test("only by the merchant who was paid")
    func strangers() async throws {
        let payments = try await paid()
        for merchant in [PartyID.bakery, .alice, .nobody] {
            let ask = Payments.RefundCharge(refund: .test(9), charge: .test(1), merchant: merchant, amount: nil)
            #expect(await payments.refusal(of: ask) == .chargeNotFound)
        }
        #expect(
            await payments.refusal(of: Payments.RefundCharge.sample(.test(9), .test(2), nil), as: .shop)
                == .chargeNotFound)
        #expect(payments.wallet.balance(of: .shop) == 150)
    }
}
