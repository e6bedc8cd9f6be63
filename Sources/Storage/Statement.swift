import Primitives
import Wire

/// A prepared statement of one connection and, like that, used by one thread at a time. Each engine has its own.
@usableFromInline
package class Statement {
    /// Whether it stands on a row that its caller is reading.
    private(set) final var isRunning = false

    init() {}

    // MARK: Parameters, in their order

    // Inlined, so that returning `self` costs no retain per parameter.

    @discardableResult
    @inlinable
    package final func bind(_ number: Int64) -> Self {
        put(number)
        return self
    }

    @discardableResult
    @inlinable
    package final func bind(_ number: Int64?) -> Self {
        if let number { put(number) } else { bindNull() }
        return self
    }

    @discardableResult
    @inlinable
    package final func bind<Subject>(_ id: Identifier<Subject>) -> Self {
        put(id.high, id.low)
        return self
    }

    @discardableResult
    @inlinable
    package final func bind<Subject>(_ id: Identifier<Subject>?) -> Self {
        if let id { put(id.high, id.low) } else { bindNull() }
        return self
    }

    @discardableResult
    @inlinable
    package final func bind(_ bytes: [UInt8]) -> Self {
        put(bytes)
        return self
    }

    @discardableResult
    @inlinable
    package final func bind(_ text: String) -> Self {
        put(text)
        return self
    }

    @discardableResult
    @inlinable
    package final func bind(_ text: String?) -> Self {
        if let text { put(text) } else { bindNull() }
        return self
    }

    // MARK: What an engine does

    @usableFromInline
    package func bindNull() { preconditionFailure("an engine's own") }

    @usableFromInline
    func put(_ number: Int64) { preconditionFailure("an engine's own") }

    /// Sixteen bytes, the highest first.
    @usableFromInline
    func put(_ high: UInt64, _ low: UInt64) { preconditionFailure("an engine's own") }

    @usableFromInline
    func put(_ bytes: [UInt8]) { preconditionFailure("an engine's own") }

    @usableFromInline
    func put(_ text: String) { preconditionFailure("an engine's own") }

    /// Runs a statement that returns no rows.
    package func run() throws(StoreFailure) { preconditionFailure("an engine's own") }

    /// The same for a change that only the whole group may undo: where an engine can, its answer is read with that of
    /// the next statement that is run, or of the commit, which then fails.
    package func post() throws(StoreFailure) { try run() }

    /// The same for an `INSERT` of one row, which an engine may keep until another statement is run or posted, and
    /// write together with others of its statement: rows of several statements may be inserted in another order.
    package func postRow() throws(StoreFailure) { try post() }

    /// Goes to the next row; false behind the last one.
    func step() throws(StoreFailure) -> Bool { preconditionFailure("an engine's own") }

    /// Lets go of the rows and of the parameters.
    func reset() { preconditionFailure("an engine's own") }

    /// Columns of the query.
    var columnCount: Int { preconditionFailure("an engine's own") }

    func name(_ column: Int) -> String { preconditionFailure("an engine's own") }

    func kind(_ column: Int) -> Row.Kind { preconditionFailure("an engine's own") }

    /// 0 for NULL.
    func int64(_ column: Int) -> Int64 { preconditionFailure("an engine's own") }

    /// 0 for NULL.
    func double(_ column: Int) -> Double { preconditionFailure("an engine's own") }

    /// A text's or a blob's bytes, valid until the statement moves; no address for NULL.
    func buffer(_ column: Int) -> UnsafeRawBufferPointer { preconditionFailure("an engine's own") }

    // MARK: Running

    /// Passes the first row to `body`; nil if there is none.
    package final func first<Value>(_ body: (Row) throws -> Value) throws -> Value? {
        defer { end() }
        return try next() ? body(Row(statement: self)) : nil
    }

    /// Passes each row to `body` until it returns false.
    package final func each(_ body: (Row) throws -> Bool) throws {
        defer { end() }
        while try next(), try body(Row(statement: self)) {}
    }

    /// Passes the rows of many keys to `body`: of a query with ``placeholders`` and no other parameter.
    package final func each(of keys: some Collection<some ColumnValue>, _ body: (Row) throws -> Void) throws {
        var rest = keys[...]
        while let one = rest.first {
            let part = rest.prefix(Self.keysMax)
            for key in part { key.bind(to: self) }
            for _ in part.count..<Self.keysMax { one.bind(to: self) }  // a row that is named twice is found once
            try each { row in
                try body(row)
                return true
            }
            rest = rest.dropFirst(part.count)
        }
    }

    /// Keys that one query asks for: to a server each is a round trip.
    package static let keysMax = 100

    /// For `WHERE key IN (…)`.
    package static let placeholders = Array(repeating: "?", count: keysMax).joined(separator: ", ")

    private func next() throws(StoreFailure) -> Bool {
        guard try step() else { return false }
        isRunning = true
        return true
    }

    private func end() {
        reset()
        isRunning = false
    }

    /// Where each column is, for readers by name.
    private lazy var columns: [String: Int] = Dictionary(
        (0..<columnCount).map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })

    fileprivate final func column(_ name: String) throws(StoreFailure) -> Int {
        guard let column = columns[name] else { throw .damaged("no column '\(name)'") }
        return column
    }
}

/// The row that a statement stands on. Valid until the statement moves.
package struct Row {
    fileprivate let statement: Statement

    enum Kind { case null, integer, fraction, text, bytes }

    /// Columns of the query.
    var count: Int { statement.columnCount }

    func name(_ column: Int) -> String { statement.name(column) }

    func column(_ name: String) throws(StoreFailure) -> Int { try statement.column(name) }

    func kind(_ column: Int) -> Kind { statement.kind(column) }

    // MARK: Columns without a look at NULL, for hot paths

    /// 0 for NULL.
    package func int64(_ column: Int) -> Int64 { statement.int64(column) }

    package func isNull(_ column: Int) -> Bool { statement.kind(column) == .null }

    package func id<Subject>(_ column: Int, _ type: Identifier<Subject>.Type = Identifier<Subject>.self)
        throws(StoreFailure)
        -> Identifier<Subject>
    {
        let bytes = statement.buffer(column)
        guard bytes.count == 16 else { throw damage(column) }
        return Identifier(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Empty for NULL.
    package func bytes(_ column: Int) -> [UInt8] { Array(statement.buffer(column)) }

    /// Empty for NULL.
    package func text(_ column: Int) -> String { withText(column) { String(decoding: $0, as: UTF8.self) } }

    package func withText<Value>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        statement.buffer(column).withMemoryRebound(to: UInt8.self, body)
    }
}

extension Row {
    /// A JSON object with the row's columns.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for column in 0..<count {
            writer.key(name(column))
            switch kind(column) {
            case .null: writer.null()
            case .integer: writer.integer(int64(column))
            case .fraction: writer.string(String(statement.double(column)))
            case .text: writer.string(text(column))
            case .bytes: writer.string(hexDigits(bytes(column)))
            }
        }
        writer.endObject()
        return writer.bytes
    }
}

/// The name of a table or a column, as both engines read it.
func quotedName(_ name: String) -> String { "\"\(name)\"" }
