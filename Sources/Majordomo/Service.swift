/// One service name, its queue and its workers.
struct Service {
    var name: [UInt8] = []
    /// Next service in the same bucket of the ``ServiceBook``.
    var nextInBucket: Int32 = -1
    var queue = AskList()
    /// Asks of `try.` and this name: first in turn, and not held back by a pause.
    var trials = AskList()
    var queuedBytes = 0
    var inFlight = 0
    /// Held asks that refer to it, those being closed too.
    var held = 0
    var ready = ReadyList()
    /// Registered and not draining: what 8/MMI calls found.
    var workers = 0
    /// All registered ones, draining too.
    var members = 0
    var credit = 0
    var isPaused = false
    var asks: UInt64 = 0
    var answers: UInt64 = 0

    /// The next ask goes to a worker at once.
    var isFlowing: Bool { queue.isEmpty && trials.isEmpty && ready.first >= 0 && !isPaused }

    /// Asks that wait for a worker.
    var waiting: Int { queue.count + trials.count }

    /// The ask that a worker with room gets next; -1: none may go.
    var next: Int32 { trials.first >= 0 ? trials.first : isPaused ? -1 : queue.first }

    /// Nothing refers to it: its place may be given to another name.
    var isIdle: Bool { held == 0 && members == 0 && !isPaused }
}

/// Asks of one client that wait for a worker, and their bytes.
struct Waiting {
    var asks = 0
    var bytes = 0
}

/// The names in use, interned: a name is hashed and compared once per message, then it is an index.
struct ServiceBook {
    private static let buckets = 8_192

    private(set) var services: [Service] = []
    private var heads = [Int32](repeating: -1, count: buckets)
    private var free: [Int] = []
    private var evictionHand = 0

    subscript(index: Int) -> Service {
        _read { yield services[index] }
        _modify { yield &services[index] }
    }

    func withName<Result>(of index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        services[index].name.withUnsafeBytes(body)
    }

    /// Names that are known now.
    var count: Int { services.count - free.count }

    func find(_ name: UnsafeRawBufferPointer) -> Int? {
        var index = heads[bucket(name)]
        while index >= 0 {
            if name.equals(services[Int(index)].name) { return Int(index) }
            index = services[Int(index)].nextInBucket
        }
        return nil
    }

    /// The name's index; a name nobody uses makes room when there are `max`. `nil`: all are in use.
    mutating func intern(_ name: UnsafeRawBufferPointer, max: Int) -> Int? {
        if let known = find(name) { return known }
        if count >= max {
            guard let idle = nextIdle() else { return nil }
            forget(idle)
        }
        let bucket = bucket(name)
        let index = free.popLast() ?? services.count
        var service = Service()
        service.name = [UInt8](name)
        service.nextInBucket = heads[bucket]
        if index == services.count { services.append(service) } else { services[index] = service }
        heads[bucket] = Int32(index)
        return index
    }

    /// Forgets a name no worker ever served as soon as its last ask is gone: made-up names leave nothing behind.
    mutating func forgetIfUnused(_ index: Int) {
        if services[index].answers == 0 && services[index].isIdle && !services[index].name.isEmpty { forget(index) }
    }

    private mutating func forget(_ index: Int) {
        let bucket = services[index].name.withUnsafeBytes { self.bucket($0) }
        if heads[bucket] == Int32(index) {
            heads[bucket] = services[index].nextInBucket
        } else {
            var before = Int(heads[bucket])
            while services[before].nextInBucket != Int32(index) { before = Int(services[before].nextInBucket) }
            services[before].nextInBucket = services[index].nextInBucket
        }
        services[index] = Service()
        free.append(index)
    }

    private mutating func nextIdle() -> Int? {
        for _ in services.indices {
            evictionHand = (evictionHand + 1) % services.count
            let service = services[evictionHand]
            if service.isIdle && !service.name.isEmpty { return evictionHand }
        }
        return nil
    }

    /// Swift's hasher is keyed by a random number at each start: nobody can make names collide on purpose.
    private func bucket(_ name: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: name)
        return hasher.finalize() & (Self.buckets - 1)
    }
}
