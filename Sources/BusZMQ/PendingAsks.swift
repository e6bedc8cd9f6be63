import Bus
import Contracts

/// Asks that wait for their answer, by the tag that the broker echoes: a place in a table and how often that place has
/// been used, so that a late answer never reaches a later ask.
package struct PendingAsks {
    /// Asks in flight from one process. More are refused: an asker that far ahead of its answers is lost anyway.
    package static let countMax = 65_536

    package typealias Waiter = CheckedContinuation<TransportAnswer, Never>

    private struct Place {
        var generation: UInt32 = 0
        var isTaken = false
        var waiter: Waiter?
        /// Ended before anyone waited: what the waiter will get.
        var early: TransportAnswer?
        /// Monotonic nanoseconds.
        var deadline: UInt64 = 0
    }

    private var places: [Place] = []
    private var free: [Int] = []

    package init() {}

    package var count: Int { places.count - free.count }

    /// Takes a place; nil when there are too many.
    package mutating func reserve(deadline: UInt64) -> UInt64? {
        let index: Int
        if let last = free.popLast() {
            index = last
        } else {
            guard places.count < Self.countMax else { return nil }
            index = places.count
            places.append(Place())
        }
        places[index].isTaken = true
        places[index].deadline = deadline
        return UInt64(places[index].generation) << 32 | UInt64(index)
    }

    /// Registers who waits. Returns the answer when there is one already (a cancellation that came first).
    package mutating func wait(_ tag: UInt64, _ waiter: Waiter) -> TransportAnswer? {
        guard let index = place(of: tag) else { return .refused(.cancelled) }
        if let early = places[index].early {
            release(index)
            return early
        }
        places[index].waiter = waiter
        return nil
    }

    /// Ends an ask; the waiter has to be resumed with the answer, outside of any lock. Nil for a tag that is not
    /// waiting any more, or not yet.
    package mutating func end(_ tag: UInt64, early answer: TransportAnswer? = nil) -> Waiter? {
        guard let index = place(of: tag) else { return nil }
        guard let waiter = places[index].waiter.take() else {
            places[index].early = answer
            return nil
        }
        release(index)
        return waiter
    }

    /// All asks whose deadline has passed.
    package mutating func expired(at now: UInt64) -> [Waiter] {
        guard count > 0 else { return [] }
        var waiters: [Waiter] = []
        for index in places.indices where places[index].isTaken && places[index].deadline <= now {
            if let waiter = places[index].waiter {
                waiters.append(waiter)
                release(index)
            }
        }
        return waiters
    }

    /// All asks: the broker that had them is gone.
    package mutating func removeAll() -> [Waiter] {
        var waiters: [Waiter] = []
        for index in places.indices {
            if let waiter = places[index].waiter {
                waiters.append(waiter)
                release(index)
            }
        }
        return waiters
    }

    private func place(of tag: UInt64) -> Int? {
        let index = Int(tag & 0xFFFF_FFFF)
        guard index < places.count, places[index].isTaken, places[index].generation == UInt32(tag >> 32) else {
            return nil
        }
        return index
    }

    private mutating func release(_ index: Int) {
        places[index] = Place(generation: places[index].generation &+ 1)
        free.append(index)
    }
}
