import Synchronization

/// A value that is made after its users: it joins two parts of a process that need each other.
package final class SetOnce<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    package init() {}

    /// Nil until it is set.
    package var value: Value? { stored.withLock { $0 } }

    package func set(_ value: Value) { stored.withLock { $0 = value } }
}
