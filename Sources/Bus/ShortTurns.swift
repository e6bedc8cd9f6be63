import Glibc

/// Runs background work in 0.1 ms slices and yields the core between slices.
///
/// Batch-scheduled threads do not preempt each other (`Scheduling.batch`): without the yield a thread keeps its core
/// for about 4 ms while an ask waits for it.
package struct ShortTurns {
    /// Nanoseconds of a slice.
    static let length: UInt64 = 100_000
    /// Nanoseconds after which the work yields no more: on a core that is never idle it would not end.
    static let patience: UInt64 = 20_000_000

    private let end: UInt64
    private var due: UInt64

    /// Begins the first slice.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package init(at now: UInt64 = monotonicNanoseconds()) {
        end = now + Self.patience
        due = now + Self.length
    }

    /// Yields when the slice is over. Call it wherever the work can pause.
    package mutating func mayEnd() {
        guard isOver(at: monotonicNanoseconds()) else { return }
        sched_yield()
        begin(at: monotonicNanoseconds())
    }

    package func isOver(at now: UInt64) -> Bool { now >= due && now < end }

    package mutating func begin(at now: UInt64) { due = now + Self.length }
}
