import Glibc

/// The process's limit of open files: each connection is one.
package enum OpenFiles {
    /// For the bus, logs, pages, and connections that are being closed.
    package static let reserve = 512

    /// Raises the limit as far as it may and need be.
    /// - Returns: the connections for which there are files, `connections` at most.
    package static func makeRoom(for connections: Int) -> Int {
        var files = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &files) == 0 else { return connections }
        let wanted = rlim_t(connections + EdgeServer.closingMax(of: connections) + reserve)
        if files.rlim_cur < wanted {
            files.rlim_cur = min(files.rlim_max, wanted)
            // Refused: what there is has to do.
            if setrlimit(resource, &files) != 0 { getrlimit(resource, &files) }
        }
        guard files.rlim_cur < wanted else { return connections }
        let free = max(1, Int(files.rlim_cur) - reserve)
        return max(1, free - EdgeServer.closingMax(of: free))
    }
}
