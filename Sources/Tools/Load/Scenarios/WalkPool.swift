import Bus
import DequeModule
import Glibc
import Primitives
import Synchronization

/// The customers of a run who walk, each on one walk at a time and all in turn; and when each walk began.
package final class WalkPool: Sendable {
    package struct Walk: Sendable, Equatable {
        /// Its operation's number, from which its track follows.
        package let operation: Int
        package let customer: Int
        /// The time of its first fix: milliseconds since 1970.
        package let start: Int64

        package init(operation: Int, customer: Int, start: Int64) {
            self.operation = operation
            self.customer = customer
            self.start = start
        }
    }

    /// A walk's fixes are so old when it begins, in milliseconds, that its last one is not from the future either.
    private static let lag: Int64 = 50

    private struct State {
        /// Customers who are on no walk, longest unused first.
        var free: Deque<Int>
        /// The time of each customer's newest fix.
        var newest: [Int64]
        var walks: [Walk] = []
    }

    private let count: Int
    private let state: Mutex<State>

    /// - Parameter since: when all of them were nowhere. Earlier fixes would be too late.
    package init(_ count: Int, since: Timestamp) {
        self.count = count
        state = Mutex(
            State(
                free: Deque(0..<count),
                newest: [Int64](repeating: since.milliseconds, count: count)))
    }

    /// The customer who has rested longest.
    func take() -> Int {
        state.withLock { state in
            guard let customer = state.free.popFirst() else {
                preconditionFailure("there are as many customers as operations at once")
            }
            return customer
        }
    }

    func giveBack(_ customer: Int) {
        state.withLock { $0.free.append(customer) }
    }

    /// Begins a walk behind the customer's last one; the time of its first fix.
    ///
    /// Nobody has two fixes in a millisecond. A handful of customers alone, on a fast set, would soon have walked into
    /// the future: this waits until their fixes are of the past.
    func begin(_ operation: Int, of customer: Int, clock: WallClock = .system) -> Int64 {
        let start = state.withLock { state in
            let start = max(state.newest[customer] + 1, clock.now().milliseconds - Self.lag)
            state.newest[customer] = start + Int64(Track.length - 1)
            state.walks.append(Walk(operation: operation, customer: customer, start: start))
            return start
        }
        while clock.now().milliseconds < start + Int64(Track.length) { usleep(500) }
        return start
    }

    /// All that were begun, in the order in which they were.
    package var walks: [Walk] { state.withLock { $0.walks } }
}
