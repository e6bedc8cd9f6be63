import Bus
import Contracts
import Primitives
import Storage

import class GRDB.Database

/// The statements of the projection, straight on SQLite: most of what a payment costs this service.
///
/// `@unchecked`: used inside the store's queue only, which lets one thread in at a time.
final class ChargeStatements: @unchecked Sendable {
    private let insertCharge, updateCharge, updateCoupon, updatePresence, selectKnown, lastRow: SQLiteStatement
    private let insertNode, lastNode, selectNewest, updateNewest: SQLiteStatement
    private let insertFact, headFact: SQLiteStatement
    /// In which row each charge is.
    private let rows: KeyIndex

    /// - Parameter rowsAheadMax: see `KeysAhead.keysMax`.
    init(_ database: Database, rowsAheadMax: Int = KeysAhead.keysMax) throws {
        guard let connection = database.sqliteConnection else { throw StoreFailure.broken("not open") }
        func prepare(_ sql: String) throws(StoreFailure) -> SQLiteStatement { try SQLiteStatement(connection, sql) }
        insertCharge = try prepare(
            """
            INSERT INTO charges (row, id, state, merchant, customer, amount, currency, memo, requested, expires, decided,
                card, card_balance, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        updateCharge = try prepare(
            """
            UPDATE charges SET state = ?, merchant = ?, customer = ?, amount = ?, currency = ?, memo = ?, decided = ?,
                card = ?, card_balance = ?, entry = ? WHERE row = ?
            """)
        updateCoupon = try prepare("UPDATE charges SET coupon = ?, discount = ? WHERE row = ?")
        updatePresence = try prepare("UPDATE charges SET place = ?, place_metres = ?, place_time = ? WHERE row = ?")
        selectKnown = try prepare(
            "SELECT merchant, customer, amount, currency, expires, discount FROM charges WHERE row = ?")
        lastRow = try prepare("SELECT max(row) FROM charges")

        insertNode = try prepare("INSERT INTO history (node, charge, previous) VALUES (?, ?, ?)")
        lastNode = try prepare("SELECT max(node) FROM history")
        selectNewest = try prepare("SELECT newest FROM parties WHERE party = ?")
        updateNewest = try prepare(
            """
            INSERT INTO parties (party, newest) VALUES (?, ?) ON CONFLICT (party) DO UPDATE SET newest = excluded.newest
            """)

        insertFact = try prepare("INSERT INTO facts (sequence, envelope) VALUES (?, ?)")
        headFact = try prepare("SELECT max(sequence) FROM facts")

        rows = try KeyIndex(ChargeMigrations.rows, connection, keysMax: rowsAheadMax)
    }

    // MARK: Charges

    /// The newest row; 0 before the first.
    func newestRow() throws -> Int64 { try lastRow.first { $0.int64(0) } ?? 0 }

    /// The row of a charge; nil before it has one. The row may be gone again with a transaction that failed.
    func row(of charge: ChargeID) throws -> Int64? { try rows.place(of: charge.reinterpreted()) }

    /// To be called before rows are added: what was added in a transaction that failed is forgotten.
    func rowsEnd(at newest: Int64) { rows.forget(unlessThrough: newest) }

    /// Goes on with the index of rows, in a transaction that has added so many.
    func indexRows(added count: Int) throws {
        let due = try rows.due(with: count)
        try rows.write(due)
        rows.written(due)
    }

    /// For a charge that has no row, behind the newest one.
    func insert(_ charge: Charge, as row: Int64) throws {
        try insertCharge.bind(row).bind(charge.id).bind(charge.state.stored).bind(charge.merchant).bind(charge.customer)
            .bind(charge.amount.amount).bind(charge.amount.currency.code).bind(charge.memo)
            .bind(charge.requested.milliseconds).bind(charge.expires?.milliseconds).bind(charge.decided?.milliseconds)
            .bind(charge.card).bind(charge.cardBalance?.amount).bind(charge.entry).run()
        rows.add(charge.id.reinterpreted(), at: row)
    }

    /// The charge as it was decided. What was paid stands, whatever was requested under the same id; the times of the
    /// request stay.
    func update(_ charge: Charge, in row: Int64) throws {
        try updateCharge.bind(charge.state.stored).bind(charge.merchant).bind(charge.customer)
            .bind(charge.amount.amount).bind(charge.amount.currency.code).bind(charge.memo)
            .bind(charge.decided?.milliseconds).bind(charge.card).bind(charge.cardBalance?.amount).bind(charge.entry)
            .bind(row).run()
    }

    /// The coupon of a charge, which few have: a payment without costs nothing for it.
    func setCoupon(of charge: Charge, in row: Int64) throws {
        try updateCoupon.bind(charge.coupon).bind(charge.discount?.amount).bind(row).run()
    }

    func setPresence(of charge: Charge, in row: Int64) throws {
        try updatePresence.bind(charge.presence?.place).bind(charge.presence?.distanceMetres)
            .bind(charge.presence?.time.milliseconds).bind(row).run()
    }

    /// What was on record of a charge before it was captured.
    struct Known {
        let merchant: PartyID
        let customer: PartyID
        let asked: Int64
        let currency: String
        let wasRequested: Bool
    }

    func known(in row: Int64) throws -> Known? {
        try selectKnown.bind(row).first { row in
            Known(
                merchant: try row.id(0), customer: try row.id(1),
                asked: row.int64(2) + (row.isNull(5) ? 0 : row.int64(5)), currency: row.text(3),
                wasRequested: !row.isNull(4))
        }
    }

    // MARK: History

    /// The newest node; 0 before the first.
    func newestNode() throws -> Int64 { try lastNode.first { $0.int64(0) } ?? 0 }

    func insert(node: Int64, of row: Int64, behind previous: Int64) throws {
        try insertNode.bind(node).bind(row).bind(previous).run()
    }

    /// A party's newest node; 0 before the first.
    func newestNode(of party: PartyID) throws -> Int64 { try selectNewest.bind(party).first { $0.int64(0) } ?? 0 }

    func setNewestNode(of party: PartyID, to node: Int64) throws { try updateNewest.bind(party).bind(node).run() }

    // MARK: Facts

    /// The newest fact's sequence; 0 before the first.
    func headSequence() throws -> Int64 { try headFact.first { $0.int64(0) } ?? 0 }

    func append(_ fact: [UInt8], as sequence: Int64) throws { try insertFact.bind(sequence).bind(fact).run() }
}

extension Payments.ChargeState {
    /// The number in the file; never given to another state.
    var stored: Int64 {
        switch self {
        case .requested: 0
        case .captured: 1
        case .declined: 2
        case .cancelled: 3
        case .expired: 4
        }
    }

    init?(stored: Int64) {
        guard let state = Self.allCases.first(where: { $0.stored == stored }) else { return nil }
        self = state
    }
}
