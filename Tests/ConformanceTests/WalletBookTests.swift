import Conformance
import Contracts
import Testing

@Suite("The model of the wallet")
struct WalletBookTests {
    private func outcomes(_ steps: [WalletStep]) -> (book: WalletBook, outcomes: [WalletBook.Outcome]) {
        var book = WalletBook(cards: [1650, 1650], merchants: 2)
        var outcomes: [WalletBook.Outcome] = []
        for (number, step) in steps.enumerated() { outcomes.append(book.take(step, number: number)) }
        return (book, outcomes)
    }

    @Test("what is held cannot be spent, and a capture leaves the rest free")
    func holds() {
        let (book, outcomes) = outcomes([
            .hold(card: 0, merchant: 0, 1000), .pay(card: 0, merchant: 1, 651), .pay(card: 0, merchant: 1, 650),
            .capture(hold: 0, 1001), .capture(hold: 0, 400), .capture(hold: 0, nil), .void(hold: 0)
        ])
        #expect(
            outcomes == [
                .done(1000), .refused([.insufficientFunds]), .done(650), .refused([.amountInvalid]), .done(400),
                .refused([.holdCaptured]), .refused([.holdCaptured])
            ])
        #expect(book.balances[.card(0)] == 600 && book.available(.card(0)) == 600)
        #expect(book.balances[.merchant(0)] == 400 && book.balances[.merchant(1)] == 650)
        #expect(book.lines[.card(0)]?.map(\.amount) == [-650, -400])
    }

    @Test("refunds of one payment are at most what was paid, from what the merchant has")
    func refunds() {
        let (book, outcomes) = outcomes([
            .pay(card: 0, merchant: 0, 500), .refund(payment: 0, merchant: 1, nil),
            .refund(payment: 0, merchant: 0, 200),
            .refund(payment: 0, merchant: 0, 301), .transfer(.merchant(0), .card(1), 300),
            .refund(payment: 0, merchant: 0, nil), .transfer(.card(1), .card(1), 1)
        ])
        #expect(
            outcomes == [
                .done(500), .refused([.paymentNotFound]), .done(200), .refused([.refundTooLarge]), .done(300),
                .refused([.insufficientFunds]), .refused([.selfTransfer])
            ])
        #expect(book.balances == [.card(0): 1350, .card(1): 1950, .merchant(0): 0, .merchant(1): 0])
    }
}
