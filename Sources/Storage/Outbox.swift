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
    package static func read(
        _ database: Database, after sequence: Int64, limit: Int, bytesMax: Int
    ) throws -> [[UInt8]] {
        var page: [[UInt8]] = []
        var bytes = 0
        let statement = try database.cachedStatement(
            sql: "SELECT envelope FROM facts WHERE sequence > ? ORDER BY sequence LIMIT ?")
        let rows = try Data.fetchCursor(statement, arguments: [sequence, limit])
        while let envelope = try rows.next() {
            bytes += envelope.count
            if bytes > bytesMax, !page.isEmpty { break }
            page.append([UInt8](envelope))
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

    /// The last fact of the source that has been dealt with; 0 before the first.
    package static func read(_ database: Database, source: String) throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT sequence FROM cursors WHERE source = ?"), arguments: [source]) ?? 0
    }

    package static func write(_ database: Database, source: String, sequence: Int64) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO cursors (source, sequence) VALUES (?, ?)
                ON CONFLICT (source) DO UPDATE SET sequence = excluded.sequence
                """
        ).execute(arguments: [source, sequence])
    }
}
