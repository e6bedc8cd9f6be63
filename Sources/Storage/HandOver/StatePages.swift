import Bus
import Contracts
import Primitives
import Wire

/// Where a reader is in a table. Its text is the reader's to give back, not to read.
enum StatePlace: Equatable {
    case start
    /// Behind the row with this key.
    case rows(after: [StateValue])
    case memory(Int)
    /// Behind the change with this number.
    case changes(after: Int64)

    /// - Throws: `bus.malformed`.
    init(_ text: String?, in table: StateTable) throws(Fault) {
        guard let text else {
            self = .start
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.last) {
        case ("memory", let number?):
            if let number = Int(number), number >= 0 {
                self = .memory(number)
                return
            }
        case ("changes", let number?):
            if let number = Int64(number), number >= 0 {
                self = .changes(after: number)
                return
            }
        case ("rows", let values?):
            if let key = Self.key(values, of: table) {
                self = .rows(after: key)
                return
            }
        default: break
        }
        throw Fault(.malformed, "'\(text)' is no place in \(table.name)")
    }

    private static func key(_ text: String, of table: StateTable) -> [StateValue]? {
        let json = try? JSONReader.read(Array(text.utf8)) { reader throws(WireError) in try JSONValue.read(&reader) }
        guard case .array(let elements)? = json, elements.count == table.keyColumns.count else { return nil }
        var key: [StateValue] = []
        for (element, column) in zip(elements, table.keyColumns) {
            guard let value = StateValue(element, kind: column.kind) else { return nil }
            key.append(value)
        }
        return key
    }

    var text: String {
        switch self {
        case .start: ""
        case .rows(let key): "rows:" + JSONValue.array(key.map(\.json)).text
        case .memory(let place): "memory:\(place)"
        case .changes(let number): "changes:\(number)"
        }
    }
}

/// Pages of a table of a hand-over, read in a transaction.
enum StatePages {
    static func page(
        of table: StateTable, _ place: StatePlace, _ limit: Int, _ transaction: Transaction
    ) throws -> StatePage {
        switch place {
        case .start: try rows(of: table, after: nil, limit, transaction)
        case .rows(let key): try rows(of: table, after: key, limit, transaction)
        case .changes(let number): try changes(of: table, after: number, limit, transaction)
        case .memory: throw Fault(.malformed, "'\(place.text)' is no place in \(table.name)")
        }
    }

    private static func rows(
        of table: StateTable, after key: [StateValue]?, _ limit: Int, _ transaction: Transaction
    ) throws -> StatePage {
        let behind = key == nil ? "" : "WHERE (\(table.keysSQL)) > (\(table.keyMarks)) "
        let statement = try transaction.statement(
            "SELECT \(table.columnsSQL) FROM \(table.sql) \(behind)ORDER BY \(table.keysSQL) LIMIT ?",
            values: (key ?? []) + [.integer(Int64(limit))])
        var fitting = FittingRows(table)
        var last: [StateValue]?
        try statement.each { row in
            let values = try table.row(row)
            guard try fitting.add(values) else { return false }
            last = table.key(of: values)
            return true
        }
        // Behind the last row there is nothing, or what has been added since and counts as changed.
        let isOver = !fitting.isFull && fitting.rows.count < limit
        let next = isOver ? StatePlace.changes(after: 0) : last.map(StatePlace.rows) ?? .changes(after: 0)
        return StatePage(rows: fitting.rows, removed: [], next: next.text, isEnd: false)
    }

    private static func changes(
        of table: StateTable, after number: Int64, _ limit: Int, _ transaction: Transaction
    ) throws -> StatePage {
        let keys = table.keyColumns
        let changed = try transaction.all(
            "SELECT number, k1, k2, k3, k4 FROM temp.followed WHERE place = ? AND number > ? ORDER BY number LIMIT ?",
            table.name, number, limit + 1
        ) { row in
            (number: row.int64(0), key: try keys.indices.map { try StateValue.read(row, $0 + 1) })
        }
        var fitting = FittingRows(table)
        var removed: [RawJSON] = []
        var last = number
        for change in changed.prefix(limit) {
            let condition = keys.map { "\(StateTable.quoted($0.name)) = ?" }.joined(separator: " AND ")
            let row = try transaction.statement(
                "SELECT \(table.columnsSQL) FROM \(table.sql) WHERE \(condition)", values: change.key
            ).first { try table.row($0) }
            let fits =
                if let row { try fitting.add(row) } else {
                    fitting.addKey(zip(keys, change.key), to: &removed)
                }
            guard fits else { break }
            last = change.number
        }
        let isEnd = changed.last.map { $0.number == last } ?? true
        return StatePage(
            rows: fitting.rows, removed: removed, next: StatePlace.changes(after: last).text, isEnd: isEnd)
    }
}

/// Rows that fit into one envelope.
private struct FittingRows {
    let table: StateTable
    private(set) var rows: [RawJSON] = []
    private(set) var isFull = false
    private var bytes = 0

    init(_ table: StateTable) { self.table = table }

    /// - Returns: whether there was room for it.
    /// - Throws: `bus.too_large` for a row that never has room.
    mutating func add(_ row: StateRow) throws(Fault) -> Bool {
        let json = table.json(row)
        guard json.bytes.count <= FactsPage.bytesMax else {
            throw Fault(.tooLarge, "a row of \(table.name) fits into no envelope, so the state cannot be handed over")
        }
        guard takeRoom(json) else { return false }
        rows.append(json)
        return true
    }

    mutating func addKey(
        _ key: some Sequence<(StateColumn, StateValue)>, to removed: inout [RawJSON]
    ) -> Bool {
        let json = table.json(StateRow(uniqueKeysWithValues: key.map { ($0.name, $1) }))
        guard takeRoom(json) else { return false }
        removed.append(json)
        return true
    }

    private mutating func takeRoom(_ json: RawJSON) -> Bool {
        bytes += json.bytes.count + 1
        isFull = bytes > FactsPage.bytesMax
        return !isFull
    }
}

extension Transaction {
    /// The greatest number that a table with AUTOINCREMENT has given; nil for any other table.
    func lastNumber(of table: StateTable) throws -> Int64? {
        guard try TableCopy.hasNumbers(self) else { return nil }
        return try value("SELECT seq FROM sqlite_sequence WHERE name = ?", table.name)
    }
}
