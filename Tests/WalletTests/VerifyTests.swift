import Contracts
import Foundation
import Primitives
import Storage
import Testing
import WalletService

@Suite("the check of the whole ledger")
struct VerifyTests {
    /// A ledger with a bit of everything in it.
    private func ledger() throws -> WalletHarness {
        let wallet = try WalletHarness(.inMemory)
        try wallet.aliceAndShop()
        for payment in 1...20 { _ = try wallet.ask(wallet.pay(.test(UInt64(payment)), 10)) }
        _ = try wallet.ask(
            Wallet.PlaceHold(
                hold: .test(60), customer: .alice, card: nil, merchant: .shop, amount: Money(100),
                expires: WalletHarness.start + .seconds(1)))
        _ = try wallet.ask(Wallet.PostRefund(operation: .test(61), payment: .test(1), merchant: .shop, amount: nil))
        return wallet
    }

    /// What the check says after the file was tampered with, past triggers and constraints.
    private func problems(after sql: String) throws -> [String] {
        let wallet = try ledger()
        #expect(try wallet.problems().isEmpty)
        try wallet.store.raw { transaction in
            try transaction.script(
                """
                DROP TRIGGER entries_keep; DROP TRIGGER entries_stay; DROP TRIGGER journal_keeps;
                DROP TRIGGER journal_stays; PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
                """)
            try transaction.script(sql)
        }
        return try wallet.problems()
    }

