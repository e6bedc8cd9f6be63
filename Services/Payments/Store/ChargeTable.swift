import Bus
import Contracts
import Primitives
import Storage

/// The table of charges with its indexes of ids and histories (ADR 32, 34). Most of this service's work for a payment
/// is here.
///
/// `@unchecked`: used inside the store's transactions only, which let one thread in at a time.
final class ChargeTable: @unchecked Sendable {
    private let insert, update, select, selectMany, selectNewest: Statement
    private let selectLink, selectWalk, updateLink, updateFormerLink, updateLinks, insertFormer: Statement
    /// The row of each charge.
    private let rows: KeyIndex
    /// The row of each party's newest charge.
    private let parties: KeyIndex
    /// The requests of each party.
    let requests: RequestIndex
    /// The newest row, within a piece of work; to be read from the table where that is not known.
    private(set) var newest: Int64 = 0
    private var isNewestKnown = false
    /// Rows that the current piece of work has added.
    private var added = 0

    static let columns = """
        row, id, state, merchant, customer, amount, currency, memo, requested, expires, decided, card, card_balance, entry,
        refunded, coupon, discount, place, place_metres, place_time, merchant_name
        """

    /// The index of the first column that a statement reads behind those of a charge.
    private static let behindColumns = columns.split(separator: ",").count

