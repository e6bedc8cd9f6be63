import Primitives

/// Says in which row of a table a key is, or in which one it is last: an index whose rows follow those of its table
/// (ADR 32).
///
/// Whatever is not written yet is in memory, and read from the table when that is not known any more. Of one connection
/// and, like it, used by one thread at a time.
package final class KeyIndex {
    package typealias Key = KeysAhead.Key

    /// What is indexed.
    package struct Columns: Sendable {
        /// The index's own table.
        let index: String
        /// Or a view of one, which may have its rows more than once.
        let table: String
        /// 16 bytes, or NULL.
        let key: String
        /// The table's rowid: rows are added at its end and never deleted.
        let place: String
        /// Whether a key that comes again is refused; or else has its newest place.
        let isUnique: Bool

        package init(index: String, of table: String, key: String, isUnique: Bool = true, place: String) {
            (self.index, self.table, self.key, self.isUnique, self.place) = (index, table, key, isUnique, place)
        }
    }

    private let placesMax: Int
    /// Nil: to be read from the table.
    private var ahead: KeysAhead?
    /// The greatest key that is known among those that begin with a time: what is greater need not be looked for.
    private var greatestTimed = Key(high: 0, low: 0)
    /// Keys that are not ahead, and where the index has them.
    private var fetched: [Key: Int64?] = [:]
    private let isRemote: Bool
    /// Whether something was added or written since `begin`.
    package private(set) var hasChanged = false
    private let selectPlace, selectPlaces, insert, reach, selectThrough, selectBehind, selectGreatest: Statement

    package init(
        _ columns: Columns, _ transaction: Transaction, placesMax: Int = KeysAhead.placesMax
    ) throws {
        self.placesMax = placesMax
        isRemote = transaction.isRemote
        func prepare(_ sql: String) throws(StoreFailure) -> Statement { try transaction.prepare(sql) }
        let (index, table, key, place) = (columns.index, columns.table, columns.key, columns.place)
        selectPlace = try prepare("SELECT place FROM \(index) WHERE key = ?")
        selectPlaces = try prepare("SELECT key, place FROM \(index) WHERE key IN (\(Statement.placeholders))")
        // A row may be there already, written in a round that did not end before a crash. Where a key is unique, that
        // of another place is refused: NULL is no place.
        let again =
            columns.isUnique
            ? "NULL WHERE \(index).place <> excluded.place" : "excluded.place WHERE \(index).place < excluded.place"
        insert = try prepare(
            "INSERT INTO \(index) (key, place) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET place = \(again)")
        reach = try prepare("UPDATE \(index)_follow SET through = ?")
        selectThrough = try prepare("SELECT through FROM \(index)_follow")
        selectBehind = try prepare(
            "SELECT \(key), \(place) FROM \(table) WHERE \(place) > ? AND \(key) IS NOT NULL ORDER BY \(place)")
        selectGreatest = try prepare("SELECT key FROM \(index) WHERE key < ? ORDER BY key DESC LIMIT 1")
        try load()
    }

    /// Makes the index of what the table has: part of a migration.
    package static func schema(_ columns: Columns) -> String {
        """
        CREATE TABLE \(columns.index) (
            key BLOB PRIMARY KEY CHECK (length(key) = 16),
            place INTEGER NOT NULL CHECK (place > 0)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO \(columns.index) (key, place)
            SELECT \(columns.key), \(columns.isUnique ? columns.place : "max(\(columns.place))") FROM \(columns.table)
            WHERE \(columns.key) IS NOT NULL \(columns.isUnique ? "" : "GROUP BY \(columns.key)")
            ORDER BY \(columns.key);
        -- The rowid up to which it has all keys; those behind it are read when the file is opened.
        CREATE TABLE \(columns.index)_follow (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            through INTEGER NOT NULL CHECK (through >= 0)
        ) STRICT;
        INSERT INTO \(columns.index)_follow (one, through)
            SELECT 1, coalesce(max(\(columns.place)), 0) FROM \(columns.table);
        """
    }

    /// To be called before changes that may be undone: what is read of the file later has them already.
    package func begin() throws {
        try load()
        hasChanged = false
    }

    /// The row of a key, or its newest one; nil for one that was never added.
    package func place(of key: Key) throws -> Int64? {
        try load()
        if isBehindAll(key) { return nil }
        if let place = ahead?.place(of: key) { return place }
        if let known = fetched[key] { return known }
        return try selectPlace.bind(key).first { $0.int64(0) }
    }

    private func isBehindAll(_ key: Key) -> Bool { key.isTimed && greatestTimed.isBefore(key) }

    /// Looks up many keys for `place(of:)`, which asks a server for one at a time.
    package func prefetch(_ keys: some Sequence<Key>) throws {
        guard isRemote else { return }
        try load()
        fetched.removeAll(keepingCapacity: true)
        for key in keys where ahead?.place(of: key) == nil { fetched[key] = .some(nil) }
        let unknown = fetched.keys.filter { !isBehindAll($0) }
        try selectPlaces.each(of: unknown) { fetched[try $0.id(0)] = $0.int64(1) }
    }

    /// A second guard beside the table's new row, for whoever has not asked for its key's place.
    ///
    /// - Throws: `StoreFailure.constraint` where the key is known and its row not written yet; `write` refuses the
    ///   others.
    package func expectNew(_ key: Key) throws(StoreFailure) {
        if ahead?.place(of: key) != nil { throw .constraint("a key twice") }
    }

    /// Takes note of a key whose row has been added. Before the commit only by who knows when that fails, and calls
    /// `forget`.
    package func add(_ key: Key, at place: Int64) {
        hasChanged = true
        ahead?.add(key, at: place)
        if key.isTimed, greatestTimed.isBefore(key) { greatestTimed = key }
    }

    /// The same for a row that was added before it had the key, newer than the key's newest one, in the transaction
    /// that gives it that. It is written at once: whoever opens the file need not find it among the rows behind.
    package func put(_ key: Key, at place: Int64) throws(StoreFailure) {
        try insert.bind(key).bind(place).post()
        add(key, at: place)
    }

    /// What is to be written with so many new keys, in the transaction that adds them.
    package func due(with keys: Int) throws -> KeysAhead.Due? {
        try load()
        return ahead?.due(with: keys)
    }

    /// What can be written while nothing is added: so many rows at most, or all of a round.
    package func dueQuietly(rowsMax: Int?) throws -> KeysAhead.Due? {
        try load()
        return ahead?.dueQuietly(rows: rowsMax ?? .max)
    }

    /// - Throws: `StoreFailure.constraint` for a unique key that is in the index already, with another place.
    package func write(_ due: KeysAhead.Due?, pausing pause: () -> Void = {}) throws(StoreFailure) {
        guard let due else { return }
        for row in due.rows {
            try insert.bind(row.key).bind(row.place).postRow()
            pause()
        }
        if let through = due.through { try reach.bind(through).post() }
    }

    /// Takes note of what was written. As with `add`, before the commit only by who calls `forget` when that fails.
    package func written(_ due: KeysAhead.Due?) {
        guard let due else { return }
        hasChanged = true
        ahead?.written(due)
        fetched.removeAll(keepingCapacity: true)
    }

    /// Whether all rows are written, as far as is known.
    package var isSettled: Bool { ahead?.isEmpty == true }

    /// What was added and written is uncertain: it is read from the file before it is needed.
    package func forget() {
        ahead = nil
        fetched.removeAll()
    }

    private func load() throws {
        guard ahead == nil else { return }
        let through = try selectThrough.first { $0.int64(0) } ?? 0
        var read = KeysAhead(through: through, placesMax: placesMax)
        greatestTimed = try selectGreatest.bind(.timedEnd).first { try $0.id(0) } ?? Key(high: 0, low: 0)
        try selectBehind.bind(through).each { row in
            let key: Key = try row.id(0)
            read.add(key, at: row.int64(1))
            if key.isTimed, greatestTimed.isBefore(key) { greatestTimed = key }
            return true
        }
        ahead = read
    }
}
