import Bus
import Contracts
import Primitives
import Storage

/// Ordering's database. Each function is one transaction, durable when it returns.
package struct OrderStore: Sendable {
    package let store: Store

    /// - Throws: as `Store.init`.
    package init(_ place: StorePlace) throws { store = try Store(place, migrations: OrderMigrations.all) }

    /// A store that ends with the process: for tests.
    package init() throws { store = try Store(forTests: OrderMigrations.all) }
}

// MARK: Menus

extension OrderStore {
    /// Writes a menu. Fact: `MenuChanged`, unless it is as it was.
    package func setMenu(
        _ ask: Ordering.SetMenu, merchantName: String, at now: Timestamp, because context: AskContext
    ) async throws(Fault) -> Ordering.MenuView {
        try await store.write { transaction in
            let known = try Self.menu(of: ask.merchant, in: transaction)
            if let known, known.menu == ask.menu, known.merchantName == merchantName { return known }
            let revision = (known?.revision ?? 0) + 1
            try transaction.run(
                """
                INSERT INTO menus (merchant, name, menu, revision, changed) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (merchant) DO UPDATE SET name = excluded.name, menu = excluded.menu,
                    revision = excluded.revision, changed = excluded.changed
                """, ask.merchant, merchantName, ask.menu.json, revision, now)
            try transaction.publish(
                Ordering.MenuChanged(merchant: ask.merchant, revision: revision, time: now), at: now, because: context)
            return Ordering.MenuView(
                merchant: ask.merchant, merchantName: merchantName, menu: ask.menu, revision: revision, changed: now)
        }
    }

    package func menu(of merchant: PartyID) async throws(Fault) -> Ordering.MenuView? {
        try await store.read { try Self.menu(of: merchant, in: $0) }
    }

    /// Writes another name of a merchant beside its menu, which stays as it is.
    package func rename(_ merchant: PartyID, to name: String) async throws(Fault) {
        try await store.write { transaction in
            try transaction.run("UPDATE menus SET name = ? WHERE merchant = ?", name, merchant)
        }
    }

    /// Merchants with menus, by name.
    package func menus(skip: Int, limit: Int) async throws(Fault) -> [Ordering.MenuTitle] {
        try await store.read { transaction in
            try transaction.all(
                "SELECT merchant, name, menu FROM menus ORDER BY name, merchant LIMIT ? OFFSET ?", limit, skip
            ) { row in
                Ordering.MenuTitle(
                    merchant: try row[0], merchantName: try row[1],
                    title: try Ordering.Menu(json: row[2] as [UInt8]).title)
            }
        }
    }

    static func menu(of merchant: PartyID, in transaction: Transaction) throws -> Ordering.MenuView? {
        try transaction.first("SELECT name, menu, revision, changed FROM menus WHERE merchant = ?", merchant) { row in
            Ordering.MenuView(
                merchant: merchant, merchantName: try row[0], menu: try Ordering.Menu(json: row[1] as [UInt8]),
                revision: try row[2], changed: try row[3])
        }
    }
}

// MARK: Reading orders

extension OrderStore {
    package func order(_ id: Ordering.OrderID) async throws(Fault) -> Order? {
        try await store.read { try Self.find(id, in: $0) }
    }

    /// The order that is open, or being paid.
    package func cart(of customer: PartyID, at merchant: PartyID) async throws(Fault) -> Order? {
        try await store.read { try Self.cart(of: customer, at: merchant, in: $0) }
    }

    /// Paid orders, newest first: a customer's by the ledger's entries, a merchant's by their numbers.
    package func orders(
        of party: PartyID, asMerchant: Bool, waiting: Bool, before: Int64?, limit: Int
    ) async throws(Fault) -> (orders: [Order], next: Int64?) {
        try await store.read { transaction in
            let column = asMerchant ? "number" : "entry"
            let statement = try transaction.statement(
                """
                SELECT \(column), id FROM orders WHERE \(asMerchant ? "merchant" : "customer") = ?
                    AND \(column) < ? AND number IS NOT NULL \(waiting ? "AND state = 'paid'" : "")
                ORDER BY \(column) DESC LIMIT ?
                """)
            statement.bind(party)
            statement.bind(before ?? .max)
            statement.bind(Int64(limit) + 1)
            var found: [(at: Int64, id: Ordering.OrderID)] = []
            try statement.each { row in
                found.append((try row[0], try row[1]))
                return true
            }
            let orders = try found.prefix(limit).compactMap { try Self.find($0.id, in: transaction) }
            return (orders, found.count > limit ? found[limit - 1].at : nil)
        }
    }

    /// Orders whose payments' outcomes are to be found out: also those of a clock that was ahead.
    package func unsettled(at now: Timestamp, limit: Int) async throws(Fault) -> [Ordering.OrderID] {
        try await store.read {
            try $0.values(
                """
                SELECT id FROM orders WHERE state = 'paying' AND (settles <= ? OR settles > ?) ORDER BY settles LIMIT ?
                """, now, now + Self.settlesMax, limit)
        }
    }

    /// Longer than any ask to pay waits.
    private static let settlesMax = Duration.seconds(600)

    static func cart(of customer: PartyID, at merchant: PartyID, in transaction: Transaction) throws -> Order? {
        let id: Ordering.OrderID? = try transaction.value(
            "SELECT id FROM orders WHERE customer = ? AND merchant = ? AND state IN ('open', 'paying')", customer,
            merchant)
        return try id.flatMap { try find($0, in: transaction) }
    }

    static func find(_ id: Ordering.OrderID, in transaction: Transaction) throws -> Order? {
        guard
            var order = try transaction.first("SELECT * FROM orders WHERE id = ?", id, as: { try Order($0) })
        else { return nil }
        order.lines = try transaction.all("SELECT line FROM items WHERE owner = ? ORDER BY place", id) { row in
            try Ordering.Line(json: row[0] as [UInt8])
        }
        return order
    }
}

extension Order {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row["id"], customer: try row["customer"], customerName: try row["customer_name"],
            merchant: try row["merchant"], merchantName: try row["merchant_name"],
            country: try Ordering.Country(json: row["country"] as [UInt8]), begun: try row["begun"],
            state: try row.choice("state"))
        number = try row["number"]
        paid = try row["paid"]
        ready = try row["ready"]
        entry = try row["entry"]
        successor = try row["successor"]
    }
}
