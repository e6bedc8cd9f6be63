import Bus
import Contracts

/// The references of a copied table's rows. While a copy is made they are not enforced: rows come table by table.
enum References {
    private struct Reference {
        let number: Int64
        let parent: String
        /// Nil: the parent's primary key.
        var columns: [(from: String, to: String?)]
    }

    /// Whether each row refers to rows that there are: all rows where too many have changed, or where a row has gone
    /// to which they may refer, otherwise those that have changed.
    static func hold(of table: String, since changed: ChangedRows, in transaction: Transaction) throws -> Bool {
        let references = try references(of: table, in: transaction)
        if references.isEmpty { return true }
        let isWhole =
            changed.tables.contains(table)
            || references.contains { changed.shrunk.contains($0.parent) || $0.columns.contains { $0.to == nil } }
        if isWhole {
            let broken: String? = try transaction.value(
                "SELECT \"table\" FROM pragma_foreign_key_check(?) LIMIT 1", table)
            return broken == nil
        }
        for row in changed.changed.first(where: { $0.table == table })?.rows ?? [] {
            for reference in references where try !holds(reference, row, transaction) { return false }
        }
        return true
    }

    private static func holds(_ reference: Reference, _ row: StateRow, _ transaction: Transaction) throws -> Bool {
        let values = reference.columns.map { row[$0.from] ?? .null }
        if values.contains(.null) { return true }
        let condition = reference.columns.map { "\(quotedName($0.to ?? "")) = ?" }.joined(separator: " AND ")
        let statement = try transaction.statement(
            "SELECT 1 FROM \(quotedName(reference.parent)) WHERE \(condition)", values: values)
        return try statement.first { $0.int64(0) } != nil
    }

    private static func references(of table: String, in transaction: Transaction) throws -> [Reference] {
        let columns = try transaction.all(
            "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id, seq", table
        ) { row in
            (
                number: row.int64(0), parent: row.text(1), from: row.text(2),
                to: row.isNull(3) ? nil : row.text(3) as String?
            )
        }
        var references: [Reference] = []
        for column in columns {
            if references.last?.number != column.number {
                references.append(Reference(number: column.number, parent: column.parent, columns: []))
            }
            references[references.count - 1].columns.append((column.from, column.to))
        }
        return references
    }
}
