import CPostgres
import Glibc
import Primitives
import Wire

/// Numbers of PostgreSQL's types (pg_type.dat).
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytes: UInt32 = 17
    static let integer: UInt32 = 20
    static let short: UInt32 = 21
    static let int: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let double: UInt32 = 701
    static let numeric: UInt32 = 1700
    static let json: UInt32 = 3802
}

/// A value in PostgreSQL's binary form.
struct PostgresParameter {
    let type: UInt32
    /// Nil for NULL.
    let bytes: [UInt8]?

    static func integer(_ number: Int64) -> PostgresParameter {
        PostgresParameter(type: PostgresType.integer, bytes: withUnsafeBytes(of: number.bigEndian, Array.init))
    }

    /// Passes pointers to each value, its length and its form.
    static func withPointers<Value>(
        _ parameters: [PostgresParameter],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Value
    ) -> Value {
        let lengths = parameters.map { Int32($0.bytes?.count ?? 0) } + [0]
        let formats = [Int32](repeating: 1, count: parameters.count + 1)
        var all: [UInt8] = [0]
        var starts: [Int?] = []
        for parameter in parameters {
            starts.append(parameter.bytes == nil ? nil : all.count)
            all += parameter.bytes ?? []
        }
        all.append(0)
        return all.withUnsafeBytes { bytes in
            let start = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            let values = starts.map { place in place.map { start + $0 } } + [nil]
            return body(values, lengths, formats)
        }
    }
}

/// A statement of PostgreSQL. All its rows come with its answer.
final class PostgresStatement: Statement {
    /// Rows between two looks at how long the server has heard nothing.
    private static let rowsInSilence: Int32 = 64

    private let connection: PostgresConnection
    private let nodes: [SQLNode]
    private let dialect: Dialect
    /// Rows that are inserted together, once there were some; none inside where the statement is of another form.
    private var rows: RowBatch??
    private var parameters: [PostgresParameter] = []
    private var result: OpaquePointer?
    private var row: Int32 = -1
    /// A text taken out of JSON, until the statement moves.
    private var converted: UnsafeMutableRawBufferPointer?

    init(_ connection: PostgresConnection, _ nodes: [SQLNode]) {
        self.connection = connection
        self.nodes = nodes
        dialect = Dialect(nodes)
        super.init()
    }

    deinit { clear() }

    // MARK: Parameters

    override func bindNull() { parameters.append(PostgresParameter(type: 0, bytes: nil)) }

    override func put(_ number: Int64) { parameters.append(.integer(number)) }

    override func put(_ high: UInt64, _ low: UInt64) {
        put(withUnsafeBytes(of: (high.bigEndian, low.bigEndian), Array.init))
    }

    override func put(_ bytes: [UInt8]) {
        parameters.append(PostgresParameter(type: PostgresType.bytes, bytes: bytes))
    }

    override func put(_ text: String) {
        parameters.append(PostgresParameter(type: PostgresType.text, bytes: Array(text.utf8)))
    }

    // MARK: Running

    override func run() throws(StoreFailure) {
        defer { reset() }
        result = try connection.execute(dialect, parameters)
    }

    override func post() throws(StoreFailure) {
        defer { reset() }
        try connection.enqueue(dialect, parameters)
    }

    override func postRow() throws(StoreFailure) {
        defer { reset() }
        guard let rows = try batch(), rows.takes(parameters) else {
            return try connection.enqueue(dialect, parameters)
        }
        try connection.gather(parameters, in: rows)
    }

    private func batch() throws(StoreFailure) -> RowBatch? {
        if let rows { return rows }
        do {
            let made = try RowBatch(dialect, nodes, columns: connection.columns)
            rows = .some(made)
            return made
        } catch { throw error as? StoreFailure ?? .broken("\(error)") }
    }

    override func step() throws(StoreFailure) -> Bool {
        if result == nil { result = try connection.execute(dialect, parameters) }
        row += 1
        if row % Self.rowsInSilence == Self.rowsInSilence - 1 { try connection.breakSilence() }
        return row < PQntuples(result)
    }

