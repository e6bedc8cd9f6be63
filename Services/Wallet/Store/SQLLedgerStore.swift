import Bus
import Contracts
import Primitives
import Storage
import Synchronization

/// The ledger in one database, on its one connection: in a file that is locked for this process, or in PostgreSQL as
/// its leader.
///
/// Every call blocks its thread until it is done; calls from several threads take turns.
///
/// `@unchecked`: mutable state is used only within `database.exclusively`, by one thread at a time.
package final class SQLLedgerStore: LedgerStore, @unchecked Sendable {
    /// Why a file cannot be used as this ledger.
    package enum OpenError: Error, Equatable, CustomStringConvertible {
        /// Its card numbers were digested under another key.
        case wrongCardNumberKey

        package var description: String { "the ledger was written with another key of card numbers" }
    }

    /// Pages (4 KiB each) in the log from which `tidy` checkpoints. Low, so that a payment waits for few pages.
    static let logPagesQuiet = 500
    /// Calls of `tidy` without a commit before it writes outdated rows, and how many rows each time: few, so that the
    /// next payment does not wait long.
    package static let quietTurnsMin = 5
    static let quietRows = 4096
    /// Pages in the log from which a write checkpoints, however busy the ledger is. The writing group waits for it.
    static let logPagesMax = 20000

    private let database: any StoreDatabase
    private let rules: LedgerRules
    // Unchecked: used only within `database.exclusively`, by one thread at a time.
    private var ledger: SQLLedger
    private let log: WriteAheadLog
    private let metrics: StoreMetrics
    /// Calls of `tidy` since the last commit.
    private var quietTurns = 0
    package let anchorProblems: [String]
    /// The last fact that this opening of the file sealed as it was; nil in a file that had its chain.
    package let sealed: Int64?
    /// Nil in memory.
    private let headFile: HeadFile?
    /// Calls of `tidy` while the disk fails, and after how many of them a write is tried.
    private var probeTurns = 0
    private static let probeTurnsMax = 5

    /// Opens or makes the database and brings it to the newest schema.
    ///
    /// - Throws: `SQLiteFile.OpenError` (locked, not durable), `OpenError`, `LedgerAnchor.Trouble`, or trouble with the
    ///   file.
    /// - Parameters:
    /// - manifest: a backup's manifest with a head that the ledger must have, besides the head beside the file.
    ///   - entriesAheadMax: see `AccountsAhead.entriesMax`.
    ///   - path: of the file; beside it, also where the ledger is elsewhere, its head is kept.
    package convenience init(
        _ place: StorePlace? = nil, path: String, rules: LedgerRules, manifest: String? = nil,
        entriesAheadMax: Int64 = AccountsAhead.entriesMax
    ) throws {
        let headFile = HeadFile(path: Self.headFile(of: path))
        // The server that is promoted may have an older copy of the ledger. Nobody is left to hear of a failure here.
        let database = try openDatabase(
            place ?? .file(path), migrations: LedgerMigrations.all(rules), ending: { headFile.writeLast() })
        var anchors: [LedgerAnchor] = []
        let own = try LedgerAnchor(path: headFile.path)
        if let own { anchors.append(own) }
        if let manifest {
            guard let named = try LedgerAnchor(path: manifest) else {
                throw LedgerAnchor.Trouble.unreadable(path: manifest)
            }
            anchors.append(named)
        }
        try self.init(
            database, rules: rules, anchors: anchors, headFile: headFile,
            needsHeadFile: database is SQLiteFile, entriesAheadMax: entriesAheadMax)
        do { try keepHead() } catch {
            // Beside a file it is the only witness; the other engine has the ledger on several hosts. An earlier head
            // is one still, on a disk that is full.
            if database is SQLiteFile, own == nil { throw error }
        }
    }

    /// The path of the head that is stored beside a ledger's file.
    package static func headFile(of path: String) -> String { path + ".head.json" }

    /// A ledger in memory, for tests that need no durability.
    package convenience init(
        inMemory rules: LedgerRules, entriesAheadMax: Int64 = AccountsAhead.entriesMax
    ) throws {
        try self.init(
            openDatabase(forTests: LedgerMigrations.all(rules)), rules: rules, anchors: [], headFile: nil,
            needsHeadFile: false, entriesAheadMax: entriesAheadMax)
    }

    /// - Parameter needsHeadFile: whether only this process's host has written the ledger, with its head beside it.
    private init(
        _ database: any StoreDatabase, rules: LedgerRules, anchors: [LedgerAnchor], headFile: HeadFile?,
        needsHeadFile: Bool, entriesAheadMax: Int64
    ) throws {
        self.database = database
        self.headFile = headFile
        self.rules = rules
        metrics = StoreMetrics(database.name)
        let isSealedNow = database.migrated.contains(LedgerMigrations.chain)
        (ledger, log, anchorProblems, sealed) = try database.exclusively { transaction in
            try Self.check(rules, transaction)
            do { try AccountsAhead.catchUp(transaction) } catch StoreFailure.full(let why) {
                throw SQLiteFile.OpenError.noDisk(path: database.name, why: why)
            }
            let ledger = try SQLLedger(transaction, rules: rules, entriesAheadMax: entriesAheadMax)
            ledger.anchors = anchors
            var problems = try anchors.compactMap(ledger.problem)
            // An empty ledger has nothing to miss: its first start may have been killed before the file was written.
            let isEmpty = try ledger.head().fact == 0
            if let headFile, needsHeadFile, !isSealedNow, !isEmpty,
                !anchors.contains(where: { $0.origin == headFile.path })
            {
                let doubt = "\(headFile.path) is missing: whether facts are missing at the ledger's end is not known"
                ledger.doubt = doubt
                problems.append(doubt)
            }
            let sealed = isSealedNow ? try JournalSealing.sealed(transaction) : nil
            return (ledger, WriteAheadLog(transaction), problems, sealed)
        }
        _ = try commit(now: Timestamp(milliseconds: .min), expecting: 1) { try $0.openOwnAccounts() }
        try database.exclusively { _ in
            _ = try ledger.head()
            noteHead()
        }
    }

    /// Stores the key's check in a new file, and refuses a file of another key.
    static func check(_ rules: LedgerRules, _ transaction: Transaction) throws {
        try transaction.run(
            "INSERT INTO meta (key, value) VALUES ('card_number_key_check', ?) ON CONFLICT DO NOTHING", rules.keyCheck)
        let kept: [UInt8]? = try transaction.value("SELECT value FROM meta WHERE key = 'card_number_key_check'")
        guard kept == rules.keyCheck else { throw OpenError.wrongCardNumberKey }
    }

    package func commit<Value>(
        now: Timestamp, expecting: Int, _ body: (inout LedgerGroup) throws -> Value
    ) throws -> Committed<Value> {
        try database.exclusively { transaction in
            let start = monotonicNanoseconds()
            try ledger.beginTransaction()
            do {
                var group = try LedgerGroup(reading: ledger, rules: rules, now: now, expecting: expecting)
                let value = try body(&group)
                if group.changes.isEmpty {
                    try ledger.rollbackTransaction()
                    try transaction.confirm()
                } else {
                    try ledger.commitTransaction(with: group.changes)
                    noteHead()
                    quietTurns = 0
                    metrics.committed(expecting, nanoseconds: monotonicNanoseconds() - start)
                    try log.checkpoint(ifPagesExceed: Self.logPagesMax)
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
        // One connection and one thread: no write comes between the statements of a read.
        try database.exclusively { transaction in try transaction.reading { try body(ledger) } }
    }

    package func confirm() throws { try database.exclusively { try $0.confirm() } }

    package func tidy() throws {
        try database.exclusively { transaction in
            guard !metrics.isRefusing else { return probe(transaction) }
            try log.checkpoint(ifPagesExceed: Self.logPagesQuiet)
            if quietTurns >= Self.quietTurnsMin { try settleRows(rowsMax: Self.quietRows) }
            quietTurns += 1
        }
    }

    /// Only a write shows whether the disk works again.
    private func probe(_ transaction: Transaction) {
        probeTurns += 1
        guard probeTurns % Self.probeTurnsMax == 0 else { return }
        do {
            try transaction.touch()
            metrics.recovered()
        } catch { metrics.failed(error) }
    }

    package func settle() throws { try database.exclusively { _ in try settleAllRows() } }

    /// Call it within `database.exclusively`. A round may be under way, with more entries gathered since.
    private func settleAllRows() throws {
        while !ledger.isSettled { try settleRows(rowsMax: nil) }
    }

    /// Call it within `database.exclusively`.
    private func settleRows(rowsMax: Int?) throws {
        guard !ledger.isSettled else { return }
        try ledger.beginTransaction()
        do { try ledger.commitTransactionSettling(rowsMax: rowsMax) } catch {
            try ledger.rollbackTransaction()
            throw error
        }
    }

    /// Copies the file while payments continue.
    package func copy(to path: String) async throws -> DataCopy {
        try settle()
        let copy = try await database.copy(to: path) { copy in
            let entry = try copy.first("SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1") { row in
                (number: row.int64(0), hash: row.bytes(1))
            }
            let fact = try copy.first("SELECT sequence, hash FROM journal ORDER BY sequence DESC LIMIT 1") { row in
                (sequence: row.int64(0), hash: row.bytes(1))
            }
            return (
                head: fact?.sequence ?? 0, cursors: [:], entries: entry?.number ?? 0, hash: entry?.hash,
                chain: fact?.hash ?? JournalRow.genesis
            )
        }
        if let chain = copy.chain {
            await remember(LedgerAnchor(sequence: copy.head, chain: chain, origin: "the last backup"))
        }
        return copy
    }

    /// Adds an anchor to the check of the ledger. It replaces an earlier one of the same origin.
    private func remember(_ anchor: LedgerAnchor) async {
        try? await database.whenFree { [self] _ in  // nothing in it throws
            ledger.anchors = ledger.anchors.filter { $0.origin != anchor.origin } + [anchor]
        }
    }

    /// Stores the head beside the file, for the next start to compare. Blocks until it is on the disk.
    package func keepHead() throws { try headFile?.write() }

    /// Call it within `database.exclusively`. A ledger that lacks an anchor keeps the old head, which shows it.
    private func noteHead() {
        guard anchorProblems.isEmpty, let head = ledger.newest else { return }
        headFile?.follow(head)
    }

    /// The bare connection with no outdated rows, for tests that damage the file.
    @discardableResult
    package func raw<Value>(_ body: (Transaction) throws -> Value) throws -> Value {
        try database.exclusively { transaction in
            try settleAllRows()
            defer { try? ledger.forget() }  // damage may be of the entries themselves
            return try body(transaction)
        }
    }
}
