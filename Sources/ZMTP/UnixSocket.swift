import Glibc

/// Stream sockets in the file system that never block (unix(7)).
package enum UnixSocket {
    /// Linux's bound on a path, without the final zero.
    package static let pathBytesMax = 107
    /// Connections that may wait to be accepted.
    private static let backlog: Int32 = 1_024

    /// - Throws: ``LinkFault/system(_:)``: ENOENT and ECONNREFUSED where nobody listens, EAGAIN where too many wait.
    package static func connect(_ path: String) throws(LinkFault) -> Int32 {
        try opened(path) { descriptor, address, length in Glibc.connect(descriptor, address, length) }
    }

    /// Listens on a path where there is no file.
    package static func listen(_ path: String) throws(LinkFault) -> Int32 {
        try opened(path) { descriptor, address, length in
            bind(descriptor, address, length) == 0 ? Glibc.listen(descriptor, backlog) : -1
        }
    }

    /// The next connection; nil when none waits.
    ///
    /// - Throws: ``LinkFault/system(_:)`` when there is no descriptor left for it.
    package static func accept(_ listener: Int32) throws(LinkFault) -> Int32? {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                return descriptor
            }
            switch errno {
            case EAGAIN: return nil
            case EINTR, ECONNABORTED: continue
            default: throw .system(errno)
            }
        }
    }

    private static func opened(
        _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(LinkFault) -> Int32 {
        guard path.utf8.count <= pathBytesMax else { throw .system(ENAMETOOLONG) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .system(errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let reason = errno
            close(descriptor)
            throw .system(reason)
        }
        return descriptor
    }
}
