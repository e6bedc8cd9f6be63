import Bus
import Contracts

/// Asks that wait for their answer, by the tag that the broker echoes: an index into a table and how often it has been
/// used, so that a late answer never reaches a later ask.
package struct PendingAsks {
    /// Asks in flight on one connection. More are refused.
    package static let countMax = 65_536

    /// Who gets the answer: once, as the table gives each waiter away once.
    package enum Waiter: Sendable {
        case task(UnsafeContinuation<TransportAnswer, Never>)
        case call(@Sendable (TransportAnswer) -> Void)

        package func resume(returning answer: TransportAnswer) {
            switch self {
            case .task(let continuation): continuation.resume(returning: answer)
            case .call(let then): then(answer)
            }
        }
    }

    private struct Entry {
        var generation: UInt32 = 0
        var isTaken = false
        var waiter: Waiter?
        /// The outcome of an ask that ended before its waiter was registered.
        var early: TransportAnswer?
        /// Monotonic nanoseconds.
        var deadline: UInt64 = 0
        /// How many connections had been lost when it was made.
        var losses: UInt32 = 0
    }

    private var entries: [Entry] = []
    private var free: [Int] = []
    /// Connections that were lost.
    private var losses: UInt32 = 0

    package init() {}

    package var count: Int { entries.count - free.count }

    /// Takes an entry; nil when there are too many.
    package mutating func reserve(deadline: UInt64) -> UInt64? {
        let index: Int
        if let last = free.popLast() {
            index = last
        } else {
            guard entries.count < Self.countMax else { return nil }
            index = entries.count
            entries.append(Entry())
        }
        entries[index].isTaken = true
        entries[index].deadline = deadline
        entries[index].losses = losses
        return UInt64(entries[index].generation) << 32 | UInt64(index)
    }

    /// Registers the waiter. Returns the outcome when there is one already (a cancellation that came first).
    package mutating func wait(_ tag: UInt64, _ waiter: Waiter) -> TransportAnswer? {
        guard let index = entryIndex(of: tag) else { return .refused(.cancelled) }
        if let early = entries[index].early {
            release(index)
            return early
        }
        entries[index].waiter = waiter
        return nil
    }

    /// Ends an ask; the caller resumes the waiter, outside of any lock. Nil for a tag that does not wait any more, or
    /// not yet.
    package mutating func end(_ tag: UInt64, early answer: TransportAnswer? = nil) -> Waiter? {
        guard let index = entryIndex(of: tag) else { return nil }
        guard let waiter = entries[index].waiter.take() else {
            entries[index].early = answer
            return nil
        }
        release(index)
        return waiter
    }

    /// All asks whose deadline has passed.
    package mutating func expired(at now: UInt64) -> [Waiter] {
        guard count > 0 else { return [] }
        var waiters: [Waiter] = []
        for index in entries.indices where entries[index].isTaken && entries[index].deadline <= now {
            if let waiter = entries[index].waiter {
                waiters.append(waiter)
                release(index)
            }
        }
        return waiters
    }

    /// Whether an ask waits for its answer.
    package func waits(_ tag: UInt64) -> Bool { entryIndex(of: tag).map { entries[$0].waiter != nil } ?? false }

    /// The connection is lost: what is asked from now on is not for it.
    package mutating func connectionLost() { losses &+= 1 }

    /// Asks of connections that were lost.
    package mutating func removeLost() -> [Waiter] {
        let losses = losses
        return remove { $0 != losses }
    }

    /// All asks: the broker that had them is gone.
    package mutating func removeAll() -> [Waiter] { remove { _ in true } }

    private mutating func remove(where isLost: (_ losses: UInt32) -> Bool) -> [Waiter] {
        var waiters: [Waiter] = []
        for index in entries.indices where isLost(entries[index].losses) {
            if let waiter = entries[index].waiter {
                waiters.append(waiter)
                release(index)
            }
        }
        return waiters
    }

    private func entryIndex(of tag: UInt64) -> Int? {
        let index = Int(tag & 0xFFFF_FFFF)
        guard index < entries.count, entries[index].isTaken, entries[index].generation == UInt32(tag >> 32) else {
            return nil
        }
        return index
    }

    private mutating func release(_ index: Int) {
        entries[index] = Entry(generation: entries[index].generation &+ 1)
        free.append(index)
    }
}
