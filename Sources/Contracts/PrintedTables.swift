import Wire

/// The nine tables of document 001, by the names that are printed there (001-92).
///
/// Each is a view over what its service keeps, with the printed columns in the printed order and no others (A30): for
/// programs that were written against those tables. Keys that tell rows apart are in the services' own messages.
package enum PrintedTable: String, Codable, Sendable, CaseIterable {
    case customers = "Customers"
    case merchants = "Merchants"
    case subscribeForAds
    case subscribeForCoupons
    case merchantLocation
    case advertisements
    case coupons
    case customerTransactions
    case merchantProductType

    /// The service whose view it is.
    package var service: String {
        switch self {
        case .customers, .merchants: Auth.service
        case .customerTransactions: Payments.service
        case .merchantLocation: Location.service
        case .subscribeForAds, .subscribeForCoupons, .advertisements, .coupons, .merchantProductType: Offers.service
        }
    }

    /// Columns in which the service has an account's id, where the table is printed with a username: auth knows those.
    package var accountColumns: Set<String> {
        switch self {
        case .customerTransactions: ["merchant", "customer"]
        case .merchantLocation: ["merchantUserName"]
        // Auth's own, and those of offers, which is told the usernames.
        default: []
        }
    }
}

/// Reads one of the printed tables from the service that keeps its rows: `<service>.table.read.v1`. For administrators
/// and services.
package struct ReadTable<Service: BusService>: Ask, Equatable {
    package static var type: MessageType { MessageType("\(Service.service).table.read.v1") }
    package static var retry: RetryClass { .idempotent }
    package static var faults: [FaultCode] { [] }
    package typealias Reply = TablePage

    /// One of the service's own; another is `bus.malformed`.
    package let table: PrintedTable
    /// How many rows to pass over: 0 for the first page, then the page's `next`.
    package let after: Int64
    /// 1 to 100.
    package let limit: Int

    package init(table: PrintedTable, after: Int64, limit: Int) {
        self.table = table
        self.after = after
        self.limit = limit
    }
}

/// Rows of a printed table, each an object with the printed columns. Numbers are JSON numbers, `decimal` and times are
/// text (`1.50`, `2026-11-21 09:30:00` in UTC), NULL is `null`.
package struct TablePage: WireMessage, HandCoded, Equatable {
    package let rows: [RawJSON]
    /// Ask on with this as `after`; absent at the end.
    package let next: Int64?

    package init(rows: [RawJSON], next: Int64?) {
        self.rows = rows
        self.next = next
    }

    package func fastWrite(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("rows")
        writer.beginArray()
        for row in rows { row.write(to: &writer) }
        writer.endArray()
        writer.field("next", next)
        writer.endObject()
    }

    package static func fastRead(_ reader: inout JSONReader) throws(WireError) -> TablePage {
        var rows: [RawJSON]?
        var next: Int64?
        try reader.object { key, reader throws(WireError) in
            switch key {
            case "rows":
                guard rows == nil else { throw WireError(.duplicateKey, path: "rows") }
                var list: [RawJSON] = []
                try reader.array { reader throws(WireError) in list.append(try RawJSON.read(&reader)) }
                rows = list
            case "next": try reader.takeOptional(&next, key)
            default: throw reader.unknown(key)
            }
        }
        return TablePage(rows: try required(rows, "rows"), next: next)
    }
}
