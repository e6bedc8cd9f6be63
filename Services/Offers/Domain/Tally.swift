import Bus
import Contracts
import Primitives

/// What payments' facts change besides coupons: histories, added up by customer and merchant, so that many payments
/// cost one row, and which requested charges are paid.
package struct Tally: Sendable, Equatable {
    package struct Pair: Hashable, Sendable {
        package let customer: PartyID
        package let merchant: PartyID

        package init(_ customer: PartyID, _ merchant: PartyID) {
            self.customer = customer
            self.merchant = merchant
        }
    }

    /// The last fact of payments that is included.
    package var through: FactPosition
    package private(set) var changes: [Pair: History.Change] = [:]
    /// Charges that were requested and are paid.
    package private(set) var paid: Set<ChargeID> = []

    package init(through: FactPosition) { self.through = through }

    package mutating func add(_ change: History.Change, to pair: Pair) {
        changes[pair, default: History.Change()].add(change)
    }

    package mutating func add(paid charge: ChargeID) { paid.insert(charge) }

    /// The rows to write.
    package var count: Int { changes.count + paid.count }

    /// Adds a later tally.
    package mutating func add(_ next: Tally) {
        through = next.through
        paid.formUnion(next.paid)
        if changes.isEmpty {
            changes = next.changes
            return
        }
        for (pair, change) in next.changes { add(change, to: pair) }
    }
}

extension History {
    /// The change of a history by one or more payments and refunds.
    package struct Change: Sendable, Equatable {
        package var visits = 0
        package var stars = 0
        /// The time of the last payment; nil if there is none.
        package var last: Timestamp?

        package init(visits: Int = 0, stars: Int = 0, last: Timestamp? = nil) {
            self.visits = visits
            self.stars = stars
            self.last = last
        }

        /// The part that takes away.
        package var losses: Change { Change(visits: min(0, visits), stars: min(0, stars)) }

        package mutating func add(_ other: Change) {
            visits += other.visits
            stars += other.stars
            last = later(last, other.last)
        }
    }

    /// Never below zero.
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
