/// What a connection subscribes to, through all connections to servers that it is made of.
struct NATSSubscriptions {
    private var all: [Int: (subject: String, queue: String?)] = [:]
    private var last = 0
    /// Those that end, and the PING behind the end of each.
    private var drains: [NATSSubscription: Int] = [:]

    mutating func add(_ subject: String, queue: String?) -> NATSSubscription {
        last += 1
        all[last] = (subject, queue)
        return NATSSubscription(id: last)
    }

    /// - Returns: false for one that has ended already.
    mutating func remove(_ subscription: NATSSubscription) -> Bool {
        all.removeValue(forKey: subscription.id) != nil
    }

    /// - Parameter ping: behind its end: when that is answered, nothing comes any more.
    mutating func drain(_ subscription: NATSSubscription, until ping: Int) { drains[subscription] = ping }

    func isDraining(_ subscription: NATSSubscription) -> Bool { drains[subscription] != nil }

    /// The server has answered PINGs.
    mutating func endDrains(where isAnswered: (_ ping: Int) -> Bool) {
        drains = drains.filter { !isAnswered($0.value) }
    }

    /// Tells a server all of them.
    func write(to output: NATSOutput) {
        for (id, (subject, queue)) in all { output.subscribe(id, to: subject, queue: queue) }
    }
}
