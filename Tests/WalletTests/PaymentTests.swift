import Bus
import Contracts
import Primitives
import Storage
import TestKit
import Testing
import WalletService

@Suite("payments")
struct PaymentTests {
    @Test("000-97: a payment goes from the card to the merchant", arguments: StoreKind.allCases)
    func payment(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()

        let reply = try wallet.ask(wallet.pay(.test(1), 150))

        #expect(
            reply
                == Recorded(
                    Wallet.PaymentPosted(
                        payment: .test(1), customer: .alice, card: .aliceCard, merchant: .shop, amount: Money(150),
                        memo: "coffee", cardBalance: Money(1500), entry: 2, time: WalletHarness.start),
                    sequence: 3, replayed: false))
        #expect(try wallet.card().balance == Money(1500))
        #expect(try wallet.balanceMinor() == 150)
        #expect(try wallet.ledger().total == Money(0))
    }

    @Test("a coupon is part of what is committed, and of what a repeat has to be", arguments: StoreKind.allCases)
    func coupon(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        func pay(_ coupon: OfferID?) -> Wallet.PostPayment {
            Wallet.PostPayment(
                payment: .test(1), customer: .alice, card: nil, merchant: .shop, amount: Money(100), memo: "coffee",
                coupon: coupon)
        }
        let coupon = OfferID(high: 1, low: 2)
        let first = try wallet.ask(pay(coupon))
        #expect(first.result.coupon == coupon)
        let again = try wallet.ask(pay(coupon))
        #expect((again.result, again.replayed) == (first.result, true))
        #expect(wallet.fault(of: pay(nil))?.code == .idReused)
        #expect(wallet.fault(of: pay(OfferID(high: 1, low: 3)))?.code == .idReused)
    }

    @Test(
        "000-101, A17: 16.50 is eleven payments of 1.50; the twelfth is refused and the balance stays",
        arguments: StoreKind.allCases)
    func twelfth(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()

        for payment in 1...11 { _ = try wallet.ask(wallet.pay(.test(UInt64(payment)), 150)) }
        #expect(try wallet.card().balance == Money(0))
        #expect(wallet.fault(of: wallet.pay(.test(12), 150))?.code == .insufficientFunds)
        #expect(try wallet.card().balance == Money(0))
        #expect(try wallet.balanceMinor() == 1650)
    }

    @Test("000-101: the same within one group", arguments: StoreKind.allCases)
    func twelfthInOneGroup(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()

        let outcomes = wallet.batch((1...12).map { wallet.inbound(wallet.pay(.test($0), 150)) })

        for (index, outcome) in outcomes.enumerated() {
            let expected: Int64? = index < 11 ? 1650 - 150 * Int64(index + 1) : nil
            let reply = try? wallet.reply(Wallet.PostPayment.self, outcome)
            #expect(reply?.result.cardBalance.amount == expected)
        }
        #expect(try wallet.balanceMinor() == 1650)
        #expect(try wallet.problems().isEmpty)
    }

    @Test("A56: a refusal for want of money is final under its id", arguments: StoreKind.allCases)
    func declineIsFinal(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let ask = wallet.pay(.test(1), 1651)
        #expect(wallet.fault(of: ask) == Fault(.insufficientFunds))

        _ = try wallet.ask(
            Wallet.ReloadCard(operation: .test(500), customer: .alice, card: nil, amount: Money(5000)))

        #expect(wallet.fault(of: ask) == Fault(.insufficientFunds, replayed: true))
        #expect(try wallet.card().balance == Money(6650))
        #expect(wallet.facts.types.filter { $0 == Wallet.OperationDeclined.type.name }.count == 1)
    }

    @Test("a repeat gets the recorded answer and moves nothing", arguments: StoreKind.allCases)
    func replay(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let ask = wallet.pay(.test(1), 150)
        let first = try wallet.ask(ask)
        wallet.clock.advance(.seconds(60))

        let second = try wallet.ask(ask)

        #expect(second == Recorded(first.result, sequence: first.sequence, replayed: true))
        #expect(try wallet.card().balance == Money(1500))
        #expect(try wallet.ledger().entries == 2)
    }

    @Test("a repeat within one group", arguments: StoreKind.allCases)
    func replayInGroup(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let ask = wallet.pay(.test(1), 150)

        let replies = try wallet.batch([
            wallet.inbound(ask), wallet.inbound(ask), wallet.inbound(wallet.pay(.test(1), 151))
        ]).prefix(2).map { try wallet.reply(Wallet.PostPayment.self, $0) }

        #expect(replies[0].replayed == false)
        #expect(replies[1] == Recorded(replies[0].result, sequence: replies[0].sequence, replayed: true))
        #expect(try wallet.card().balance == Money(1500))
    }

    @Test("the same id for something else is refused, in and across groups", arguments: StoreKind.allCases)
    func reuse(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        _ = try wallet.ask(wallet.pay(.test(1), 150))

        let others = [
            wallet.pay(.test(1), 151), wallet.pay(.test(1), 150, memo: "tea"),
            wallet.pay(.test(1), 150, card: .aliceCard), wallet.pay(.test(1), 150, attempt: .test(7))
        ]
        for other in others { #expect(wallet.fault(of: other) == Fault(.idReused)) }
        for outcome in wallet.batch(others.map { wallet.inbound($0) }) {
            guard case .fault(let fault) = outcome else {
                Issue.record("not refused")
                continue
            }
            #expect(fault == Fault(.idReused))
        }
        #expect(wallet.fault(of: Wallet.VoidHold(operation: .test(1), hold: .test(2)))?.code == .idReused)
        #expect(try wallet.card().balance == Money(1500))
    }

    @Test("a pay code that was spent by another attempt is refused", arguments: StoreKind.allCases)
    func attempt(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let first = wallet.pay(.test(1), 150, attempt: .test(71))

        #expect(try wallet.ask(first).replayed == false)
        #expect(try wallet.ask(first).replayed == true)
        #expect(wallet.fault(of: wallet.pay(.test(1), 150, attempt: .test(72)))?.code == .idReused)
    }

    @Test("what can never be valid is refused and not kept", arguments: StoreKind.allCases)
    func stateless(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let facts = wallet.facts.all.count

        for amount in [0, -1, Int64.min, 100_000_001, Int64.max] {
            #expect(wallet.fault(of: wallet.pay(.test(1), amount))?.code == .amountInvalid)
        }
        let euro = try #require(Currency("EUR"))
        var foreign = wallet.pay(.test(1), 150)
        foreign = Wallet.PostPayment(
            payment: foreign.payment, customer: .alice, card: nil, merchant: .shop, amount: Money(150, euro), memo: "")
        #expect(wallet.fault(of: foreign)?.code == .currencyMismatch)
        let long = String(repeating: "é", count: 257)
        #expect(wallet.fault(of: wallet.pay(.test(1), 150, memo: long))?.code == .malformed)

        #expect(wallet.facts.all.count == facts)
        let longest = String(repeating: "é", count: 256)
        #expect(try wallet.ask(wallet.pay(.test(1), 150, memo: longest)).result.memo == longest)
    }

    @Test("who is not there is refused by name, for good", arguments: StoreKind.allCases)
    func missing(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        #expect(wallet.fault(of: wallet.pay(.test(1), 150))?.code == .noCard)
        #expect(wallet.fault(of: wallet.pay(.test(2), 150, card: .carolCard))?.code == .cardNotFound)
        try wallet.addCard(.aliceCard, of: .alice, number: 1)
        try wallet.addCard(.carolCard, of: .carol, number: 2)
        #expect(wallet.fault(of: wallet.pay(.test(3), 150, card: .carolCard))?.code == .cardNotFound)
        #expect(wallet.fault(of: wallet.pay(.test(4), 150))?.code == .accountNotFound)
        try wallet.openAccount(.shop)

        #expect(wallet.fault(of: wallet.pay(.test(1), 150)) == Fault(.noCard, replayed: true))
        #expect(wallet.fault(of: wallet.pay(.test(4), 150)) == Fault(.accountNotFound, replayed: true))
        #expect(try wallet.ask(wallet.pay(.test(5), 150)).result.card == .aliceCard)
        #expect(try wallet.card(of: .carol).balance == Money(1650))
    }

    @Test("an account that could not hold the sum refuses it instead of trapping", arguments: StoreKind.allCases)
    func overflow(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        for balance in [Int64.max, Int64.max / 2] {
            try wallet.store.raw { transaction in
                try transaction.run("UPDATE accounts SET balance = ? WHERE kind = 2", balance)
            }
            let id = ChargeID.test(UInt64(balance))
            #expect(wallet.fault(of: wallet.pay(id, 150))?.code == .amountInvalid)
        }
        try wallet.store.raw { transaction in
            try transaction.run("UPDATE accounts SET balance = ? WHERE kind = 1", Int64.max)
        }
        let reload = Wallet.ReloadCard(operation: .test(9), customer: .alice, card: nil, amount: Money(1))
        #expect(wallet.fault(of: reload)?.code == .amountInvalid)
        _ = try wallet.ledger()
        #expect(try !wallet.problems().isEmpty)
    }

    // MARK: Closing

    @Test("whichever of payment and close comes first decides", arguments: StoreKind.allCases)
    func close(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let close = Wallet.ClosePayment(payment: .test(1), reason: .declined)

        let closed = try wallet.ask(close)
        #expect(closed.result == Wallet.PaymentClosed(payment: .test(1), reason: .declined, time: wallet.clock.now))
        #expect(try wallet.ask(close) == Recorded(closed.result, sequence: closed.sequence, replayed: true))
        #expect(
            wallet.fault(of: Wallet.ClosePayment(payment: .test(1), reason: .expired)) == Fault(.paymentClosed))
        #expect(wallet.fault(of: wallet.pay(.test(1), 150)) == Fault(.paymentClosed))

        _ = try wallet.ask(wallet.pay(.test(2), 150))
        #expect(
            wallet.fault(of: Wallet.ClosePayment(payment: .test(2), reason: .declined)) == Fault(.paymentPosted))
        #expect(try wallet.card().balance == Money(1500))
    }

    @Test("whichever comes first, within one group", arguments: StoreKind.allCases)
    func closeInGroup(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()

        let outcomes = wallet.batch([
            wallet.inbound(Wallet.ClosePayment(payment: .test(1), reason: .cancelled)),
            wallet.inbound(wallet.pay(.test(1), 150)),
            wallet.inbound(wallet.pay(.test(2), 150)),
            wallet.inbound(Wallet.ClosePayment(payment: .test(2), reason: .cancelled))
        ])

        #expect(throws: Fault(.paymentClosed)) { try wallet.reply(Wallet.PostPayment.self, outcomes[1]) }
        #expect(throws: Fault(.paymentPosted)) { try wallet.reply(Wallet.ClosePayment.self, outcomes[3]) }
        #expect(try wallet.card().balance == Money(1500))
    }

    @Test(
        "A56: a refused payment is closed already; another operation's id cannot be closed",
        arguments: StoreKind.allCases)
    func closeAfterDecline(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        _ = wallet.fault(of: wallet.pay(.test(1), 9999))
        _ = try wallet.ask(Wallet.ReloadCard(operation: .test(2), customer: .alice, card: nil, amount: Money(1)))

        #expect(
            wallet.fault(of: Wallet.ClosePayment(payment: .test(1), reason: .expired))?.code == .paymentClosed)
        #expect(wallet.fault(of: Wallet.ClosePayment(payment: .test(2), reason: .expired))?.code == .idReused)
    }
}
