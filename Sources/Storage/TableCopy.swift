import Bus
import Contracts

/// Copies the rows of tables from one database to another of the same schema, whatever the engines are.
enum TableCopy {
    /// Rows that are read at a time.
    private static let rowsAtOnce: Int64 = 1000

    /// Replaces the target's rows, in the order of the tables' names given.
    static func copy(_ tables: [String], from source: Transaction, to target: Transaction) throws {
        for table in tables.reversed() { try target.run("DELETE FROM \(StateTable.quoted(table))") }
        for table in tables { try copy(table, from: source, to: target) }
    }

    private static func copy(_ table: String, from source: Transaction, to target: Transaction) throws {
        let columns = try source.connection.columns(of: table)
        let keys = columns.filter(\.isKey).map { StateTable.quoted($0.name) }.joined(separator: ", ")
        let names = columns.map { StateTable.quoted($0.name) }.joined(separator: ", ")
        func marks(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }
        let keyPlaces = columns.indices.filter { columns[$0].isKey }
        let insert = try target.prepare(
            "INSERT INTO \(StateTable.quoted(table)) (\(names)) VALUES (\(marks(columns.count)))")
        var last: [StateValue]?
        repeat {
            let behind = last == nil ? "" : "WHERE (\(keys)) > (\(marks(keyPlaces.count))) "
            let order = keys.isEmpty ? "" : "\(behind)ORDER BY \(keys) LIMIT \(rowsAtOnce)"
            let page = try source.statement(
                "SELECT \(names) FROM \(StateTable.quoted(table)) \(order)", values: last ?? [])
            var count: Int64 = 0
            last = nil
            try page.each { row in
                let values = try columns.indices.map { try StateValue.read(row, $0) }
                for value in values { value.bind(to: insert) }
                try insert.post()
                count += 1
                if count == rowsAtOnce, !keys.isEmpty { last = keyPlaces.map { values[$0] } }
                return true
            }
        } while last != nil
        // What was sent and not answered fails here.
        let copied: Int64 = try target.value("SELECT count(*) FROM \(StateTable.quoted(table))") ?? 0
        let all: Int64 = try source.value("SELECT count(*) FROM \(StateTable.quoted(table))") ?? 0
        guard copied == all else { throw StoreFailure.damaged("\(table): \(copied) of \(all) rows were copied") }
    }

    /// Copies what tables with AUTOINCREMENT have given.
    static func copyNumbers(from source: Transaction, to target: Transaction) throws {
        guard try hasNumbers(source) else { return }
        let numbers = try source.all("SELECT name, seq FROM sqlite_sequence") { row in (try row[0] as String, row.int64(1)) }
        for (name, number) in numbers {
            try target.run("DELETE FROM sqlite_sequence WHERE name = ?", name)
            try target.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", name, number)
        }
    }

    /// SQLite has the table with the first table that needs it.
    static func hasNumbers(_ transaction: Transaction) throws -> Bool {
        guard transaction.connection is SQLiteConnection else { return true }
        let found: Int64? = try transaction.value("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'")
        return found != nil
    }
}
