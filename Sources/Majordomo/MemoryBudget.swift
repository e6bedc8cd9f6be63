/// How much memory messages may take in the broker, and who may have some of it still. Sizes in bytes.
///
/// Nobody may have more than is free, so that one who takes all there is gets half (dynamic thresholds; Choudhury and
/// Hahne, 1998).
package struct MemoryBudget: Sendable, Equatable {
    /// Code, tables, threads and libzmq before the first message.
    private static let ownBytes = 48 << 20
    package static let processMin = 64 << 20
    package static let processMax = 64 << 30
    /// Where no limit is known.
    package static let processDefault = 1 << 30
    /// Heads and ordinary facts: still published where larger ones are not.
    private static let smallFactBytes = 4 << 10

    /// What the whole process may take.
    package let process: Int
    /// Asks that wait. One that goes to a worker at once takes none of it.
    package let asks: Int
    /// Buffers of connections: what peers have not read, and the beginnings of messages. Apart from asks, so that peers
    /// which do not read cost the others no ask.
    package let connections: Int
    /// Facts that subscribers have not read.
    package let facts: Int

    /// Half of what the process does not need itself is for messages: the allocator keeps some memory, and a buffer
    /// that grows is there twice for a moment.
    package init(process: Int) {
        self.process = min(max(process, Self.processMin), Self.processMax)
        let messages = (self.process - Self.ownBytes) / 2
        asks = messages / 8 * 3
        connections = messages / 8 * 3
        facts = messages / 4
    }

    /// What is free for connections: one may be given more while its buffers take less than that.
    ///
    /// - Parameter used: what the buffers of all of them take.
    package func freeForConnections(used: Int) -> Int { connections - used }

    /// The rest of the quarter that peers by tcp get, all of them together. None of them can be
    /// disconnected for what it has not read, so they must not take what is others'.
    package func freeForRemote(used: Int) -> Int { connections / 4 - used }

    /// Whether several connections on this host leave too little for the others: then the one that takes most has to
    /// go.
    package func isShort(local: Int, remote: Int) -> Bool { local > (connections - remote) / 4 * 3 }

    /// Whether a fact may be given to libzmq.
    ///
    /// - Parameter unsent: what libzmq has of the facts before it.
    package func hasRoom(fact: Int, unsent: Int) -> Bool {
        unsent + fact <= (fact <= Self.smallFactBytes ? facts : facts / 2)
    }
}

/// How much memory the kernel lets this process have: the smallest limit of its control group and of those around it
/// (cgroups(7)).
package enum MemoryLimit {
    /// "No limit" of version 1 is a number near 2^63.
    private static let unlimited = 1 << 60

    /// - Parameter read: the text of a file; nil where there is none.
    package static func ofControlGroup(_ read: (_ path: String) -> String?) -> Int? {
        var limits: [Int] = []
        for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
            // Number, controllers, path. Version 2 has the number 0 and no controllers.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[0] == "0", parts[1].isEmpty {
                limits += found(in: "/sys/fs/cgroup", parts[2], "memory.max", read)
            } else if parts[1].split(separator: ",").contains("memory") {
                limits += found(in: "/sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes", read)
            }
        }
        return limits.min()
    }

    /// In a container the path may be the host's: then only the root is there, and it is the container's own.
    private static func found(
        in root: String, _ path: Substring, _ file: String, _ read: (String) -> String?
    ) -> [Int] {
        var names = path.split(separator: "/")
        var limits: [Int] = []
        while true {
            let directory = ([Substring(root)] + names).joined(separator: "/")
            if let text = read("\(directory)/\(file)"), let limit = Int(text.filter(\.isNumber)), limit < unlimited {
                limits.append(limit)
            }
            guard names.popLast() != nil else { return limits }
        }
    }
}
