import Contracts
import Primitives
import Storage

/// The place between two pages of a party's charges, as one number for clients.
///
/// Charges are ordered by decision, or by request while they wait. Payments without a request are read along their
/// links (ADR 34), requested charges from an index. A page's last charge tells where both continue.
struct HistoryCursor: Equatable {
    /// The last charge of the page.
    let row: Int64
    /// Whether it waited when the page was made. It may have been decided since, and is then elsewhere.
    let isWaiting: Bool
    let start: Start

    /// Where the payments without a request continue.
    enum Start: Equatable {
        /// At this row of the history, or at the previous one if this is the last charge of the page.
        case row(Int64)
        /// At the newest row; rows up to the last charge of the page are skipped.
        case newest
        case end
    }

    private static let rowShift: Int64 = 21
    private static let spanMax: Int64 = 1 << 19
    private static let (end, newest) = (-spanMax, -spanMax + 1)

    init(row: Int64, isWaiting: Bool = false, start: Start) {
        self.row = row
        self.isWaiting = isWaiting
        self.start = start
    }

    /// Nil for a number that is no cursor.
    init?(_ number: Int64) {
        row = number >> Self.rowShift
        guard row > 0 else { return nil }
        isWaiting = number & 1 == 1
        switch (number >> 1) & (2 * Self.spanMax - 1) - Self.spanMax {
        case Self.end: start = .end
        case Self.newest: start = .newest
        case let span: start = .row(row + span)
        }
    }

    /// Below 2⁵³ for four thousand million rows, so that every JSON parser reads it exactly.
    var number: Int64 {
        let span: Int64
        switch start {
        case .end: span = Self.end
        case .newest: span = Self.newest
        case .row(let place): span = Self.span(place - row)
        }
        return row << Self.rowShift | (span + Self.spanMax) << 1 | (isWaiting ? 1 : 0)
    }

    /// Whether a cursor with this row says where the payments without a request continue, without a search.
    static func holds(_ start: Start, at row: Int64) -> Bool {
        guard case .row(let place) = start else { return true }
        return place != row && place - row > newest && place - row < spanMax
    }

    /// A start too far back is searched from the last charge on; one too far ahead, from the newest.
    private static func span(_ span: Int64) -> Int64 {
        if span >= spanMax { return newest }
        return span <= newest ? 0 : span
    }
}

/// One page of a party's charges, newest first: payments along their links, requests by their index, merged.
struct HistoryPage {
    private let party: PartyID
    private let table: ChargeTable
    private var payments: PaymentWalk
    private var requests: RequestWalk
    /// The last charge that was taken, or the one after which the page begins.
    private var last: (place: HistoryPlace, isWaiting: Bool, isPayment: Bool)?
    /// The last request that was taken, here or on the page before.
    private var lastRequest: (row: Int64, isWaiting: Bool)?
    /// The charge that `peek` has found.
    private var found: (row: Int64, charge: Charge, isPayment: Bool)?

    /// - Parameters:
    ///   - number: of a `HistoryCursor`; 0 begins at the newest charge.
    ///   - limit: charges that will be taken, as far as that is known.
    ///   - state: the only one that is looked for, if not nil. Payments without a request are all captured, so that no
    ///     other state is searched among them; requests that wait are known without a search.
    /// - Returns: nil if the number is no cursor of this party.
    init?(
        of party: PartyID, behind number: Int64, limit: Int, state: Payments.ChargeState?, _ table: ChargeTable
    ) throws {
        (self.party, self.table) = (party, table)
        let hasPayments = state ?? .captured == .captured
        func walk(from row: Int64, behind bound: HistoryPlace? = nil) -> PaymentWalk {
            PaymentWalk(of: party, from: hasPayments ? row : 0, behind: bound, limit: limit, table)
        }
        guard number != 0 else {
            payments = walk(from: try table.newestRow(of: party))
            requests = RequestWalk(of: party, behind: nil, state: state, table)
            return
        }
        guard let cursor = HistoryCursor(number), let older = try table.link(of: party, in: cursor.row),
            let charge = try table.charge(in: cursor.row)
        else { return nil }
        let isPayment = charge.expires == nil
        let place = HistoryPlace(charge, in: cursor.row, asWaiting: cursor.isWaiting)
        last = (place, cursor.isWaiting, isPayment)
        lastRequest = isPayment ? nil : (cursor.row, cursor.isWaiting)
        requests = RequestWalk(of: party, behind: place, state: state, table)
        switch cursor.start {
        case .end: payments = walk(from: 0)
        case .newest: payments = walk(from: try table.newestRow(of: party), behind: place)
        case .row(cursor.row):
            payments = isPayment ? walk(from: older) : walk(from: cursor.row, behind: place)
        case .row(let row):
            guard try table.link(of: party, in: row) != nil else { return nil }
            payments = walk(from: row)
        }
    }

