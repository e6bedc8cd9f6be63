import Bus
import Contracts

/// Counts the rows of tables while they change, so that the count is there at once when the end of a hand-over asks for
/// it (ADR 51).
///
/// Rows are counted in the order of their keys, some at a time. Temporary triggers keep the count of those behind which
/// it has come; the others are counted at the end.
enum RowCounts {
    /// Begins to count the rows of tables of which none is counted.
    static func begin(_ tables: [StateTable], _ transaction: Transaction) throws {
        var script = """
            PRAGMA recursive_triggers = ON;
            -- How many rows each table has up to the one with this key.
            CREATE TEMP TABLE counted (
                place TEXT PRIMARY KEY, rows INTEGER NOT NULL, k1, k2, k3, k4
            ) WITHOUT ROWID;

            """
        for table in tables {
            script += "INSERT INTO temp.counted (place, rows) VALUES ('\(table.name)', 0);\n"
            let columns = table.keyColumns.map { StateTable.quoted($0.name) }
            func row(_ row: String) -> String { columns.map { "\(row).\($0)" }.joined(separator: ", ") }
            func add(_ number: Int, _ one: String) -> String {
                """
                UPDATE counted SET rows = rows + \(number)
                    WHERE place = '\(table.name)' AND (\(row(one))) <= (\(keys(of: table)));
                """
            }
            let isMoved = "WHEN (\(row("OLD"))) IS NOT (\(row("NEW")))"
            for (event, condition, changes) in [
                ("INSERT", "", add(1, "NEW")), ("DELETE", "", add(-1, "OLD")),
                ("UPDATE", isMoved, add(-1, "OLD") + add(1, "NEW"))
            ] {
                script += """
                    CREATE TEMP TRIGGER "counted_\(table.name)_\(event)" AFTER \(event) ON main.\(table.sql)
                    \(condition) BEGIN \(changes) END;

                    """
            }
        }
        try transaction.script(script)
    }

    static func end(_ transaction: Transaction) throws {
        try transaction.dropTriggers(named: "counted_")
        try transaction.script("DROP TABLE IF EXISTS temp.counted")
    }

    /// Counts the next rows of a table.
    ///
    /// - Returns: whether there may be more.
    @discardableResult
    static func count(_ number: Int, of table: StateTable, _ transaction: Transaction) throws -> Bool {
        let (condition, key) = try uncounted(table, transaction)
        let last = try transaction.statement(
            """
            SELECT \(table.keysSQL) FROM \(table.sql) \(condition)
            ORDER BY \(table.keysSQL) LIMIT 1 OFFSET \(number - 1)
            """, values: key
        ).first { row in try table.keyColumns.indices.map { try StateValue.read(row, $0) } }
        guard let last else { return false }
        let marks = last.map { _ in "?" }.joined(separator: ", ")
        try transaction.statement(
            "UPDATE temp.counted SET rows = rows + \(number), (\(keys(of: table))) = (\(marks)) WHERE place = ?",
            values: last + [.text(table.name)]
        ).run()
        return true
    }

    /// How many rows a table has now.
    static func rows(of table: StateTable, _ transaction: Transaction) throws -> Int64 {
        let counted: Int64 = try transaction.value("SELECT rows FROM temp.counted WHERE place = ?", table.name) ?? 0
        let (condition, key) = try uncounted(table, transaction)
        let others = try transaction.statement("SELECT count(*) FROM \(table.sql) \(condition)", values: key)
            .first { $0.int64(0) }
        return counted + (others ?? 0)
    }

    /// The condition of rows that are not counted yet, and its parameters.
    private static func uncounted(
        _ table: StateTable, _ transaction: Transaction
    ) throws -> (condition: String, key: [StateValue]) {
        let columns = table.keyColumns.indices
        let key = try transaction.first(
            "SELECT \(keys(of: table)) FROM temp.counted WHERE place = ? AND k1 IS NOT NULL", table.name
        ) { row in try columns.map { try StateValue.read(row, $0) } }
        return key.map { ("WHERE (\(table.keysSQL)) > (\(table.keyMarks))", $0) } ?? ("", [])
    }

    private static func keys(of table: StateTable) -> String {
        (1...table.keyColumns.count).map { "k\($0)" }.joined(separator: ", ")
    }
}

extension Transaction {
    /// Drops temporary triggers whose names begin so.
    func dropTriggers(named prefix: String) throws {
        let names: [String] = try values(
            "SELECT name FROM sqlite_temp_master WHERE type = 'trigger' AND substr(name, 1, length(?1)) = ?1", prefix)
        try script(names.map { "DROP TRIGGER temp.\(StateTable.quoted($0));" }.joined(separator: "\n"))
    }
}
