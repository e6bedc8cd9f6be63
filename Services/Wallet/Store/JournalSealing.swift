import Primitives
import Storage
import Wire

/// Adds the hash chain to the journal of an older file (ADR 35). The facts that are there are sealed as they are.
///
/// For facts up to `chain_sealed` in `meta`, the chain shows changes made after the sealing; for later facts, every
/// change.
enum JournalSealing {
    static func seal(_ transaction: Transaction, _ rules: LedgerRules) throws {
        // A chain under another key would never verify.
        try SQLLedgerStore.check(rules, transaction)
        try transaction.script(schema)
        let entries = try Entries(transaction)
        let statements = try Statements(transaction)
        var hash = JournalRow.genesis
        var sealed: Int64 = 0
        let rows = try transaction.prepare(
            """
            SELECT sequence, operation, fingerprint, kind, time, correlation, causation, trace, body, x''
            FROM journal_before ORDER BY sequence
            """)
        try rows.each {
            var row = try $0.journalRow()
            var evidence = JournalRow.Evidence(entry: try entries.hash(of: row.operation))
            if row.kind == .cardAdded, let card = row.operation {
                evidence.cardNumber = try statements.cardNumber.bind(card).first { $0.bytes(0) }
            }
            row.hash = row.digest(after: hash, key: rules.chainKey, evidence)
            try statements.journal.write(row)
            try statements.point(at: row)
            (hash, sealed) = (row.hash, row.sequence)
            return true
        }
        try transaction.run(
            "INSERT INTO meta (key, value) VALUES ('chain_sealed', ?)", Array("\(sealed)".utf8))
        try transaction.script(rest)
    }

    /// The last fact that was in the journal when it was sealed; 0 in a file that was new.
    static func sealed(_ transaction: Transaction) throws -> Int64? {
        try transaction.value("SELECT CAST(CAST(value AS TEXT) AS INTEGER) FROM meta WHERE key = 'chain_sealed'")
    }

    private static let schema = """
        ALTER TABLE journal RENAME TO journal_before;
        CREATE TABLE journal (
            sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
            -- Once only: `operations` says where each is.
            operation BLOB CHECK (operation IS NULL OR length(operation) = 16),
            fingerprint BLOB CHECK ((fingerprint IS NULL) = (operation IS NULL)),
            kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 12),
            time INTEGER NOT NULL,
            correlation TEXT,
            causation TEXT,
            trace BLOB CHECK (trace IS NULL OR length(trace) = 17),
            body BLOB NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32)
        ) STRICT;
        -- The fact that ended a hold, and a payment's newest refund.
        ALTER TABLE holds ADD COLUMN ended INTEGER;
        ALTER TABLE refunds ADD COLUMN newest INTEGER NOT NULL DEFAULT 0;
        """

    private static let rest = """
        DROP TABLE journal_before;
        CREATE TRIGGER journal_keeps BEFORE UPDATE ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
        CREATE TRIGGER journal_stays BEFORE DELETE ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
        """

    /// Entries in the order of their operations, which is the journal's.
    private final class Entries {
        private let next: Statement
        private var number: Int64 = 0
        private var entry: LedgerEntry?

        init(_ transaction: Transaction) throws {
            next = try transaction.prepare(SQLLedger.selectEntries + " WHERE number > ? ORDER BY number LIMIT 1")
            try advance()
        }

        private func advance() throws {
            entry = try next.bind(number).first { try $0.entry() }
            if let entry { number = entry.number }
        }

        /// The hash of the operation's entry; nil where it wrote none.
        func hash(of operation: OperationID?) throws -> [UInt8]? {
            guard let operation, let entry, entry.operation == operation else { return nil }
            try advance()
            return entry.hash
        }
    }

    private struct Statements {
        let journal: JournalInsertion
        let cardNumber: Statement
        let endHold: Statement
        let refund: Statement

        init(_ transaction: Transaction) throws {
            journal = try JournalInsertion(transaction)
            cardNumber = try transaction.prepare("SELECT number_digest FROM cards WHERE card = ?")
            endHold = try transaction.prepare("UPDATE holds SET ended = ? WHERE id = ?")
            refund = try transaction.prepare("UPDATE refunds SET newest = ? WHERE payment = ?")
        }

        /// Makes the row's hold or refund name the row. The check of the ledger reports rows that cannot be read.
        func point(at row: JournalRow) throws {
            switch row.account {
            case .holdEnded(let end): try endHold.bind(row.sequence).bind(end.hold).run()
            case .refunded(let refund): try self.refund.bind(row.sequence).bind(refund.payment).run()
            default: return
            }
        }
    }
}

/// Writes rows of the journal.
final class JournalInsertion {
    private let insert: Statement

    init(_ transaction: Transaction) throws(StoreFailure) {
        insert = try transaction.prepare(
            """
            INSERT INTO journal
                (sequence, operation, fingerprint, kind, time, correlation, causation, trace, body, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func write(_ row: JournalRow) throws(StoreFailure) {
        insert.bind(row.sequence).bind(row.operation).bind(row.fingerprint).bind(row.kind.rawValue)
            .bind(row.time.milliseconds).bind(row.cause.correlation).bind(row.cause.causation)
        if let trace = row.cause.trace { insert.bind(trace.stored) } else { insert.bindNull() }
        try insert.bind(row.body).bind(row.hash).postRow()
    }
}