    /// Passes over payments that are newer than the page, at most so many.
    ///
    /// - Returns: whether the page begins here.
    mutating func search(atMost rows: Int) throws -> Bool { try payments.search(atMost: rows) }

    /// The next charge, which is not taken yet; nil at the end.
    mutating func peek() throws -> (row: Int64, charge: Charge)? {
        let request = try requests.peek()
        let moment = request.map { HistoryPlace($0.charge, in: $0.row).moment }
        let payment = try payments.peek(notBefore: moment)
        switch (payment, request) {
        case (let payment?, let request?):
            let isPayment =
                HistoryPlace(request.charge, in: request.row) < HistoryPlace(payment.charge, in: payment.row)
            found = isPayment ? (payment.row, payment.charge, true) : (request.row, request.charge, false)
        case (let payment?, nil): found = (payment.row, payment.charge, true)
        case (nil, let request?): found = (request.row, request.charge, false)
        case (nil, nil): found = nil
        }
        return found.map { ($0.row, $0.charge) }
    }

    /// Takes the charge that `peek` returned.
    mutating func take() {
        guard let (row, charge, isPayment) = found else { return }
        last = (HistoryPlace(charge, in: row), charge.state == .requested, isPayment)
        if isPayment {
            payments.take()
        } else {
            lastRequest = (row, charge.state == .requested)
            requests.take()
        }
    }

    /// The cursor of the next page; nil if no charge was taken.
    ///
    /// It names the last request rather than a payment behind it. The times of payments go back with the wallet's
    /// clock, and requests that continue at such a time would come twice.
    var next: Int64? {
        get throws {
            guard let last else { return nil }
            if let lastRequest {
                let start = try startBehind(lastRequest.row)
                if HistoryCursor.holds(start, at: lastRequest.row) || !last.isPayment {
                    return HistoryCursor(row: lastRequest.row, isWaiting: lastRequest.isWaiting, start: start).number
                }
            }
            return HistoryCursor(row: last.place.row, start: .row(last.place.row)).number
        }
    }

    /// Where the payments continue. The row of a request that was taken is passed over.
    private func startBehind(_ request: Int64) throws -> HistoryCursor.Start {
        guard payments.place == .row(request) else { return payments.place }
        let older = try table.link(of: party, in: request) ?? 0
        return older == 0 ? .end : .row(older)
    }
}

/// A party's payments without a request, newest first, in the order of the wallet's decisions and of their rows.
private struct PaymentWalk {
    /// A request's row is added at most this long after its time, as asks end sooner.
    private static let addingMax = Duration.seconds(60)
    private let party: PartyID
    private let table: ChargeTable
    private let limit: Int
    /// Payments before this are skipped; nil if the walk begins after the last page.
    private let bound: HistoryPlace?
    /// The next row to read; 0 at the end.
    private var next: Int64
    /// Rows that were read already, from the next one on.
    private var ahead: ArraySlice<ChargeTable.Step> = []
    private var found: (row: Int64, charge: Charge)?

