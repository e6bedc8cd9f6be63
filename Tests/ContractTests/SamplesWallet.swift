import Contracts
import Primitives

extension Samples {
    private static let cardView = Wallet.CardView(
        card: card, lastFour: "3456", balance: balance, available: Money(1300), isDefault: true)
    private static let accountView = Wallet.AccountView(merchant: merchant, balance: Money(99_950))

    static let wallet: [Sample] = walletCards + walletPayments + walletReading

    private static let walletCards: [Sample] =
        ask(
            Wallet.AddCard(card: card, customer: customer, number: "1234567890123456", code: "00000042"),
            reply: Recorded(cardAdded, sequence: 42, replayed: false))
        + ask(Wallet.ChooseCard(customer: customer, card: card), reply: cardView)
        + ask(
            Wallet.ReadCard(customer: customer, card: card), bare: Wallet.ReadCard(customer: customer), reply: cardView)
        + ask(
            Wallet.ReadCards(customer: customer), reply: Wallet.ReadCards.Reply(cards: [cardView]),
            bareReply: Wallet.ReadCards.Reply(cards: []))
        + ask(
            Wallet.ReloadCard(operation: operation, customer: customer, card: card, amount: Money(2000)),
            bare: Wallet.ReloadCard(operation: operation, customer: customer, card: nil, amount: Money(2000)),
            reply: Recorded(cardReloaded, sequence: 42, replayed: true))
        + ask(Wallet.OpenAccount(merchant: merchant), reply: accountView)
        + ask(Wallet.ReadAccount(merchant: merchant), reply: accountView)

    private static let walletPayments: [Sample] =
        ask(
            Wallet.PostPayment(
                payment: charge, customer: customer, card: card, merchant: merchant, amount: price, memo: memo,
                attempt: operation, coupon: offer),
            bare: Wallet.PostPayment(
                payment: charge, customer: customer, card: nil, merchant: merchant, amount: price, memo: ""),
            reply: Recorded(paymentPosted, sequence: 42, replayed: false),
            bareReply: Recorded(plainPayment, sequence: 42, replayed: false))
        + ask(
            Wallet.ClosePayment(payment: charge, reason: .declined),
            reply: Recorded(paymentClosed, sequence: 42, replayed: false))
        + ask(
            Wallet.PlaceHold(
                hold: hold, customer: customer, card: card, merchant: merchant, amount: price, expires: later),
            bare: Wallet.PlaceHold(
                hold: hold, customer: customer, card: nil, merchant: merchant, amount: price, expires: later),
            reply: Recorded(holdPlaced, sequence: 42, replayed: false))
        + ask(
            Wallet.CaptureHold(operation: operation, hold: hold, amount: Money(300)),
            bare: Wallet.CaptureHold(operation: operation, hold: hold),
            reply: Recorded(holdCaptured, sequence: 42, replayed: false))
        + ask(
            Wallet.VoidHold(operation: operation, hold: hold),
            reply: Recorded(holdVoided, sequence: 42, replayed: false))
        + ask(
            Wallet.PostRefund(operation: operation, payment: charge, merchant: merchant, amount: Money(100)),
            bare: Wallet.PostRefund(operation: operation, payment: charge, merchant: merchant, amount: nil),
            reply: Recorded(refundPosted, sequence: 42, replayed: false))
        + ask(
            Wallet.PostTransfer(
                operation: operation, from: Wallet.Holder(party: customer, role: .customer, card: card),
                to: Wallet.Holder(party: friend, role: .customer), amount: price, memo: memo),
            reply: Recorded(transferPosted, sequence: 42, replayed: false))

    private static let walletReading: [Sample] =
        ask(
            Wallet.ReadEntries(
                holder: Wallet.Holder(party: customer, role: .customer, card: card), before: 1001, limit: 100),
            bare: Wallet.ReadEntries(holder: Wallet.Holder(party: merchant, role: .merchant), limit: 1),
            reply: Wallet.ReadEntries.Reply(
                entries: [
                    Wallet.EntryView(
                        entry: 1000, kind: .payment, operation: operation, amount: Money(-350), balance: Money(1300),
                        time: time, memo: memo),
                    Wallet.EntryView(
                        entry: 999, kind: .opening, operation: operation, amount: balance, balance: balance,
                        time: time, memo: "")
                ], next: 999),
            bareReply: Wallet.ReadEntries.Reply(entries: [], next: nil))
        + ask(
            Wallet.ReadLedger(),
            reply: Wallet.ReadLedger.Reply(
                accounts: [
                    Wallet.ReadLedger.Sum(kind: "card", count: 3, balance: Money(4950)),
                    Wallet.ReadLedger.Sum(kind: "issuing", count: 1, balance: Money(-4950))
                ], total: Money(0), held: price, entries: 1000, head: digest, sequence: 42, chain: digest),
            bareReply: Wallet.ReadLedger.Reply(
                accounts: [], total: Money(0), held: Money(0), entries: 0, head: String(repeating: "0", count: 64),
                sequence: 0))
        + ask(
            Wallet.VerifyLedger(
                after: 1000, limit: 10_000, anchor: Wallet.Anchor(sequence: 42, chain: digest)),
            bare: Wallet.VerifyLedger(after: 1000, limit: 10_000),
            reply: Wallet.VerifyLedger.Reply(next: 1500, checked: 500, problems: ["entry 1042 does not follow 1041"]),
            bareReply: Wallet.VerifyLedger.Reply(next: nil, checked: 0, problems: []))
}
