import Bus
import Contracts
import Primitives
import Wire

/// Pages of a table of a hand-over: rows behind those that have been read, and then what has changed among these.
struct StatePages {
    let table: StateTable
    let transaction: Transaction

    /// - Returns: the page, and the place behind it.
    func page(after place: StatePlace, limit: Int) throws -> (page: StatePage, place: StatePlace) {
        var place = place
        var fitting = FittingRows(table)
        try addRows(to: &fitting, &place, limit)
        var isEnd = false
        if !fitting.isFull, fitting.count < limit { isEnd = try addChanges(to: &fitting, &place, limit) }
        return (
            StatePage(rows: fitting.rows, removed: fitting.removed, next: place.text, isEnd: isEnd), place
        )
    }

    private func addRows(to fitting: inout FittingRows, _ place: inout StatePlace, _ limit: Int) throws {
        let statement = try transaction.statement(
            """
            SELECT \(table.columnsSQL) FROM \(table.sql) \(table.rows(behind: place.key))
            ORDER BY \(table.keysSQL) LIMIT ?
            """,
            values: (place.key ?? []) + [.integer(Int64(limit))])
        let names = table.columns.map(\.name)
        var last: StateRow?
        try statement.each { row in
            let row = try table.row(row, names)
            guard try fitting.add(row) else { return false }
            last = row
            return true
        }
        if let last { place.key = table.key(of: last) }
    }

    /// - Returns: whether there are no more.
    private func addChanges(to fitting: inout FittingRows, _ place: inout StatePlace, _ limit: Int) throws -> Bool {
        let keys = table.keyColumns
        let changed = try transaction.all(
            "SELECT number, k1, k2, k3, k4 FROM temp.followed WHERE place = ? AND number > ? ORDER BY number LIMIT ?",
            table.name, place.change, limit - fitting.count + 1
        ) { row in
            (number: row.int64(0), key: try keys.indices.map { try StateValue.read(row, $0 + 1) })
        }
        let isAll = changed.count <= limit - fitting.count
        let (names, keyNames) = (table.columns.map(\.name), keys.map(\.name))
        let sql = "SELECT \(table.columnsSQL) FROM \(table.sql) WHERE \(table.keyIsGiven)"
        for change in changed.prefix(limit - fitting.count) {
            let row = try transaction.statement(sql, values: change.key).first { try table.row($0, names) }
            let fits =
                if let row { try fitting.add(row) } else {
                    fitting.addRemoved(StateRow(columns: keyNames, values: change.key))
                }
            guard fits else { return false }
            place.change = change.number
        }
        return isAll
    }
}

/// Rows that fit into one envelope.
private struct FittingRows {
    let table: StateTable
    private(set) var rows: [RawJSON] = []
    private(set) var removed: [RawJSON] = []
    private(set) var isFull = false
    private var bytes = 0

    var count: Int { rows.count + removed.count }

    init(_ table: StateTable) { self.table = table }

    /// - Returns: whether there was room for it.
    /// - Throws: `bus.too_large` for a row that never has room.
    mutating func add(_ row: StateRow) throws(Fault) -> Bool {
        let json = row.json
        guard json.bytes.count <= FactsPage.bytesMax else {
            throw Fault(.tooLarge, "a row of \(table.name) fits into no envelope, so the state cannot be handed over")
        }
        guard takeRoom(json) else { return false }
        rows.append(json)
        return true
    }

    /// - Returns: whether there was room for it.
    mutating func addRemoved(_ key: StateRow) -> Bool {
        let json = key.json
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
