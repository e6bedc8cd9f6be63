import Bus
import Contracts
import Primitives

/// The state in memory: the offer index, and the sums and paid charges that are not in the file yet.
///
/// The cursor in the file tells which sums it has (ADR 29). Exactly those of facts after the cursor are still to be
/// written, whether a commit succeeded or not.
package struct Image: Sendable {
    package var index = OfferIndex()
    /// Sums that transactions have tried to write, in order. The cursor tells whether they did.
    private var tried: [Tally] = []
    /// Sums of facts that came since.
    private var fresh: Tally?
    /// Whether the index has been changed since it was read from the file, and by the present piece of work.
    private var (hasChanged, pieceHasChanged) = (false, false)
    /// Whether the index has changes that did not stay in the file.
    package private(set) var isStale = false

    package init() {}

    /// Begins a piece of work, whose changes stay or go together.
    package mutating func begin() { pieceHasChanged = false }

    package mutating func change(_ body: (inout OfferIndex) -> Void) {
        body(&index)
        (hasChanged, pieceHasChanged) = (true, true)
    }

    /// A rollback has taken back what the present piece wrote, or all that was written since the last commit.
    package mutating func rolledBack(onlyPiece: Bool) {
        if onlyPiece ? pieceHasChanged : hasChanged { isStale = true }
    }

    /// Whether there are sums that no transaction has tried to write.
    package var isAhead: Bool { fresh != nil }

    /// The number of rows to write.
    package var unwritten: Int { fresh?.count ?? 0 }

    /// Whether a requested charge is paid as far as the file does not say so yet.
    package func isPaid(_ charge: ChargeID) -> Bool {
        fresh?.paid.contains(charge) == true || tried.contains { $0.paid.contains(charge) }
    }

    /// The last fact of payments that was applied, in the file or in memory.
    ///
    /// - Parameter cursor: the last fact that the file has.
    package func consumed(cursor: Int64) -> Int64 {
        max(cursor, (fresh ?? tried.last)?.through.sequence ?? cursor)
    }

    /// Applies facts to the index; the file gets their sums later.
    package mutating func keep(_ news: some Sequence<(Envelope, PaymentNews)>, through: FactPosition, cursor: Int64) {
        let consumed = consumed(cursor: cursor)
        guard through.sequence > consumed else { return }
        // Taken out of the array, so that it is changed in place.
        var sums = fresh ?? Tally(through: through)
        fresh = nil
        sums.through = through
        for (fact, news) in news where fact.sequence ?? 0 > consumed {
            if case .captured(let published) = news, published.requested == true { sums.add(paid: published.charge) }
            guard let (pair, change) = index.change(by: news) else { continue }
            index.add(change, to: pair)
            sums.add(change, to: pair)
        }
        fresh = sums
    }

    /// The sums that the file lacks, to be written now; nil if it has all.
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

    /// Forgets sums that the file has: a cursor that was moved back does not tell that it has them.
    package mutating func forgetWritten() { tried = [] }

    /// Starts again from the file, and adds the sums that it lacks.
    package mutating func restore(_ index: OfferIndex, cursor: Int64) {
        fresh = due(cursor: cursor)
        tried = []
        self.index = index
        (hasChanged, pieceHasChanged, isStale) = (false, false, false)
        if let fresh { self.index.add(fresh) }
    }
}
