import Bus
import Primitives

/// The state in memory: the offer index, and the sums that are not in the file yet.
///
/// The cursor in the file says what of it is there (ADR 29): whether a commit came about or not, what lies behind the
/// cursor is still to be written, and nothing else is.
package struct Image: Sendable {
    package var index = OfferIndex()
    /// Sums that a transaction has tried to write, in order. That it did is found out from the cursor.
    private var tried: [Tally] = []
    /// Sums of what was heard since.
    private var fresh: Tally?

    package init() {}

    /// Whether it has heard more than the file was given.
    package var isAhead: Bool { fresh != nil }

    /// Customers and merchants that are to be written for each other.
    package var unwritten: Int { fresh?.changes.count ?? 0 }

    /// Payments' last fact that has been applied, in the file or here.
    ///
    /// - Parameter cursor: up to which the file has them.
    package func consumed(cursor: Int64) -> Int64 {
        max(cursor, (fresh ?? tried.last)?.through.sequence ?? cursor)
    }

    /// What payments' facts make of histories: of those that were not applied before.
    package func tally(
        _ news: some Sequence<(Envelope, PaymentNews)>, through: FactPosition, cursor: Int64
    ) -> Tally {
        var tally = Tally(through: through)
        let consumed = consumed(cursor: cursor)
        for (fact, news) in news where fact.sequence ?? 0 > consumed {
            if let (pair, change) = index.change(by: news) { tally.add(change, to: pair) }
        }
        return tally
    }

    /// Applies facts to the index; the file gets their sums later.
    package mutating func keep(_ news: some Sequence<(Envelope, PaymentNews)>, through: FactPosition, cursor: Int64) {
        let consumed = consumed(cursor: cursor)
        guard through.sequence > consumed else { return }
        // Taken out, so that it is changed in its place.
        var sums = fresh ?? Tally(through: through)
        fresh = nil
        sums.through = through
        for (fact, news) in news where fact.sequence ?? 0 > consumed {
            guard let (pair, change) = index.change(by: news) else { continue }
            index.add(change, to: pair)
            sums.add(change, to: pair)
        }
        fresh = sums
    }

    /// All that the file lacks, to be written now; nil where it has all.
    package mutating func due(cursor: Int64) -> Tally? {
        if let fresh { tried.append(fresh) }
        fresh = nil
        tried.removeAll { $0.through.sequence <= cursor }
        return tried.reduce(nil as Tally?) { sum, tally in
            guard var sum else { return tally }
            sum.add(tally)
            return sum
        }
    }

    /// Begins anew from the file, with what it lacks.
    package mutating func restore(_ index: OfferIndex, cursor: Int64) {
        fresh = due(cursor: cursor)
        tried = []
        self.index = index
        if let fresh { self.index.add(fresh) }
    }
}
