import Bus
import Contracts
import PaymentsService
import Primitives
import Testing
import Wire

@Suite("what the wallet's facts mean for charges")
struct ChargeEventTests {
    private let time = PaymentsHarness.start

    @Test("a payment captures its charge")
    func captured() throws {
        let posted = Wallet.PaymentPosted.sample(.test(1))
        #expect(try PaymentsService.Charge.Event(.published(posted, 1)) == .captured(posted))
    }

    @Test("a close ends it, for its reason", arguments: Wallet.CloseReason.allCases)
    func closed(reason: Wallet.CloseReason) throws {
        let fact = Wallet.PaymentClosed(payment: .test(1), reason: reason, time: time)
        #expect(try PaymentsService.Charge.Event(.published(fact, 1)) == .closed(.test(1), reason, at: time))
        #expect(Payments.ChargeState(reason).rawValue == reason.rawValue)
    }

    @Test("a refund pays it back")
    func refunded() throws {
        let refund = Wallet.RefundPosted.sample(.test(1), amountMinor: 50, refundedMinor: 50)
        #expect(try PaymentsService.Charge.Event(.published(refund, 1)) == .refunded(refund))
    }

    @Test("a payment that the wallet refused declines it (A56)", arguments: [FaultCode.insufficientFunds, .noCard])
    func declined(code: FaultCode) throws {
        let fact = Wallet.OperationDeclined(
            operation: .test(1), ask: Wallet.PostPayment.type.name, code: code.code, detail: nil, time: time)
        #expect(try PaymentsService.Charge.Event(.published(fact, 1)) == .closed(.test(1), .declined, at: time))
    }

    @Test(
        "anything else that the wallet refused is no charge's business",
        arguments: [
            Wallet.PostRefund.type, Wallet.PlaceHold.type, Wallet.CaptureHold.type, Wallet.PostTransfer.type,
            Wallet.ReloadCard.type, Wallet.AddCard.type, "wallet.payment.post.v10"
        ])
    func othersDeclined(ask: MessageType) throws {
        let fact = Wallet.OperationDeclined(
            operation: .test(1), ask: ask.name, code: FaultCode.noCard.code, detail: nil, time: time)
        #expect(try PaymentsService.Charge.Event(.published(fact, 1)) == nil)
    }

    @Test("the wallet's other facts mean nothing here")
    func others() throws {
        let money = Money(100)
        let others: [Envelope] = [
            .published(
                Wallet.CardAdded(
                    card: .aliceCard, customer: .alice, lastFour: "1111", balance: money, entry: 1, time: time), 1),
            .published(
                Wallet.CardReloaded(
                    operation: .test(1), card: .aliceCard, customer: .alice, amount: money, cardBalance: money,
                    entry: 1, time: time), 1),
            .published(Wallet.AccountOpened(merchant: .shop, time: time), 1),
            .published(
                Wallet.HoldPlaced(
                    hold: .test(1), customer: .alice, card: .aliceCard, merchant: .shop, amount: money,
                    available: money, expires: time, time: time), 1),
            .published(
                Wallet.HoldCaptured(
                    operation: .test(1), hold: .test(2), card: .aliceCard, merchant: .shop, amount: money,
                    released: money, cardBalance: money, entry: 1, time: time), 1),
            .published(Wallet.HoldVoided(operation: .test(1), hold: .test(2), released: money, time: time), 1),
            .published(Wallet.HoldExpired(hold: .test(2), released: money, time: time), 1),
            .published(
                Wallet.TransferPosted(
                    operation: .test(1), from: .init(party: .alice, role: .customer),
                    to: .init(party: .carol, role: .customer), amount: money, memo: "", balance: money, entry: 1,
                    time: time), 1),
            Envelope(id: "1", source: "wallet", type: "wallet.news.told.v1", sequence: 1, data: Array("[]".utf8))
        ]
        for fact in others { #expect(try PaymentsService.Charge.Event(fact) == nil, "\(fact.type)") }
    }

    @Test(
        "a known fact that cannot be read stops the reader",
        arguments: [
            Wallet.PaymentPosted.type, Wallet.PaymentClosed.type, Wallet.RefundPosted.type,
            Wallet.OperationDeclined.type
        ])
    func unreadable(type: MessageType) {
        let fact = Envelope(id: "1", source: "wallet", type: type.name, sequence: 1, data: Array("{}".utf8))
        #expect(throws: WireError.self) { try PaymentsService.Charge.Event(fact) }
    }
}
