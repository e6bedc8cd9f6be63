import Bus
import Contracts
import Primitives
import TestKit
import Testing
import WalletService

@Suite("entries, sums and permissions")
struct ReadingTests {
    private func entries(
        _ holder: Wallet.Holder, before: Int64? = nil, limit: Int = 100
    ) -> Wallet.ReadEntries {
        Wallet.ReadEntries(holder: holder, before: before, limit: limit)
    }
    private let alice = Wallet.Holder(party: .alice, role: .customer)
    private let shop = Wallet.Holder(party: .shop, role: .merchant)

    @Test("an account's entries, newest first, as its holder sees them", arguments: StoreKind.allCases)
    func history(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        _ = try wallet.ask(wallet.pay(.test(1), 150))
        try wallet.addCard(.carolCard, of: .carol, number: 2)
        _ = try wallet.ask(
            Wallet.PostRefund(operation: .test(2), payment: .test(1), merchant: .shop, amount: Money(50)))

        let cards = try wallet.ask(entries(alice)).entries
        #expect(cards.map(\.entry) == [4, 2, 1])
        #expect(cards.map(\.kind) == [.refund, .payment, .opening])
        #expect(cards.map(\.amount) == [Money(50), Money(-150), Money(1650)])
        #expect(cards.map(\.balance) == [Money(1550), Money(1500), Money(1650)])
        #expect(cards.map(\.memo) == ["", "coffee", ""])
        let takings = try wallet.ask(entries(shop)).entries
        #expect(takings.map(\.amount) == [Money(-50), Money(150)])
    }

