import Bus
import Contracts

/// The tables that are a service's state, as its file has them.
enum StateSchema {
    /// Those that the kit itself keeps, and the log of facts, which is read by number.
    private static let others: Set = ["facts", "grdb_migrations"]

    static func tables(_ transaction: Transaction) throws -> [StateTable] {
        try transaction.connection.tables().filter { !others.contains($0) }.map {
            StateTable(name: $0, columns: try columns($0, transaction))
        }
    }

    private static func columns(_ table: String, _ transaction: Transaction) throws -> [StateColumn] {
        let columns = try transaction.connection.columns(of: table).map {
            StateColumn(name: $0.name, kind: $0.kind.rawValue, isKey: $0.isKey)
        }
        if columns.contains(where: \.isKey) { return columns }
        return [StateColumn(name: "rowid", kind: "integer", isKey: true)] + columns
    }
}

extension StateTable {
    var sql: String { quotedName(name) }
    var columnsSQL: String { columns.map { quotedName($0.name) }.joined(separator: ", ") }
    var keysSQL: String { keyColumns.map { quotedName($0.name) }.joined(separator: ", ") }
    /// One parameter for each column of the key.
    var keyMarks: String { keyColumns.map { _ in "?" }.joined(separator: ", ") }
    /// The key's columns in the tables that note keys of any table.
    var notedKey: String { (1...keyColumns.count).map { "k\($0)" }.joined(separator: ", ") }

    /// The key of a trigger's row.
    ///
    /// - Parameter row: `OLD` or `NEW`.
    func triggerKey(_ row: String) -> String {
        keyColumns.map { "\(row).\(quotedName($0.name))" }.joined(separator: ", ")
    }

    /// The condition of rows behind one, whose key is its parameters; none for all rows.
    func rows(behind key: [StateValue]?) -> String { key == nil ? "" : "WHERE (\(keysSQL)) > (\(keyMarks))" }

    /// A condition with one parameter for each column of the key.
    var keyIsGiven: String { keyColumns.map { "\(quotedName($0.name)) = ?" }.joined(separator: " AND ") }

    /// - Parameter names: of the columns; those of many rows are made once.
    func row(_ row: Row, _ names: [String]) throws(StoreFailure) -> StateRow {
        var values: [StateValue] = []
        values.reserveCapacity(names.count)
        for column in names.indices { values.append(try StateValue.read(row, column)) }
        return StateRow(columns: names, values: values)
    }
}

extension StateValue: ColumnValue {
    package func bind(to statement: Statement) {
        switch self {
        case .null: statement.bindNull()
        case .integer(let number): statement.bind(number)
        case .text(let text): statement.bind(text)
        case .bytes(let bytes): statement.bind(bytes)
        }
    }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> StateValue {
        switch row.kind(column) {
        case .null: .null
        case .integer: .integer(row.int64(column))
        case .text: .text(row.text(column))
        case .bytes: .bytes(row.bytes(column))
        case .fraction: throw row.damage(column)
        }
    }
}

extension Transaction {
    /// A statement with values that are known when the program runs.
    func statement(_ sql: String, values: [StateValue]) throws(StoreFailure) -> Statement {
        let statement = try statement(sql)
        for value in values { value.bind(to: statement) }
        return statement
    }
}
