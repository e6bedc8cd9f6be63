import Contracts
import Primitives
import Storage

/// The places of requested charges in the histories of their parties, which are in the order of decisions (ADR 50).
///
/// A request that waits, and one that was decided lately, is in memory, and read from its own row when that is not
/// known any more; a table has the others. Their rows are written in rounds, party by party, so that neighbours share
/// the writing of a page.
///
/// One connection owns it, and one thread at a time uses it.
final class RequestIndex {
    /// Entries that a round writes for each charge that is added meanwhile.
    private static let pace = 4

    private struct Pair: Hashable {
        let customer, merchant: PartyID
    }

    private let rowsMax: Int64
    private let selectThrough, reach, selectWaiting, selectBehind, selectPlaces: Statement
    private let insert, delete, insertPaid, selectCancelled: Statement

    private var isKnown = false
    /// Something was noted or written since `begin`.
    private var hasChanged = false
    /// Requests that wait, by their parties, and the ends of those by both.
    private var waiting: [PartyID: HistoryPlaces] = [:]
    private var ends: [Pair: [Int64: Timestamp]] = [:]
    /// Decided requests in rows behind those of the round, and those of the round.
    private var gathering: [PartyID: HistoryPlaces] = [:]
    private var writing: [PartyID: HistoryPlaces] = [:]
    /// Parties of the round that are not written; of the first one, what is not above `written` is.
    private var round = KeysInOrder([])
    private var written: HistoryPlace?
    /// The row up to which the table has every decided request, and the one up to which it will when the round ends.
    private var through: Int64 = 0
    private var roundHead: Int64?

