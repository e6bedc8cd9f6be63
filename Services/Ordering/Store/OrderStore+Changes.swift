import Bus
import Contracts
import Primitives
import Storage

extension OrderStore {
    /// Begins an order. An empty open order of the customer's at the merchant is closed.
    ///
    /// - Parameters:
    ///   - isShown: whether customers may order there.
    ///   - merchantName: nil for the one that stands beside the menu.
    /// - Throws: `ordering.menu_not_found`, `ordering.choice_unknown`, `ordering.order_open`, `ordering.id_reused`.
    package func begin(
        _ ask: Ordering.BeginOrder, isShown: Bool = true, customerName: String?, merchantName: String? = nil,
        at now: Timestamp
    ) async throws(Fault) -> (order: Order, replayed: Bool) {
        try await store.write { transaction in
            if let known = try Self.find(ask.order, in: transaction) {
                guard known.customer == ask.customer, known.merchant == ask.merchant, known.country.key == ask.country
                else { throw Fault(.orderIDReused) }
                return (known, true)
            }
            guard isShown, let shop = try Self.menu(of: ask.merchant, in: transaction) else {
                throw Fault(.menuNotFound)
            }
            let country = try shop.menu.country(ask.country)
            if let cart = try Self.cart(of: ask.customer, at: ask.merchant, in: transaction) {
                guard cart.state == .open, cart.lines.isEmpty else { throw Fault(.orderOpen) }
                try transaction.run("UPDATE orders SET state = 'closed', closed = ? WHERE id = ?", now, cart.id)
            }
            let order = Order(
                id: ask.order, customer: ask.customer, customerName: customerName, merchant: ask.merchant,
                merchantName: merchantName ?? shop.merchantName, country: country, begun: now)
            try Self.insert(order, in: transaction)
            return (order, false)
        }
    }

    /// Adds an item at the menu's price.
    ///
    /// - Throws: `ordering.order_not_found`, `ordering.order_not_open`, `ordering.order_full`,
    ///   `ordering.menu_not_found`, `ordering.choice_unknown`, `ordering.id_reused`.
    package func add(_ ask: Ordering.AddItem) async throws(Fault) -> (order: Order, replayed: Bool) {
        try await store.write { transaction in
            if let replay = try Self.added(ask, in: transaction) { return (replay, true) }
            guard var order = try Self.find(ask.order, in: transaction), order.customer == ask.customer else {
                throw Fault(.orderNotFound)
            }
            guard order.state == .open else { throw Fault(.orderNotOpen) }
            guard order.lines.count < Ordering.itemsMax else {
                throw Fault(.orderFull, "an order has \(Ordering.itemsMax) items at most")
            }
            guard let shop = try Self.menu(of: order.merchant, in: transaction) else { throw Fault(.menuNotFound) }
            let line = try shop.menu.line(
                ask.item, base: ask.base, extras: ask.extras, in: try shop.menu.country(of: order))
            order.lines.append(line)
            guard order.view().json.count <= Order.bytesMax else {
                throw Fault(.orderFull, "an order has \(Order.bytesMax) bytes of JSON at most")
            }
            try transaction.run(
                "INSERT INTO items (id, ordered, owner, line) VALUES (?, ?, ?, ?)", ask.item, order.id, order.id,
                line.json)
            return (order, false)
        }
    }

    /// The order that has an item which was added before.
    private static func added(_ ask: Ordering.AddItem, in transaction: Transaction) throws -> Order? {
        let known = try transaction.first(
            "SELECT ordered, owner, line FROM items WHERE id = ?", ask.item
        ) { row in
            (
                ordered: try row[0] as Ordering.OrderID, owner: try row[1] as Ordering.OrderID,
                line: try Ordering.Line(json: row[2] as [UInt8])
            )
        }
        guard let known else { return nil }
        guard known.ordered == ask.order, known.line.base == ask.base, Set(known.line.extras) == Set(ask.extras),
            let order = try find(known.owner, in: transaction), order.customer == ask.customer
        else { throw Fault(.orderIDReused) }
        return order
    }

