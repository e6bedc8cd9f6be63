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
            func add(_ number: Int, _ one: String) -> String {
                """
                UPDATE counted SET rows = rows + \(number)
                    WHERE place = '\(table.name)' AND (\(table.triggerKey(one))) <= (\(table.notedKey));
                """
            }
            let isMoved = "WHEN (\(table.triggerKey("OLD"))) IS NOT (\(table.triggerKey("NEW")))"
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
        let counted = try countedKey(of: table, transaction)
        let last = try transaction.statement(
            """
            SELECT \(table.keysSQL) FROM \(table.sql) \(table.rows(behind: counted))
            ORDER BY \(table.keysSQL) LIMIT 1 OFFSET \(number - 1)
            """, values: counted ?? []
        ).first { row in try table.keyColumns.indices.map { try StateValue.read(row, $0) } }
        guard let last else { return false }
        try transaction.statement(
            "UPDATE temp.counted SET rows = rows + \(number), (\(table.notedKey)) = (\(table.keyMarks)) WHERE place = ?",
            values: last + [.text(table.name)]
        ).run()
        return true
    }

    /// How many rows a table has now.
    static func rows(of table: StateTable, _ transaction: Transaction) throws -> Int64 {
        let counted: Int64 = try transaction.value("SELECT rows FROM temp.counted WHERE place = ?", table.name) ?? 0
        let key = try countedKey(of: table, transaction)
        let others = try transaction.statement(
            "SELECT count(*) FROM \(table.sql) \(table.rows(behind: key))", values: key ?? []
        ).first { $0.int64(0) }
        return counted + (others ?? 0)
    }

    /// The key of the last row that is counted; nil before the first one.
    private static func countedKey(of table: StateTable, _ transaction: Transaction) throws -> [StateValue]? {
        try transaction.first(
            "SELECT \(table.notedKey) FROM temp.counted WHERE place = ? AND k1 IS NOT NULL", table.name
        ) { row in try table.keyColumns.indices.map { try StateValue.read(row, $0) } }
    }
}

extension Transaction {
    /// Drops temporary triggers whose names begin so.
    func dropTriggers(named prefix: String) throws {
        let names: [String] = try values(
            "SELECT name FROM sqlite_temp_master WHERE type = 'trigger' AND substr(name, 1, length(?1)) = ?1", prefix)
        try script(names.map { "DROP TRIGGER temp.\(quotedName($0));" }.joined(separator: "\n"))
    }
}
