import Glibc

/// Work that nobody waits for, in turns of a tenth of a millisecond: between two of them, whoever waits for this core gets it.
///
/// Most of our threads do not take a core from one that works (`Scheduling.batch`), so that such work kept it until the kernel's next
/// look around, some 4 ms: with two cores well used, the slowest payments in a hundred had waited for that.
package struct ShortTurns {
    /// Nanoseconds of a turn.
    static let length: UInt64 = 100_000
    /// Nanoseconds for which others go first. Then it keeps its core like everyone: where others never leave one idle, it would not
    /// come to an end.
    static let patience: UInt64 = 20_000_000

    private let end: UInt64
    private var due: UInt64

    /// Begins the first turn.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package init(at now: UInt64 = monotonicNanoseconds()) {
        end = now + Self.patience
        due = now + Self.length
    }

    /// To be called where the work can pause; ends a turn that has been long enough, and begins the next.
    package mutating func mayEnd() {
        guard isOver(at: monotonicNanoseconds()) else { return }
        sched_yield()
        begin(at: monotonicNanoseconds())
    }

    package func isOver(at now: UInt64) -> Bool { now >= due && now < end }

    package mutating func begin(at now: UInt64) { due = now + Self.length }
}
