// Written by deploy/contracts from the declarations of the same name: do not edit.
// swift-format-ignore-file

import Primitives
import Wire

extension PrintedTable: Choice {
    package static var summary: String { "The nine tables of document 001, by the names that are printed there. Each is a view over what its service keeps, with the printed columns in the printed order and no others: for programs that were written against those tables. Keys that tell rows apart are in the services' own messages." }
    package static var meanings: [Self: String] {
        [:]
    }
}

extension ReadTable {
    package init(
        table: PrintedTable,
        after: Int64,
        limit: Int,
        _: Void = ()
    ) {
        self.table = table
        self.after = after
        self.limit = limit
    }

    package static var summary: String { "Reads one of the printed tables from the service that keeps its rows: `<service>.table.read.v1`. For administrators and services." }
    package static var fields: [Field<Self>] {
        [
            Field("table", \.table, "One of the service's own; another is `bus.malformed`."),
            Field("after", \.after, "How many rows to pass over: 0 for the first page, then the page's `next`."),
            Field("limit", \.limit, "1 to 100."),
        ]
    }
}

extension TablePage: Shape {
    package init(
        rows: [RawJSON],
        next: Int64? = nil,
        _: Void = ()
    ) {
        self.rows = rows
        self.next = next
    }

    package static var summary: String { "Rows of a printed table, each an object with the printed columns. Numbers are JSON numbers, `decimal` and times are text (`1.50`, `2026-11-21 09:30:00` in UTC), NULL is `null`." }
    package static var fields: [Field<Self>] {
        [
            Field("rows", \.rows),
            Field("next", \.next, "Ask on with this as `after`; absent at the end."),
        ]
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("rows", rows)
        writer.field("next", next)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> Self {
        var rows: [RawJSON]?
        var next: Int64?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "rows": try reader.take(&rows, key)
            case "next": try reader.takeOptional(&next, key)
            default: throw reader.unknown(key)
            }
        }
        return Self(
            rows: try required(rows, "rows"),
            next: next
        )
    }
}
