import Bus
import Contracts

/// One of document 001's tables as a view in a service's database. The view's own order is the order of its
/// pages.
enum PrintedView {
    /// A page of rows, each a JSON object with the view's columns: as many as fit into one envelope, and one in any
    /// case.
    ///
    /// - Parameter after: rows to skip.
    static func page(_ transaction: Transaction, _ table: PrintedTable, after: Int64, limit: Int) throws -> TablePage {
        let view = "\"\(table.rawValue)\""
        // PostgreSQL computes all columns of the rows that OFFSET skips. The longest table numbers its rows from 1; of
        // the others it is asked first whether there is a row, which needs no column.
        let isNumbered = table == .customerTransactions
        if after > 0, !isNumbered {
            let next: Int64? = try transaction.value("SELECT 1 FROM \(view) LIMIT 1 OFFSET ?", after)
            guard next != nil else { return TablePage(rows: [], next: nil) }
        }
        let some = isNumbered ? "WHERE productIndex > ?2 LIMIT ?1" : "LIMIT ?1 OFFSET ?2"
        var rows: [RawJSON] = []
        var bytes = 0
        var hasMore = false
        // One more than asked for tells whether there is a next page.
        try transaction.each("SELECT * FROM \(view) \(some)", limit + 1, after) { row in
            let json = row.json
            bytes += json.count + 1
            hasMore = rows.count == limit || (bytes > FactsPage.bytesMax && !rows.isEmpty)
            if !hasMore { rows.append(RawJSON(json)) }
            return !hasMore
        }
        return TablePage(rows: rows, next: hasMore ? after + Int64(rows.count) : nil)
    }
}
