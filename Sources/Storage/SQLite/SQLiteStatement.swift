import GRDBSQLite
import Primitives

/// A statement of SQLite.
final class SQLiteStatement: Statement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    /// The next parameter to bind, from 1.
    private var position: Int32 = 1
    /// Where strings and blobs lie from being bound until the statement has run: SQLite would allocate each.
    private let bound = UnsafeMutableRawPointer.allocate(byteCount: boundBytesMax, alignment: 8)
    private var boundBytes = 0
    /// What does not fit in here is copied by SQLite after all; a payment's rows fit.
    private static let boundBytesMax = 4096

    init(_ connection: OpaquePointer, _ sql: String) throws(StoreFailure) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw StoreFailure(code, connection) }
        statement = prepared
        self.connection = connection
        super.init()
    }

    deinit {
        sqlite3_finalize(statement)
        bound.deallocate()
    }

    // MARK: Parameters

    override func bindNull() {
        sqlite3_bind_null(statement, position)
        position += 1
    }

    override func put(_ number: Int64) {
        sqlite3_bind_int64(statement, position, number)
        position += 1
    }

    override func put(_ high: UInt64, _ low: UInt64) {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { put($0) }
    }

    override func put(_ bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }

    override func put(_ text: String) {
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

    override func run() throws(StoreFailure) {
        let code = sqlite3_step(statement)
        // The error's text is of the last call on the connection: take it before the reset.
        let failure = code == SQLITE_DONE || code == SQLITE_ROW ? nil : StoreFailure(code, connection)
        reset()
        if let failure { throw failure }
    }

    override func step() throws(StoreFailure) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw StoreFailure(code, connection)
        }
    }

    override func reset() {
        sqlite3_reset(statement)
        position = 1
        // The parameters still point here, and are bound anew before the statement runs again.
        boundBytes = 0
    }

    // MARK: Columns

    override var columnCount: Int { Int(sqlite3_column_count(statement)) }

    override func name(_ column: Int) -> String {
        sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? ""
    }

    override func kind(_ column: Int) -> Row.Kind {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .fraction
        case SQLITE_TEXT: .text
        default: .bytes
        }
    }

    override func int64(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    override func double(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

    /// A number's is its text, as SQLite converts it.
    override func buffer(_ column: Int) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, Int32(column))
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
    }
}

/// SQLITE_TRANSIENT: SQLite copies what is bound.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

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
