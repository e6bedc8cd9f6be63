import Contracts

/// State that a service has in memory only, handed over as one more table.
package protocol MemoryTable: Sendable {
    var table: StateTable { get }
    /// Notes from now on which rows change, beginning anew.
    func follow()
    /// Notes nothing any more.
    func unfollow()
    /// Rows from one place on, each once, in whatever order.
    ///
    /// - Parameter place: 0, or the `next` of the rows before.
    /// - Returns: `next` is nil at the end.
    func rows(from place: Int, limit: Int) -> (rows: [StateRow], next: Int?)
    /// The rows that have changed, and the keys of those that are gone.
    ///
    /// - Parameter number: 0, or the `next` of the changes before.
    func changes(after number: Int64, limit: Int) -> MemoryChanges
}

package struct MemoryChanges: Sendable {
    package let rows: [StateRow]
    package let removed: [StateRow]
    package let next: Int64
    package let isEnd: Bool

    package init(rows: [StateRow], removed: [StateRow], next: Int64, isEnd: Bool) {
        (self.rows, self.removed, self.next, self.isEnd) = (rows, removed, next, isEnd)
    }
}

/// Which keys have changed, by numbers that grow: each key once, with its newest change. A value.
package struct ChangeLog<Key: Hashable & Sendable>: Sendable {
    private var numbers: [Key: Int64] = [:]
    /// By number; entries whose key has changed again are passed over, and taken out once they are the most.
    private var entries: [(number: Int64, key: Key)] = []
    private var last: Int64 = 0

    package init() {}

    package mutating func note(_ key: Key) {
        last += 1
        numbers[key] = last
        entries.append((last, key))
        if entries.count > 2 * numbers.count + 64 { entries.removeAll { numbers[$0.key] != $0.number } }
    }

    /// Keys that have changed after a number, and the number to go on from.
    package func page(after number: Int64, limit: Int) -> (keys: [Key], next: Int64, isEnd: Bool) {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        var keys: [Key] = []
        var next = number
        for entry in entries[low...] {
            if keys.count == limit { return (keys, next, false) }
            next = entry.number
            if numbers[entry.key] == entry.number { keys.append(entry.key) }
        }
        return (keys, next, true)
    }
}
