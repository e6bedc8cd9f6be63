import Bus
import Synchronization

/// How long the commit under way has taken: a primary without its standbys answers none.
final class CommitWatch: Sendable {
    /// Monotonic nanoseconds; 0 while nothing is committed.
    private let started = Atomic<UInt64>(0)

    func begin() { started.store(monotonicNanoseconds(), ordering: .relaxed) }

    func end() { started.store(0, ordering: .relaxed) }

    var time: Duration {
        let start = started.load(ordering: .relaxed)
        return start == 0 ? .zero : .nanoseconds(Int64(monotonicNanoseconds() - start))
    }
}
