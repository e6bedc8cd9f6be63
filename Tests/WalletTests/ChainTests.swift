import Contracts
import Foundation
import Primitives
import Storage
import TestKit
import Testing
import WalletService
import Wire

/// Everything that decides money is in the chain over the journal, or is compared with it (ADR 35).
@Suite("the chain over the journal")
struct ChainTests {
    /// Two customers, a merchant; payments, a refund, a decline, a close; holds open, captured, voided and expired.
    private func ledger(_ kind: StoreKind = .inMemory) throws -> WalletHarness {
        let wallet = try WalletHarness(kind)
        try wallet.aliceAndShop()
        try wallet.addCard(.carolCard, of: .carol, number: 3)
        try wallet.openAccount(.bakery)
        for payment in 1...6 { _ = try wallet.ask(wallet.pay(.test(UInt64(payment)), 100)) }
        for hold in 60...63 as ClosedRange<UInt64> {
            _ = try wallet.ask(
                Wallet.PlaceHold(
                    hold: .test(hold), customer: .alice, card: nil, merchant: .shop, amount: Money(50),
                    expires: WalletHarness.start + .seconds(hold == 63 ? 1 : 100)))
        }
        _ = try wallet.ask(Wallet.CaptureHold(operation: .test(70), hold: .test(60), amount: Money(20)))
        _ = try wallet.ask(Wallet.VoidHold(operation: .test(71), hold: .test(61)))
        wallet.clock.advance(.seconds(2))
        #expect(wallet.answering.expireHolds() == 1)
        for refund in 80...81 as ClosedRange<UInt64> {
            _ = try wallet.ask(
                Wallet.PostRefund(operation: .test(refund), payment: .test(1), merchant: .shop, amount: Money(30)))
        }
        _ = try wallet.ask(
            Wallet.PostRefund(operation: .test(82), payment: .test(2), merchant: .shop, amount: Money(1)))
        _ = try wallet.ask(Wallet.ClosePayment(payment: .test(90), reason: .expired))
        #expect(wallet.fault(of: wallet.pay(.test(91), 100_000))?.code == .insufficientFunds)
        _ = try wallet.ask(wallet.pay(.test(92), 1))
        return wallet
    }

    private static let unlocked = """
        DROP TRIGGER entries_keep; DROP TRIGGER entries_stay; DROP TRIGGER journal_keeps; DROP TRIGGER journal_stays;
        PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
        """
    private static let payment = "x'0000000000007e570000000000000001'"
    private static let held = "x'0000000000007e57000000000000003c'"  // captured
    private static let open = "x'0000000000007e57000000000000003e'"
    private static let carol = "x'0000000000007e570000000000000002'"
    private static let aliceCard = "x'0000000000007e570000000000000065'"
    private static let carolCard = "x'0000000000007e570000000000000067'"

