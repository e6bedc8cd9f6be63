import Glibc

/// A Unix stream socket, for lines.
struct UnixSocket {
    let descriptor: Int32

    struct Failure: Error, CustomStringConvertible {
        let description: String
        let code: Int32
    }

    static func connected(to path: String) throws(Failure) -> UnixSocket {
        let socket = try UnixSocket()
        guard try socket.withAddress(path, { connect(socket.descriptor, $0, $1) }) == 0 else {
            throw socket.failure("cannot connect to \(path)")
        }
        return socket
    }

    /// For its owner alone. What a dead one left under that name goes.
    static func listening(at path: String) throws(Failure) -> UnixSocket {
        let socket = try UnixSocket()
        unlink(path)
        let mask = umask(0o177)
        let isBound = try socket.withAddress(path) { bind(socket.descriptor, $0, $1) } == 0
        umask(mask)
        guard isBound, listen(socket.descriptor, 16) == 0 else { throw socket.failure("cannot listen at \(path)") }
        _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
        return socket
    }

    private init() throws(Failure) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure("cannot open a socket") }
    }

    private func failure(_ words: String) -> Failure {
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        return Failure(description: "\(words): \(String(cString: strerror(code)))", code: code)
    }

    private func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(Failure) -> Int32 {
        var address = sockaddr_un()
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else {
            errno = ENAMETOOLONG
            throw failure("the socket path \(path) is longer than 107 bytes")
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// Whether a process accepts connections there.
    static func isAccepting(_ path: String) -> Bool {
        guard let socket = try? connected(to: path) else { return false }  // whatever the reason, nobody does
        close(socket.descriptor)
        return true
    }
}
