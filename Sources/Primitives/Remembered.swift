/// Values by key, in memory only: their owner reads them again, or does without. A new key in a full table forgets all
/// others: simpler than a queue, and rare.
@usableFromInline
package struct Remembered<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    var values: [Key: Value] = [:]
    @usableFromInline
    let countMax: Int

    /// - Parameter countMax: keys that are remembered at most.
    package init(atMost countMax: Int) { self.countMax = countMax }

    /// Nil for a key that is not remembered. Setting nil forgets it.
    @inlinable
    package subscript(key: Key) -> Value? {
        get { values[key] }
        set {
            if newValue != nil, values.count >= countMax, values[key] == nil { values = [:] }
            values[key] = newValue
        }
    }

    package mutating func forgetAll() { values = [:] }
}