    /// - Throws: `ordering.order_not_found`, `ordering.order_not_open`.
    package func discard(
        _ ask: Ordering.DiscardOrder, at now: Timestamp
    ) async throws(Fault) -> (order: Order, replayed: Bool) {
        try await store.write { transaction in
            guard var order = try Self.find(ask.order, in: transaction), order.customer == ask.customer else {
                throw Fault(.orderNotFound)
            }
            if order.state == .closed, order.successor == nil { return (order, true) }
            guard order.state == .open else {
                throw Fault(.orderNotOpen, order.successor.map { "its items are in the order \($0.hex)" })
            }
            try transaction.run("UPDATE orders SET state = 'closed', closed = ? WHERE id = ?", now, order.id)
            order.state = .closed
            return (order, false)
        }
    }

    /// Records that an order's payment is about to be asked for, or returns it as it is paid. Fact: `OrderPlaced`.
    ///
    /// - Parameters:
    ///   - currency: in which cards pay.
    ///   - settles: when the payment's outcome is found out, if nobody has learnt it before.
    /// - Throws: `ordering.order_not_found`, `ordering.order_closed`, `ordering.order_empty`,
    ///   `ordering.total_changed`, `wallet.currency_mismatch`.
    package func place(
        _ ask: Ordering.PayOrder, in currency: Currency, settles: Timestamp, at now: Timestamp,
        because context: AskContext
    ) async throws(Fault) -> Order {
        try await store.write { transaction in
            guard var order = try Self.find(ask.order, in: transaction), order.customer == ask.customer else {
                throw Fault(.orderNotFound)
            }
            guard order.state != .closed else { throw Self.closed(order) }
            guard !order.lines.isEmpty else { throw Fault(.orderEmpty) }
            guard order.total == ask.total else {
                throw Fault(
                    .totalChanged,
                    order.isPaid
                        ? "the order was paid with \(order.total.display); this request moved no money"
                        : "the total is \(order.total.display)")
            }
            if order.isPaid { return order }
            guard order.total.currency == currency else {
                throw Fault(
                    .currencyMismatch,
                    "cards pay in \(currency.code), and nothing is converted; no money was moved. Discard the order, and "
                        + "begin one in a country with that currency")
            }
            try transaction.run("UPDATE orders SET state = 'paying', settles = ? WHERE id = ?", settles, order.id)
            if order.state == .open {
                try transaction.publish(
                    Ordering.OrderPlaced(
                        order: order.id, merchant: order.merchant, customer: order.customer, total: order.total,
                        time: now), at: now, because: context)
            }
            order.state = .paying
            return order
        }
    }

    private static func closed(_ order: Order) -> Fault {
        let items = order.successor.map { "; its items are in the order \($0.hex)" } ?? ""
        return Fault(.orderClosed, "no money was moved under this order\(items)")
    }

    /// Records a payment. Fact: `OrderPaid`, the first time.
    ///
    /// - Throws: `ordering.order_not_found`, `ordering.order_closed`.
    package func pay(
        _ id: Ordering.OrderID, entry: Int64, at time: Timestamp, because context: AskContext
    ) async throws(Fault) -> (order: Order, replayed: Bool) {
        try await store.write { transaction in
            guard var order = try Self.find(id, in: transaction) else { throw Fault(.orderNotFound) }
            if order.isPaid { return (order, true) }
            guard order.state == .paying else { throw Fault(.orderClosed) }
            let number: Int64 =
                1 + (try transaction.value("SELECT max(number) FROM orders WHERE merchant = ?", order.merchant) ?? 0)
            try transaction.run(
                "UPDATE orders SET state = 'paid', settles = NULL, number = ?, paid = ?, entry = ? WHERE id = ?",
                number, time, entry, id)
            try transaction.publish(
                Ordering.OrderPaid(
                    order: id, number: number, merchant: order.merchant, merchantName: order.merchantName,
                    customer: order.customer, customerName: order.customerName, total: order.total,
                    summary: order.summary(bytesMax: Self.summaryBytesMax), entry: entry, time: time), at: time,
                because: context)
            order.state = .paid
            (order.number, order.paid, order.entry) = (number, time, entry)
            return (order, false)
        }
    }

