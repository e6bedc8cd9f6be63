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

    private func page(
        _ wallet: WalletHarness, before: Int64? = nil, since: Timestamp? = nil, limit: Int
    ) async throws(Fault) -> Wallet.ReadMovements.Reply {
        let handler = ReadMovementsHandler(wallet.answering, clock: wallet.clock.wall)
        return try await handler.answer(
            Wallet.ReadMovements(holder: alice, before: before, since: since, limit: limit),
            in: AskContext(deadline: wallet.clock.now + .seconds(10)))
    }

    private func movements(
        _ wallet: WalletHarness, before: Int64? = nil, limit: Int
    ) async throws -> [Wallet.EntryView] {
        var (joined, before) = ([Wallet.EntryView](), before)
        repeat {
            let page = try await page(wallet, before: before, limit: limit)
            #expect(page.entries.count <= limit)
            joined += page.entries
            before = page.next
        } while before != nil
        return joined
    }

    @Test("pages join without a gap, newest first, whichever card moved", arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        let wallet = try paid(kind)
        func entries(_ card: CardID) throws -> [Wallet.EntryView] {
            let holder = Wallet.Holder(party: .alice, role: .customer, card: card)
            return try wallet.ask(Wallet.ReadEntries(holder: holder, before: nil, limit: 100)).entries
        }
        let ofCards = try entries(.aliceCard) + entries(.aliceOther)
        let moved = ofCards.filter { $0.kind != .opening }.map(\.entry).sorted(by: >)
        #expect(moved.count == 34)
        for limit in [1, 3, 100] {
            #expect(try await movements(wallet, limit: limit).map(\.entry) == moved)
        }
        // Its own, another one's, and the first one.
        for end in [moved[5], moved[0] + 1, moved[30], 1] {
            #expect(try await movements(wallet, before: end, limit: 4).map(\.entry) == moved.filter { $0 < end })
        }
    }

    @Test("those since a time come to an end; what is before is behind the first page", arguments: StoreKind.allCases)
    func since(kind: StoreKind) async throws {
        let wallet = try paid(kind)
        wallet.clock.advance(.seconds(60))
        let since = wallet.clock.now
        let none = try await page(wallet, since: since, limit: 2)
        #expect(none.entries.isEmpty)
        #expect(try await page(wallet, before: none.next, limit: 2).entries.count == 2)
        for number in 1001...1003 as ClosedRange<UInt64> {
            _ = try wallet.ask(wallet.pay(.test(number), 1, card: .aliceCard))
        }
        let two = try await page(wallet, since: since, limit: 2)
        let one = try await page(wallet, before: two.next, since: since, limit: 2)
        let end = try await page(wallet, before: one.next, since: since, limit: 2)
        #expect(two.next != nil && one.next != nil)
        #expect([two, one, end].map(\.entries.count) == [2, 1, 0])
        #expect(end.next == nil)
    }

    @Test(
        "an account whose entries lead to another account's, or in a circle, is damaged, wherever a page begins",
        .enabled(if: damagesFreely), arguments: [nil, 37, 31, 20, 2] as [Int64?], [2, 36])
    func broken(before: Int64?, previous: Int) async throws {
        let wallet = try paid(.file)
        // The 36th entry moved the first card; the second one is the other card's opening.
        try wallet.store.raw { transaction in
            try transaction.script(
                """
                DROP TRIGGER entries_keep; PRAGMA ignore_check_constraints = ON;
                UPDATE entries SET debit_previous = \(previous) WHERE number = 36
                """)
        }
        await #expect(throws: Fault(.unavailable)) { try await page(wallet, before: before, limit: 100) }
    }

    @Test("a page far back is found in several turns, between which others are answered", arguments: StoreKind.allCases)
    func far(kind: StoreKind) async throws {
        let wallet = try paid(kind)
        let end = try #require(try await movements(wallet, limit: 100).last?.entry)
        for number in 1...1200 as ClosedRange<UInt64> {
            _ = try wallet.ask(wallet.pay(.test(number + 1000), 1, card: .aliceOther))
        }
        #expect(try await movements(wallet, before: end + 1, limit: 3).map(\.entry) == [end])
        let late = ReadMovementsHandler(wallet.answering, clock: wallet.clock.wall)
        await #expect(throws: Fault(.deadlineExceeded)) {
            try await late.answer(
                Wallet.ReadMovements(holder: alice, before: end + 1, since: nil, limit: 3),
                in: AskContext(deadline: wallet.clock.now))
        }
    }

    @Test("both sides of a transfer between two own cards come on one page", arguments: [1, 2, 3])
    func ownTransfer(limit: Int) async throws {
        let wallet = try paid(.inMemory)
        let cards = [CardID.aliceCard, .aliceOther].map { Wallet.Holder(party: .alice, role: .customer, card: $0) }
        _ = try wallet.ask(
            Wallet.PostTransfer(operation: .test(900), from: cards[0], to: cards[1], amount: Money(7), memo: ""))
        _ = try wallet.ask(wallet.pay(.test(901), 1, card: .aliceCard))
        var (amounts, before) = ([Int64](), Int64?.none)
        repeat {
            let page = try await page(wallet, before: before, limit: limit)
            amounts += page.entries.map(\.amount.amount)
            before = page.next
        } while before != nil && amounts.count < 3
        #expect(amounts.prefix(3).sorted() == [-7, -1, 7])
    }
}
