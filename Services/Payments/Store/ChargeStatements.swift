import Bus
import Contracts
import Primitives
import Storage

import class GRDB.Database

/// The rows before a charge's in the histories of its parties (ADR 34).
struct HistoryLinks {
    /// 0 where there is none.
    var customer: Int64 = 0
    /// The same; 0 for a merchant who is the customer.
    var merchant: Int64 = 0
}

/// The statements of the projection, straight on SQLite: most of what a payment costs this service.
///
/// `@unchecked`: used inside the store's queue only, which lets one thread in at a time.
final class ChargeStatements: @unchecked Sendable {
    private let insertCharge, updateCharge, updateCoupon, updatePresence, updateName, selectKnown,
        lastRow: SQLiteStatement
    private let selectLink, updateLink, updateFormerLink, updateLinks, insertFormer: SQLiteStatement
    private let insertFact, headFact: SQLiteStatement
    /// In which row each charge is.
    private let rows: KeyIndex
    /// In which row the newest charge of each party is.
    private let parties: KeyIndex

    /// - Parameter rowsAheadMax: see `KeysAhead.placesMax`.
    init(_ database: Database, rowsAheadMax: Int = KeysAhead.placesMax) throws {
        guard let connection = database.sqliteConnection else { throw StoreFailure.broken("not open") }
        func prepare(_ sql: String) throws(StoreFailure) -> SQLiteStatement { try SQLiteStatement(connection, sql) }
        insertCharge = try prepare(
            """
            INSERT INTO charges (row, id, state, merchant, customer, amount, currency, memo, requested, expires, decided,
                card, card_balance, entry, customer_before, merchant_before)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        updateCharge = try prepare(
            """
            UPDATE charges SET state = ?, merchant = ?, merchant_name = iif(merchant = ?2, merchant_name, NULL),
                customer = ?, amount = ?, currency = ?, memo = ?, decided = ?, card = ?, card_balance = ?, entry = ?
            WHERE row = ?
            """)
        updateCoupon = try prepare("UPDATE charges SET coupon = ?, discount = ? WHERE row = ?")
        updatePresence = try prepare("UPDATE charges SET place = ?, place_metres = ?, place_time = ? WHERE row = ?")
        updateName = try prepare("UPDATE charges SET merchant_name = ? WHERE row = ?")
        selectKnown = try prepare(
            """
            SELECT merchant, customer, amount, currency, expires, discount, customer_before, merchant_before
            FROM charges WHERE row = ?
            """)
        lastRow = try prepare("SELECT max(row) FROM charges")

        selectLink = try prepare(
            """
            SELECT CASE ?1 WHEN customer THEN customer_before WHEN merchant THEN merchant_before
                ELSE (SELECT before FROM former_parties WHERE charge = row AND party = ?1) END
            FROM charges WHERE row = ?2
            """)
        updateLink = try prepare(
            """
            UPDATE charges SET customer_before = iif(customer = ?1, ?3, customer_before),
                merchant_before = iif(merchant = ?1 AND customer <> ?1, ?3, merchant_before) WHERE row = ?2
            """)
        updateFormerLink = try prepare("UPDATE former_parties SET before = ?3 WHERE party = ?1 AND charge = ?2")
        updateLinks = try prepare("UPDATE charges SET customer_before = ?, merchant_before = ? WHERE row = ?")
        insertFormer = try prepare("INSERT INTO former_parties (charge, party, before) VALUES (?, ?, ?)")

        insertFact = try prepare("INSERT INTO facts (sequence, envelope) VALUES (?, ?)")
        headFact = try prepare("SELECT max(sequence) FROM facts")

        rows = try KeyIndex(ChargeMigrations.rows, connection, placesMax: rowsAheadMax)
        parties = try KeyIndex(ChargeMigrations.parties, connection, placesMax: rowsAheadMax)
    }

    // MARK: Charges

    /// The newest row; 0 before the first.
    func newestRow() throws -> Int64 { try lastRow.first { $0.int64(0) } ?? 0 }

    /// The row of a charge; nil before it has one.
    func row(of charge: ChargeID) throws -> Int64? { try rows.place(of: charge.reinterpreted()) }

    /// To be called before the changes of a piece of work, so that what is known of rows is from before them.
    func begin() throws {
        for index in [rows, parties] { try index.begin() }
    }

    /// What a piece of work changed does not stay, or what all of its group did.
    func undone(_ extent: GroupCommitter.Undone) {
        for index in [rows, parties] where extent == .group || index.hasChanged { index.forget() }
    }

    /// Goes on with the indexes of rows, in a transaction that has added so many.
    ///
    /// - Parameter pause: called between rows of the indexes.
    func indexRows(added count: Int, pausing pause: () -> Void) throws {
        // Each has two parties.
        for (index, keys) in [(rows, count), (parties, 2 * count)] {
            let due = try index.due(with: keys)
            try index.write(due, pausing: pause)
            index.written(due)
        }
    }

    /// For a charge that has no row, behind the newest one.
    func insert(_ charge: Charge, as row: Int64, _ links: HistoryLinks) throws {
        try insertCharge.bind(row).bind(charge.id).bind(charge.state.stored).bind(charge.merchant).bind(charge.customer)
            .bind(charge.amount.amount).bind(charge.amount.currency.code).bind(charge.memo)
            .bind(charge.requested.milliseconds).bind(charge.expires?.milliseconds).bind(charge.decided?.milliseconds)
            .bind(charge.card).bind(charge.cardBalance?.amount).bind(charge.entry)
            .bind(links.customer).bind(links.merchant).run()
        rows.add(charge.id.reinterpreted(), at: row)
        parties.add(charge.customer.reinterpreted(), at: row)
        parties.add(charge.merchant.reinterpreted(), at: row)
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

    func setMerchantName(of charge: Charge, in row: Int64) throws {
        try updateName.bind(charge.merchantName).bind(row).run()
    }

    /// What was on record of a charge before it was captured.
    struct Known {
        let merchant: PartyID
        let customer: PartyID
        let asked: Int64
        let currency: String
        let wasRequested: Bool
        let links: HistoryLinks
    }

    func known(in row: Int64) throws -> Known? {
        try selectKnown.bind(row).first { row in
            Known(
                merchant: try row.id(0), customer: try row.id(1),
                asked: row.int64(2) + (row.isNull(5) ? 0 : row.int64(5)), currency: row.text(3),
                wasRequested: !row.isNull(4), links: HistoryLinks(customer: row.int64(6), merchant: row.int64(7)))
        }
    }

    // MARK: Histories

    /// The row of a party's newest charge; 0 before the first.
    func newestRow(of party: PartyID) throws -> Int64 { try parties.place(of: party.reinterpreted()) ?? 0 }

    /// Makes a row the newest one of a party that it did not have before, and that has no newer one.
    func setNewestRow(of party: PartyID, to row: Int64) throws { try parties.put(party.reinterpreted(), at: row) }

    /// The row before in a party's history, 0 where there is none; nil for a row that is not in it.
    func link(of party: PartyID, in row: Int64) throws -> Int64? {
        try selectLink.bind(party).bind(row).first { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
    }

    /// For a row that is in the party's history.
    func setLink(of party: PartyID, in row: Int64, to before: Int64) throws {
        try updateLink.bind(party).bind(row).bind(before).run()
        try updateFormerLink.bind(party).bind(row).bind(before).run()
    }

    func setLinks(in row: Int64, to links: HistoryLinks) throws {
        try updateLinks.bind(links.customer).bind(links.merchant).bind(row).run()
    }

    /// Leaves a row in the history of one who is no party any more.
    func addFormer(_ party: PartyID, in row: Int64, before: Int64) throws {
        try insertFormer.bind(row).bind(party).bind(before).run()
    }

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