    @Test(
        "what was changed beside the wallet is found", .enabled(if: damagesFreely),
        arguments: [
            // A card with another's name on it, in one table or in all.
            "UPDATE accounts SET owner = \(carol) WHERE id = \(aliceCard)",
            "UPDATE accounts SET owner = \(carol) WHERE id = \(aliceCard); "
                + "UPDATE cards SET customer = \(carol), position = 99 WHERE card = \(aliceCard)",
            "UPDATE cards SET customer = \(carol), position = 99 WHERE card = \(aliceCard)",
            "UPDATE cards SET number_digest = zeroblob(32) WHERE card = \(aliceCard)",
            "UPDATE cards SET last_four = '9999' WHERE card = \(aliceCard)",
            "UPDATE customers SET default_card = \(carolCard) WHERE default_card = \(aliceCard)",
            "DELETE FROM cards WHERE card = \(aliceCard)",
            "UPDATE accounts SET kind = 2 WHERE id = \(carolCard)",
            // Money back twice.
            "DELETE FROM refunds WHERE payment = \(payment)",
            "UPDATE refunds SET refunded = 30 WHERE payment = \(payment)",
            "UPDATE refunds SET refunded = 30, newest = newest - 1 WHERE payment = \(payment)",
            "UPDATE refunds SET refunded = 90 WHERE payment = \(payment)",
            "UPDATE refunds SET captured = 10000 WHERE payment = \(payment)",
            "INSERT INTO refunds SELECT x'0000000000007e570000000000000003', captured, refunded, newest "
                + "FROM refunds LIMIT 1",
            // A hold that was taken, and is open again; one that never was; other terms.
            "UPDATE holds SET state = 0, captured = 0, ended = NULL WHERE id = \(held)",
            "UPDATE holds SET state = 2, captured = 0 WHERE id = \(held)",
            "UPDATE holds SET captured = captured + 1 WHERE id = \(held)",
            "UPDATE holds SET state = 3, ended = (SELECT max(ended) FROM holds) WHERE id = \(open)",
            "UPDATE holds SET state = 3 WHERE id = \(open)",
            "UPDATE holds SET expires = expires + 1 WHERE id = \(open)",
            "UPDATE holds SET merchant = x'0000000000007e57000000000000000c' WHERE id = \(open)",
            "UPDATE holds SET customer = \(carol) WHERE id = \(open)",
            "UPDATE holds SET card = \(carolCard) WHERE id = \(open)",
            "UPDATE holds SET amount = amount + 1 WHERE id = \(held)",
            "DELETE FROM holds WHERE id = \(held)",
            // Keys, fingerprints, outcomes, bodies, causes, each alone.
            "UPDATE journal SET fingerprint = zeroblob(16) WHERE sequence = 9",
            "UPDATE journal SET fingerprint = zeroblob(16) WHERE sequence = (SELECT max(sequence) FROM journal)",
            "UPDATE journal SET operation = zeroblob(16) WHERE sequence = 9",
            "UPDATE journal SET operation = zeroblob(16) WHERE kind = 12",
            "UPDATE journal SET operation = NULL, fingerprint = NULL WHERE kind = 12",
            "UPDATE journal SET kind = 12 WHERE kind = 5", "UPDATE journal SET kind = 5 WHERE kind = 12",
            "UPDATE journal SET body = CAST(replace(CAST(body AS TEXT), '100', '900') AS BLOB) WHERE sequence = 9",
            "UPDATE journal SET time = time + 1 WHERE kind = 5",
            "UPDATE journal SET correlation = 'x' WHERE sequence = 9",
            "UPDATE journal SET causation = NULL WHERE sequence = 9",
            "UPDATE journal SET trace = zeroblob(17) WHERE sequence = 9",
            "UPDATE journal SET hash = zeroblob(32) WHERE sequence = 9",
            "DELETE FROM journal WHERE kind = 12", "DELETE FROM journal WHERE kind = 5",
            "DELETE FROM operations WHERE place = (SELECT sequence FROM journal WHERE kind = 12)",
            "UPDATE operations SET place = place + 1 WHERE place = (SELECT sequence FROM journal WHERE kind = 5)",
            // Both rows as they were before the last payment between them: sums and their own entries fit.
            """
            UPDATE accounts SET
                balance = (SELECT debit_after FROM entries WHERE number = 7), through_entry = 7 WHERE id = \(aliceCard);
            UPDATE accounts SET
                balance = (SELECT credit_after FROM entries WHERE number = 7), through_entry = 7 WHERE kind = 2
                AND balance > 0;
            """
        ])
    func changed(sql: String) throws {
        let wallet = try ledger()
        #expect(try wallet.problems() == [])
        let before = try wallet.store.raw { try Self.content($0) }
        try wallet.store.raw { try $0.script(Self.unlocked + sql) }
        #expect(try wallet.store.raw { try Self.content($0) } != before, "the attack changes nothing")
        for stretch in [1, 7, 10_000] { #expect(try !wallet.problems(stretch: stretch).isEmpty) }
    }

    private static func content(_ transaction: Transaction) throws -> [String] {
        try ["accounts", "cards", "customers", "holds", "refunds", "entries", "journal", "operations"].flatMap {
            table in
            try transaction.all("SELECT * FROM \(table) ORDER BY 1") { String(decoding: $0.json, as: UTF8.self) }
        }
    }

    @Test("who has the file alone, and knows the form, cannot chain its rows anew")
    func keyed() throws {
        let wallet = try ledger()
        let head = try wallet.ledger().sequence
        try wallet.store.raw { transaction in
            try transaction.script(
                Self.unlocked + "UPDATE journal SET fingerprint = zeroblob(16) WHERE sequence = \(head)")
        }
        let (row, before, entry) = try wallet.store.read { ledger in
            (
                try #require(try ledger.journalRow(head)), try #require(try ledger.journalRow(head - 1)),
                try #require(try ledger.entry(ledger.head().entry))
            )
        }
        func rechained(_ key: [UInt8]) throws -> [String] {
            let hash = row.digest(after: before.hash, key: key, .init(entry: entry.hash))
            try wallet.store.raw {
                try $0.run("UPDATE journal SET hash = ? WHERE sequence = ?", hash, head)
            }
            return try wallet.problems()
        }
        #expect(try rechained([UInt8](repeating: 0, count: 32)) == ["fact \(head) does not match its hash"])
        // Who has the key can: that is what heads written down elsewhere are for.
        #expect(try rechained(LedgerRules(cardNumberKey: WalletHarness.key).chainKey) == [])
    }

    @Test("the canonical bytes of a row are what is documented")
    func canonical() {
        let row = JournalRow(
            sequence: 9, operation: OperationID(high: 1, low: 2), fingerprint: Fingerprint(high: 3, low: 4),
            kind: .paymentPosted, time: Timestamp(milliseconds: 1_795_000_000_000),
            cause: JournaledCause(
                correlation: "é", causation: "ask-1",
                trace: TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")),
            body: Array(#"{"a":1}"#.utf8))
        let evidence = JournalRow.Evidence(
            entry: [UInt8](repeating: 7, count: 32), cardNumber: [UInt8](repeating: 8, count: 32))
        let key = [UInt8](0..<32)
        // Computed apart with Python's hashlib from the documented form.
        #expect(
            hexDigits(row.digest(after: JournalRow.genesis, key: key, evidence))
                == "d281f40b83269c2bb7bb370174dc342855efc520fdc0bc149857bfb4adb8e4d2")
        let bare = JournalRow(
            sequence: 1, operation: nil, fingerprint: nil, kind: .accountOpened, time: Timestamp(milliseconds: 0),
            cause: .clock, body: [])
        #expect(
            hexDigits(bare.digest(after: JournalRow.genesis, key: key, .init()))
                == "313c58c1895ed1a62392d0dfb02d205ebe84bf7a8208d72adf04aed6161003a4")
    }

    // MARK: Files of the version before

    @Test("a file without a chain is sealed as it is, and goes on")
    func versionBefore() throws {
        let wallet = try ledger(.file)
        let before = try wallet.ledger()
        try wallet.store.raw { try $0.script(WalletHarness.unchained) }
        let path = try wallet.crashed()
        let rules = LedgerRules(cardNumberKey: WalletHarness.key)
        for _ in 0..<2 {
            let opened = try SQLLedgerStore(path: path, rules: rules)
            #expect(try problems(opened) == [])
            // The same rows make the same chain: a backup of before has the head that its ledger has since.
            #expect(try opened.read { hexDigits(try $0.head().chain) } == before.chain)
            let sealed = try opened.raw {
                try $0.value("SELECT CAST(value AS TEXT) FROM meta WHERE key = 'chain_sealed'", as: String.self)
            }
            #expect(sealed == "\(before.sequence)")
            #expect(throws: StoreFailure.self) { try opened.raw { try $0.script("DELETE FROM journal") } }
        }
    }

    @Test("what was changed before it was sealed, and contradicts the facts, is found all the same")
    func changedBefore() throws {
        let wallet = try ledger(.file)
        try wallet.store.raw {
            try $0.script(
                WalletHarness.unchained + "UPDATE accounts SET owner = \(Self.carol) WHERE id = \(Self.aliceCard)")
        }
        let opened = try SQLLedgerStore(
            path: wallet.crashed(), rules: LedgerRules(cardNumberKey: WalletHarness.key))
        #expect(try problems(opened).contains { $0.contains("is not as it was added") })
    }

    @Test("with another key a file of the version before is not sealed")
    func wrongKey() throws {
        let wallet = try ledger(.file)
        try wallet.store.raw { try $0.script(WalletHarness.unchained) }
        let path = try wallet.crashed()
        #expect(throws: SQLLedgerStore.OpenError.wrongCardNumberKey) {
            try SQLLedgerStore(path: path, rules: LedgerRules(cardNumberKey: [UInt8](repeating: 9, count: 32)))
        }
        let opened = try SQLLedgerStore(path: path, rules: LedgerRules(cardNumberKey: WalletHarness.key))
        #expect(try problems(opened) == [])
    }

    private func problems(_ store: SQLLedgerStore) throws -> [String] {
        try store.read {
            try LedgerCheck.run($0, after: 0, limit: 10_000, now: WalletHarness.start + .seconds(10)).problems
        }
    }

    // MARK: Anchors

    /// Cuts off all that came behind a fact, from every table: nothing in the file says that there ever was more.
    private static func cut(after sequence: Int64, _ transaction: Transaction) throws {
        try transaction.script(
            unlocked + """
                DELETE FROM entries WHERE operation IN (SELECT operation FROM journal WHERE sequence > \(sequence));
                DELETE FROM operations WHERE place > \(sequence);
                DELETE FROM journal WHERE sequence > \(sequence);
                UPDATE operations_follow SET through = min(through, \(sequence));
                UPDATE accounts_follow SET through = min(through, (SELECT max(number) FROM entries));
                UPDATE accounts SET through_entry = newest.number, balance = newest.balance
                FROM (
                    SELECT account, balance, max(number) AS number FROM (
                        SELECT debit AS account, debit_after AS balance, number FROM entries
                        UNION ALL SELECT credit, credit_after, number FROM entries)
                    GROUP BY account
                ) AS newest WHERE newest.account = accounts.id;
                """)
    }

    @Test("an end that was cut off is found by a head that was written down elsewhere, and nothing is written on it")
    func cutOff() throws {
        let wallet = try WalletHarness(.file)
        try wallet.aliceAndShop()
        for payment in 1...6 { _ = try wallet.ask(wallet.pay(.test(UInt64(payment)), 100)) }
        let head = try wallet.ledger()
        try wallet.store.settle()
        let path = try wallet.crashed()
        let rules = LedgerRules(cardNumberKey: WalletHarness.key)
        try SQLLedgerStore(path: path, rules: rules).keepHead()
        try SQLLedgerStore(path: path, rules: rules).raw { try Self.cut(after: 5, $0) }

        // Without a head nobody knows what is missing, and that is said.
        let anchor = try #require(FileManager.default.contents(atPath: SQLLedgerStore.headFile(of: path)))
        try FileManager.default.removeItem(atPath: SQLLedgerStore.headFile(of: path))
        var opened = try SQLLedgerStore(path: path, rules: rules)
        #expect(opened.anchorProblems.count == 1 && opened.anchorProblems[0].contains("is missing"))
        let known = LedgerAnchor(
            sequence: head.sequence, chain: try #require(head.chain), origin: "the head that was given")
        let found = try opened.read {
            try LedgerCheck.run($0, after: 0, limit: 10_000, now: WalletHarness.start, anchor: known).problems
        }
        #expect(
            found == opened.anchorProblems + [
                "the ledger ends at fact 5, and the head that was given names fact 8: facts are missing at its end"
            ])

        // With one the check says so, and no money moves; the head stays as it was.
        let headFile = URL(fileURLWithPath: SQLLedgerStore.headFile(of: path))
        opened = try reopen(closing: &opened, path, rules) { try anchor.write(to: headFile) }
        #expect(opened.anchorProblems.count == 1)
        #expect(try problems(opened) == opened.anchorProblems)
        let clock = TestClock(WalletHarness.start)
        let answering = try WalletAnswering(
            store: opened, facts: RecordedFacts(), clock: clock.wall, uptime: clock.uptime
        ) { Issue.record("\($0)") }
        let outcome = answering.answer([wallet.inbound(wallet.pay(.test(50), 1))])[0]
        let refused = #expect(throws: Fault.self) {
            try wallet.reply(Wallet.PostPayment.self, outcome)
        }
        #expect(refused?.code == .unavailable && refused?.detail?.contains("the ledger is not whole") == true)
        try opened.keepHead()
        #expect(FileManager.default.contents(atPath: headFile.path) == anchor)
    }

