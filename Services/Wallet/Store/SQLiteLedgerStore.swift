import Bus
import Contracts
import Foundation
import GRDB
import GRDBSQLite
import Primitives
import Storage
import Synchronization

/// The ledger in one SQLite file: WAL, `synchronous=FULL`, locked for this process, one connection.
///
/// Every call blocks its thread until it is done; calls from several threads take turns.
///
/// `@unchecked`: all that changes is used inside `file.queue`, which lets one thread in at a time.
package final class SQLiteLedgerStore: LedgerStore, @unchecked Sendable {
    /// Why a file cannot be used as this ledger.
    package enum OpenError: Error, Equatable, CustomStringConvertible {
        /// Its card numbers were digested with another key.
        case wrongCardNumberKey

        package var description: String { "the ledger was written with another key of card numbers" }
    }

    /// Pages of the log (4 KiB each) that `tidy` finds worth a sync: few at a time, so that no payment waits for many.
    static let logPagesQuiet = 500
    /// Calls of `tidy` without a commit before rows are written that are behind, and how many each time: few, so
    /// that whoever pays again does not wait for all of them.
    package static let quietTurnsMin = 5
    static let quietRows = 4096
    /// Pages of the log that are folded even when it is not. Costs one group some 100 ms.
    static let logPagesMax = 20000

    private let file: SQLiteFile
    private let rules: LedgerRules
    // Unchecked: touched inside `file.queue` only, which lets one thread in at a time.
    private var ledger: SQLiteLedger
    private let log: WriteAheadLog
    private let metrics: StoreMetrics
    /// Calls of `tidy` since the last commit of somebody's.
    private var quietTurns = 0
    package let anchorProblems: [String]
    /// Where the head is written down; nil in memory. Held while it is.
    private let headFile: Mutex<String?>
    /// Calls of `tidy` while the disk takes nothing, and after how many of them it is tried.
    private var probeTurns = 0
    private static let probeTurnsMax = 5

    /// Opens or makes the file and brings it to the newest schema.
    ///
    /// - Throws: `SQLiteFile.OpenError` (locked, not durable), `OpenError`, `LedgerAnchor.Trouble`, or trouble with the
    ///   file.
    /// - Parameters:
    ///   - manifest: of a backup, with a head that the ledger must have; beside the one that is kept beside the file.
    ///   - entriesAheadMax: see `AccountsAhead.entriesMax`.
    package convenience init(
        path: String, rules: LedgerRules, manifest: String? = nil, entriesAheadMax: Int64 = AccountsAhead.entriesMax
    ) throws {
        var anchors: [LedgerAnchor] = []
        if let own = try LedgerAnchor(path: Self.headFile(of: path)) { anchors.append(own) }
        if let manifest {
            guard let named = try LedgerAnchor(path: manifest) else {
                throw LedgerAnchor.Trouble.unreadable(path: manifest)
            }
            anchors.append(named)
        }
        try self.init(
            SQLiteFile(path: path, migrator: LedgerMigrations.all(rules)), rules: rules, anchors: anchors,
            headFile: Self.headFile(of: path), entriesAheadMax: entriesAheadMax)
    }

    /// The head of the ledger at a path, as it was written down last.
    package static func headFile(of path: String) -> String { path + ".head.json" }

    /// For tests of what the ledger does, not of what survives.
    package convenience init(
        inMemory rules: LedgerRules, entriesAheadMax: Int64 = AccountsAhead.entriesMax
    ) throws {
        try self.init(
            SQLiteFile(inMemory: LedgerMigrations.all(rules)), rules: rules, anchors: [], headFile: nil,
            entriesAheadMax: entriesAheadMax)
    }

    private init(
        _ file: SQLiteFile, rules: LedgerRules, anchors: [LedgerAnchor], headFile: String?, entriesAheadMax: Int64
    ) throws {
        self.file = file
        self.headFile = Mutex(headFile)
        self.rules = rules
        metrics = StoreMetrics(file.queue.path)
        let log = WriteAheadLog()
        self.log = log
        let ledger = try file.queue.writeWithoutTransaction { database in
            guard let connection = database.sqliteConnection else { throw StoreFailure.broken("not open") }
            try Self.check(rules, database)
            try AccountsAhead.catchUp(database)
            log.watch(connection)
            let ledger = try SQLiteLedger(connection, rules: rules, entriesAheadMax: entriesAheadMax)
            ledger.anchors = anchors
            return ledger
        }
        self.ledger = ledger
        anchorProblems = try file.queue.writeWithoutTransaction { _ in try anchors.compactMap(ledger.problem) }
        _ = try commit(now: Timestamp(milliseconds: .min), expecting: 1) { try $0.openOwnAccounts() }
    }

    /// Remembers the key in a new file, and refuses a file of another key.
    static func check(_ rules: LedgerRules, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO meta (key, value) VALUES ('card_number_key_check', ?) ON CONFLICT DO NOTHING",
            arguments: [Data(rules.keyCheck)])
        let kept = try Data.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'card_number_key_check'")
        guard kept == Data(rules.keyCheck) else { throw OpenError.wrongCardNumberKey }
    }

    package func commit<Value>(
        now: Timestamp, expecting: Int, _ body: (inout LedgerGroup) throws -> Value
    ) throws -> Committed<Value> {
        try file.queue.writeWithoutTransaction { _ in
            let start = monotonicNanoseconds()
            try ledger.beginTransaction()
            do {
                var group = try LedgerGroup(reading: ledger, rules: rules, now: now, expecting: expecting)
                let value = try body(&group)
                if group.changes.isEmpty {
                    try ledger.rollbackTransaction()
                } else {
                    try ledger.commitTransaction(with: group.changes)
                    quietTurns = 0
                    metrics.committed(expecting, nanoseconds: monotonicNanoseconds() - start)
                    try log.fold(ifPagesExceed: Self.logPagesMax)
                }
                return Committed(value: value, facts: group.changes.journal)
            } catch {
                metrics.failed(error)
                try ledger.rollbackTransaction()
                throw error
            }
        }
    }

    package func read<Value>(_ body: (any LedgerInspecting) throws -> Value) throws -> Value {
        // One connection and one thread: nobody writes between the statements of one read.
        try file.queue.writeWithoutTransaction { _ in try body(ledger) }
    }

    package func tidy() throws {
        try file.queue.writeWithoutTransaction { database in
            guard !metrics.isRefusing else { return probe(database) }
            try log.fold(ifPagesExceed: Self.logPagesQuiet)
            if quietTurns >= Self.quietTurnsMin { try settleRows(rowsMax: Self.quietRows) }
            quietTurns += 1
        }
    }

    /// Whether the disk takes data again is known from a write only.
    private func probe(_ database: Database) {
        probeTurns += 1
        guard probeTurns % Self.probeTurnsMax == 0 else { return }
        do {
            try SQLiteFile.touch(database)
            metrics.recovered()
        } catch { metrics.failed(error) }
    }

    package func settle() throws { try file.queue.writeWithoutTransaction { _ in try settleAllRows() } }

    /// Inside `file.queue`. A round may be under way, and more have gathered since.
    private func settleAllRows() throws {
        while !ledger.isSettled { try settleRows(rowsMax: nil) }
    }

    /// Inside `file.queue`.
    private func settleRows(rowsMax: Int?) throws {
        guard !ledger.isSettled else { return }
        try ledger.beginTransaction()
        do { try ledger.commitTransactionSettling(rowsMax: rowsMax) } catch {
            try ledger.rollbackTransaction()
            throw error
        }
    }

    /// A copy of the file, made while payments go on.
    package func copy(to path: String) async throws -> DataCopy {
        try settle()
        let copy = try await file.copy(to: path) { database in
            let last = try Row.fetchOne(database, sql: "SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1")
            let row = try Row.fetchOne(
                database, sql: "SELECT sequence, hash FROM journal ORDER BY sequence DESC LIMIT 1")
            return (
                head: row?["sequence"] ?? 0, cursors: [:], entries: last?["number"] ?? 0,
                hash: (last?["hash"] as Data?).map { [UInt8]($0) }, chain: (row?["hash"] as Data?).map { [UInt8]($0) }
            )
        }
        if let chain = copy.chain {
            await remember(LedgerAnchor(sequence: copy.head, chain: chain, origin: "the last backup"))
        }
        return copy
    }

    /// Has the check of the ledger compare with this head too, in the place of an earlier one of that origin.
    private func remember(_ anchor: LedgerAnchor) async {
        try? await file.queue.writeWithoutTransaction { [self] _ in  // nothing in it throws
            ledger.anchors = ledger.anchors.filter { $0.origin != anchor.origin } + [anchor]
        }
    }

    /// Writes the head down beside the file: the next start compares with it. Blocks until it is on the disk. A ledger that
    /// lacks an anchor keeps the one that says so.
    package func keepHead() throws {
        guard anchorProblems.isEmpty else { return }
        try headFile.withLock { path in
            guard let path else { return }
            let head = try read { try $0.head() }
            guard head.fact > 0 else { return }
            try LedgerAnchor(sequence: head.fact, chain: hexDigits(head.chain), origin: path).write(to: path)
        }
    }

    /// For tests that plant damage: the connection, past all rules, with nothing left to write over it.
    package func raw<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try file.queue.writeWithoutTransaction { database in
            try settleAllRows()
            defer { try? ledger.forget() }  // damage may be of the entries themselves
            return try body(database)
        }
    }
}
