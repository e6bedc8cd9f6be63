import Bus
import Charges
import Contracts
import Primitives
import Testing

@Suite("stars (000-1, 000-10)")
struct RewardsTests {
    private func rewards(_ payments: PaymentsHarness, of customer: PartyID = .alice) async throws
        -> Payments.RewardsView
    {
        try await payments.ask(Payments.ReadRewards(customer: customer))
    }

    @discardableResult
    private func join(_ payments: PaymentsHarness, _ joined: Bool = true) async throws -> Payments.RewardsView {
        try await payments.ask(Payments.JoinRewards(customer: .alice, joined: joined), as: .alice)
    }

    @Test(
        "one for each payment since the customer takes part, in whatever way it was made", arguments: StoreKind.allCases
    )
    func counts(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind)
        try await payments.ask(Payments.CreatePayment.sample(.test(1)))
        #expect(try await rewards(payments) == .init(customer: .alice, joined: false, stars: 0))
        payments.clock.move(.seconds(1))
        #expect(try await join(payments) == .init(customer: .alice, joined: true, stars: 0))
        await payments.delayNews()
        try await payments.ask(Payments.CreatePayment.sample(.test(2)))
        try await payments.ask(Payments.RequestCharge.sample(.test(3)))
        try await payments.ask(Payments.RequestCharge.sample(.test(4)))
        try await payments.ask(Payments.ApproveCharge(charge: .test(3), customer: .alice, card: nil))
        // Also what the wallet's facts have not told here yet.
        #expect(try await rewards(payments).stars == 2)
        payments.clock.move(.seconds(1))
        try await join(payments)
        #expect(try await rewards(payments).stars == 2)
        #expect(try await rewards(payments, of: .carol) == .init(customer: .carol, joined: false, stars: 0))
        #expect(try await rewards(payments, of: .shop).stars == 0)
    }

    @Test("whoever leaves leaves them, and begins again at none")
    func leaving() async throws {
        let payments = try PaymentsHarness()
        try await join(payments)
        try await payments.ask(Payments.CreatePayment.sample(.test(1)))
        #expect(try await rewards(payments).stars == 1)
        #expect(try await join(payments, false) == .init(customer: .alice, joined: false, stars: 0))
        payments.clock.move(.seconds(1))
        #expect(try await join(payments).stars == 0)
    }

    @Test("no more are counted than asked for")
    func limit() async throws {
        let payments = try PaymentsHarness()
        try await join(payments)
        for number in 1...UInt64(3) { try await payments.ask(Payments.CreatePayment.sample(.test(number))) }
        try await payments.deliverNews()
        #expect(try await payments.store.stars(of: .alice, limit: 2) == 2)
        #expect(try await payments.store.stars(of: .alice, limit: 9) == 3)
    }
}
