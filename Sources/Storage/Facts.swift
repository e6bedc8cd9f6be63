import Bus
import Contracts

/// The facts of a service, in the order in which they happened: written in the transaction of their change, numbered
/// without a gap, kept for subscribers that missed the publication.
package enum Outbox {
    /// Part of the first migration of a service that publishes.
    package static let table = """
        CREATE TABLE facts (
            sequence INTEGER PRIMARY KEY,
            envelope BLOB NOT NULL
        ) STRICT;
        """

    /// Facts in one page.
    private static let pageMax = 1000

    /// Facts after a sequence, oldest first: as many as fit into one envelope, and one in any case.
    static func page(_ transaction: Transaction, after sequence: Int64, limit: Int) throws -> FactsPage {
        var facts: [RawJSON] = []
        var bytes = 0
        try transaction.each(
            "SELECT envelope FROM facts WHERE sequence > ? ORDER BY sequence LIMIT ?", max(0, sequence),
            min(max(1, limit), pageMax)
        ) { row in
            let envelope = row.bytes(0)
            bytes += envelope.count
            if bytes > FactsPage.bytesMax, !facts.isEmpty { return false }
            facts.append(RawJSON(envelope))
            return true
        }
        return FactsPage(facts: facts, head: try transaction.headSequence())
    }
}

/// How far a service has read the facts of each source: written in the transaction that applies them.
package enum Cursors {
    /// Part of the first migration of a service that consumes facts; `marks` belongs to a later one.
    package static let table = """
        CREATE TABLE cursors (
            source TEXT PRIMARY KEY,
            sequence INTEGER NOT NULL CHECK (sequence >= 0)
        ) STRICT, WITHOUT ROWID;
        """

    /// Which fact the cursor stands on, beside its number.
    package static let marks = "ALTER TABLE cursors ADD COLUMN mark BLOB;"

    /// Every source's cursor, by name; empty in a file without any.
    static func all(_ transaction: Transaction) throws -> [String: Int64] {
        guard try !transaction.connection.columns(of: "cursors").isEmpty else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: try transaction.all("SELECT source, sequence FROM cursors") { row in
                (try row[0] as String, row.int64(1))
            })
    }
}

extension Transaction {
    /// The last fact of a source that has been applied.
    package func position(of source: String) throws -> FactPosition {
        try first("SELECT sequence, mark FROM cursors WHERE source = ?", source) { row in
            FactPosition(sequence: row.int64(0), mark: row.bytes(1))
        } ?? 0
    }

    /// Moves the cursor of a source, never back.
    ///
    /// - Returns: where it was. Facts up to there have been applied before.
    package func advance(_ source: String, to position: FactPosition) throws -> Int64 {
        let before = try self.position(of: source).sequence
        if position.sequence > before { try setPosition(of: source, to: position) }
        return before
    }

    /// Sets the cursor of a source, also back.
    package func setPosition(of source: String, to position: FactPosition) throws {
        try run(
            """
            INSERT INTO cursors (source, sequence, mark) VALUES (?, ?, ?)
            ON CONFLICT (source) DO UPDATE SET sequence = excluded.sequence, mark = excluded.mark
            """, source, position.sequence, position.mark)
    }

    /// The facts that have not been applied yet; the cursor moves to the last of them.
    package func take(_ facts: [Envelope], from source: String) throws -> ArraySlice<Envelope> {
        guard let last = facts.last, let sequence = last.sequence else { return [] }
        let before = try advance(source, to: FactPosition(sequence: sequence, mark: last.mark))
        return facts.drop { ($0.sequence ?? 0) <= before }
    }
}
