import Glibc

/// Keeps from libzmq 4.3.4 what would end the process: connections for which there is no file descriptor left (EMFILE
/// from `accept4` makes it abort), peers that claim a name they must not have (``Handshake``, likewise), and messages
/// that never end (``MessageMeter``).
///
/// libzmq has no hook for any of it, so this executable has an `accept4` and a `recv` of its own, which the dynamic
/// linker prefers when they are exported (README.md). Both are called by libzmq's one I/O thread.
enum ConnectionGuard {
    /// The bound on workers, as many clients, and every service's subscriptions; some 64 MiB in libzmq.
    static let connections: Int32 = 4_096
    /// For the context's own descriptors, logs, and files a service opens.
    private static let reserve: Int32 = 64

    /// The first descriptor number that is too high. The kernel gives the lowest free number, so none is ever above.
    ///
    /// `unsafe`: written before the first socket is bound.
    nonisolated(unsafe) private static var limit = connections
    /// What is known of each accepted connection, by descriptor.
    ///
    /// `unsafe`: each place is used only by the thread that has the descriptor. One that libzmq closed without reading
    /// its end leaves its place behind; `admit` clears it, and a connection of our own on that number is at worst cut
    /// off and made again.
    nonisolated(unsafe) private static let streams: UnsafeMutablePointer<InboundStream?> = {
        let places = UnsafeMutablePointer<InboundStream?>.allocate(capacity: Int(connections))
        places.initialize(repeating: nil, count: Int(connections))
        return places
    }()

    /// Raises the process's own limit as far as it may. Called before any socket is bound, and only then.
    static func establish() {
        var files = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return }
        files.rlim_cur = max(files.rlim_cur, min(files.rlim_max, rlim_t(connections + reserve)))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        limit = min(connections, Int32(clamping: files.rlim_cur) - reserve)
        // Where ROUTER starts to count its own names; else it is the same number at every start.
        var seed: UInt32 = 0
        getentropy(&seed, MemoryLayout<UInt32>.size)
        srand(seed)
    }

    /// Whether a connection may have this descriptor.
    static func hasPlace(for descriptor: Int32) -> Bool { descriptor < limit }

    /// - Returns: the descriptor; -1 with EAGAIN, "none waits", when it was one too many.
    fileprivate static func admit(_ descriptor: Int32) -> Int32 {
        guard descriptor >= 0 else { return -1 }
        guard hasPlace(for: descriptor) else {
            close(descriptor)
            errno = EAGAIN
            return -1
        }
        streams[Int(descriptor)] = InboundStream()
        return descriptor
    }

    /// - Returns: `count`; 0, the end of the stream, when the bytes received may not reach libzmq.
    fileprivate static func inspect(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, count: Int) -> Int {
        let index = Int(descriptor)
        guard index >= 0, index < limit, count >= 0, streams[index] != nil else { return count }
        if count > 0, streams[index]!.take(UnsafeRawBufferPointer(start: bytes, count: count)) { return count }
        streams[index] = nil
        return 0
    }
}

private typealias Accept = @convention(c) (Int32, OpaquePointer?, OpaquePointer?, Int32) -> Int32
private typealias Receive = @convention(c) (Int32, UnsafeMutableRawPointer?, Int, Int32) -> Int

/// The C library's functions: the ones after ours in the linker's order (RTLD_NEXT is -1).
private let libraryAccept = unsafeBitCast(next("accept4"), to: Accept.self)
private let libraryReceive = unsafeBitCast(next("recv"), to: Receive.self)

private func next(_ symbol: String) -> UnsafeMutableRawPointer {
    guard let function = dlsym(UnsafeMutableRawPointer(bitPattern: -1), symbol) else {
        fatalError("the C library has no \(symbol)")
    }
    return function
}

@_cdecl("accept4")
public func guardedAccept(
    _ listener: Int32, _ address: OpaquePointer?, _ length: OpaquePointer?, _ flags: Int32
) -> Int32 {
    ConnectionGuard.admit(libraryAccept(listener, address, length, flags))
}

@_cdecl("recv")
public func guardedReceive(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int, _ flags: Int32) -> Int
{
    ConnectionGuard.inspect(descriptor, buffer, count: libraryReceive(descriptor, buffer, size, flags))
}
