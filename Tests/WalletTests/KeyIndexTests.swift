import Contracts
import GRDB
import Primitives
import Storage
import Testing
import WalletService

/// Random keys and such that begin with a time, as a client's keys make them.
private func keys(_ count: Int, _ random: inout SeededGenerator) -> [Identifier<Never>] {
    (0..<count).map { number in
        let word = random.next()
        return switch number % 3 {
        case 0: Identifier(high: word, low: random.next())
        case 1: Identifier(at: WalletHarness.start + .milliseconds(number / 20), random: (word, random.next()))
        default: Identifier(high: 0x7E57, low: word)  // the second word decides
        }
    }
}

private func bytes(_ key: Identifier<Never>) -> String { key.hex }

@Suite("keys in order")
struct KeysInOrderTests {
    @Test("taken piece by piece they are as sorted at once", arguments: [0, 1, 2, 127, 128, 129, 1000, 20_000])
    func pieces(count: Int) {
        var random = SeededGenerator(UInt64(count))
        let keys = keys(count, &random)
        for order in [keys, keys.sorted { bytes($0) < bytes($1) }, keys.sorted { bytes($0) > bytes($1) }] {
            var left = KeysInOrder(order.enumerated().map { .init(key: $1, place: Int64($0)) })
            var taken: [KeysInOrder.Row] = []
            while left.count > 0 {
                let piece = Array(left.first(Int.random(in: 1...200, using: &random)))
                #expect(Array(left.first(piece.count)) == piece)
                left.removeFirst(piece.count)
                taken += piece
            }
            #expect(left.first(1).isEmpty)
            #expect(taken.map { bytes($0.key) } == keys.map(bytes).sorted())
            #expect(taken.allSatisfy { order[Int($0.place)] == $0.key })
        }
    }
}

@Suite("keys ahead of their rows")
struct KeysAheadTests {
    @Test(
        "at any time a key is ahead or written, and all are up to where a round has come",
        arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed)
        let keys = keys(2000, &random)
        var ahead = KeysAhead(through: 0, placesMax: Int.random(in: 1...300, using: &random))
        var written: [Identifier<Never>: Int64] = [:]
        var (added, through) = (0, Int64(0))
        func write(_ due: KeysAhead.Due?) {
            guard let due else { return }
            #expect(due.rows.map { bytes($0.key) } == due.rows.map { bytes($0.key) }.sorted())
            // What is due stays due until it is written, as when a transaction fails.
            let again = ahead.dueQuietly(rows: due.rows.count)
            #expect(again?.rows == due.rows && again?.through == due.through)
            ahead.written(due)
            for row in due.rows { #expect(written.updateValue(row.place, forKey: row.key) == nil) }
            guard let reached = due.through else { return }
            #expect(reached > through)
            through = reached
        }
        while added < keys.count {
            let count = min(Int.random(in: 0...40, using: &random), keys.count - added)
            write(Int.random(in: 0..<10, using: &random) == 0 ? ahead.dueQuietly(rows: 9) : ahead.due(with: count))
            for number in added..<added + count { ahead.add(keys[number], at: Int64(number + 1)) }
            added += count
            #expect(ahead.head == Int64(added))
            for _ in 0..<20 {
                let number = Int.random(in: 0..<keys.count, using: &random)
                let place = ahead.place(of: keys[number]) ?? written[keys[number]]
                #expect(place == (number < added ? Int64(number + 1) : nil))
            }
            for number in 0..<Int(through) { #expect(written[keys[number]] != nil) }
        }
        #expect(through > 0)
        for _ in 0..<2 { write(ahead.dueQuietly(rows: .max)) }
        #expect(ahead.isEmpty && through == Int64(keys.count) && written.count == keys.count)
    }
}

/// The index itself, on a table of its own.
@Suite("index of keys")
struct KeyIndexTests {
    private static let columns = KeyIndex.Columns(index: "places", of: "things", key: "id", place: "number")

