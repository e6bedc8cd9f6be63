import Bus
import Contracts
import Primitives
import Storage
import TestKit
import Testing
import WalletService

/// The second guard: what the schema refuses by itself, whatever the rules above it let pass.
@Suite("schema and file")
struct SchemaTests {
    private func ledger() throws -> WalletHarness {
        let wallet = try WalletHarness(.inMemory)
        try wallet.aliceAndShop()
        _ = try wallet.ask(wallet.pay(.test(1), 150))
        _ = try wallet.ask(
            Wallet.PlaceHold(
                hold: .test(2), customer: .alice, card: nil, merchant: .shop, amount: Money(100),
                expires: WalletHarness.start + .seconds(1)))
        _ = try wallet.ask(Wallet.PostRefund(operation: .test(3), payment: .test(1), merchant: .shop, amount: Money(1)))
        return wallet
    }

    @Test(
        "what the schema refuses",
        arguments: [
            // No card or merchant below zero; nothing held that is not there.
            "UPDATE accounts SET balance = -1 WHERE kind = 2",
            "UPDATE accounts SET balance = -1, held = 0 WHERE kind = 1",
            "UPDATE accounts SET held = balance + 1 WHERE kind = 1",
            "UPDATE accounts SET held = -1 WHERE kind = 1",
            "UPDATE accounts SET held = 1 WHERE kind = 2",
            "UPDATE accounts SET id = x'00'",
            "UPDATE accounts SET balance = 'x'",
            // Append-only.
            "UPDATE entries SET memo = 'x' WHERE number = 1",
            "DELETE FROM entries WHERE number = 1",
            "UPDATE journal SET body = x'00' WHERE sequence = 1",
            "DELETE FROM journal WHERE sequence = 1",
            // One operation, one row.
            "INSERT INTO operations SELECT key, 99 FROM operations LIMIT 1",
            "INSERT INTO operations VALUES (x'00', 99)",
            "UPDATE operations SET place = 0", "UPDATE operations SET place = NULL",
            "UPDATE operations_follow SET through = -1", "INSERT INTO operations_follow VALUES (2, 1)",
            """
            INSERT INTO entries SELECT 99, operation, kind, debit, debit, amount, currency, 0, 0, 0, 0, time, memo, hash
            FROM entries LIMIT 1
            """,
            """
            INSERT INTO entries SELECT 99, operation, kind, debit, credit, 0, currency, 0, 0, 0, 0, time, memo, hash
            FROM entries LIMIT 1
            """,
            // No user below zero after an entry either: rows of accounts follow later.
            """
            INSERT INTO entries SELECT 99, operation, 3, debit, credit, amount, currency, -1, 0, 0, 0, time, memo, hash
            FROM entries LIMIT 1
            """,
            """
            INSERT INTO entries SELECT 99, operation, kind, debit, credit, amount, currency, 0, -1, 0, 0, time, memo, hash
            FROM entries LIMIT 1
            """,
            "UPDATE accounts_follow SET through = -1", "INSERT INTO accounts_follow VALUES (2, 1)",
            // Refund <= capture <= hold.
            "UPDATE refunds SET refunded = captured + 1",
            "UPDATE holds SET captured = amount + 1, state = 1",
            "UPDATE holds SET captured = 1",
            "UPDATE holds SET state = 1",
            "UPDATE holds SET state = 4",
            // A number once; a default that exists.
            """
            INSERT INTO cards SELECT x'00000000000000000000000000000000', customer, number_digest, '0000', 9 FROM cards
            """,
            "UPDATE customers SET default_card = x'00000000000000000000000000000000'",
            "UPDATE cards SET last_four = '123'"
        ])
    func refused(sql: String) throws {
        let wallet = try ledger()
        let error = #expect(throws: StoreFailure.self) {
            try wallet.store.raw { try $0.script(sql) }
        }
        guard case .constraint = error else {
            _ = Issue.record("not refused")
            return
        }
        #expect(try wallet.problems().isEmpty)
    }

    @Test("a constraint that fires takes only its own operation with it", .enabled(if: damagesFreely))
    func constraintInGroup() throws {
        let wallet = try WalletHarness(.inMemory)
        try wallet.aliceAndShop()
        // Stands for a bug in the rules: the schema refuses this one memo.
        try wallet.store.raw { transaction in
            try transaction.script(
                """
                CREATE TRIGGER bug BEFORE INSERT ON entries WHEN NEW.memo = 'bug'
                BEGIN SELECT RAISE(ABORT, 'bug'); END
                """)
        }
        let outcomes = wallet.batch([
            wallet.inbound(wallet.pay(.test(1), 150)), wallet.inbound(wallet.pay(.test(2), 150, memo: "bug")),
            wallet.inbound(wallet.pay(.test(3), 150)), wallet.inbound(Wallet.ReadCard(customer: .alice))
        ])
        #expect(try wallet.reply(Wallet.PostPayment.self, outcomes[0]).result.cardBalance == Money(1500))
        #expect(throws: Fault(.unavailable)) { try wallet.reply(Wallet.PostPayment.self, outcomes[1]) }
        #expect(try wallet.reply(Wallet.PostPayment.self, outcomes[2]).result.cardBalance == Money(1350))
        #expect(try wallet.reply(Wallet.ReadCard.self, outcomes[3]).balance == Money(1350))
        #expect(try wallet.problems().isEmpty)
    }

    @Test("a file keeps its state when it is opened again, and every answer")
    func reopen() throws {
        let directory = try TemporaryDirectory()
        let rules = LedgerRules(cardNumberKey: WalletHarness.key)
        let clock = TestClock(WalletHarness.start)
        var published: [[UInt8]] = []
        let pay = Wallet.PostPayment(
            payment: .test(1), customer: .alice, card: nil, merchant: .shop, amount: Money(150), memo: "coffee")
        for opening in 1...3 {
            let facts = RecordedFacts()
            let store = try SQLLedgerStore(path: directory.file("wallet.sqlite"), rules: rules)
            let answering = try WalletAnswering(store: store, facts: facts, clock: clock.wall) { _ in }
            func reply<A: Ask>(_ ask: A) throws -> A.Reply {
                let envelope = Envelope(id: "1", source: "test", type: A.type.name, data: ask.json)
                switch answering.answer([Inbound(envelope: envelope, deadline: nil)])[0] {
                case .reply(let json): return try A.Reply(json: json)
                case .fault(let fault): throw fault
                }
            }
            _ = try reply(
                Wallet.AddCard(card: .aliceCard, customer: .alice, number: digits(1, 16), code: "12345678"))
            _ = try reply(Wallet.OpenAccount(merchant: .shop))
            #expect(try reply(pay).replayed == (opening > 1))
            #expect(try reply(Wallet.ReadCard(customer: .alice)).balance == Money(1500))
            published += facts.all.map(\.envelope)
            #expect(try store.read { try $0.factsPage(after: 0, limit: 10) }.facts.map(\.bytes) == published)
            #expect(try store.read { try $0.head() }.fact == 3)
            #expect(try reply(Wallet.VerifyLedger(after: 0, limit: 100)).problems.isEmpty)
        }
    }

    @Test("a second process cannot open the file; another key neither")
    func locked() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("wallet.sqlite")
        let rules = LedgerRules(cardNumberKey: WalletHarness.key)
        do {
            let store = try SQLLedgerStore(path: path, rules: rules)
            let error = #expect(throws: SQLiteFile.OpenError.self) { try SQLLedgerStore(path: path, rules: rules) }
            #expect(error?.description == "another process holds \(path)")
            // FULL, or an acknowledged payment could be lost with the power.
            let pragmas = try store.raw { transaction in
                (
                    try transaction.value("PRAGMA synchronous", as: Int.self),
                    try transaction.value("PRAGMA journal_mode", as: String.self),
                    try transaction.value("PRAGMA locking_mode", as: String.self)
                )
            }
            #expect(pragmas.0 == 2)
            #expect(pragmas.1 == "wal")
            #expect(pragmas.2 == "exclusive")
        }
        #expect(throws: SQLLedgerStore.OpenError.wrongCardNumberKey) {
            try SQLLedgerStore(path: path, rules: LedgerRules(cardNumberKey: [UInt8](repeating: 9, count: 32)))
        }
        _ = try SQLLedgerStore(path: path, rules: rules)
    }
}
