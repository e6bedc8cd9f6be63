import GRDBSQLite
import Primitives

/// A prepared statement, bound and stepped without anything in between. GRDB opens and migrates files; the statements
/// of a payment go straight to SQLite, as they are most of what it costs.
///
/// Of one connection and, like it, used by one thread at a time.
@usableFromInline
package final class SQLiteStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    /// The next parameter to bind, from 1.
    private var position: Int32 = 1
    /// Where texts and blobs lie from being bound until the statement has run. SQLite would take memory for each and give
    /// it back, some twenty times a payment.
    private let bound = UnsafeMutableRawPointer.allocate(byteCount: boundBytesMax, alignment: 8)
    private var boundBytes = 0
    /// What does not fit in here is copied by SQLite after all. The largest row of a payment is some 1,500 bytes.
    private static let boundBytesMax = 4096

    package init(_ connection: OpaquePointer, _ sql: String) throws(StoreFailure) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw StoreFailure(code, connection) }
        statement = prepared
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(statement)
        bound.deallocate()
    }

    // MARK: Parameters, in their order

    // What gives `self` back is inlined, so that nobody counts its owners for each parameter.

    @discardableResult
    @inlinable
    package func bind(_ number: Int64) -> Self {
        put(number)
        return self
    }

    @discardableResult
    @inlinable
    package func bind(_ number: Int64?) -> Self {
        if let number { put(number) } else { bindNull() }
        return self
    }

    @discardableResult
    @inlinable
    package func bind<Subject>(_ id: Identifier<Subject>) -> Self {
        put(id.high, id.low)
        return self
    }

    @discardableResult
    @inlinable
    package func bind<Subject>(_ id: Identifier<Subject>?) -> Self {
        if let id { put(id.high, id.low) } else { bindNull() }
        return self
    }

    @discardableResult
    @inlinable
    package func bind(_ bytes: [UInt8]) -> Self {
        put(bytes)
        return self
    }

    @discardableResult
    @inlinable
    package func bind(_ text: String) -> Self {
        put(text)
        return self
    }

    @discardableResult
    @inlinable
    package func bind(_ text: String?) -> Self {
        if let text { put(text) } else { bindNull() }
        return self
    }

    @usableFromInline
    package func bindNull() {
        sqlite3_bind_null(statement, position)
        position += 1
    }

    @usableFromInline
    func put(_ number: Int64) {
        sqlite3_bind_int64(statement, position, number)
        position += 1
    }

    /// Sixteen bytes, the highest first.
    @usableFromInline
    func put(_ high: UInt64, _ low: UInt64) {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { put($0) }
    }

    @usableFromInline
    func put(_ bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }

    @usableFromInline
    func put(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            // An empty buffer may have no address, which SQLite would take for NULL.
            let empty: StaticString = ""
            let (start, owner) = keep(UnsafeRawPointer(utf8.baseAddress ?? empty.utf8Start), utf8.count)
            _ = sqlite3_bind_text(
                statement, position, start.assumingMemoryBound(to: CChar.self), Int32(utf8.count), owner)
        }
        position += 1
    }

    private func put(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress {
            let (start, owner) = keep(start, bytes.count)
            sqlite3_bind_blob(statement, position, start, Int32(bytes.count), owner)
        } else {
            sqlite3_bind_zeroblob(statement, position, 0)
        }
        position += 1
    }

    /// Where the bytes lie when SQLite reads them, and whose they are.
    private func keep(_ start: UnsafeRawPointer, _ count: Int) -> (UnsafeRawPointer, sqlite3_destructor_type?) {
        guard boundBytes + count <= Self.boundBytesMax else { return (start, copied) }
        let place = bound + boundBytes
        place.copyMemory(from: start, byteCount: count)
        boundBytes += count
        return (UnsafeRawPointer(place), nil)
    }

    // MARK: Running

    /// Runs a statement that returns no rows.
    package func run() throws(StoreFailure) {
        let code = sqlite3_step(statement)
        // The error's text is of the last call on the connection: take it before the reset.
        let failure = code == SQLITE_DONE || code == SQLITE_ROW ? nil : StoreFailure(code, connection)
        reset()
        if let failure { throw failure }
    }

    /// Gives `body` the first row; nil when there is none.
    package func first<Value>(_ body: (SQLiteRow) throws -> Value) throws -> Value? {
        defer { reset() }
        return try step() ? body(SQLiteRow(statement: statement)) : nil
    }

    /// Gives `body` each row until it returns false.
    package func each(_ body: (SQLiteRow) throws -> Bool) throws {
        defer { reset() }
        while try step(), try body(SQLiteRow(statement: statement)) {}
    }

    private func step() throws(StoreFailure) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw StoreFailure(code, connection)
        }
    }

    private func reset() {
        sqlite3_reset(statement)
        position = 1
        // The parameters still point here, and are bound anew before the statement runs again.
        boundBytes = 0
    }
}

/// SQLITE_TRANSIENT: SQLite copies what is bound.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// The row that a statement stands on. Valid until the statement moves.
package struct SQLiteRow {
    fileprivate let statement: OpaquePointer

    package func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    package func id<Subject>(_ column: Int32, _ type: Identifier<Subject>.Type = Identifier<Subject>.self)
        throws(StoreFailure)
        -> Identifier<Subject>
    {
        guard let start = sqlite3_column_blob(statement, column), sqlite3_column_bytes(statement, column) == 16 else {
            throw .damaged("an identifier")
        }
        return Identifier(
            high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    package func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    package func text(_ column: Int32) -> String { withText(column) { String(decoding: $0, as: UTF8.self) } }

    package func withText<Value>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        let start = sqlite3_column_text(statement, column)
        return body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}

extension StoreFailure {
    /// What a result code of SQLite means for a store.
    package init(_ code: Int32, _ connection: OpaquePointer) {
        let text = "\(String(cString: sqlite3_errmsg(connection))) (\(sqlite3_extended_errcode(connection)))"
        switch code & 0xFF {
        case SQLITE_CONSTRAINT: self = .constraint(text)
        case SQLITE_FULL: self = .full(text)
        default: self = .broken(text)
        }
    }
}