    @Test(
        "planted damage is found", .enabled(if: damagesFreely),
        arguments: [
            "UPDATE accounts SET balance = balance + 1 WHERE kind = 1",
            "UPDATE accounts SET balance = balance + (CASE kind WHEN 1 THEN 5 ELSE -5 END) WHERE kind IN (1, 2)",
            "UPDATE accounts SET held = held + 1 WHERE kind = 1",
            "UPDATE accounts SET through_entry = through_entry - 1 WHERE kind = 2",
            "DELETE FROM accounts WHERE kind = 4",
            "DELETE FROM entries WHERE number = 7",
            "DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)",
            "DELETE FROM entries WHERE number = 1",
            "UPDATE entries SET amount = amount + 1 WHERE number = 9",
            "DELETE FROM journal WHERE sequence = 9",
            "DELETE FROM journal WHERE sequence = 1",
            "UPDATE journal SET time = time + 1 WHERE sequence = 9",
            "UPDATE journal SET operation = randomblob(16) WHERE sequence = 9",
            "UPDATE operations SET place = place + 1 WHERE place = 9", "DELETE FROM operations WHERE place = 9",
            "UPDATE holds SET amount = amount + 1",
            "UPDATE holds SET state = 2",
            "DELETE FROM holds",
            "UPDATE refunds SET refunded = captured + 1",
            "UPDATE entries SET kind = 99 WHERE number = 9",
            "UPDATE entries SET credit = x'00' WHERE number = 9",
            "UPDATE journal SET kind = 99 WHERE sequence = 9",
            "UPDATE accounts SET currency = '???' WHERE kind = 3"
        ])
    func damage(sql: String) throws { #expect(try !problems(after: sql).isEmpty) }

    @Test(
        "the chain notices a change of any part of an entry", .enabled(if: damagesFreely),
        arguments: [
            "operation = (SELECT operation FROM entries WHERE number = 5)", "kind = 6", "debit = credit",
            "credit = debit", "amount = 11", "currency = 'EUR'", "debit_after = debit_after + 1",
            "credit_after = credit_after + 1", "debit_previous = debit_previous - 1",
            "credit_previous = credit_previous - 1", "time = time - 1", "memo = memo || ' '",
            "hash = zeroblob(32)"
        ])
    func chain(change: String) throws {
        let found = try problems(after: "UPDATE entries SET \(change) WHERE number = 9")
        #expect(found.contains("entry 9 does not match its hash"))
    }

    @Test("an operation that moved money twice is found")
    func twice() throws {
        let found = try problems(
            after: "UPDATE entries SET operation = (SELECT operation FROM entries WHERE number = 5) WHERE number = 9")
        #expect(found.contains("entry 9 has an operation of before"))
    }

    @Test("a forged chain is found by its accounts")
    func forged() throws {
        // Whoever can compute hashes still has to keep every balance and every total.
        let wallet = try ledger()
        try wallet.store.raw { transaction in
            try transaction.script("DROP TRIGGER entries_keep; UPDATE entries SET amount = 11 WHERE number = 9")
            var hash = LedgerEntry.genesis
            for number in try transaction.values("SELECT number FROM entries ORDER BY number", as: Int64.self) {
                let entry = try transaction.first("SELECT * FROM entries WHERE number = ?", number) { row in
                    try LedgerEntry(row)
                }
                hash = try #require(entry).digest(after: hash)
                try transaction.run("UPDATE entries SET hash = ? WHERE number = ?", hash, number)
            }
        }
        let found = try wallet.problems()
        #expect(!found.contains { $0.hasPrefix("entry") && $0.contains("hash") })
        #expect(found.contains { $0.hasPrefix("entry 9 leaves an account with") })
    }

    @Test("the check goes in stretches of any length")
    func stretches() throws {
        let wallet = try ledger()
        let entries = try wallet.ledger().entries
        for stretch in [1, 2, Int(entries) - 1, Int(entries), Int(entries) + 1, 10_000] {
            #expect(try wallet.problems(stretch: stretch).isEmpty)
        }
        let first = try wallet.ask(Wallet.VerifyLedger(after: 0, limit: 5))
        #expect(first == Wallet.VerifyLedger.Reply(next: 5, checked: 5, problems: []))
        for limit in [0, 10_001] {
            #expect(wallet.fault(of: Wallet.VerifyLedger(after: 0, limit: limit))?.code == .malformed)
        }
        #expect(try !wallet.ask(Wallet.VerifyLedger(after: entries + 9, limit: 5)).problems.isEmpty)
    }

    @Test("stretches are shorter where rows take long to read, and longer again afterwards")
    func pace() {
        var pace = StretchPace()
        #expect(pace.rows(atMost: 20) == 20)
        let usual = pace.rows(atMost: 10_000)
        pace.note(10 * StretchPace.pauseMax, of: usual)
        let slow = pace.rows(atMost: 10_000)
        #expect(slow == usual / 10)
        pace.note(StretchPace.pauseMax / 2, of: slow - 1)
        #expect(pace.rows(atMost: 10_000) == slow, "a stretch with fewer rows does not say how long more would take")
        pace.note(StretchPace.pauseMax / 2, of: slow)
        #expect(pace.rows(atMost: 10_000) > slow)
        pace.note(100_000 * StretchPace.pauseMax, of: slow)
        #expect(pace.rows(atMost: 10_000) == StretchPace.rowsMin)
    }

    @Test("what moves no money is looked at in stretches too, however much there is between two entries")
    func declinesInStretches() throws {
        let wallet = try ledger()
        for payment in 400..<450 as Range<UInt64> { _ = wallet.fault(of: wallet.pay(.test(payment), 100_000)) }
        _ = try wallet.ask(wallet.pay(.test(200), 10))
        for payment in 300..<350 as Range<UInt64> { _ = wallet.fault(of: wallet.pay(.test(payment), 100_000)) }
        let entries = try wallet.ledger().entries
        for stretch in [1, 3, 7, 50, 10_000] {
            var (after, checked, calls) = (Int64?.some(0), Int64(0), 0)
            while let from = after {
                let reply = try wallet.ask(Wallet.VerifyLedger(after: from, limit: stretch))
                #expect(reply.problems == [])
                (after, checked, calls) = (reply.next, checked + reply.checked, calls + 1)
                try #require(calls < 500)
            }
            #expect(checked == entries)
        }
        try wallet.store.raw {
            try $0.script(
                "DROP TRIGGER journal_keeps; UPDATE journal SET correlation = 'x' WHERE kind = 12")
        }
        #expect(try wallet.problems(stretch: 5).count == 100)
    }

    @Test("behind the entries come accounts, so many at a time, and each once")
    func accountsInStretches() throws {
        let wallet = try ledger()
        for number in 0..<50 as Range<UInt64> {
            try wallet.openAccount(PartyID(high: number << 58 | number / 2, low: number))
        }
        let entries = try wallet.ledger().entries
        var (places, after) = ([Int64](), Optional(entries))
        while let from = after {
            after = try wallet.ask(Wallet.VerifyLedger(after: from, limit: 7)).next
            if let after { places.append(after) }
        }
        #expect(places.count >= 50 / 7 && places == places.sorted(by: >) && places.allSatisfy { $0 < 0 })
        try wallet.store.raw { transaction in
            try transaction.script("UPDATE accounts SET through_entry = through_entry + 1 WHERE kind = 2")
        }
        for stretch in [1, 7, 10_000] {
            let found = try wallet.problems(stretch: stretch).filter { $0.contains("account") }
            #expect(Set(found).count == found.count)
            #expect(stretch == 10_000 ? found.count == LedgerCheck.problemsMax : found.count > 50)
        }
    }

    @Test("an empty ledger is in order")
    func empty() throws {
        let wallet = try WalletHarness(.inMemory)
        #expect(try wallet.problems().isEmpty)
        #expect(try wallet.ledger().head == String(repeating: "0", count: 64))
    }

    @Test("the answer has at most 20 problems")
    func bounded() throws {
        #expect(try problems(after: "UPDATE entries SET memo = 'x'").count > 20)
        let wallet = try ledger()
        try wallet.store.raw { transaction in
            try transaction.script("DROP TRIGGER entries_keep; UPDATE entries SET memo = 'x'")
        }
        #expect(try wallet.ask(Wallet.VerifyLedger(after: 0, limit: 10_000)).problems.count == 20)
    }

    @Test("the canonical bytes of an entry are what is documented")
    func canonical() {
        // Computed apart with Python's hashlib from the documented form.
        let entry = LedgerEntry(
            number: 1, operation: OperationID(high: 1, low: 2), kind: .payment, debit: AccountID(high: 3, low: 4),
            credit: AccountID(high: 5, low: 6), amount: 150, currency: .usd, debitAfter: 1500, creditAfter: -150,
            debitPrevious: 7, creditPrevious: 8, time: Timestamp(milliseconds: 1_795_000_000_000), memo: "é")
        let hex = entry.digest(after: LedgerEntry.genesis).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
        #expect(hex == "fc3a9c21b6eaacb717201bf52e5d3adbf183ffe19824ed604363d531828c0b0c")
    }

    @Test("the newest check of the whole ledger is remembered, whatever stretches it had")
    func remembered() throws {
        let wallet = try ledger()
        #expect(try wallet.ask(Wallet.ReadLedger()).verified == nil)
        func check(after: Int64, limit: Int) throws -> Int64? {
            try wallet.ask(Wallet.VerifyLedger(after: after, limit: limit, anchor: nil)).next
        }
        // Two checks side by side, one of which is given up.
        let given = try check(after: 0, limit: 7)
        var next: Int64? = 0
        while let after = next { next = try check(after: after, limit: 5) }
        #expect(given != nil)
        let entries = try wallet.ask(Wallet.ReadLedger()).entries
        let found = try #require(try wallet.ask(Wallet.ReadLedger()).verified)
        #expect(found == Wallet.Verification(time: WalletHarness.start, checked: entries, problems: 0))
        // A stretch that continues no check says nothing of the whole.
        wallet.clock.advance(.seconds(1))
        _ = try check(after: entries, limit: 10_000)
        #expect(try wallet.ask(Wallet.ReadLedger()).verified == found)
    }
}

extension LedgerEntry {
    fileprivate init(_ row: Row) throws {
        self.init(
            number: try row["number"], operation: try row["operation"],
            kind: try #require(Wallet.EntryKind(storedCode: try row["kind"])), debit: try row["debit"],
            credit: try row["credit"], amount: try row["amount"], currency: try row["currency"],
            debitAfter: try row["debit_after"], creditAfter: try row["credit_after"],
            debitPrevious: try row["debit_previous"], creditPrevious: try row["credit_previous"],
            time: try row["time"], memo: try row["memo"])
    }
}
