import Bus
import Contracts
import Primitives
import Storage
import TestKit
import Testing
import WalletService
import Wire

@Suite("cards and accounts")
struct CardTests {
    @Test("000-94, 000-95: a new card has $16.50 and is the default", arguments: StoreKind.allCases)
    func newCard(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        let reply = try wallet.ask(
            Wallet.AddCard(card: .aliceCard, customer: .alice, number: "1234567890123456", code: "12345678"))

        #expect(
            reply.result
                == Wallet.CardAdded(
                    card: .aliceCard, customer: .alice, lastFour: "3456", balance: Money(1650), entry: 1,
                    time: WalletHarness.start))
        try wallet.addCard(.aliceOther, of: .alice, number: 2)
        let cards = try wallet.ask(Wallet.ReadCards(customer: .alice)).cards
        #expect(cards.map(\.card) == [.aliceCard, .aliceOther])
        #expect(cards.map(\.isDefault) == [false, true])
        #expect(cards.map(\.balance) == [Money(1650), Money(1650)])
        #expect(try wallet.card().card == .aliceOther)
        #expect(try wallet.ledger().total == Money(0))
    }

    @Test("000-87, 000-88, A14: a card has 16 digits and a code of 8", arguments: StoreKind.allCases)
    func digitsOnly(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        let number = digits(1, 16)
        for (number, code) in [
            (digits(1, 15), "12345678"), (digits(1, 17), "12345678"), (number, "1234567"), (number, "123456789"),
            ("123456789012345x", "12345678"), (number, "1234567٣"), ("", "")
        ] {
            let ask = Wallet.AddCard(card: .aliceCard, customer: .alice, number: number, code: code)
            #expect(wallet.fault(of: ask)?.code == .cardInvalid)
        }
        #expect(wallet.facts.all.isEmpty)
        try wallet.addCard(.aliceCard, of: .alice)
    }

    @Test("A14: a number is registered once, whoever asks", arguments: StoreKind.allCases)
    func taken(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        let first = Wallet.AddCard(card: .aliceCard, customer: .alice, number: digits(5, 16), code: "12345678")
        let second = Wallet.AddCard(card: .carolCard, customer: .carol, number: digits(5, 16), code: "87654321")
        let outcomes = wallet.batch([wallet.inbound(first), wallet.inbound(second)])
        #expect(throws: Fault(.cardTaken)) { try wallet.reply(Wallet.AddCard.self, outcomes[1]) }
        #expect(wallet.fault(of: second) == Fault(.cardTaken, replayed: true))
        let third = Wallet.AddCard(card: .test(104), customer: .alice, number: digits(5, 16), code: "12345678")
        #expect(wallet.fault(of: third)?.code == .cardTaken)
        #expect(try wallet.ask(first).replayed)
        #expect(try wallet.ledger().total == Money(0))
    }

    @Test("neither number nor code is in the file, only a keyed digest", arguments: StoreKind.allCases)
    func notStored(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        _ = try wallet.ask(
            Wallet.AddCard(card: .aliceCard, customer: .alice, number: "4929123456781234", code: "73519842"))
        let found = try wallet.store.raw { transaction in
            try transaction.values(
                """
                SELECT hex(number_digest) || last_four FROM cards UNION ALL SELECT CAST(body AS TEXT) FROM journal
                UNION ALL SELECT hex(fingerprint) FROM journal
                """, as: String.self)
        }.joined()
        #expect(!found.contains("492912345678"))
        #expect(!found.contains("73519842"))
    }

    @Test("a customer has at most 100 cards", arguments: StoreKind.allCases)
    func tooMany(kind: StoreKind) throws {
        var rules = LedgerRules(cardNumberKey: WalletHarness.key)
        #expect(rules.cardsMax == 100)
        rules.cardsMax = 3
        let wallet = try WalletHarness(kind, rules: rules)
        let asks = (1...4).map { number in
            Wallet.AddCard(
                card: .test(UInt64(number)), customer: .alice, number: digits(number, 16), code: "12345678")
        }
        let outcomes = wallet.batch(asks.map { wallet.inbound($0) })
        #expect(throws: Fault(.tooManyCards)) { try wallet.reply(Wallet.AddCard.self, outcomes[3]) }
        #expect(try wallet.ask(Wallet.ReadCards(customer: .alice)).cards.count == 3)
        try wallet.addCard(.carolCard, of: .carol, number: 9)
        // Whether somebody has a number is not told to a customer who could not add it.
        let taken = Wallet.AddCard(card: .test(5), customer: .alice, number: digits(9, 16), code: "12345678")
        #expect(wallet.fault(of: taken)?.code == .tooManyCards)
    }

    @Test("one id cannot be both a card and another account", arguments: StoreKind.allCases)
    func idsMeet(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.openAccount(.shop)
        let asShop = Wallet.AddCard(
            card: PartyID.shop.reinterpreted(), customer: .alice, number: digits(1, 16), code: "12345678")
        let asFunding = Wallet.AddCard(
            card: LedgerAccount.ownID(.funding, .usd).reinterpreted(), customer: .alice, number: digits(1, 16),
            code: "12345678")
        #expect(wallet.fault(of: asShop)?.code == .idReused)
        #expect(wallet.fault(of: asFunding)?.code == .idReused)
        try wallet.addCard(.aliceCard, of: .alice)
        #expect(wallet.fault(of: Wallet.OpenAccount(merchant: CardID.aliceCard.reinterpreted()))?.code == .idReused)
        #expect(try wallet.problems().isEmpty)
    }

    @Test("000-7: a reload adds to the card", arguments: StoreKind.allCases)
    func reload(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.addCard(.aliceCard, of: .alice, number: 1)
        try wallet.addCard(.aliceOther, of: .alice, number: 2)
        let ask = Wallet.ReloadCard(operation: .test(1), customer: .alice, card: .aliceCard, amount: Money(1000))

        #expect(try wallet.ask(ask).result.cardBalance == Money(2650))
        #expect(try wallet.ask(ask).replayed)
        let toDefault = Wallet.ReloadCard(operation: .test(2), customer: .alice, card: nil, amount: Money(100))
        #expect(try wallet.ask(toDefault).result.card == .aliceOther)
        #expect(
            wallet.fault(
                of: Wallet.ReloadCard(operation: .test(3), customer: .carol, card: .aliceCard, amount: Money(1)))?
                .code == .cardNotFound)
        #expect(
            wallet.fault(of: Wallet.ReloadCard(operation: .test(4), customer: .carol, card: nil, amount: Money(1)))?
                .code == .noCard)
        #expect(
            wallet.fault(of: Wallet.ReloadCard(operation: .test(5), customer: .alice, card: nil, amount: Money(0)))?
                .code == .amountInvalid)
        let sums = try wallet.ledger()
        #expect(sums.accounts.map(\.kind) == ["card", "merchant", "funding", "issuing"])
        #expect(sums.accounts.map(\.balance) == [Money(4400), Money(0), Money(-1100), Money(-3300)])
        #expect(sums.accounts.map(\.count) == [2, 0, 1, 1])
    }

    @Test("A26: the chosen card pays when none is named", arguments: StoreKind.allCases)
    func choose(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.addCard(.aliceCard, of: .alice, number: 1)
        try wallet.addCard(.aliceOther, of: .alice, number: 2)
        try wallet.addCard(.carolCard, of: .carol, number: 3)
        try wallet.openAccount(.shop)
        let facts = wallet.facts.all.count

        let view = try wallet.ask(Wallet.ChooseCard(customer: .alice, card: .aliceCard))

        #expect(view.isDefault && view.card == .aliceCard)
        #expect(wallet.facts.all.count == facts)
        #expect(wallet.fault(of: Wallet.ChooseCard(customer: .alice, card: .carolCard)) == Fault(.cardNotFound))
        #expect(try wallet.ask(wallet.pay(.test(1), 150)).result.card == .aliceCard)
        // Chosen and used within one group.
        let outcomes = wallet.batch([
            wallet.inbound(Wallet.ChooseCard(customer: .alice, card: .aliceOther)),
            wallet.inbound(wallet.pay(.test(2), 150))
        ])
        #expect(try wallet.reply(Wallet.PostPayment.self, outcomes[1]).result.card == .aliceOther)
    }

    @Test("opening an account again changes nothing and tells nothing", arguments: StoreKind.allCases)
    func openAgain(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        _ = try wallet.ask(wallet.pay(.test(1), 150))
        let facts = wallet.facts.all.count

        #expect(try wallet.ask(Wallet.OpenAccount(merchant: .shop)).balance == Money(150))
        #expect(wallet.facts.all.count == facts)
        #expect(wallet.facts.types.filter { $0 == Wallet.AccountOpened.type.name }.count == 1)
        #expect(wallet.fault(of: Wallet.ReadAccount(merchant: .bakery)) == Fault(.accountNotFound))
        #expect(wallet.fault(of: Wallet.ReadAccount(merchant: .alice)) == Fault(.accountNotFound))
    }

    @Test("A5: no card is told apart from someone else's", arguments: StoreKind.allCases)
    func noCard(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.addCard(.carolCard, of: .carol)
        #expect(wallet.fault(of: Wallet.ReadCard(customer: .alice)) == Fault(.noCard))
        #expect(wallet.fault(of: Wallet.ReadCard(customer: .alice, card: .carolCard)) == Fault(.cardNotFound))
        #expect(try wallet.ask(Wallet.ReadCards(customer: .alice)).cards.isEmpty)
    }
}
