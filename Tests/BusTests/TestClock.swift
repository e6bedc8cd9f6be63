import Bus
import Primitives
import Synchronization

/// A clock that moves when it is told to.
final class TestClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ start: Timestamp = Timestamp(milliseconds: 1_795_253_400_000)) { time = Mutex(start) }

    var now: Timestamp { time.withLock { $0 } }
    var wall: WallClock { WallClock { [self] in now } }

    func advance(by span: Duration) { time.withLock { $0 = $0 + span } }
}