    override func reset() {
        clear()
        row = -1
        parameters.removeAll(keepingCapacity: true)
    }

    private func clear() {
        PQclear(result)
        result = nil
        converted?.deallocate()
        converted = nil
    }

    // MARK: Columns

    override var columnCount: Int { Int(PQnfields(result)) }

    override func name(_ column: Int) -> String {
        PQfname(result, Int32(column)).map { String(cString: $0) } ?? ""
    }

    override func kind(_ column: Int) -> Row.Kind {
        if PQgetisnull(result, row, Int32(column)) == 1 { return .null }
        switch PQftype(result, Int32(column)) {
        case PostgresType.bytes: return .bytes
        case PostgresType.bool, PostgresType.short, PostgresType.int, PostgresType.integer, PostgresType.oid:
            return .integer
        case PostgresType.double: return .fraction
        case PostgresType.numeric: return numeric(column).fraction == 0 ? .integer : .fraction
        case PostgresType.json: return jsonKind(column)
        default: return .text
        }
    }

    private func raw(_ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, Int32(column)), count: Int(PQgetlength(result, row, Int32(column))))
    }

    override func int64(_ column: Int) -> Int64 {
        let bytes = raw(column)
        switch PQftype(result, Int32(column)) {
        case PostgresType.numeric: return numeric(column).whole
        case PostgresType.json:
            let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
            return Int64(text) ?? (text == "true" ? 1 : 0)
        default:
            guard let first = bytes.first else { return 0 }
            return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
        }
    }

    override func double(_ column: Int) -> Double {
        let bytes = raw(column)
        switch PQftype(result, Int32(column)) {
        case PostgresType.double: return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case PostgresType.json: return Double(String(decoding: bytes.dropFirst(), as: UTF8.self)) ?? 0
        default: return number(column)
        }
    }

    private func number(_ column: Int) -> Double {
        let (whole, fraction) = numeric(column)
        return Double(whole) + fraction
    }

    /// A sum or a quotient: digits to the base of 10,000 (numeric_send in numeric.c). What is beyond 64 bits wraps, and
    /// no store has that.
    private func numeric(_ column: Int) -> (whole: Int64, fraction: Double) {
        let bytes = raw(column)
        guard bytes.count >= 8 else { return (0, 0) }
        func short(_ place: Int) -> Int16 {
            Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int16.self))
        }
        let (count, weight) = (Int(short(0)), Int(short(2)))
        var (whole, fraction, scale) = (Int64(0), 0.0, pow(10_000.0, Double(min(0, weight + 1))))
        for digit in 0..<max(count, weight + 1) {
            let value = digit < count ? Int64(short(8 + 2 * digit)) : 0
            if digit <= weight {
                whole = whole &* 10_000 &+ value
            } else {
                scale /= 10_000
                fraction += Double(value) * scale
            }
        }
        let isNegative = UInt16(bitPattern: short(4)) == 0x4000
        return isNegative ? (-whole, -fraction) : (whole, fraction)
    }

    override func buffer(_ column: Int) -> UnsafeRawBufferPointer {
        if PQgetisnull(result, row, Int32(column)) == 1 { return UnsafeRawBufferPointer(start: nil, count: 0) }
        guard PQftype(result, Int32(column)) == PostgresType.json else { return raw(column) }
        return keep(Array(jsonText(column).utf8))
    }

    private func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        converted?.deallocate()
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        converted = copy
        return UnsafeRawBufferPointer(copy)
    }

    // MARK: JSON, behind a byte for its version (jsonb_send in jsonb.c)

    private func jsonKind(_ column: Int) -> Row.Kind {
        let bytes = raw(column).dropFirst()
        switch bytes.first {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["): return .text
        default: return bytes.contains(UInt8(ascii: ".")) ? .fraction : .integer
        }
    }

    private func jsonText(_ column: Int) -> String {
        let bytes = Array(raw(column).dropFirst())
        let value = try? JSONReader.read(bytes) { reader throws(WireError) in try JSONValue.read(&reader) }
        guard case .string(let text)? = value else { return String(decoding: bytes, as: UTF8.self) }
        return text
    }
}