    init(_ transaction: Transaction, rowsMax: Int) throws {
        self.rowsMax = Int64(rowsMax)
        selectThrough = try transaction.prepare("SELECT through FROM requests_follow")
        reach = try transaction.prepare("UPDATE requests_follow SET through = ?")
        selectWaiting = try transaction.prepare(
            "SELECT row, customer, merchant, requested, expires FROM charges WHERE state = 0")
        selectBehind = try transaction.prepare(
            """
            SELECT row, customer, merchant, decided FROM charges
            WHERE row > ? AND expires IS NOT NULL AND decided IS NOT NULL ORDER BY row
            """)
        selectPlaces = try transaction.prepare(
            """
            SELECT moment, charge FROM requests
            WHERE party = ?1 AND moment <= ?2 AND (moment < ?2 OR charge < ?3)
            ORDER BY moment DESC, charge DESC LIMIT ?4
            """)
        insert = try transaction.prepare(
            "INSERT INTO requests (party, moment, charge) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
        delete = try transaction.prepare("DELETE FROM requests WHERE party = ? AND moment = ? AND charge = ?")
        insertPaid = try transaction.prepare(
            "INSERT INTO paid_requests (customer, merchant) VALUES (?, ?) ON CONFLICT DO NOTHING")
        selectCancelled = try transaction.prepare(
            """
            SELECT count(*), min(expires) FROM charges
            WHERE state = 3 AND customer = ? AND merchant = ? AND expires > ?
            """)
        try load()
    }

    // MARK: A piece of work

    /// Call it before the changes of a piece of work.
    func begin() throws {
        try load()
        hasChanged = false
    }

    /// Takes note of a request's new state, which is in its row.
    ///
    /// - Parameter known: the state before; nil for a new row.
    func note(_ charge: Charge, before known: Charge?, in row: Int64) throws {
        guard charge.expires != nil else { return }
        hasChanged = true
        if let known { try remove(known, in: row) }
        try add(charge, in: row)
        guard charge.state == .captured, known?.state != .captured else { return }
        try insertPaid.bind(charge.customer).bind(charge.merchant).post()
    }

    /// Writes some of what has gathered, with so many charges that were added. Call it after the last change.
    func settle(after added: Int, newest: Int64) throws {
        if roundHead == nil, newest - through >= rowsMax { beginRound(newest) }
        guard let head = roundHead else { return }
        hasChanged = true
        var rest = (added + 1) * Self.pace
        while rest > 0, let next = round.first(1).first {
            let party: PartyID = next.key.reinterpreted()
            let places = writing[party]?.after(written, limit: rest) ?? []
            for place in places { try put(party, place) }
            rest -= places.count
            written = places.last
            if rest > 0 {
                round.removeFirst(1)
                written = nil
            }
        }
        guard round.count == 0 else { return }
        try reach.bind(head).post()
        through = head
        roundHead = nil
        writing.removeAll(keepingCapacity: true)
    }

    /// Call it after a rollback.
    func undone(_ extent: Undone) {
        if extent == .group || hasChanged { isKnown = false }
    }

    // MARK: Reading

    /// Places of a party's requests in its history behind one, the newest first.
    func places(of party: PartyID, behind last: HistoryPlace?, limit: Int) throws -> [HistoryPlace] {
        try load()
        // What a round has written is in memory too until it ends.
        var found = Set<HistoryPlace>()
        for places in [waiting[party], gathering[party], writing[party]] {
            found.formUnion(places?.before(last, limit: limit) ?? [])
        }
        try selectPlaces.bind(party).bind(last?.moment.milliseconds ?? .max).bind(last?.row ?? .max).bind(Int64(limit))
            .each { row in
                found.insert(HistoryPlace(moment: Timestamp(milliseconds: row.int64(0)), row: row.int64(1)))
                return true
            }
        return Array(found.sorted(by: >).prefix(limit))
    }

    /// The same of the requests that wait, which memory has all of.
    func waitingPlaces(of party: PartyID, behind last: HistoryPlace?, limit: Int) throws -> [HistoryPlace] {
        try load()
        return waiting[party]?.before(last, limit: limit).reversed() ?? []
    }

    /// The number of a merchant's requests that wait for a customer, with cancelled ones that would wait, and when the
    /// first of them ends. Cancelled ones count, or a merchant could send any number of texts.
    func waiting(
        of merchant: PartyID, for customer: PartyID, at now: Timestamp
    ) throws -> (count: Int, firstEnd: Timestamp?) {
        try load()
        let open = (ends[Pair(customer: customer, merchant: merchant)] ?? [:]).values.filter { $0 > now }
        let cancelled = try selectCancelled.bind(customer).bind(merchant).bind(now.milliseconds).first { row in
            (count: Int(row.int64(0)), firstEnd: try row[1] as Timestamp?)
        }
        return (open.count + (cancelled?.count ?? 0), (open + [cancelled?.firstEnd].compactMap(\.self)).min())
    }

    // MARK: Entries

    private func add(_ charge: Charge, in row: Int64) throws {
        let place = HistoryPlace(charge, in: row)
        for party in charge.parties {
            if charge.state == .requested {
                waiting[party, default: HistoryPlaces()].insert(place)
            } else if row <= max(through, roundHead ?? 0) {
                try put(party, place)
            } else {
                gathering[party, default: HistoryPlaces()].insert(place)
            }
        }
        guard charge.state == .requested, let expires = charge.expires else { return }
        ends[Pair(customer: charge.customer, merchant: charge.merchant), default: [:]][row] = expires
    }

    private func remove(_ charge: Charge, in row: Int64) throws {
        let place = HistoryPlace(charge, in: row)
        guard charge.state == .requested else {
            // A payment under the id of a request that was closed.
            for party in charge.parties {
                gathering[party]?.remove(place)
                writing[party]?.remove(place)
                try delete.bind(party).bind(place.moment.milliseconds).bind(row).post()
            }
            return
        }
        for party in charge.parties {
            waiting[party]?.remove(place)
            if waiting[party]?.isEmpty == true { waiting[party] = nil }
        }
        let pair = Pair(customer: charge.customer, merchant: charge.merchant)
        ends[pair]?[row] = nil
        if ends[pair]?.isEmpty == true { ends[pair] = nil }
    }

    private func put(_ party: PartyID, _ place: HistoryPlace) throws {
        try insert.bind(party).bind(place.moment.milliseconds).bind(place.row).post()
    }

    private func beginRound(_ newest: Int64) {
        swap(&gathering, &writing)
        round = KeysInOrder(writing.keys.map { KeysInOrder.Row(key: $0.reinterpreted(), place: 0) })
        written = nil
        roundHead = newest
    }

    // MARK: Memory

    /// Reads what is not in the table from the rows of the charges, where memory does not have it.
    private func load() throws {
        if isKnown { return }
        (waiting, ends, gathering, writing) = ([:], [:], [:], [:])
        (round, written, roundHead) = (KeysInOrder([]), nil, nil)
        through = try selectThrough.first { $0.int64(0) } ?? 0
        try selectWaiting.each { row in
            let number = row.int64(0)
            let (customer, merchant) = (try row[1] as PartyID, try row[2] as PartyID)
            for party in Set([customer, merchant]) {
                waiting[party, default: HistoryPlaces()].insert(HistoryPlace(moment: try row[3], row: number))
            }
            ends[Pair(customer: customer, merchant: merchant), default: [:]][number] = try row[4]
            return true
        }
        try selectBehind.bind(through).each { row in
            for party in Set([try row[1] as PartyID, try row[2] as PartyID]) {
                gathering[party, default: HistoryPlaces()].insert(
                    HistoryPlace(moment: try row[3], row: row.int64(0)))
            }
            return true
        }
        isKnown = true
    }
}

extension Charge {
    /// The customer and the merchant, who may be one.
    fileprivate var parties: Set<PartyID> { [customer, merchant] }
}
