import Bus
import Contracts
import Sodium
import Wire

/// Copies the rows of tables from one database to another of the same schema, whatever the engines are.
enum TableCopy {
    /// Rows that are read at a time.
    private static let rowsAtOnce: Int64 = 1000

    /// Replaces the target's rows, in the order of the tables' names given.
    static func copy(_ tables: [String], from source: Transaction, to target: Transaction) throws {
        for table in tables.reversed() { try target.run("DELETE FROM \(quotedName(table))") }
        for table in tables { try copy(table, from: source, to: target) }
    }

    private static func copy(_ table: String, from source: Transaction, to target: Transaction) throws {
        let columns = try source.connection.columns(of: table)
        let names = columns.map { quotedName($0.name) }.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try target.prepare("INSERT INTO \(quotedName(table)) (\(names)) VALUES (\(marks))")
        try eachRow(of: table, columns, source) { values in
            for value in values { value.bind(to: insert) }
            try insert.postRow()
        }
        // A row that was posted and failed says so here.
        _ = try count(table, target)
    }

    /// - Returns: how many rows there are in all, which are the same on both sides.
    /// - Throws: `StoreFailure.damaged` for the first table that differs.
    static func compare(_ tables: [String], _ source: Transaction, _ target: Transaction) throws -> Int64 {
        try tables.reduce(0) { sum, table in
            let (ours, theirs) = (try digest(table, source), try digest(table, target))
            guard ours == theirs else { throw StoreFailure.damaged("\(table) is not the same in the copy") }
            return sum + ours.rows
        }
    }

    private static func count(_ table: String, _ transaction: Transaction) throws -> Int64 {
        try transaction.value("SELECT count(*) FROM \(quotedName(table))") ?? 0
    }

    private struct Contents: Equatable {
        var rows: Int64 = 0
        /// The digests of all rows together, whatever their order.
        var sum = [UInt8](repeating: 0, count: 32)
    }

    private static func digest(_ table: String, _ transaction: Transaction) throws -> Contents {
        var contents = Contents()
        try eachRow(of: table, transaction.connection.columns(of: table), transaction) { values in
            contents.rows += 1
            for (place, byte) in Digest.blake2b(StateValue.array(of: values), key: []).prefix(32).enumerated() {
                contents.sum[place] ^= byte
            }
        }
        return contents
    }

    private static func eachRow(
        of table: String, _ columns: [TableColumn], _ source: Transaction, _ body: ([StateValue]) throws -> Void
    ) throws {
        let keyPlaces = columns.indices.filter { columns[$0].isKey }
        let keys = keyPlaces.map { quotedName(columns[$0].name) }.joined(separator: ", ")
        let marks = keyPlaces.map { _ in "?" }.joined(separator: ", ")
        let names = columns.map { quotedName($0.name) }.joined(separator: ", ")
        var last: [StateValue]?
        repeat {
            let behind = last == nil ? "" : "WHERE (\(keys)) > (\(marks)) "
            let order = keys.isEmpty ? "" : "\(behind)ORDER BY \(keys) LIMIT \(rowsAtOnce)"
            let page = try source.statement(
                "SELECT \(names) FROM \(quotedName(table)) \(order)", values: last ?? [])
            var count: Int64 = 0
            last = nil
            try page.each { row in
                let values = try columns.indices.map { try StateValue.read(row, $0) }
                try body(values)
                count += 1
                if count == rowsAtOnce, !keys.isEmpty { last = keyPlaces.map { values[$0] } }
                return true
            }
        } while last != nil
    }

    /// Copies what tables with AUTOINCREMENT have given.
    static func copyNumbers(from source: Transaction, to target: Transaction) throws {
        guard try hasNumbers(source) else { return }
        let numbers = try source.all("SELECT name, seq FROM sqlite_sequence") { row in
            (try row[0] as String, row.int64(1))
        }
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
