import Bus
import Primitives
import Synchronization

/// A clock that moves when it is told to.
package final class ManualClock: Sendable {
    /// 2027-01-15T08:00:00Z.
    package static let start = Timestamp(milliseconds: 1_800_000_000_000)
    private let time: Mutex<Timestamp>

    package init(_ start: Timestamp = start) { time = Mutex(start) }

    package var now: Timestamp { time.withLock { $0 } }
    package var wall: WallClock { WallClock { [self] in now } }

    package func set(_ now: Timestamp) { time.withLock { $0 = now } }
    package func advance(_ span: Duration) { time.withLock { $0 = $0 + span } }
}
