import Bus
import Contracts
import Primitives
import TestKit
import Testing
import WalletService

@Suite("movements of all accounts of a holder")
struct MovementTests {
    private let alice = Wallet.Holder(party: .alice, role: .customer)

    /// Alice pays with one card, then as often with another one, then with both in turn; somebody else's card is added.
    private func paid(_ kind: StoreKind) throws -> WalletHarness {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        try wallet.addCard(.aliceOther, of: .alice, number: 2)
        for number in 1...34 as ClosedRange<UInt64> {
            let card = number <= 12 || (number > 24 && number % 2 == 0) ? CardID.aliceCard : .aliceOther
            _ = try wallet.ask(wallet.pay(.test(number), 1, card: card))
        }
        try wallet.addCard(.carolCard, of: .carol, number: 3)
        return wallet
    }

    private func movements(
        _ wallet: WalletHarness, before: Int64? = nil, limit: Int
    ) throws -> [Wallet.EntryView] {
        var (joined, before) = ([Wallet.EntryView](), before)
        repeat {
            let page = try wallet.ask(
                Wallet.ReadMovements(holder: alice, before: before, since: nil, limit: limit))
            #expect(page.entries.count <= limit)
            joined += page.entries
            before = page.next
        } while before != nil
        return joined
    }

    @Test("pages join without a gap, newest first, whichever card moved", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) throws {
        let wallet = try paid(kind)
        func entries(_ card: CardID) throws -> [Wallet.EntryView] {
            let holder = Wallet.Holder(party: .alice, role: .customer, card: card)
            return try wallet.ask(Wallet.ReadEntries(holder: holder, before: nil, limit: 100)).entries
        }
        let ofCards = try entries(.aliceCard) + entries(.aliceOther)
        let moved = ofCards.filter { $0.kind != .opening }.map(\.entry).sorted(by: >)
        #expect(moved.count == 34)
        for limit in [1, 3, 100] { #expect(try movements(wallet, limit: limit).map(\.entry) == moved) }
        // Its own, another one's, and the first one.
        for end in [moved[5], moved[0] + 1, moved[30], 1] {
            #expect(try movements(wallet, before: end, limit: 4).map(\.entry) == moved.filter { $0 < end })
        }
    }

    @Test("those since a time come to an end; what is before is behind the first page", arguments: StoreKind.allCases)
    func since(kind: StoreKind) throws {
        let wallet = try paid(kind)
        wallet.clock.advance(.seconds(60))
        let since = wallet.clock.now
        func page(_ before: Int64?, since: Timestamp?) throws -> Wallet.ReadMovements.Reply {
            try wallet.ask(Wallet.ReadMovements(holder: alice, before: before, since: since, limit: 2))
        }
        let none = try page(nil, since: since)
        #expect(none.entries.isEmpty)
        #expect(try page(none.next, since: nil).entries.count == 2)
        for number in 1001...1003 as ClosedRange<UInt64> {
            _ = try wallet.ask(wallet.pay(.test(number), 1, card: .aliceCard))
        }
        let two = try page(nil, since: since)
        let one = try page(two.next, since: since)
        let end = try page(one.next, since: since)
        #expect(two.next != nil && one.next != nil)
        #expect([two, one, end].map(\.entries.count) == [2, 1, 0])
        #expect(end.next == nil)
    }

    @Test(
        "an account whose entries lead to another account's, or in a circle, is damaged, wherever a page begins",
        .enabled(if: damagesFreely), arguments: [nil, 37, 31, 20, 2] as [Int64?], [2, 36])
    func broken(before: Int64?, previous: Int) throws {
        let wallet = try paid(.file)
        // The 36th entry moved the first card; the second one is the other card's opening.
        try wallet.store.raw { transaction in
            try transaction.script(
                """
                DROP TRIGGER entries_keep; PRAGMA ignore_check_constraints = ON;
                UPDATE entries SET debit_previous = \(previous) WHERE number = 36
                """)
        }
        let ask = Wallet.ReadMovements(holder: alice, before: before, since: nil, limit: 100)
        #expect(wallet.fault(of: ask)?.code == .unavailable)
    }
}
