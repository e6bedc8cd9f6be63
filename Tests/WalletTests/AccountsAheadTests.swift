import Contracts
import Foundation
import GRDB
import Primitives
import Storage
import Testing
import WalletService

/// Rows of accounts follow their entries (ADR 31): whoever opens the file knows what every account has all the same.
@Suite("accounts ahead of their rows")
struct AccountsAheadTests {
    private static let cards = 12

    /// A dozen cards of Alice's, two shops, and payments from each card in groups of three, with a hold among them.
    private func pay(_ wallet: WalletHarness, _ group: Int) throws {
        var asks = (0..<3).map { place in
            let number = group * 3 + place
            return wallet.inbound(
                Wallet.PostPayment(
                    payment: .test(UInt64(1000 + number)), customer: .alice, card: card(number % Self.cards),
                    merchant: number % 2 == 0 ? .shop : .bakery, amount: Money(Int64(1 + number)), memo: "coffee"))
        }
        if group % 4 == 1 {
            asks.append(
                wallet.inbound(
                    Wallet.PlaceHold(
                        hold: .test(UInt64(5000 + group)), customer: .alice, card: card(group % Self.cards),
                        merchant: .shop, amount: Money(7), expires: wallet.clock.now + .seconds(60))))
        }
        if group % 4 == 3 {
            asks.append(
                wallet.inbound(
                    Wallet.CaptureHold(
                        operation: .test(UInt64(6000 + group)), hold: .test(UInt64(5000 + group - 2)),
                        amount: Money(5))))
        }
        for case .fault(let fault) in wallet.batch(asks) { Issue.record("\(fault)") }
    }

    private func card(_ number: Int) -> CardID { .test(UInt64(200 + number)) }

    private func wallet(entriesAheadMax: Int64) throws -> WalletHarness {
        let wallet = try WalletHarness(.file, entriesAheadMax: entriesAheadMax)
        for number in 0..<Self.cards { try wallet.addCard(card(number), of: .alice, number: number) }
        try wallet.openAccount(.shop)
        try wallet.openAccount(.bakery)
        return wallet
    }

    private func accounts(_ store: SQLLedgerStore) throws -> [AccountID: LedgerAccount] {
        var accounts: [AccountID: LedgerAccount] = [:]
        try store.read { ledger in
            for account in try ledger.accounts(after: nil, limit: .max) { accounts[account.id] = account }
        }
        return accounts
    }

    /// By kind, what all accounts have together, once added up by the store and once here.
    private func check(sums store: SQLLedgerStore) throws {
        var expected: [AccountKind: [Int64]] = [:]
        for account in try accounts(store).values {
            let sum = expected[account.kind] ?? [0, 0, 0]
            expected[account.kind] = [sum[0] + 1, sum[1] + account.balance, sum[2] + account.held]
        }
        let sums = try store.read { try $0.accountSums() }
        #expect(Dictionary(uniqueKeysWithValues: sums.map { ($0.kind, [$0.count, $0.balance, $0.held]) }) == expected)
        #expect(sums.map(\.balance).reduce(0, +) == 0)
    }

    /// How many rows say something else than their account has.
    private func rowsBehind(_ wallet: WalletHarness) throws -> Int {
        let accounts = try accounts(wallet.store)
        return try DatabaseQueue(path: wallet.crashed()).read { database in
            try Row.fetchAll(database, sql: "SELECT id, balance FROM accounts").count { row in
                guard let id = AccountID(bytes: row["id"] as Data) else { return true }
                return accounts[id]?.balance != row["balance"] as Int64
            }
        }
    }

    @Test("a crash behind any commit leaves every account as it was", arguments: [1, 4, 1000] as [Int64])
    func crash(entriesAheadMax: Int64) throws {
        let wallet = try wallet(entriesAheadMax: entriesAheadMax)
        for group in 0..<24 {
            try pay(wallet, group)
            if group % 5 == 2 { try wallet.openAccount(.test(UInt64(900 + group))) }
            try check(sums: wallet.store)
            let found = try SQLLedgerStore(
                path: wallet.crashed(), rules: LedgerRules(cardNumberKey: WalletHarness.key))
            #expect(try accounts(found) == accounts(wallet.store))
            #expect(
                try found.read { try LedgerCheck.run($0, after: 0, limit: 10_000, now: wallet.clock.now) }.problems
                    == [])
        }
        #expect(try wallet.problems().isEmpty)
    }

    @Test("rows are behind while payments go on, and not when all is settled")
    func settled() throws {
        let wallet = try wallet(entriesAheadMax: 1000)
        try pay(wallet, 0)
        #expect(try rowsBehind(wallet) > 0)
        try wallet.store.settle()
        #expect(try rowsBehind(wallet) == 0)
    }

    @Test("a quiet second settles too, a busy one does not")
    func quiet() throws {
        let wallet = try wallet(entriesAheadMax: 1000)
        try pay(wallet, 0)
        for _ in 0..<SQLLedgerStore.quietTurnsMin {
            wallet.answering.tidy()
            #expect(try rowsBehind(wallet) > 0)
        }
        wallet.answering.tidy()
        #expect(try rowsBehind(wallet) == 0)
    }

    @Test("a round ends while payments go on, and the next begins")
    func rounds() throws {
        let wallet = try wallet(entriesAheadMax: 6)
        var reached: [Int64] = []
        for group in 0..<20 {
            try pay(wallet, group)
            let through = try DatabaseQueue(path: wallet.crashed()).read {
                try Int64.fetchOne($0, sql: "SELECT through FROM accounts_follow")
            }
            reached.append(try #require(through))
        }
        #expect(reached == reached.sorted() && Set(reached).count > 5)
    }

    @Test("a file of the version before is opened, and goes on")
    func versionBefore() throws {
        let wallet = try wallet(entriesAheadMax: 1000)
        for group in 0..<5 { try pay(wallet, group) }
        try wallet.store.raw { transaction in
            try transaction.script(
                """
                ALTER TABLE accounts RENAME COLUMN through_entry TO last_entry;
                DROP TABLE accounts_follow; DROP TABLE operations; DROP TABLE operations_follow;
                DROP INDEX holds_of_card;
                \(WalletHarness.unchained)
                DELETE FROM grdb_migrations WHERE identifier NOT LIKE '1 %';
                """)
        }
        let path = try wallet.crashed()
        let known = try DatabaseQueue(path: path).read {
            try Row.fetchAll($0, sql: "SELECT id, balance, held FROM accounts ORDER BY id")
        }
        let opened = try SQLLedgerStore(path: path, rules: LedgerRules(cardNumberKey: WalletHarness.key))
        #expect(try accounts(opened).count == known.count)
        for row in known {
            let id = try #require(AccountID(bytes: row["id"] as Data))
            let account = try opened.read { try $0.account(id) }
            #expect(account?.balance == row["balance"] as Int64 && account?.held == row["held"] as Int64)
        }
        #expect(
            try opened.read { try LedgerCheck.run($0, after: 0, limit: 10_000, now: wallet.clock.now) }.problems == [])
        #expect(throws: StoreFailure.self) { try opened.raw { try $0.script("UPDATE entries SET memo = 'x'") } }
    }
}
