import Synchronization

/// A value that exists only after what uses it: joins two parts of a process that need each other.
package final class Late<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    package init() {}

    /// Nil until it is set.
    package var value: Value? { held.withLock { $0 } }

    package func set(_ value: Value) { held.withLock { $0 = value } }
}
