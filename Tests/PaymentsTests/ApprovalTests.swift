import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("merchants who are not approved (A36)")
struct ApprovalTests {
    private static let refused: [Auth.MerchantStatus] = [.pending, .rejected]

    @Test("are not paid, redeem no code and ask for nothing; no money is asked for of the wallet", arguments: refused)
    func refuses(status: Auth.MerchantStatus) async throws {
        let payments = try PaymentsHarness()
        payments.services.put(status, of: .shop)
        let code = try await payments.ask(Payments.IssueCode(customer: .alice, card: nil), as: .alice).code
        let redeem = Payments.RedeemCode(
            attempt: .test(1), code: code, merchant: .shop, amount: Money(150), memo: "coffee")
        #expect(await payments.refusal(of: Payments.CreatePayment.sample(.test(1)), as: .alice) == .merchantNotApproved)
        #expect(await payments.refusal(of: redeem, as: .shop) == .merchantNotApproved)
        #expect(await payments.refusal(of: Payments.RequestCharge.sample(.test(2)), as: .shop) == .merchantNotApproved)
        #expect(payments.services.asked(Wallet.PostPayment.self).isEmpty)
        #expect(try await payments.facts().isEmpty)
        // Approved, all of it works, and at once.
        payments.services.put(.approved, of: .shop)
        try await payments.ask(redeem, as: .shop)
        try await payments.ask(Payments.RequestCharge.sample(.test(2)), as: .shop)
        try await payments.ask(Payments.CreatePayment.sample(.test(1)), as: .alice)
    }

    @Test(
        "a charge that was asked for before a rejection can still be approved, declined and read; a repeat is told again"
    )
    func before() async throws {
        let payments = try PaymentsHarness()
        let code = try await payments.ask(Payments.IssueCode(customer: .alice, card: nil), as: .alice).code
        let redeem = Payments.RedeemCode(
            attempt: .test(1), code: code, merchant: .shop, amount: Money(150), memo: "coffee")
        for number in 1...2 as ClosedRange<UInt64> {
            try await payments.ask(Payments.RequestCharge.sample(.test(number)), as: .shop)
        }
        let paid = try await payments.ask(Payments.CreatePayment.sample(.test(3)), as: .alice)
        try await payments.ask(redeem, as: .shop)
        payments.services.put(.rejected, of: .shop)
        payments.service.merchants.forget(.shop)

        #expect(try await payments.ask(Payments.CreatePayment.sample(.test(3)), as: .alice) == paid.again)
        #expect(try await payments.ask(redeem, as: .shop).replayed)
        #expect(try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop).replayed)
        #expect(await payments.refusal(of: Payments.CreatePayment.sample(.test(4)), as: .alice) == .merchantNotApproved)
        try await payments.ask(Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil), as: .alice)
        try await payments.ask(Payments.DeclineCharge(charge: .test(2), customer: .alice), as: .alice)
        #expect(
            try await payments.ask(Payments.ReadCharge(charge: .test(1), party: .shop), as: .shop).state == .captured)
    }

    @Test("somebody else's charge is no reason to pay a merchant who is not approved")
    func othersCharge() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1), merchant: .bakery), as: .bakery)
        payments.services.put(.pending, of: .shop)
        #expect(await payments.refusal(of: Payments.CreatePayment.sample(.test(1)), as: .alice) == .merchantNotApproved)
    }
}

@Suite("how payments learns of approvals")
struct ApprovalNewsTests {
    private let payments: PaymentsHarness
    private let merchants: Payees

    init() throws {
        payments = try PaymentsHarness()
        merchants = Payees(asking: payments.services, clock: payments.clock.wall)
    }

    private func isApproved() async throws -> Bool {
        try await merchants.payee(.shop, in: payments.context()).isApproved
    }

    private var asked: Int { payments.services.asked(Auth.ReadAccount.self).count }

    @Test("an approval is asked for once a minute, a missing one every time")
    func remembered() async throws {
        payments.services.put(.pending, of: .shop)
        for _ in 0..<3 { #expect(try await !isApproved()) }
        #expect(asked == 3)
        payments.services.put(.approved, of: .shop)
        for _ in 0..<3 { #expect(try await isApproved()) }
        #expect(asked == 4)
        payments.clock.advance(.seconds(59))
        #expect(try await isApproved())
        #expect(asked == 4)
        payments.clock.advance(.seconds(1))
        for _ in 0..<3 { #expect(try await isApproved()) }
        #expect(asked == 5)
        #expect(payments.services.asked(Wallet.OpenAccount.self).count == 1)
    }

    @Test("a rejection counts from when it is heard; one that was not heard, after a minute")
    func rejected() async throws {
        #expect(try await isApproved())
        payments.services.put(.rejected, of: .shop)
        #expect(try await isApproved())
        merchants.forget(.shop)
        #expect(try await !isApproved())
        payments.services.put(.approved, of: .shop)
        #expect(try await isApproved())
        payments.services.put(.rejected, of: .shop)
        payments.clock.advance(.seconds(60))
        #expect(try await !isApproved())
    }

    @Test("while auth is away the last word counts, and only one payment a minute waits for it")
    func away() async throws {
        #expect(try await isApproved())
        payments.services.refuse(Auth.ReadAccount.type, Fault(.noWorker))
        payments.clock.advance(.seconds(60))
        for _ in 0..<3 { #expect(try await isApproved()) }
        #expect(asked == 2)
        let context = try #require(payments.services.contexts(of: Auth.ReadAccount.type).last)
        #expect(context.deadline == payments.clock.now + .seconds(1))
    }

    @Test("what was asked before a decision is not remembered after it")
    func overtaken() async throws {
        let gate = Gate()
        payments.services.hold(Auth.ReadAccount.type, at: gate)
        async let early = isApproved()
        await gate.reached()
        merchants.forget(.shop)
        await gate.open()
        _ = try await early
        payments.services.hold(Auth.ReadAccount.type, at: nil)
        payments.services.put(.rejected, of: .shop)
        #expect(try await !isApproved())
    }
}

extension Payments.CreatePayment.Reply {
    /// As it is told to whoever asks again.
    fileprivate var again: Payments.CreatePayment.Reply { .init(receipt: receipt, replayed: true) }
}