    @Test("pages join without a gap; limits are 1 to 100", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        for payment in 1...25 { _ = try wallet.ask(wallet.pay(.test(UInt64(payment)), 10)) }
        let whole = try wallet.ask(entries(alice))
        #expect(whole.entries.count == 26)
        #expect(whole.next == nil)

        var joined: [Wallet.EntryView] = []
        var before: Int64?
        repeat {
            let page = try wallet.ask(entries(alice, before: before, limit: 7))
            joined += page.entries
            before = page.next
        } while before != nil
        #expect(joined == whole.entries)

        #expect(try wallet.ask(entries(alice, limit: 26)).next == nil)
        for limit in [0, -1, 101] { #expect(wallet.fault(of: entries(alice, limit: limit))?.code == .malformed) }
        #expect(wallet.fault(of: entries(alice, before: 999, limit: 1))?.code == .malformed)
    }

    @Test("a page fits into an envelope, whatever the memos", arguments: StoreKind.allCases)
    func pageBytes(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let memo = String(repeating: "\"", count: 512)
        for payment in 1...100 { _ = try wallet.ask(wallet.pay(.test(UInt64(payment)), 1, memo: memo)) }

        var seen = 0
        var before: Int64?
        repeat {
            let outcome = wallet.batch([wallet.inbound(entries(shop, before: before))])[0]
            guard case .reply(let json) = outcome else { throw Fault(.unavailable) }
            #expect(json.count <= FactsPage.bytesMax + 64)
            let page = try wallet.reply(Wallet.ReadEntries.self, outcome)
            seen += page.entries.count
            before = page.next
        } while before != nil
        #expect(seen == 100)
    }

    @Test("each may read what is theirs", arguments: StoreKind.allCases)
    func permissions(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        func code(_ ask: some Ask, _ actor: Actor?) -> FaultCode? { wallet.fault(of: ask, actor: actor)?.code }

        for actor in [Actor.carol, .shop, .administrator] {
            #expect(code(Wallet.ReadCards(customer: .alice), actor) == .forbidden)
            #expect(code(Wallet.ReadCard(customer: .alice), actor) == .forbidden)
            #expect(code(entries(alice), actor) == .forbidden)
            #expect(code(Wallet.ChooseCard(customer: .alice, card: .aliceCard), actor) == .forbidden)
            let reload = Wallet.ReloadCard(operation: .test(1), customer: .alice, card: nil, amount: Money(1))
            #expect(code(reload, actor) == .forbidden)
            let add = Wallet.AddCard(card: .test(7), customer: .alice, number: digits(7, 16), code: digits(7, 8))
            #expect(code(add, actor) == .forbidden)
        }
        for actor in [Actor.alice, .bakery] {
            #expect(code(Wallet.ReadAccount(merchant: .shop), actor) == .forbidden)
            #expect(code(Wallet.OpenAccount(merchant: .shop), actor) == .forbidden)
            #expect(code(entries(shop), actor) == .forbidden)
            #expect(code(Wallet.ReadLedger(), actor) == .forbidden)
            #expect(code(Wallet.VerifyLedger(after: 0, limit: 1), actor) == .forbidden)
        }
        // The merchant who would be paid cannot help himself either.
        for actor in [Actor.carol, .bakery, .shop, .administrator] {
            #expect(code(wallet.pay(.test(1), 150), actor) == .forbidden)
            #expect(code(Wallet.ClosePayment(payment: .test(1), reason: .cancelled), actor) == .forbidden)
        }
        // A customer's number does not make a merchant's right.
        #expect(code(wallet.pay(.test(1), 150), Actor(role: .merchant, party: .alice)) == .forbidden)
        for actor in [nil, Actor.administrator] {
            #expect(code(Wallet.ReadLedger(), actor) == nil)
            #expect(code(Wallet.VerifyLedger(after: 0, limit: 1), actor) == nil)
            #expect(code(Wallet.ReadAccount(merchant: .shop), actor) == nil)
        }
        #expect(code(Wallet.ClosePayment(payment: .test(1), reason: .cancelled), .alice) == .forbidden)
        #expect(code(wallet.pay(.test(1), 150), nil) == nil)
        #expect(code(wallet.pay(.test(2), 150), .alice) == nil)
        #expect(code(Wallet.ReadCards(customer: .alice), .alice) == nil)
    }

    @Test("from its deadline on nothing of an ask happens", arguments: StoreKind.allCases)
    func deadline(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let late = wallet.clock.now
        #expect(wallet.fault(of: wallet.pay(.test(1), 150), deadline: late) == Fault(.deadlineExceeded))
        #expect(wallet.fault(of: Wallet.ReadCard(customer: .alice), deadline: late) == Fault(.deadlineExceeded))
        #expect(try wallet.card().balance == Money(1650))
        #expect(try wallet.ask(wallet.pay(.test(1), 150), deadline: late + .milliseconds(1)).replayed == false)
    }

    @Test("an unknown type and data of another form are refused and harm no neighbour", arguments: StoreKind.allCases)
    func malformed(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        func inbound(_ type: String, _ json: String) -> Inbound {
            Inbound(envelope: Envelope(id: "1", source: "test", type: type, data: Array(json.utf8)), deadline: nil)
        }
        let type = Wallet.PostPayment.type.name
        let outcomes = wallet.batch([
            inbound("wallet.money.print.v1", "{}"), inbound(type, "null"), inbound(type, "{\"payment\":1}"),
            inbound(type, "[]"), wallet.inbound(wallet.pay(.test(1), 150)), inbound(Wallet.ReadCard.type.name, "{}")
        ])
        let codes = outcomes.map { outcome -> FaultCode? in
            if case .fault(let fault) = outcome { fault.code } else { nil }
        }
        #expect(codes == [.unknownType, .malformed, .malformed, .malformed, nil, .malformed])
        #expect(try wallet.card().balance == Money(1500))
        #expect(wallet.batch([]).isEmpty)
    }

    @Test("reads of a batch see its writes", arguments: StoreKind.allCases)
    func readAfterWrite(kind: StoreKind) throws {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        let outcomes = wallet.batch([
            wallet.inbound(Wallet.ReadCard(customer: .alice)), wallet.inbound(wallet.pay(.test(1), 150))
        ])
        #expect(try wallet.reply(Wallet.ReadCard.self, outcomes[0]).balance == Money(1500))
    }

    @Test("every ask of the wallet is answered here, but those that every source and service has")
    func types() throws {
        let wallet = try WalletHarness(.inMemory)
        let mine = Catalogue.asks.map { $0.type }.filter { $0.service == "wallet" }
        // Answered by what every process has (ServiceKit).
        let shared: Set = [
            ReadStats<Wallet>.type, ReadSpans<Wallet>.type, WriteBackup<Wallet>.type, ReadFacts<Wallet>.type
        ]
        let answered = wallet.answering.types + [Wallet.ReadMovements.type]
        #expect(Set(mine).subtracting(shared).isSubset(of: answered))
    }
}
