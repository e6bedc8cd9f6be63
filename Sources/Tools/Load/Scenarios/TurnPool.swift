import DequeModule
import Synchronization

/// Things of which an operation has one for itself, by number: all in turn, each in one operation at a time.
package final class TurnPool: Sendable {
    private let free: Mutex<Deque<Int>>

    package init(_ count: Int) { free = Mutex(Deque(0..<count)) }

    /// The one that was longest unused.
    func take() -> Int {
        free.withLock { free in
            guard let number = free.popFirst() else {
                preconditionFailure("there are as many as operations at once")
            }
            return number
        }
    }

    func giveBack(_ number: Int) { free.withLock { $0.append(number) } }
}
