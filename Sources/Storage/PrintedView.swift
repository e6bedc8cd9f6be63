import Foundation
import GRDB
import Wire

/// One of document 001's tables as a view in a service's file (A30). The view's own order is the order of its pages.
package enum PrintedView {
    /// A page of rows, each a JSON object with the view's columns.
    ///
    /// - Parameters:
    ///   - after: rows to pass over.
    ///   - bytesMax: of all rows together; one row always fits.
    /// - Returns: the rows, and what to pass over next; nil at the end.
    package static func page(
        _ database: Database, _ view: String, after: Int64, limit: Int, bytesMax: Int
    ) throws -> (rows: [[UInt8]], next: Int64?) {
        // One more than asked for tells whether there is a next page.
        let cursor = try Row.fetchCursor(
            database, sql: "SELECT * FROM \(view.quotedDatabaseIdentifier) LIMIT ? OFFSET ?",
            arguments: [limit + 1, after])
        var rows: [[UInt8]] = []
        var bytes = 0
        while let row = try cursor.next() {
            let json = json(of: row)
            bytes += json.count + 1
            if rows.count == limit || (bytes > bytesMax && !rows.isEmpty) { return (rows, after + Int64(rows.count)) }
            rows.append(json)
        }
        return (rows, nil)
    }

    private static func json(of row: Row) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (column, value) in row {
            writer.key(column)
            switch value.storage {
            case .null: writer.null()
            case .int64(let number): writer.integer(number)
            case .double(let number): writer.string(String(number))
            case .string(let text): writer.string(text)
            case .blob(let data):
                writer.string(data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined())
            }
        }
        writer.endObject()
        return writer.bytes
    }
}
