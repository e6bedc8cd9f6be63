/// One ask, from the moment it is accepted to its one final answer (and beyond, while a worker still has it).
struct Slot {
    enum State: UInt8 {
        case free
        case queued
        /// Given to a worker; `isSent` tells whether it has really left.
        case inFlight
        /// Its client has its final answer, but the worker still works on it and its credit is still spent.
        case abandoned
        /// A final answer is being sent; free after ``Router/finish(_:)``.
        case closing
    }

    var state = State.free
    var isSent = false
    /// Its refusal is decided and not yet sent.
    var isRefusalDue = false
    /// Counts among the asks of its client that wait.
    var isCounted = false
    /// Asked of `try.` and its service: waits apart from the queue, and is given also while that is paused.
    var isTrial = false
    var dialect = Dialect.billfold
    var retry: UInt8 = 0
    var service: Int32 = -1
    var worker: Int32 = -1
    /// Neighbours in the service's queue or among the worker's asks.
    var next: Int32 = -1
    var previous: Int32 = -1
    /// Bytes charged for the body until the slot is free.
    var cost: Int32 = 0
    var client = Peer(handle: 0)
    var tag: UInt64 = 0
    var token = Token.none
    /// Unix milliseconds, as told to a worker of ours; 0: the client gave none.
    var deadlineMs: UInt64 = 0
    var arrivedMs: Int64 = 0
    /// Under which number copies of it and of its answer go out; 0: nobody gets any.
    var copy: UInt64 = 0
}

/// A doubly linked list of slots, threaded through `Slot.next` and `Slot.previous`: any member leaves at no cost.
struct SlotList {
    var first: Int32 = -1
    var last: Int32 = -1
    var count = 0

    var isEmpty: Bool { first < 0 }

    mutating func append(_ slot: Int, in slots: inout [Slot]) {
        slots[slot].previous = last
        slots[slot].next = -1
        if last >= 0 { slots[Int(last)].next = Int32(slot) } else { first = Int32(slot) }
        last = Int32(slot)
        count += 1
    }

    mutating func prepend(_ slot: Int, in slots: inout [Slot]) {
        slots[slot].next = first
        slots[slot].previous = -1
        if first >= 0 { slots[Int(first)].previous = Int32(slot) } else { last = Int32(slot) }
        first = Int32(slot)
        count += 1
    }

    mutating func remove(_ slot: Int, in slots: inout [Slot]) {
        let (next, previous) = (slots[slot].next, slots[slot].previous)
        if previous >= 0 { slots[Int(previous)].next = next } else { first = next }
        if next >= 0 { slots[Int(next)].previous = previous } else { last = previous }
        slots[slot].next = -1
        slots[slot].previous = -1
        count -= 1
    }
}
