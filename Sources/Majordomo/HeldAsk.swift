/// One ask, from the moment it is accepted to its one final answer (and beyond, while a worker still has it).
struct HeldAsk {
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
    /// Bytes charged for the body while the ask is held.
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

/// A doubly linked list of held asks, threaded through `HeldAsk.next` and `HeldAsk.previous`: removal takes constant
/// time.
struct AskList {
    var first: Int32 = -1
    var last: Int32 = -1
    var count = 0

    var isEmpty: Bool { first < 0 }

    mutating func append(_ index: Int, in heldAsks: inout [HeldAsk]) {
        heldAsks[index].previous = last
        heldAsks[index].next = -1
        if last >= 0 { heldAsks[Int(last)].next = Int32(index) } else { first = Int32(index) }
        last = Int32(index)
        count += 1
    }

    mutating func prepend(_ index: Int, in heldAsks: inout [HeldAsk]) {
        heldAsks[index].next = first
        heldAsks[index].previous = -1
        if first >= 0 { heldAsks[Int(first)].previous = Int32(index) } else { last = Int32(index) }
        first = Int32(index)
        count += 1
    }

    mutating func remove(_ index: Int, in heldAsks: inout [HeldAsk]) {
        let (next, previous) = (heldAsks[index].next, heldAsks[index].previous)
        if previous >= 0 { heldAsks[Int(previous)].next = next } else { first = next }
        if next >= 0 { heldAsks[Int(next)].previous = previous } else { last = previous }
        heldAsks[index].next = -1
        heldAsks[index].previous = -1
        count -= 1
    }
}
