/// Rows of one `INSERT INTO table (columns) VALUES (?, …)` that go to the server as one statement, with an array for
/// each column: PostgreSQL reads a table's CHECK constraints from their text anew for each statement.
final class RowBatch {
    /// Rows in one statement, and their bytes; more use memory without being faster.
    private static let rowsMax = 512
    private static let bytesMax = 1 << 20

    /// Inserts one row.
    let one: Dialect
    /// Inserts as many as its arrays have elements.
    private let many: Dialect
    private let kinds: [TableColumn.Kind]
    private(set) var count = 0
    private var bytes = 0
    /// The elements of each array: a length and a value, or -1 for NULL (array_recv in arrayfuncs.c).
    private var elements: [[UInt8]]
    /// The row that came first, to be sent alone if no other follows.
    private var first: [PostgresParameter] = []

    /// Nil for a statement of another form.
    ///
    /// - Parameters:
    ///   - one: the statement that inserts one row.
    ///   - nodes: its text, taken apart.
    ///   - columns: the columns of a table.
    init?(_ one: Dialect, _ nodes: [SQLNode], columns: (String) throws -> [TableColumn]) throws {
        guard nodes.count > 5, nodes[0].isWord("INSERT"), nodes[1].isWord("INTO"), let table = nodes[2].identifier,
            case .group(let names) = nodes[3], nodes[4].isWord("VALUES"), case .group(let values) = nodes[5]
        else { return nil }
        self.one = one
        let columnNames = names.filter { !$0.isSymbol(",") }.map(\.identifier)
        guard values.filter({ !$0.isSymbol(",") }).allSatisfy({ $0 == .parameter(nil) }),
            one.parameters == columnNames.count
        else { return nil }
        let known = try columns(table)
        kinds = columnNames.compactMap { name in known.first { $0.name == name }?.kind }
        guard kinds.count == columnNames.count else { return nil }
        let arrays = kinds.map { [SQLNode.parameter(nil), .symbol($0.array.cast)] }.joined(separator: [.symbol(",")])
        many = Dialect(
            nodes[..<4] + [.word("SELECT"), .symbol("*"), .word("FROM"), .word("unnest"), .group(Array(arrays))]
                + nodes[6...])
        elements = kinds.map { _ in [] }
    }

    /// Whether the rows are to be sent before another one is added.
    var isFull: Bool { count == Self.rowsMax || bytes >= Self.bytesMax }

    /// Whether each value is of its column's type. The server refuses another one, and would read it as that in an
    /// array.
    func takes(_ row: [PostgresParameter]) -> Bool {
        zip(row, kinds).allSatisfy { $0.type == 0 || $0.type == $1.array.element }
    }

    func add(_ row: [PostgresParameter]) {
        if count == 0 { first = row }
        count += 1
        for (column, value) in row.enumerated() {
            elements[column].append(bigEndian: Int32(value.bytes?.count ?? -1))
            elements[column] += value.bytes ?? []
            bytes += value.bytes?.count ?? 0
        }
    }

    /// The statement that inserts the rows, and its parameters. None is left.
    func take() -> (Dialect, [PostgresParameter]) {
        defer { removeAll() }
        if count == 1 { return (one, first) }
        let arrays = zip(kinds, elements).map { kind, elements in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(20 + elements.count)
            // One dimension, perhaps with NULL, of a type, with so many elements, counted from 1.
            for number in [1, 1, Int32(kind.array.element), Int32(count), 1] { bytes.append(bigEndian: number) }
            return PostgresParameter(type: kind.array.type, bytes: bytes + elements)
        }
        return (many, arrays)
    }

    func removeAll() {
        (count, bytes) = (0, 0)
        for column in elements.indices { elements[column].removeAll(keepingCapacity: true) }
    }
}

extension TableColumn.Kind {
    /// The type of an array of such values, that of its elements (pg_type.dat), and the cast to it.
    fileprivate var array: (type: UInt32, element: UInt32, cast: String) {
        switch self {
        case .integer: (1016, PostgresType.integer, "::bigint[]")
        case .text: (1009, PostgresType.text, "::text[]")
        case .bytes: (1001, PostgresType.bytes, "::bytea[]")
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: Int32) {
        Swift.withUnsafeBytes(of: number.bigEndian) { self += $0 }
    }
}
