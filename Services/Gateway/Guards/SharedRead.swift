import Bus
import Primitives
import Synchronization

/// One reading for all callers at once, kept for a while. It is made once in that time however many callers there are,
/// and not on their event loops.
package final class SharedRead<Value: Sendable>: Sendable {
    private struct State {
        var reading: Task<Value, Never>?
        var began: UInt64 = 0
        var isMade = true
    }

    private let state = Mutex(State())
    private let lifetime: UInt64
    private let nanoseconds: @Sendable () -> UInt64
    private let read: @Sendable () async -> Value

    /// - Parameter lifetime: how long a reading is kept, from its beginning.
    package init(
        for lifetime: Duration, nanoseconds: @escaping @Sendable () -> UInt64 = { monotonicNanoseconds() },
        _ read: @escaping @Sendable () async -> Value
    ) {
        self.lifetime = UInt64(lifetime.wholeMilliseconds) * 1_000_000
        self.nanoseconds = nanoseconds
        self.read = read
    }

    package func value() async -> Value { await reading().value }

    /// - Parameter holds: whether what was read is still so; else it is read again, once for all callers.
    package func value(where holds: (Value) -> Bool) async -> Value {
        let kept = reading()
        let value = await kept.value
        return holds(value) ? value : await reading(otherThan: kept).value
    }

    private func reading(otherThan old: Task<Value, Never>? = nil) -> Task<Value, Never> {
        let now = nanoseconds()
        return state.withLock { state in
            if let reading = state.reading, reading != old, !state.isMade || now - state.began < lifetime {
                return reading
            }
            let reading = Task.detached {
                let value = await self.read()
                self.state.withLock { $0.isMade = true }
                return value
            }
            state = State(reading: reading, began: now, isMade: false)
            return reading
        }
    }
}