    /// In a fact.
    private static let summaryBytesMax = 2000

    /// Closes an order whose payment can never be made. Its items are in a new open order then.
    ///
    /// - Returns: the order that has the items now.
    @discardableResult
    package func renew(
        _ id: Ordering.OrderID, as successor: Ordering.OrderID, at now: Timestamp
    ) async throws(Fault) -> Ordering.OrderID? {
        try await store.write { transaction in
            guard let order = try Self.find(id, in: transaction) else { return nil }
            guard order.state == .paying else { return order.successor }
            try transaction.run(
                "UPDATE orders SET state = 'closed', closed = ?, settles = NULL, successor = ? WHERE id = ?", now,
                successor, id)
            try Self.insert(
                Order(
                    id: successor, customer: order.customer, customerName: order.customerName,
                    merchant: order.merchant, merchantName: order.merchantName, country: order.country, begun: now),
                in: transaction)
            try transaction.run("UPDATE items SET owner = ? WHERE owner = ?", successor, id)
            return successor
        }
    }

    /// Fact: `OrderFinished`, the first time.
    ///
    /// - Parameter tells: whether the fact is published: an order that was paid back in full only leaves the list.
    /// - Throws: `ordering.order_not_found`, also for another merchant's order; `ordering.order_not_paid`.
    package func finish(
        _ ask: Ordering.FinishOrder, tells: Bool = true, at now: Timestamp, because context: AskContext
    ) async throws(Fault) -> (order: Order, replayed: Bool) {
        try await store.write { transaction in
            guard var order = try Self.find(ask.order, in: transaction), order.merchant == ask.merchant else {
                throw Fault(.orderNotFound)
            }
            if order.state == .ready { return (order, true) }
            guard order.state == .paid, let number = order.number else { throw Fault(.orderNotPaid) }
            try transaction.run("UPDATE orders SET state = 'ready', ready = ? WHERE id = ?", now, order.id)
            if tells {
                try transaction.publish(
                    Ordering.OrderFinished(
                        order: order.id, number: number, merchant: order.merchant, merchantName: order.merchantName,
                        customer: order.customer, time: now), at: now, because: context)
            }
            order.state = .ready
            order.ready = now
            return (order, false)
        }
    }

    /// Deletes some of the orders that were closed before `end`, with their items. No money was moved under them, and
    /// none can be. One of an older version, which did not keep when it was closed, counts as closed now.
    ///
    /// - Returns: whether more are left.
    package func drop(closedBefore end: Timestamp, at now: Timestamp) async throws(Fault) -> Bool {
        let old = "SELECT id FROM orders WHERE state = 'closed' AND closed < ?"
        let undated = "SELECT id FROM orders WHERE state = 'closed' AND closed IS NULL"
        let isAny = try await store.read { try $0.value("SELECT EXISTS (\(old)) OR EXISTS (\(undated))", end) == true }
        guard isAny else { return false }
        return try await store.write { transaction in
            let some = "LIMIT \(Self.dropMax)"
            let dated = try transaction.run("UPDATE orders SET closed = ? WHERE id IN (\(undated) \(some))", now)
            let orders: [Ordering.OrderID] = try transaction.values("\(old) \(some)", end)
            for order in orders {
                try transaction.run("DELETE FROM items WHERE owner = ?", order)
                try transaction.run("DELETE FROM orders WHERE id = ?", order)
            }
            return [dated, orders.count].contains(Self.dropMax)
        }
    }

    /// Orders that one transaction deletes.
    private static let dropMax = 500

    private static func insert(_ order: Order, in transaction: Transaction) throws {
        try transaction.run(
            """
            INSERT INTO orders (id, customer, customer_name, merchant, merchant_name, country, state, begun)
            VALUES (?, ?, ?, ?, ?, ?, 'open', ?)
            """, order.id, order.customer, order.customerName, order.merchant, order.merchantName, order.country.json,
            order.begun)
    }
}
