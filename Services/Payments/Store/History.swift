import Contracts
import Primitives
import Storage

import class GRDB.Database

/// Where a page of a party's charges ends, and the next one begins: one number for askers.
///
/// Charges stand in the order in which each was decided, or requested while it waits. Payments without a request are read along
/// their links (ADR 34), requested charges from an index; a page's last charge tells where both go on.
struct HistoryCursor: Equatable {
    /// The last charge given.
    let row: Int64
    /// Whether it was given as one that waits. It may have been decided since, and then stands elsewhere.
    let isWaiting: Bool
    let start: Start

    /// Where the payments without a request go on.
    enum Start: Equatable {
        /// At this row of the history, or at the one before it where that is the last charge given.
        case row(Int64)
        /// At the newest row; those before the last charge given are passed over.
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

    /// Nil for a number that names no row.
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

    /// Below 2⁵³ for four thousand million rows, so that every reader of JSON has it exactly.
    var number: Int64 {
        let span: Int64
        switch start {
        case .end: span = Self.end
        case .newest: span = Self.newest
        case .row(let place): span = Self.span(place - row)
        }
        return row << Self.rowShift | (span + Self.spanMax) << 1 | (isWaiting ? 1 : 0)
    }

    /// What is too far back is looked for from the last charge on, and what is too far ahead from the newest.
    private static func span(_ span: Int64) -> Int64 {
        if span >= spanMax { return newest }
        return span <= newest ? 0 : span
    }
}

/// A party's payments that nobody requested, newest first: the order in which the wallet decided them, and their rows were added.
struct PaymentWalk {
    /// A request's row is added this long after its time at most: asks end sooner.
    private static let addingMax = Duration.seconds(60)

    private let party: PartyID
    /// The next row to look at; 0 at the end.
    private var next: Int64
    private var found: (row: Int64, charge: Charge)?

    init(of party: PartyID, from row: Int64) {
        self.party = party
        next = row
    }

    /// Where a later walk begins to find what this one would.
    var place: HistoryCursor.Start {
        let row = found?.row ?? next
        return row == 0 ? .end : .row(row)
    }

    /// The next payment; nil where there is none, or none as new as a time.
    ///
    /// - Parameter before: passes over what does not stand behind this one.
    mutating func peek(
        notBefore time: Timestamp?, before: HistoryPlace?, _ statements: ChargeStatements,
        find: (Int64) throws -> Charge?
    ) throws -> (row: Int64, charge: Charge)? {
        while found == nil, next != 0 {
            let row = next
            guard let older = try statements.link(of: party, in: row), let charge = try find(row) else {
                throw StoreFailure.damaged("row \(row) of a history")
            }
            if charge.expires != nil, let time, charge.requested + Self.addingMax < time { return nil }
            next = older
            if charge.expires == nil, before.map({ HistoryPlace(charge, in: row) < $0 }) ?? true {
                found = (row, charge)
            }
        }
        return found
    }

    mutating func take() { found = nil }
}

/// Where a charge stands in the histories of its parties: greater for what is newer.
struct HistoryPlace: Comparable {
    let moment: Timestamp
    let row: Int64

    init(_ charge: Charge, in row: Int64, asWaiting isWaiting: Bool = false) {
        moment = isWaiting ? charge.requested : charge.decided ?? charge.requested
        self.row = row
    }

    static func < (left: HistoryPlace, right: HistoryPlace) -> Bool {
        (left.moment, left.row) < (right.moment, right.row)
    }
}