    /// A table with these keys, and its index, of which nothing is written.
    private func index<Value>(
        _ keys: [KeyIndex.Key], placesMax: Int, _ body: (KeyIndex, Transaction) throws -> Value
    ) throws -> Value {
        let file = try SQLiteFile(inMemory: [
            Migration(
                "1", "CREATE TABLE things (number INTEGER PRIMARY KEY, id BLOB);", KeyIndex.schema(Self.columns))
        ])
        return try file.exclusively { transaction in
            let index = try KeyIndex(Self.columns, transaction, placesMax: placesMax)
            for (number, key) in keys.enumerated() {
                try transaction.run("INSERT INTO things (id) VALUES (?)", key)
                index.add(key, at: Int64(number + 1))
            }
            return try body(index, transaction)
        }
    }

    @Test("a key that is ahead is refused at once, one that is written when its row is", arguments: [true, false])
    func twice(isWritten: Bool) throws {
        var random = SeededGenerator(1)
        let keys = keys(9, &random)
        try index(keys, placesMax: 1) { index, _ in
            if isWritten {
                let due = try index.dueQuietly(rowsMax: nil)
                try index.write(due)
                index.written(due)
                for key in keys { #expect(throws: Never.self) { try index.expectNew(key) } }
                index.add(keys[4], at: 10)
                let again = try index.due(with: 1)
                #expect(throws: StoreFailure.self) { try index.write(again) }
            } else {
                for key in keys { #expect(throws: StoreFailure.self) { try index.expectNew(key) } }
                #expect(throws: Never.self) { try index.expectNew(KeyIndex.Key(high: 1, low: 1)) }
            }
        }
    }

    @Test("keys that are looked up together are found as one by one, also those that come afterwards")
    func prefetched() async throws {
        let store = try Store(forTests: [
            Migration(
                "1", "CREATE TABLE things (number INTEGER PRIMARY KEY, id BLOB);", KeyIndex.schema(Self.columns))
        ])
        var random = SeededGenerator(3)
        let keys = keys(300, &random)
        try store.opening { transaction in
            let index = try KeyIndex(Self.columns, transaction, placesMax: 1)
            for count in [0, 1, 64, 65, 200] {
                try index.begin()
                for number in 0..<count { index.add(keys[number], at: Int64(number + 1)) }
                let due = try index.dueQuietly(rowsMax: nil)
                try index.write(due)
                index.written(due)
                try index.prefetch(keys)
                for (number, key) in keys.enumerated() {
                    let place = try index.place(of: key)
                    #expect(place == (number < count ? Int64(number + 1) : nil))
                }
                index.forget()
            }
            // A key that was found absent is written later.
            try index.begin()
            try index.prefetch(keys)
            index.add(keys[250], at: 1000)
            let due = try index.dueQuietly(rowsMax: nil)
            try index.write(due)
            index.written(due)
            #expect(try index.place(of: keys[250]) == 1000)
            try index.prefetch(keys)
            try transaction.run("INSERT INTO places (key, place) VALUES (?, ?)", keys[251], 1001)
            index.forget()
            #expect(try index.place(of: keys[251]) == 1001)
        }
    }

    @Test("what was written in a transaction that failed is due again")
    func failed() throws {
        var random = SeededGenerator(2)
        let keys = keys(9, &random)
        try index(keys, placesMax: 1) { index, transaction in
            for _ in 0..<2 {
                try transaction.script("BEGIN")
                let due = try index.dueQuietly(rowsMax: nil)
                #expect(due?.rows.count == 9 && due?.through == 9)
                try index.write(due)
                try transaction.script("ROLLBACK")
                for (number, key) in keys.enumerated() { #expect(try index.place(of: key) == Int64(number + 1)) }
            }
        }
    }
}

/// The index of operations follows the journal (ADR 32): what was done is known, whatever is written of it.
@Suite("operations ahead of their index")
struct OperationsAheadTests {
    private static let groups = 30

    /// Payments in groups of four under keys of all kinds.
    private static let operations: [[OperationID]] = {
        var random = SeededGenerator(32)
        return (0..<groups).map { _ in keys(4, &random).map { $0.reinterpreted() } }
    }()

    private func wallet(_ aheadMax: Int64) throws -> WalletHarness {
        let wallet = try WalletHarness(.file, entriesAheadMax: aheadMax)
        try wallet.aliceAndShop()
        return wallet
    }

    private func pay(_ wallet: WalletHarness, _ group: Int) throws -> [Wallet.PostPayment.Reply] {
        try wallet.batch(Self.operations[group].map { wallet.inbound(wallet.pay($0.reinterpreted(), 1)) })
            .map { try wallet.reply(Wallet.PostPayment.self, $0) }
    }

    /// Every payment of these groups is recorded, each in a row of its own, and no other is.
    private func check(_ store: SQLLedgerStore, groups: Int) throws {
        let known = Self.operations[..<groups].joined()
        let unknown = Self.operations[groups...].joined()
        try store.read { ledger in
            var sequences: Set<Int64> = []
            for operation in known {
                let row = try #require(try ledger.recorded(operation))
                #expect(row.operation == operation)
                sequences.insert(row.sequence)
            }
            #expect(sequences.count == known.count)
            for operation in unknown { #expect(try ledger.recorded(operation) == nil) }
        }
        #expect(
            try store.read { try LedgerCheck.run($0, after: 0, limit: 10_000, now: WalletHarness.start) }.problems == []
        )
    }

    @Test("a crash behind any commit leaves every operation known", arguments: [1, 10, 1000] as [Int64])
    func crash(aheadMax: Int64) throws {
        let wallet = try wallet(aheadMax)
        let rules = LedgerRules(cardNumberKey: WalletHarness.key)
        for group in 0..<Self.groups {
            #expect(try pay(wallet, group).allSatisfy { !$0.replayed })
            try check(wallet.store, groups: group + 1)
            // Opened twice, as a crash may follow a crash.
            let path = try wallet.crashed()
            for _ in 0..<2 {
                try check(SQLLedgerStore(path: path, rules: rules, entriesAheadMax: aheadMax), groups: group + 1)
            }
        }
        for group in 0..<Self.groups { #expect(try pay(wallet, group).allSatisfy(\.replayed)) }
        #expect(try wallet.balanceMinor() == Int64(Self.groups * 4))
    }

    @Test("rounds end, and what is settled is all in the index")
    func rounds() throws {
        let wallet = try wallet(10)
        var reached: Set<Int64> = []
        for group in 0..<Self.groups {
            _ = try pay(wallet, group)
            reached.insert(try index(wallet).through)
        }
        #expect(reached.count > 5)
        try wallet.store.settle()
        let index = try index(wallet)
        #expect(index.keys == index.operations && index.through == index.head)
    }

    private func index(_ wallet: WalletHarness) throws -> (keys: Int, operations: Int, through: Int64, head: Int64) {
        try DatabaseQueue(path: wallet.crashed()).read { database in
            func number(_ sql: String) throws -> Int64 { try #require(try Int64.fetchOne(database, sql: sql)) }
            return (
                Int(try number("SELECT count(*) FROM operations")),
                Int(try number("SELECT count(operation) FROM journal")),
                try number("SELECT through FROM operations_follow"),
                try number("SELECT max(sequence) FROM journal WHERE operation IS NOT NULL")
            )
        }
    }

    @Test("an operation that stands in the journal twice is refused by the index")
    func twice() throws {
        let wallet = try wallet(1000)
        for group in 0..<3 { _ = try pay(wallet, group) }
        try wallet.store.raw { transaction in
            try transaction.script(
                """
                INSERT INTO journal (sequence, operation, fingerprint, kind, time, body, hash)
                    SELECT (SELECT max(sequence) FROM journal) + 1, operation, fingerprint, kind, time, body, hash
                    FROM journal WHERE operation IS NOT NULL ORDER BY sequence LIMIT 1;
                """)
        }
        #expect(throws: StoreFailure.self) { try wallet.store.settle() }
    }

    @Test("a file of the version before is opened, and goes on")
    func versionBefore() throws {
        let wallet = try wallet(1000)
        for group in 0..<5 { _ = try pay(wallet, group) }
        try wallet.store.raw { transaction in
            try transaction.script(
                """
                DROP TABLE operations; DROP TABLE operations_follow;
                CREATE UNIQUE INDEX journal_operations ON journal (operation);
                \(WalletHarness.unchained)
                DELETE FROM grdb_migrations WHERE identifier LIKE '3 %' OR identifier LIKE '4 %';
                """)
        }
        let path = try wallet.crashed()
        let opened = try SQLLedgerStore(path: path, rules: LedgerRules(cardNumberKey: WalletHarness.key))
        try check(opened, groups: 5)
        #expect(throws: StoreFailure.self) { try opened.raw { try $0.script("DELETE FROM journal") } }
    }
}
