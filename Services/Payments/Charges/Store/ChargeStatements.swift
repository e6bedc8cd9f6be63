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

    init(_ database: Database) throws {
        guard let connection = database.sqliteConnection else { throw StoreFailure.broken("not open") }
        func prepare(_ sql: String) throws(StoreFailure) -> SQLiteStatement { try SQLiteStatement(connection, sql) }
        insertCharge = try prepare(
            """
            INSERT INTO charges (row, id, state, merchant, customer, amount, currency, memo, requested, expires, decided,
                card, card_balance, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING
            """)
        updateCharge = try prepare(
            """
            UPDATE charges SET state = ?, merchant = ?, customer = ?, amount = ?, currency = ?, memo = ?, decided = ?,
                card = ?, card_balance = ?, entry = ? WHERE id = ?
            """)
        updateCoupon = try prepare("UPDATE charges SET coupon = ?, discount = ? WHERE id = ?")
        updatePresence = try prepare("UPDATE charges SET place = ?, place_metres = ?, place_time = ? WHERE id = ?")
        selectKnown = try prepare(
            "SELECT row, merchant, customer, amount, currency, expires, discount FROM charges WHERE id = ?")
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
    }

    // MARK: Charges

    /// The newest row; 0 before the first.
    func newestRow() throws -> Int64 { try lastRow.first { $0.int64(0) } ?? 0 }

    /// - Returns: false, and nothing written, when there is a charge of that id.
    func insert(_ charge: Charge, as row: Int64) throws -> Bool {
        try insertCharge.bind(row).bind(charge.id).bind(charge.state.stored).bind(charge.merchant).bind(charge.customer)
            .bind(charge.amount.amount).bind(charge.amount.currency.code).bind(charge.memo)
            .bind(charge.requested.milliseconds).bind(charge.expires?.milliseconds).bind(charge.decided?.milliseconds)
            .bind(charge.card).bind(charge.cardBalance?.amount).bind(charge.entry).runCounting() == 1
    }

    /// The charge as it was decided. What was paid stands, whatever was requested under the same id; the times of the
    /// request stay.
    func update(_ charge: Charge) throws {
        try updateCharge.bind(charge.state.stored).bind(charge.merchant).bind(charge.customer)
            .bind(charge.amount.amount).bind(charge.amount.currency.code).bind(charge.memo)
            .bind(charge.decided?.milliseconds).bind(charge.card).bind(charge.cardBalance?.amount).bind(charge.entry)
            .bind(charge.id).run()
    }

    /// The coupon of a charge, which few have: a payment without costs nothing for it.
    func setCoupon(of charge: Charge) throws {
        try updateCoupon.bind(charge.coupon).bind(charge.discount?.amount).bind(charge.id).run()
    }

    func setPresence(of charge: Charge) throws {
        try updatePresence.bind(charge.presence?.place).bind(charge.presence?.distanceMetres)
            .bind(charge.presence?.time.milliseconds).bind(charge.id).run()
    }

    /// What was on record of a charge before it was captured.
    struct Known {
        let row: Int64
        let merchant: PartyID
        let customer: PartyID
        let asked: Int64
        let currency: String
        let wasRequested: Bool
    }

    func known(_ charge: ChargeID) throws -> Known? {
        try selectKnown.bind(charge).first { row in
            Known(
                row: row.int64(0), merchant: try row.id(1), customer: try row.id(2),
                asked: row.int64(3) + (row.isNull(6) ? 0 : row.int64(6)), currency: row.text(4),
                wasRequested: !row.isNull(5))
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