    /// - Parameter rowsAheadMax: see `KeysAhead.placesMax`.
    init(_ transaction: Transaction, rowsAheadMax: Int = KeysAhead.placesMax) throws {
        insert = try transaction.prepare(
            """
            INSERT INTO charges (\(Self.columns), customer_before, merchant_before)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        update = try transaction.prepare(
            """
            UPDATE charges SET state = ?, merchant = ?, customer = ?, amount = ?, currency = ?, memo = ?, decided = ?,
                card = ?, card_balance = ?, entry = ?, refunded = ?, coupon = ?, discount = ?, merchant_name = ?
            WHERE row = ?
            """)
        select = try transaction.prepare("SELECT \(Self.columns) FROM charges WHERE row = ?")
        selectMany = try transaction.prepare(
            "SELECT \(Self.columns) FROM charges WHERE row IN (\(Statement.placeholders))")
        selectNewest = try transaction.prepare("SELECT max(row) FROM charges")

        let link = """
            CASE WHEN customer = ?1 THEN customer_before WHEN merchant = ?1 THEN merchant_before
                ELSE (SELECT before FROM former_parties WHERE charge = charges.row AND party = ?1) END
            """
        selectLink = try transaction.prepare("SELECT \(link) FROM charges WHERE row = ?2")
        // One statement for many rows, each of which would be a round trip to a server.
        selectWalk = try transaction.prepare(
            """
            WITH RECURSIVE walk (here, older, step) AS (
                SELECT row, \(link), 1 FROM charges WHERE row = ?2
                UNION ALL
                SELECT row, \(link), step + 1 FROM walk JOIN charges ON row = older WHERE step < ?3
            )
            SELECT \(Self.columns), older FROM walk JOIN charges ON row = here ORDER BY step
            """)
        updateLink = try transaction.prepare(
            """
            UPDATE charges SET customer_before = CASE WHEN customer = ?1 THEN ?3 ELSE customer_before END,
                merchant_before = CASE WHEN merchant = ?1 AND customer <> ?1 THEN ?3 ELSE merchant_before END
            WHERE row = ?2
            """)
        updateFormerLink = try transaction.prepare(
            "UPDATE former_parties SET before = ?3 WHERE party = ?1 AND charge = ?2")
        updateLinks = try transaction.prepare(
            "UPDATE charges SET customer_before = ?, merchant_before = ? WHERE row = ?")
        insertFormer = try transaction.prepare("INSERT INTO former_parties (charge, party, before) VALUES (?, ?, ?)")

        rows = try KeyIndex(ChargeMigrations.rows, transaction, placesMax: rowsAheadMax)
        parties = try KeyIndex(ChargeMigrations.parties, transaction, placesMax: rowsAheadMax)
        requests = try RequestIndex(transaction, rowsMax: rowsAheadMax)
    }

    // MARK: A piece of work

    /// Call it before the changes of a piece of work, so that the indexes know the rows before them.
    func begin() throws {
        for index in [rows, parties] { try index.begin() }
        try requests.begin()
        if !isNewestKnown { newest = try selectNewest.first { $0.int64(0) } ?? 0 }
        isNewestKnown = true
        added = 0
    }

    /// Looks up what events need, many with one statement.
    func prefetch(_ events: [Charge.Event]) throws {
        try rows.prefetch(events.map { $0.charge.reinterpreted() })
        try parties.prefetch(
            events.flatMap { event -> [KeyIndex.Key] in
                guard case .captured(let posted) = event else { return [] }
                return [posted.customer.reinterpreted(), posted.merchant.reinterpreted()]
            })
    }

    /// Writes the changes by an event.
    ///
    /// - Parameter row: the charge's row.
    func write(
        _ changes: [Charge.Change], to row: Int64?, in transaction: Transaction, because context: AskContext
    ) throws {
        for change in changes {
            switch change {
            case .insert(let charge): try add(charge)
            case .update(let charge, from: let known):
                guard let row else { throw StoreFailure.damaged("a charge without a row") }
                try write(charge, from: known, in: row)
            case .publish(let fact, at: let time): try transaction.publish(fact, at: time, because: context)
            }
        }
    }

    /// Call it after the last change.
    ///
    /// - Parameter pause: called between rows of the indexes, so that others can run.
    func finish(pausing pause: () -> Void = {}) throws {
        guard added > 0 else { return }
        // Each has two parties.
        for (index, keys) in [(rows, added), (parties, 2 * added)] {
            let due = try index.due(with: keys)
            try index.write(due, pausing: pause)
            index.written(due)
        }
        try requests.settle(after: added, newest: newest)
    }

    /// Call it after a rollback.
    func undone(_ extent: Undone) {
        for index in [rows, parties] where extent == .group || index.hasChanged { index.forget() }
        requests.undone(extent)
        isNewestKnown = false
    }

    // MARK: Charges

    func find(_ id: ChargeID) throws -> (row: Int64, charge: Charge)? {
        guard let row = try rows.place(of: id.reinterpreted()) else { return nil }
        guard let charge = try charge(in: row), charge.id == id else {
            throw StoreFailure.damaged("the index of charges")
        }
        return (row, charge)
    }

    func charge(in row: Int64) throws -> Charge? { try select.bind(row).first(Charge.init) }

    /// Rows of a history that are read at a time.
    static let readMax = Statement.keysMax

    /// The charges in some rows, by row.
    func charges(in rows: some Collection<Int64>) throws -> [Int64: Charge] {
        var found: [Int64: Charge] = [:]
        try selectMany.each(of: rows) { found[$0.int64(0)] = try Charge($0) }
        return found
    }

    /// Adds a row for a charge, after the newest row.
    private func add(_ charge: Charge) throws {
        let before = try newestRow(of: charge.customer)
        let merchantBefore = charge.merchant == charge.customer ? 0 : try newestRow(of: charge.merchant)
        newest += 1
        added += 1
        try insert.bind(newest).bind(charge.id).bind(charge.state.stored).bind(charge.merchant).bind(charge.customer)
            .bind(charge.amount.amount).bind(charge.amount.currency.code).bind(charge.memo)
            .bind(charge.requested.milliseconds).bind(charge.expires?.milliseconds).bind(charge.decided?.milliseconds)
            .bind(charge.card).bind(charge.cardBalance?.amount).bind(charge.entry).bind(charge.refunded.amount)
            .bind(charge.coupon).bind(charge.discount?.amount).bind(charge.presence?.place)
            .bind(charge.presence?.distanceMetres).bind(charge.presence?.time.milliseconds)
            .bind(charge.merchantName).bind(before).bind(merchantBefore).postRow()
        rows.add(charge.id.reinterpreted(), at: newest)
        parties.add(charge.customer.reinterpreted(), at: newest)
        parties.add(charge.merchant.reinterpreted(), at: newest)
        try requests.note(charge, before: nil, in: newest)
    }

    private func write(_ charge: Charge, from known: Charge, in row: Int64) throws {
        if known.customer != charge.customer || known.merchant != charge.merchant {
            try relink(row, from: known, to: charge)
        }
        try update.bind(charge.state.stored).bind(charge.merchant).bind(charge.customer)
            .bind(charge.amount.amount).bind(charge.amount.currency.code).bind(charge.memo)
            .bind(charge.decided?.milliseconds).bind(charge.card).bind(charge.cardBalance?.amount).bind(charge.entry)
            .bind(charge.refunded.amount).bind(charge.coupon).bind(charge.discount?.amount).bind(charge.merchantName)
            .bind(row).post()
        try requests.note(charge, before: known, in: row)
    }

    // MARK: Histories

    /// The row of a party's newest charge; 0 if there is none.
    func newestRow(of party: PartyID) throws -> Int64 { try parties.place(of: party.reinterpreted()) ?? 0 }

    /// The previous row in a party's history, 0 for none; nil for a row that is not in the history.
    func link(of party: PartyID, in row: Int64) throws -> Int64? {
        try selectLink.bind(party).bind(row).first { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
    }

    /// A row of a party's history.
    struct Step {
        let row: Int64
        let charge: Charge
        /// The previous row, 0 for none; nil where this one is not in the history.
        let older: Int64?
    }

    /// Rows of a party's history, this one and those before it, newest first: at most so many, and fewer only at the
    /// history's end or where it is damaged.
    func walk(of party: PartyID, from row: Int64, limit: Int) throws -> [Step] {
        var steps: [Step] = []
        let link = Self.behindColumns
        try selectWalk.bind(party).bind(row).bind(Int64(limit)).each { row in
            let older = row.isNull(link) ? nil : row.int64(link)
            steps.append(Step(row: row.int64(0), charge: try Charge(row), older: older))
            return true
        }
        return steps
    }

    /// Moves a charge whose payment has other parties than its request. It stays in the old histories, where it is no
    /// longer shown, and is added to the new ones.
    private func relink(_ row: Int64, from known: Charge, to charge: Charge) throws {
        let former = Set([known.customer, known.merchant])
        let parties = Set([charge.customer, charge.merchant])
        var links: [PartyID: Int64] = [:]
        for party in former { links[party] = try link(of: party, in: row) ?? 0 }
        for party in former.subtracting(parties) {
            try insertFormer.bind(row).bind(party).bind(links[party] ?? 0).post()
        }
        for party in parties.subtracting(former) { links[party] = try join(party, row) }
        try updateLinks.bind(links[charge.customer] ?? 0)
            .bind(charge.merchant == charge.customer ? 0 : links[charge.merchant] ?? 0).bind(row).post()
    }

    /// Adds an existing row to a party's history, right after the newest one, which may be newer.
    ///
    /// - Returns: the previous row in that history.
    private func join(_ party: PartyID, _ row: Int64) throws -> Int64 {
        let newest = try newestRow(of: party)
        guard newest != row else { throw StoreFailure.damaged("a history") }
        guard newest > row else {
            try parties.put(party.reinterpreted(), at: row)
            return newest
        }
        guard let before = try link(of: party, in: newest) else { throw StoreFailure.damaged("a history") }
        try updateLink.bind(party).bind(newest).bind(row).post()
        try updateFormerLink.bind(party).bind(newest).bind(row).post()
        return before
    }
}

extension Charge {
    /// Reads a row that begins with `ChargeTable.columns`.
    init(_ row: Row) throws {
        guard let state = Payments.ChargeState(stored: row.int64(2)) else { throw row.damage(2) }
        let currency: Currency = try row[6]
        var presence: Location.Presence?
        if let place = try row[17] as PlaceID?, let time = try row[19] as Timestamp? {
            presence = Location.Presence(place: place, distanceMetres: try row[18], time: time)
        }
        self.init(
            id: try row.id(1), merchant: try row.id(3), customer: try row.id(4), amount: Money(row.int64(5), currency),
            memo: row.text(7), requested: try row[8], expires: try row[9], state: state, decided: try row[10],
            card: try row[11], cardBalance: (try row[12] as Int64?).map { Money($0, currency) }, entry: try row[13],
            refunded: Money(row.int64(14), currency), presence: presence, coupon: try row[15],
            discount: (try row[16] as Int64?).map { Money($0, currency) }, merchantName: try row[20])
    }
}

extension Payments.ChargeState {
    /// The number in the file. None is ever reused.
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
