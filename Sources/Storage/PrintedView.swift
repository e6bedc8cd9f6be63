import Bus
import Contracts

/// One of document 001's tables as a view in a service's database. The view's own order is the order of its
/// pages.
enum PrintedView {
    /// A page of rows, each a JSON object with the view's columns: as many as fit into one envelope, and one in any
    /// case.
    ///
    /// - Parameter after: rows to skip.
    static func page(_ transaction: Transaction, _ view: String, after: Int64, limit: Int) throws -> TablePage {
        var rows: [RawJSON] = []
        var bytes = 0
        var hasMore = false
        // One more than asked for tells whether there is a next page.
        try transaction.each("SELECT * FROM \"\(view)\" LIMIT ? OFFSET ?", limit + 1, after) { row in
            let json = row.json
            bytes += json.count + 1
            hasMore = rows.count == limit || (bytes > FactsPage.bytesMax && !rows.isEmpty)
            if !hasMore { rows.append(RawJSON(json)) }
            return !hasMore
        }
        return TablePage(rows: rows, next: hasMore ? after + Int64(rows.count) : nil)
    }
}
