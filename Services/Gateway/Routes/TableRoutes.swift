import Bus
import Contracts
import Hummingbird
import Primitives
import Wire

extension RouteTable {
    /// Document 001's nine tables, for programs that were written against them.
    static let tables = [
        Route(
            .get, "/v1/tables", "readTable", "A page of one of document 001's tables, as printed there",
            for: .administrator, key: .none, pin: false, rate: nil, query: [.table, .offset, .limit], body: .none,
            status: 200, reply: .other(.json, schema: schema, statuses: [200]),
            asks: [
                ReadTable<Auth>.self, ReadTable<Payments>.self, ReadTable<Location>.self, ReadTable<Offers>.self,
                Auth.ReadAccount.self, Location.ReadPosition.self
            ]
        ) { (call: Call) async throws(Fault) -> Answer in
            let table = try call.query.table()
            let page = try await read(table, call)
            var names = AccountNames(call)
            var writer = JSONWriter()
            writer.beginObject()
            writer.field("table", table.rawValue)
            writer.key("rows")
            writer.beginArray()
            for row in page.rows {
                var row = try await names.named(row, in: table)
                if table == .customers { row = await located(row, call) }
                row.write(to: &writer)
            }
            writer.endArray()
            writer.field("next", page.next)
            writer.endObject()
            return Answer(status: 200, content: .json, body: ByteBuffer(bytes: writer.bytes))
        }
    ]

    private static func read(_ table: PrintedTable, _ call: Call) async throws(Fault) -> TablePage {
        let offset = try call.query.offset()
        let limit = try call.query.limit()
        switch table {
        case .customers, .merchants:
            return try await call.ask(ReadTable<Auth>(table: table, after: offset, limit: limit))
        case .customerTransactions:
            return try await call.ask(ReadTable<Payments>(table: table, after: offset, limit: limit))
        case .merchantLocation:
            return try await call.ask(ReadTable<Location>(table: table, after: offset, limit: limit))
        case .subscribeForAds, .subscribeForCoupons, .advertisements, .coupons, .merchantProductType:
            return try await call.ask(ReadTable<Offers>(table: table, after: offset, limit: limit))
        }
    }

    /// A row of Customers with the last position and its time, while location holds them for somebody who shares. The
    /// columns stay empty if auth or location does not say.
    private static func located(_ row: JSONValue, _ call: Call) async -> JSONValue {
        guard case .object(let members) = row, case .string(let username)? = row["userName"],
            let account = await call.askForExtra(Auth.ReadAccount(username: username))?.account,
            // For the administrator, who may see the table: the customer's own right is not needed.
            let known = await call.askForExtra(Location.ReadPosition(customer: account), as: nil)
        else { return row }
        return .object(
            members.map { member -> JSONValue.Member in
                switch member.key {
                case "currentLat": return .init(member.key, .integer(known.latitude))
                case "currentLon": return .init(member.key, .integer(known.longitude))
                case "timestamp":
                    // As the table prints times: `2026-11-21 09:30:00`.
                    return .init(member.key, .string(String(known.time.rfc3339.prefix(19)).replacing("T", with: " ")))
                default: return member
                }
            })
    }

    private static let schema: JSONValue = [
        "type": "object", "required": ["table", "rows"],
        "properties": [
            "table": ["type": "string", "enum": .array(PrintedTable.allCases.map { .string($0.rawValue) })],
            "rows": ["type": "array", "items": ["type": "object"]],
            "next": ["type": ["integer", "null"], "description": "The next page's `offset`; absent at the end."]
        ]
    ]
}

/// Usernames for the accounts in a page, each asked for once.
private struct AccountNames {
    private let call: Call
    private var known: [PartyID: String] = [:]

    init(_ call: Call) { self.call = call }

    /// The row with usernames where the table is printed with them. An account that auth does not know stays an id.
    mutating func named(_ row: RawJSON, in table: PrintedTable) async throws(Fault) -> JSONValue {
        // What the service sent is no row: whatever was wrong with it, the client can do nothing about it.
        guard case .object(let members)? = try? JSONValue(parsing: row.bytes) else { throw Fault(.unavailable) }
        var named: [JSONValue.Member] = []
        for member in members {
            guard table.accountColumns.contains(member.key), case .string(let text) = member.value,
                let account = PartyID(text)
            else {
                named.append(member)
                continue
            }
            named.append(.init(member.key, .string(try await username(of: account) ?? text)))
        }
        return .object(named)
    }

    private mutating func username(of account: PartyID) async throws(Fault) -> String? {
        if let name = known[account] { return name }
        do throws(Fault) {
            let name = try await call.ask(Auth.ReadAccount(account: account)).username
            known[account] = name
            return name
        } catch {
            guard error.code == .partyNotFound else { throw error }
            return nil
        }
    }
}
