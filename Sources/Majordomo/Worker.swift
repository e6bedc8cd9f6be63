/// One registered worker.
struct Worker {
    var isRegistered = false
    /// Has said GOODBYE: finishes what it has and gets no more.
    var isDraining = false
    /// Stands in its service's list of workers with credit left.
    var isReady = false
    var dialect = Dialect.billfold
    var peer = Peer(handle: 0)
    var service: Int32 = -1
    var credit: Int32 = 0
    /// Asks it was given and has not answered, abandoned ones too.
    var asks = AskList()
    /// Body bytes of these.
    var givenBytes = 0
    /// Neighbours in the service's ready list.
    var next: Int32 = -1
    var previous: Int32 = -1
    var receivedMs: Int64 = 0
    var sentMs: Int64 = 0
    var registeredMs: Int64 = 0
    /// 0: not known, as over tcp.
    var processID: Int32 = 0
}

/// Workers with credit left, least recently used first (18/MDP, "Goals").
///
/// A worker goes to the end when it is given an ask, and when it comes back after its credit was used up. With
/// credit 1 that is Majordomo's order; with more it gives the workers of a service turns.
struct ReadyList {
    var first: Int32 = -1
    var last: Int32 = -1

    mutating func append(_ worker: Int, in workers: inout [Worker]) {
        workers[worker].isReady = true
        workers[worker].previous = last
        workers[worker].next = -1
        if last >= 0 { workers[Int(last)].next = Int32(worker) } else { first = Int32(worker) }
        last = Int32(worker)
    }

    mutating func remove(_ worker: Int, in workers: inout [Worker]) {
        let (next, previous) = (workers[worker].next, workers[worker].previous)
        if previous >= 0 { workers[Int(previous)].next = next } else { first = next }
        if next >= 0 { workers[Int(next)].previous = previous } else { last = previous }
        workers[worker].isReady = false
    }
}
