import Primitives

extension Samples {
    package static let cardView = Wallet.CardView(
        card: card, lastFour: "3456", balance: balance, available: Money(1300), isDefault: true)
    package static let accountView = Wallet.AccountView(merchant: merchant, balance: Money(99_950))
    package static let cardAdded = Wallet.CardAdded(
        card: card, customer: customer, lastFour: "3456", balance: balance, entry: 999, time: time)
    package static let cardReloaded = Wallet.CardReloaded(
        operation: operation, card: card, customer: customer, amount: Money(2000), cardBalance: Money(3650),
        entry: 1000,
        time: time)
    package static let paymentPosted = Wallet.PaymentPosted(
        payment: charge, customer: customer, card: card, merchant: merchant, amount: price, memo: memo,
        cardBalance: Money(1300), entry: 1000, time: time, coupon: offer)
    package static let plainPayment = Wallet.PaymentPosted(
        payment: charge, customer: customer, card: card, merchant: merchant, amount: price, memo: memo,
        cardBalance: Money(1300), entry: 1000, time: time)
    package static let paymentClosed = Wallet.PaymentClosed(payment: charge, reason: .declined, time: time)
    package static let holdPlaced = Wallet.HoldPlaced(
        hold: hold, customer: customer, card: card, merchant: merchant, amount: price, available: Money(1300),
        expires: later, time: time)
    package static let holdCaptured = Wallet.HoldCaptured(
        operation: operation, hold: hold, card: card, merchant: merchant, amount: Money(300), released: Money(50),
        cardBalance: Money(1350), entry: 1000, time: time)
    package static let holdVoided = Wallet.HoldVoided(operation: operation, hold: hold, released: price, time: time)
    package static let refundPosted = Wallet.RefundPosted(
        operation: operation, payment: charge, card: card, merchant: merchant, amount: Money(100), refunded: Money(150),
        cardBalance: Money(1450), entry: 1000, time: time)
    package static let transferPosted = Wallet.TransferPosted(
        operation: operation, from: Wallet.Holder(party: customer, role: .customer, card: card),
        to: Wallet.Holder(party: merchant, role: .merchant), amount: price, memo: memo, balance: Money(1300),
        entry: 1000, time: time)
}
