import DequeModule
import Primitives
import Synchronization

/// Payments that can be paid back, each in one operation at a time and all in turn, until nothing is left of them.
package final class PaidCharges: Sendable {
    package struct Paid: Sendable, Equatable {
        package let charge: ChargeID
        package let card: Int
        package let merchant: Int
        /// Minor units, as all amounts here.
        package let amount: Int
        /// Minor units that were paid back, as far as this run knows.
        package var refunded = 0

        package init(charge: ChargeID, card: Int, merchant: Int, amount: Int) {
            self.charge = charge
            self.card = card
            self.merchant = merchant
            self.amount = amount
        }

        package var left: Int { amount - refunded }
    }

    private struct State {
        var all: [Paid] = []
        /// Those of which something is left and which are in no operation, longest unused first.
        var free: Deque<Int> = []
    }

    /// What a payment amounts to that is made to be paid back.
    package let worth: Int
    private let state = Mutex(State())

    package init(worth: Int) { self.worth = worth }

    /// Adds a payment that is in no operation.
    package func add(_ paid: Paid) { giveBack(addTaken(paid)) }

    /// Adds a payment of the operation that has made it.
    ///
    /// - Returns: its place.
    func addTaken(_ paid: Paid) -> Int {
        state.withLock { state in
            state.all.append(paid)
            return state.all.count - 1
        }
    }

    /// The place of the payment that was longest unused; nil where nothing is left of any.
    package func take() -> Int? { state.withLock { $0.free.popFirst() } }

    func giveBack(_ place: Int) {
        state.withLock { state in
            if state.all[place].left > 0 { state.free.append(place) }
        }
    }

    func note(_ place: Int, refunded amount: Int) { state.withLock { $0.all[place].refunded += amount } }

    package subscript(place: Int) -> Paid { state.withLock { $0.all[place] } }

    package var all: [Paid] { state.withLock { $0.all } }
}
