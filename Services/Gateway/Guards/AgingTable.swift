/// A dictionary of bounded size that forgets what has not been used for longest, roughly and cheaply.
///
/// Two halves: what is used moves into the young one; when that is full, the old one is dropped and the young one takes
/// its place. So an entry lives for at least `capacity / 2` others, and nothing has to be linked or sorted.
package struct AgingTable<Key: Hashable, Value> {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let half: Int

    package init(capacity: Int) { half = max(1, capacity / 2) }

    package var count: Int { young.count + old.count }

    package subscript(_ key: Key) -> Value? {
        mutating get {
            if let value = young[key] { return value }
            guard let value = old.removeValue(forKey: key) else { return nil }
            insert(value, key)
            return value
        }
        set {
            old[key] = nil
            if let newValue { insert(newValue, key) } else { young[key] = nil }
        }
    }

    private mutating func insert(_ value: Value, _ key: Key) {
        if young.count >= half, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
