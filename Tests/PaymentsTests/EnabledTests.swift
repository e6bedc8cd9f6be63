import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("enabling and disabling payments (000-12, A18)")
struct EnabledTests {
    private let disable = Payments.SetEnabled(customer: .alice, enabled: false)
    private let enable = Payments.SetEnabled(customer: .alice, enabled: true)

    private func isEnabled(_ payments: PaymentsHarness) async throws -> Bool {
        try await payments.ask(Payments.ReadEnabled(customer: .alice), as: .alice).enabled
    }

    @Test("enabled by default; each change is told and kept", arguments: StoreKind.allCases)
    func changes(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind)
        #expect(try await isEnabled(payments))
        for ask in [disable, disable, enable, enable, disable] {
            #expect(try await payments.ask(ask, as: .alice).enabled == ask.enabled)
            #expect(try await isEnabled(payments) == ask.enabled)
        }
        #expect(try await payments.ask(Payments.ReadEnabled(customer: .carol), as: .carol).enabled)
    }

    @Test("a store that is opened again knows it")
    func reopened() async throws {
        let directory = try TemporaryDirectory()
        func reopen(_ body: (SQLChargeStore) async throws -> Void) async throws {
            let store = try SQLChargeStore(.file(directory.file("payments.sqlite")))
            try await body(store)
            _ = try await store.charge(.test(1))  // or the file may still be held by what was written
        }
        try await reopen { try await $0.enable(.alice, false) }
        try await reopen { store in
            #expect(store.disabled.contains(.alice))
            #expect(!store.disabled.contains(.carol))
            try await store.enable(.alice, true)
        }
        try await reopen { #expect(!$0.disabled.contains(.alice)) }
    }

    @Test("while disabled nothing is paid, in whatever way")
    func refused() async throws {
        let payments = try PaymentsHarness()
        let code = try await payments.ask(Payments.IssueCode(customer: .alice, card: nil), as: .alice).code
        let redeem = Payments.RedeemCode(attempt: .test(8), code: code, merchant: .shop, amount: Money(10), memo: "")
        try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop)
        let head = payments.wallet.head
        try await payments.ask(disable, as: .alice)
        let pay = Payments.CreatePayment.sample(.test(2))
        let approve = Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil)
        #expect(await payments.refusal(of: pay, as: .alice) == .paymentsDisabled)
        #expect(await payments.refusal(of: approve, as: .alice) == .paymentsDisabled)
        #expect(await payments.refusal(of: redeem, as: .shop) == .paymentsDisabled)
        #expect(
            await payments.refusal(of: Payments.IssueCode(customer: .alice, card: nil), as: .alice) == .paymentsDisabled
        )
        #expect(payments.wallet.head == head)
        // No id is spent by a refusal: all of it can be paid later.
        try await payments.ask(enable, as: .alice)
        for ask: any Ask in [pay, approve] { #expect(await payments.refusal(of: ask, as: .alice) == nil, "\(ask)") }
        #expect(await payments.refusal(of: redeem, as: .shop) == nil)
    }

    @Test("what was paid before is told again, and the merchant may pay it back")
    func replays() async throws {
        let payments = try PaymentsHarness()
        await payments.delayNews()
        let paid = try await payments.ask(Payments.CreatePayment.sample(.test(1)), as: .alice)
        try await payments.ask(disable, as: .alice)
        let again = try await payments.ask(Payments.CreatePayment.sample(.test(1)), as: .alice)
        #expect(again.replayed && again.receipt == paid.receipt)
        #expect(await payments.refusal(of: Payments.RefundCharge.sample(.test(9), .test(1), 1), as: .shop) == nil)
    }

    /// The change between a payment whose answer is lost and its repeat.
    enum Change: CaseIterable { case disabled, rejected, late }

    @Test(
        "a payment whose answer and fact are lost is answered again, whatever has changed since",
        arguments: Change.allCases)
    func lostAnswer(change: Change) async throws {
        let payments = try PaymentsHarness()
        let code = try await payments.ask(Payments.IssueCode(customer: .alice, card: nil), as: .alice).code
        try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop)
        let asks: [(ask: any Ask, actor: Actor)] = [
            (Payments.CreatePayment.sample(.test(2)), .alice),
            (Payments.ApproveCharge(charge: .test(1), customer: .alice, card: nil), .alice),
            (Payments.RedeemCode(attempt: .test(8), code: code, merchant: .shop, amount: Money(10), memo: ""), .shop)
        ]
        await payments.delayNews()
        for (ask, actor) in asks {
            payments.services.loseReply(Wallet.PostPayment.type)
            #expect(await payments.refusal(of: ask, as: actor) == .outcomeUnknown)
        }
        switch change {
        case .disabled: try await payments.ask(disable, as: .alice)
        case .rejected:
            payments.services.put(.rejected, of: .shop)
            payments.service.merchants.forget(.shop)
        case .late: payments.clock.advance(.seconds(60))
        }
        // Payments never claims that nothing happened while the wallet is away.
        for type in [Wallet.ReadPayment.type, Wallet.ClosePayment.type] {
            payments.services.refuse(type, Fault(.noWorker))
        }
        for (ask, actor) in asks where change != .late || ask is Payments.RedeemCode {
            let refusal = await payments.refusal(of: ask, as: actor)
            #expect(refusal == nil || refusal == .outcomeUnknown, "\(ask)")
        }
        for type in [Wallet.ReadPayment.type, Wallet.ClosePayment.type] { payments.services.refuse(type, nil) }
        try await payments.deliverNews()
        for (ask, actor) in asks { #expect(await payments.refusal(of: ask, as: actor) == nil, "\(ask)") }
        #expect(payments.wallet.payments == 3)
    }
}
