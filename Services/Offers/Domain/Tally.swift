import Bus
import Contracts
import Primitives

/// What payments have done to histories, added up by customer and merchant: whoever pays often costs one row.
package struct Tally: Sendable, Equatable {
    package struct Pair: Hashable, Sendable {
        package let customer: PartyID
        package let merchant: PartyID

        package init(_ customer: PartyID, _ merchant: PartyID) {
            self.customer = customer
            self.merchant = merchant
        }
    }

    /// Payments' last fact that is in here.
    package var through: FactPosition
    package private(set) var changes: [Pair: History.Change] = [:]

    package init(through: FactPosition) { self.through = through }

    package mutating func add(_ change: History.Change, to pair: Pair) {
        changes[pair, default: History.Change()].add(change)
    }

    /// Takes in one that follows.
    package mutating func add(_ next: Tally) {
        through = next.through
        if changes.isEmpty {
            changes = next.changes
            return
        }
        for (pair, change) in next.changes { add(change, to: pair) }
    }
}

extension History {
    /// What one payment or refund, or many, make of a history.
    package struct Change: Sendable, Equatable {
        package var visits = 0
        package var stars = 0
        /// Of the last payment; nil where there is none among them.
        package var last: Timestamp?

        package init(visits: Int = 0, stars: Int = 0, last: Timestamp? = nil) {
            self.visits = visits
            self.stars = stars
            self.last = last
        }

        package mutating func add(_ other: Change) {
            visits += other.visits
            stars += other.stars
            last = later(last, other.last)
        }
    }

    /// Never less than nothing, whatever is taken back.
    package mutating func add(_ change: Change) {
        visits = max(0, visits + change.visits)
        stars = max(0, stars + change.stars)
        last = later(last, change.last)
    }
}

private func later(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
}
