import GRDBSQLite
import Primitives
import Wire

/// A prepared statement of one connection and, like that, used by one thread at a time.
@usableFromInline
package final class Statement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    /// The next parameter to bind, from 1.
    private var position: Int32 = 1
    /// Where strings and blobs lie from being bound until the statement has run: SQLite would allocate each.
    private let bound = UnsafeMutableRawPointer.allocate(byteCount: boundBytesMax, alignment: 8)
    private var boundBytes = 0
    /// What does not fit in here is copied by SQLite after all; a payment's rows fit.
    private static let boundBytesMax = 4096
    /// Whether it stands on a row that its caller is reading.
    private(set) var isRunning = false
    /// Where each column is, for readers by name.
    private lazy var columns: [String: Int] = Dictionary(
        (0..<Int(sqlite3_column_count(statement))).map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })

    init(_ connection: OpaquePointer, _ sql: String) throws(StoreFailure) {
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

    // Inlined, so that returning `self` costs no retain per parameter.

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
            let (start, destructor) = keep(UnsafeRawPointer(utf8.baseAddress ?? empty.utf8Start), utf8.count)
            _ = sqlite3_bind_text(
                statement, position, start.assumingMemoryBound(to: CChar.self), Int32(utf8.count), destructor)
        }
        position += 1
    }

    private func put(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress {
            let (start, destructor) = keep(start, bytes.count)
            sqlite3_bind_blob(statement, position, start, Int32(bytes.count), destructor)
        } else {
            sqlite3_bind_zeroblob(statement, position, 0)
        }
        position += 1
    }

    /// Where the bytes lie when SQLite reads them, and whose they are.
    private func keep(_ start: UnsafeRawPointer, _ count: Int) -> (UnsafeRawPointer, sqlite3_destructor_type?) {
        guard boundBytes + count <= Self.boundBytesMax else { return (start, copied) }
        let copy = bound + boundBytes
        copy.copyMemory(from: start, byteCount: count)
        boundBytes += count
        return (UnsafeRawPointer(copy), nil)
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

    /// Passes the first row to `body`; nil if there is none.
    package func first<Value>(_ body: (Row) throws -> Value) throws -> Value? {
        defer { reset() }
        return try step() ? body(Row(statement: self, handle: statement)) : nil
    }

    /// Passes each row to `body` until it returns false.
    package func each(_ body: (Row) throws -> Bool) throws {
        defer { reset() }
        while try step(), try body(Row(statement: self, handle: statement)) {}
    }

    private func step() throws(StoreFailure) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW:
            isRunning = true
            return true
        case SQLITE_DONE: return false
        case let code: throw StoreFailure(code, connection)
        }
    }

    private func reset() {
        sqlite3_reset(statement)
        isRunning = false
        position = 1
        // The parameters still point here, and are bound anew before the statement runs again.
        boundBytes = 0
    }

    fileprivate func column(_ name: String) throws(StoreFailure) -> Int {
        guard let column = columns[name] else { throw .damaged("no column '\(name)'") }
        return column
    }

    fileprivate func name(_ column: Int) -> String {
        sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? ""
    }
}

/// SQLITE_TRANSIENT: SQLite copies what is bound.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// The row that a statement stands on. Valid until the statement moves.
package struct Row {
    fileprivate let statement: Statement
    fileprivate let handle: OpaquePointer

    /// Columns of the query.
    var count: Int { Int(sqlite3_column_count(handle)) }

    func name(_ column: Int) -> String { statement.name(column) }

    func column(_ name: String) throws(StoreFailure) -> Int { try statement.column(name) }

    // MARK: Columns without a look at NULL, for hot paths

    /// 0 for NULL.
    package func int64(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

    enum Kind { case null, integer, fraction, text, bytes }

    func kind(_ column: Int) -> Kind {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .fraction
        case SQLITE_TEXT: .text
        default: .bytes
        }
    }

    package func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

    package func id<Subject>(_ column: Int, _ type: Identifier<Subject>.Type = Identifier<Subject>.self)
        throws(StoreFailure)
        -> Identifier<Subject>
    {
        guard let start = sqlite3_column_blob(handle, Int32(column)), sqlite3_column_bytes(handle, Int32(column)) == 16
        else { throw damage(column) }
        return Identifier(
            high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Empty for NULL.
    package func bytes(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, Int32(column)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }

    /// Empty for NULL.
    package func text(_ column: Int) -> String { withText(column) { String(decoding: $0, as: UTF8.self) } }

    package func withText<Value>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        let start = sqlite3_column_text(handle, Int32(column))
        return body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
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

extension Row {
    /// A JSON object with the row's columns.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for column in 0..<count {
            writer.key(name(column))
            switch sqlite3_column_type(handle, Int32(column)) {
            case SQLITE_NULL: writer.null()
            case SQLITE_INTEGER: writer.integer(int64(column))
            case SQLITE_FLOAT: writer.string(String(sqlite3_column_double(handle, Int32(column))))
            case SQLITE_TEXT: writer.string(text(column))
            default: writer.string(hexDigits(bytes(column)))
            }
        }
        writer.endObject()
        return writer.bytes
    }
}
