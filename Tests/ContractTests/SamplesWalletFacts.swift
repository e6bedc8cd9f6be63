import Contracts
import Primitives

extension Samples {
    static let cardAdded = Wallet.CardAdded(
        card: card, customer: customer, lastFour: "3456", balance: balance, entry: 999, time: time)
    static let cardReloaded = Wallet.CardReloaded(
        operation: operation, card: card, customer: customer, amount: Money(2000), cardBalance: Money(3650),
        entry: 1000,
        time: time)
    static let paymentPosted = Wallet.PaymentPosted(
        payment: charge, customer: customer, card: card, merchant: merchant, amount: price, memo: memo,
        cardBalance: Money(1300), entry: 1000, time: time, coupon: offer)
    static let plainPayment = Wallet.PaymentPosted(
        payment: charge, customer: customer, card: card, merchant: merchant, amount: price, memo: memo,
        cardBalance: Money(1300), entry: 1000, time: time)
    static let paymentClosed = Wallet.PaymentClosed(payment: charge, reason: .declined, time: time)
    static let holdPlaced = Wallet.HoldPlaced(
        hold: hold, customer: customer, card: card, merchant: merchant, amount: price, available: Money(1300),
        expires: later, time: time)
    static let holdCaptured = Wallet.HoldCaptured(
        operation: operation, hold: hold, card: card, merchant: merchant, amount: Money(300), released: Money(50),
        cardBalance: Money(1350), entry: 1000, time: time)
    static let holdVoided = Wallet.HoldVoided(operation: operation, hold: hold, released: price, time: time)
    static let refundPosted = Wallet.RefundPosted(
        operation: operation, payment: charge, card: card, merchant: merchant, amount: Money(100), refunded: Money(150),
        cardBalance: Money(1450), entry: 1000, time: time)
    static let transferPosted = Wallet.TransferPosted(
        operation: operation, from: Wallet.Holder(party: customer, role: .customer, card: card),
        to: Wallet.Holder(party: merchant, role: .merchant), amount: price, memo: memo, balance: Money(1300),
        entry: 1000, time: time)

    static let walletFacts: [Sample] =
        fact(cardAdded)
        + fact(cardReloaded)
        + fact(Wallet.AccountOpened(merchant: merchant, time: time))
        + fact(paymentPosted, bare: plainPayment)
        + fact(paymentClosed)
        + fact(holdPlaced)
        + fact(holdCaptured)
        + fact(holdVoided)
        + fact(Wallet.HoldExpired(hold: hold, released: price, time: time))
        + fact(refundPosted)
        + fact(transferPosted)
        + fact(
            Wallet.OperationDeclined(
                operation: operation, ask: Wallet.PostPayment.type.name, code: FaultCode.insufficientFunds.code,
                detail: "$3.50 of $1.00", time: time),
            bare: Wallet.OperationDeclined(
                operation: operation, ask: Wallet.PostPayment.type.name, code: FaultCode.insufficientFunds.code,
                detail: nil, time: time))
}