    @Test("a ledger without facts lacks no head, as after a kill during its first start")
    func emptyWithoutHead() throws {
        let folder = try TemporaryDirectory()
        let (path, rules) = (folder.file("wallet.sqlite"), LedgerRules(cardNumberKey: WalletHarness.key))
        var opened = try SQLLedgerStore(path: path, rules: rules)
        opened = try reopen(closing: &opened, path, rules) {
            try FileManager.default.removeItem(atPath: SQLLedgerStore.headFile(of: path))
        }
        #expect(opened.anchorProblems.isEmpty)
        #expect(FileManager.default.fileExists(atPath: SQLLedgerStore.headFile(of: path)))
    }

    @Test("a later head that another process has written down stays, an earlier one does not", arguments: [1000, 1])
    func otherHead(sequence: Int64) throws {
        let wallet = try WalletHarness(.file)
        try wallet.aliceAndShop()
        let headFile = SQLLedgerStore.headFile(of: try #require(wallet.directory).file("wallet.sqlite"))
        try LedgerAnchor(sequence: sequence, chain: "ab", origin: headFile).write(to: headFile)
        _ = try wallet.ask(wallet.pay(.test(1), 100))
        try wallet.store.keepHead()
        #expect(try LedgerAnchor(path: headFile)?.sequence == max(sequence, wallet.ledger().sequence))
    }

    private func reopen(
        closing store: inout SQLLedgerStore, _ path: String, _ rules: LedgerRules, _ body: () throws -> Void
    ) throws -> SQLLedgerStore {
        try body()
        store = try SQLLedgerStore(inMemory: rules)
        return try SQLLedgerStore(path: path, rules: rules)
    }

    @Test("a ledger that was changed before its anchor, or is another, does not have it")
    func otherLedger() throws {
        let wallet = try ledger()
        let head = try wallet.ledger()
        let chain = try #require(head.chain)
        func problem(_ sequence: Int64, _ chain: String) throws -> String? {
            try wallet.store.read { try $0.problem(with: LedgerAnchor(sequence: sequence, chain: chain, origin: "it")) }
        }
        #expect(try problem(head.sequence, chain) == nil)
        #expect(try problem(head.sequence - 1, chain)?.contains("was changed before it") == true)
        #expect(try problem(head.sequence + 1, chain)?.contains("are missing at its end") == true)
        _ = try wallet.ask(wallet.pay(.test(7), 1))
        #expect(try problem(head.sequence, chain) == nil)
        #expect(try wallet.ledger().chain != chain)
    }

    @Test("the manifest of a backup is an anchor, another file is none")
    func manifest() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("manifest.json")
        #expect(try LedgerAnchor(path: path) == nil)
        try Data(#"{"services":[{"service":"auth","head":9},{"service":"wallet","head":7,"chain":"ab","x":1}]}"#.utf8)
            .write(to: URL(fileURLWithPath: path))
        #expect(try LedgerAnchor(path: path) == LedgerAnchor(sequence: 7, chain: "ab", origin: path))
        // One of before has no such head.
        try Data(#"{"services":[{"service":"wallet","head":7}]}"#.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try LedgerAnchor(path: path) == nil)
        #expect(throws: LedgerAnchor.Trouble.self) {
            try SQLLedgerStore(
                path: directory.file("ledger.sqlite"), rules: LedgerRules(cardNumberKey: WalletHarness.key),
                manifest: path)
        }
        try Data("[]".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: LedgerAnchor.Trouble.self) { try LedgerAnchor(path: path) }
    }
}
