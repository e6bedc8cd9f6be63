import Wire

/// The nine tables of document 001, by the names that are printed there.
///
/// Each is a view over what its service keeps, with the printed columns in the printed order and no others: for
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
package struct ReadTable<Service: TableSource>: Ask, Equatable {
    package static var type: MessageType { MessageType("\(Service.service).table.read.v1") }
    package static var effect: Effect<Self> { .reads }
    package static var access: Access<Self> { .any(.administrator) }
    package static var limits: [Limit<Self>] {
        [
            .number(\.after, 0...Int64.max, example: 0),
            .choice(\.table, PrintedTable.allCases.filter { $0.service == Service.service }),
            .number(\.limit, 1...100, example: 10)
        ]
    }
    package static var faults: [FaultCode] { [] }
    package static var examples: Examples<Self> {
        Examples(
            Self(table: Service.sampleTable, after: 100, limit: 100),
            reply: TablePage(rows: [RawJSON(Array(#"{"merchant":"corner.cafe","productIndex":7}"#.utf8))], next: 101),
            bareReply: TablePage(rows: [], next: nil))
    }
    package typealias Reply = TablePage

    /// One of the service's own; another is `bus.malformed`.
    package let table: PrintedTable
    /// How many rows to pass over: 0 for the first page, then the page's `next`.
    package let after: Int64
    /// 1 to 100.
    package let limit: Int
}

/// Rows of a printed table, each an object with the printed columns. Numbers are JSON numbers, `decimal` and times are
/// text (`1.50`, `2026-11-21 09:30:00` in UTC), NULL is `null`.
package struct TablePage: FastCoded, Equatable {
    package let rows: [RawJSON]
    /// Ask on with this as `after`; absent at the end.
    package let next: Int64?
}
