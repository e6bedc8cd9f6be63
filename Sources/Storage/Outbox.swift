import Foundation
import GRDB

/// The facts of a service, in the order in which they happened: written in the transaction of the change that each
/// tells of, numbered without a gap, kept for whoever missed the publication.
package enum Outbox {
    /// To be part of the owner's first migration.
    package static func create(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE facts (
                    sequence INTEGER PRIMARY KEY,
                    envelope BLOB NOT NULL
                ) STRICT;
                """)
    }

    /// Adds one fact; `envelope` gets its sequence and gives its envelope's JSON. Returns the sequence.
    @discardableResult
    package static func append(_ database: Database, envelope: (Int64) -> [UInt8]) throws -> (Int64, [UInt8]) {
        let sequence = try head(database) + 1
        let bytes = envelope(sequence)
        try database.cachedStatement(sql: "INSERT INTO facts (sequence, envelope) VALUES (?, ?)")
            .execute(arguments: [sequence, Data(bytes)])
        return (sequence, bytes)
    }

    /// The newest sequence; 0 before the first fact.
    package static func head(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(sequence) FROM facts")) ?? 0
    }

    /// Envelopes after a sequence, oldest first, at most `limit` and at most `bytesMax` in all (but at least one).
    ///
    /// - Parameter whole: gives the envelope of what is kept, for owners that do not keep all of one.
    package static func read(
        _ database: Database, after sequence: Int64, limit: Int, bytesMax: Int,
        whole: (_ sequence: Int64, _ kept: [UInt8]) throws -> [UInt8] = { $1 }
    ) throws -> [[UInt8]] {
        var page: [[UInt8]] = []
        var bytes = 0
        let statement = try database.cachedStatement(
            sql: "SELECT sequence, envelope FROM facts WHERE sequence > ? ORDER BY sequence LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [sequence, limit])
        while let row = try rows.next() {
            let envelope = try whole(row[0], [UInt8](row[1] as Data))
            bytes += envelope.count
            if bytes > bytesMax, !page.isEmpty { break }
            page.append(envelope)
        }
        return page
    }
}

/// How far a service has read each source's facts: written in the transaction of what it made of them.
package enum Cursors {
    /// To be part of the reader's first migration.
    package static func create(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE cursors (
                    source TEXT PRIMARY KEY,
                    sequence INTEGER NOT NULL CHECK (sequence >= 0)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// Remembers which fact the cursor stands on, not only its number: part of a later migration, as files without it are
    /// about.
    package static func addMarks(in database: Database) throws {
        try database.execute(sql: "ALTER TABLE cursors ADD COLUMN mark BLOB")
    }

    /// What tells the fact that the cursor stands on from others; empty where an earlier version wrote it.
    package static func mark(_ database: Database, source: String) throws -> [UInt8] {
        let mark = try Data.fetchOne(
            database.cachedStatement(sql: "SELECT mark FROM cursors WHERE source = ?"), arguments: [source])
        return mark.map { [UInt8]($0) } ?? []
    }

    /// Every source's cursor, by name; empty in a file that has none.
    package static func all(_ database: Database) throws -> [String: Int64] {
        guard try database.tableExists("cursors") else { return [:] }
        return try Row.fetchAll(database, sql: "SELECT source, sequence FROM cursors")
            .reduce(into: [:]) { $0[$1["source"]] = $1["sequence"] }
    }

    /// The last fact of the source that has been dealt with; 0 before the first.
    package static func read(_ database: Database, source: String) throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT sequence FROM cursors WHERE source = ?"), arguments: [source]) ?? 0
    }

    /// - Parameter mark: `Envelope.mark` of the fact that the cursor now stands on.
    package static func write(_ database: Database, source: String, sequence: Int64, mark: [UInt8]) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO cursors (source, sequence, mark) VALUES (?, ?, ?)
                ON CONFLICT (source) DO UPDATE SET sequence = excluded.sequence, mark = excluded.mark
                """
        ).execute(arguments: [source, sequence, Data(mark)])
    }
}
