/// The servers that a connection tries in turn, and whether it tries again.
package struct NATSPool {
    /// Servers that other servers name.
    private static let learnedMax = 64
    /// Nanoseconds between two tries.
    private static let pauses: ClosedRange<UInt64> = 50_000_000...150_000_000

    /// `HOST:PORT` each, in the order in which they are tried.
    package private(set) var hosts: [String]
    private let named: Int
    private var next = 0
    private var refusals = 0
    private var wasAccepted = false

    /// - Parameter hosts: in random order, so that a cluster's servers get the same number of clients.
    package init(_ hosts: [String]) { (self.hosts, named) = (hosts, hosts.count) }

    package mutating func take() -> String {
        defer { next = (next + 1) % hosts.count }
        return hosts[next]
    }

    /// Adds servers that a server names.
    package mutating func learn(_ servers: [String]) {
        for server in servers where hosts.count < named + Self.learnedMax {
            guard let host = NATSServers.host(server[...]), !hosts.contains(host) else { continue }
            hosts.append(host)
        }
    }

    package func pause() -> UInt64 { .random(in: Self.pauses) }

    package mutating func accept() {
        wasAccepted = true
        refusals = 0
    }

    /// A server refuses this process.
    ///
    /// - Returns: whether it is of no use to go on: no server has ever accepted it, or two in a row refuse it.
    package mutating func refuse() -> Bool {
        refusals += 1
        return refusals >= (wasAccepted ? 2 : named)
    }
}
