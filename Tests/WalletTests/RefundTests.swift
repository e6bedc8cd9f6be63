import Bus
import Contracts
import Primitives
import TestKit
import Testing
import WalletService

@Suite("refunds")
struct RefundTests {
    private func refund(
        _ operation: UInt64, of payment: ChargeID = .test(1), by merchant: PartyID = .shop, _ amountMinor: Int64?
    ) -> Wallet.PostRefund {
        Wallet.PostRefund(
            operation: .test(operation), payment: payment, merchant: merchant, amount: amountMinor.map { Money($0) })
    }

    @Test("refunds go to the card that paid and never exceed the payment", arguments: StoreKind.allCases)
    func limits(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        _ = try wallet.ask(wallet.pay(.test(1), 1000))
        try wallet.addCard(.aliceOther, of: .alice, number: 2)

        let first = try wallet.ask(refund(10, 400)).result
        #expect(first.card == .aliceCard)
        #expect(first.refunded == Money(400))
        #expect(first.cardBalance == Money(1050))
        #expect(wallet.fault(of: refund(11, 601))?.code == .refundTooLarge)
        #expect(try wallet.ask(refund(12, nil)).result.refunded == Money(1000))
        #expect(wallet.fault(of: refund(13, 1))?.code == .refundTooLarge)
        #expect(wallet.fault(of: refund(14, nil))?.code == .refundTooLarge)
        #expect(try wallet.ask(refund(10, 400)).replayed)
        #expect(wallet.fault(of: refund(11, 601)) == Fault(.refundTooLarge, replayed: true))
        #expect(try wallet.card(.aliceCard).balance == Money(1650))
        #expect(try wallet.balanceMinor() == 0)
        #expect(try wallet.problems().isEmpty)
    }

    @Test("the limit holds within one group", arguments: StoreKind.allCases)
    func inGroup(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        _ = try wallet.ask(wallet.pay(.test(1), 1000))
        let outcomes = wallet.batch([400, 400, 400].enumerated().map { wallet.inbound(refund(20 + UInt64($0), $1)) })
        #expect(throws: Fault(.refundTooLarge)) { try wallet.reply(Wallet.PostRefund.self, outcomes[2]) }
        #expect(try wallet.card().balance == Money(1450))
    }

    @Test("a captured hold is refunded by its capture's id", arguments: StoreKind.allCases)
    func capture(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        _ = try wallet.ask(
            Wallet.PlaceHold(
                hold: .test(1), customer: .alice, card: nil, merchant: .shop, amount: Money(1000),
                expires: WalletHarness.start + .seconds(60)))
        _ = try wallet.ask(Wallet.CaptureHold(operation: .test(2), hold: .test(1), amount: Money(300)))

        #expect(wallet.fault(of: refund(10, of: .test(1), 1))?.code == .paymentNotFound)
        #expect(wallet.fault(of: refund(11, of: .test(2), 301))?.code == .refundTooLarge)
        #expect(try wallet.ask(refund(12, of: .test(2), 300)).result.refunded == Money(300))
        #expect(try wallet.card().balance == Money(1650))
    }

    @Test("only what is there, by its own merchant, from what it still has", arguments: StoreKind.allCases)
    func refusals(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        try wallet.openAccount(.bakery)
        _ = try wallet.ask(wallet.pay(.test(1), 1000))
        _ = wallet.fault(of: wallet.pay(.test(2), 9999))

        #expect(wallet.fault(of: refund(10, of: .test(77), 1))?.code == .paymentNotFound)
        #expect(wallet.fault(of: refund(11, of: .test(2), 1))?.code == .paymentNotFound)
        #expect(wallet.fault(of: refund(12, by: .bakery, 1))?.code == .paymentNotFound)
        #expect(wallet.fault(of: refund(13, 0))?.code == .amountInvalid)
        #expect(wallet.fault(of: refund(14, 1), actor: .bakery)?.code == .forbidden)
        #expect(wallet.fault(of: refund(14, 1), actor: .alice)?.code == .forbidden)
        _ = try wallet.ask(
            Wallet.PostTransfer(
                operation: .test(20), from: .init(party: .shop, role: .merchant),
                to: .init(party: .bakery, role: .merchant), amount: Money(700), memo: "flour"))
        #expect(wallet.fault(of: refund(15, 301))?.code == .insufficientFunds)
        #expect(try wallet.ask(refund(16, 300), actor: .shop).result.refunded == Money(300))
        #expect(try wallet.balanceMinor() == 0)
        #expect(try wallet.problems().isEmpty)
    }
}