    /// - Parameter limit: payments that will be taken, as far as that is known; one more tells where a page ends.
    init(of party: PartyID, from row: Int64, behind bound: HistoryPlace?, limit: Int, _ table: ChargeTable) {
        self.party = party
        self.table = table
        self.bound = bound
        self.limit = min(limit, ChargeTable.readMax - 1) + 1
        next = row
    }

    /// Where a later walk continues.
    var place: HistoryCursor.Start {
        let row = found?.row ?? next
        return row == 0 ? .end : .row(row)
    }

    /// Passes over rows before `bound`, at most so many.
    ///
    /// - Returns: whether none is left.
    mutating func search(atMost rows: Int) throws -> Bool {
        guard let bound else { return true }
        for _ in 0..<rows {
            guard let step = try nextStep() else { return true }
            if step.charge.expires == nil, HistoryPlace(step.charge, in: step.row) < bound { return true }
            pass()
        }
        return false
    }

    /// The next row, which is not passed over yet; nil at the end.
    private mutating func nextStep() throws -> ChargeTable.Step? {
        guard next != 0 else { return nil }
        if ahead.isEmpty { ahead = try table.walk(of: party, from: next, limit: limit)[...] }
        guard let step = ahead.first, step.older != nil else { throw StoreFailure.damaged("row \(next) of a history") }
        return step
    }

    private mutating func pass() { next = ahead.removeFirst().older ?? 0 }

    /// The next payment; nil if there is none, or none since a time.
    mutating func peek(notBefore time: Timestamp?) throws -> (row: Int64, charge: Charge)? {
        while found == nil, let step = try nextStep() {
            let (row, charge) = (step.row, step.charge)
            if charge.expires != nil, let time, charge.requested + Self.addingMax < time { return nil }
            pass()
            if charge.expires == nil, bound.map({ HistoryPlace(charge, in: row) < $0 }) ?? true {
                found = (row, charge)
            }
        }
        return found
    }

    mutating func take() { found = nil }
}

/// A party's requested charges, newest first: all of them, or those that wait.
private struct RequestWalk {
    private let party: PartyID
    private let onlyWaiting: Bool
    private let table: ChargeTable
    /// The charge after which to continue.
    private var last: HistoryPlace?
    private var found: ArraySlice<(row: Int64, charge: Charge)> = []
    private var isAtEnd = false

    init(of party: PartyID, behind place: HistoryPlace?, state: Payments.ChargeState?, _ table: ChargeTable) {
        self.party = party
        self.table = table
        onlyWaiting = state == .requested
        last = place
    }

    mutating func peek() throws -> (row: Int64, charge: Charge)? {
        if found.isEmpty, !isAtEnd {
            let places =
                onlyWaiting
                ? try table.requests.waitingPlaces(of: party, behind: last, limit: ChargeTable.readMax)
                : try table.requests.places(of: party, behind: last, limit: ChargeTable.readMax)
            isAtEnd = places.count < ChargeTable.readMax
            if let place = places.last { last = place }
            let charges = try table.charges(in: places.map(\.row))
            found = try places.map { place in
                guard let charge = charges[place.row] else {
                    throw StoreFailure.damaged("row \(place.row) of a history")
                }
                return (place.row, charge)
            }[...]
        }
        return found.first
    }

    mutating func take() { found.removeFirst() }
}

/// The place of a charge in the histories of its parties; greater is newer.
struct HistoryPlace: Comparable, Hashable {
    let moment: Timestamp
    let row: Int64

    init(moment: Timestamp, row: Int64) { (self.moment, self.row) = (moment, row) }

    init(_ charge: Charge, in row: Int64, asWaiting isWaiting: Bool = false) {
        moment = isWaiting ? charge.requested : charge.decided ?? charge.requested
        self.row = row
    }

    static func < (left: HistoryPlace, right: HistoryPlace) -> Bool {
        (left.moment, left.row) < (right.moment, right.row)
    }
}
