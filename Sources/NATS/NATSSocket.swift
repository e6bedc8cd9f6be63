import CNATS
import Glibc
import Synchronization

/// What libnats tells about a connection, from whichever thread.
///
/// Its socket is read and written by the thread that owns the connection, or, when the connection is encrypted, by
/// libnats's own: libnats waits for a whole record of TLS when it is told to read, and reads a socket that was replaced
/// meanwhile. The owner is then woken by a bell.
final class NATSSocket: Sendable {
    struct State {
        /// -1: not connected, or libnats's own.
        var descriptor: Int32 = -1
        /// Whether something waits to be written.
        var writes = false
        var isOpen = false
        /// Whether the connection never comes back.
        var isClosed = false
        /// How often the connection was made.
        var openings: UInt64 = 0
        var refusals: [NATSRefusal] = []
    }

    /// Those that nobody has taken yet; the ones beyond are forgotten.
    private static let refusalsMax = 64

    private let state = Mutex(State())
    /// The owner's bell, for an encrypted connection; nil for another one.
    let bell: NATSBell?

    init(isEncrypted: Bool) throws(NATSError) { bell = isEncrypted ? try NATSBell() : nil }

    var now: State { state.withLock { $0 } }

    func takeRefusals() -> [NATSRefusal] {
        state.withLock { state in
            defer { state.refusals = [] }
            return state.refusals
        }
    }

    /// An encrypted connection was made.
    func opened() {
        change {
            $0.isOpen = true
            $0.openings += 1
        }
    }

    @discardableResult
    private func change(_ body: (inout State) -> Void) -> natsStatus {
        state.withLock { body(&$0) }
        bell?.ring()
        return NATS_OK
    }

    /// Makes libnats tell what happens to its connection.
    func attach(to options: OpaquePointer) -> natsStatus {
        // Kept for good: libnats's own threads may call late, and a process has few connections.
        let context = Unmanaged.passRetained(self).toOpaque()
        natsOptions_SetClosedCB(
            options,
            { _, socket in
                NATSSocket.of(socket).change {
                    $0.isOpen = false
                    $0.isClosed = true
                }
            }, context)
        // Without a handler libnats prints to standard error.
        natsOptions_SetErrorHandler(
            options,
            { _, _, status, socket in
                guard status == NATS_NOT_PERMITTED, let text = nats_GetLastError(nil) else { return }
                let refusal = NATSRefusal(String(cString: text))
                NATSSocket.of(socket).change {
                    if $0.refusals.count < NATSSocket.refusalsMax { $0.refusals.append(refusal) }
                }
            }, context)
        natsOptions_SetRetryOnFailedConnect(options, true, { _, socket in NATSSocket.of(socket).connected() }, context)
        guard bell == nil else { return attachEncrypted(to: options, context) }
        return natsOptions_SetEventLoop(
            options, context,
            { data, loop, _, descriptor in
                data?.pointee = loop
                return NATSSocket.of(loop).change {
                    $0.descriptor = descriptor
                    $0.isOpen = true
                    $0.writes = false
                    $0.openings += 1
                }
            },
            { data, adds in NATSSocket.of(data).change { if !adds { $0.close() } } },
            { data, adds in NATSSocket.of(data).change { $0.writes = adds } },
            { data in NATSSocket.of(data).change { $0.close() } })
    }

    private func attachEncrypted(to options: OpaquePointer, _ context: UnsafeMutableRawPointer) -> natsStatus {
        natsOptions_SetReconnectedCB(options, { _, socket in NATSSocket.of(socket).connected() }, context)
        return natsOptions_SetDisconnectedCB(
            options, { _, socket in NATSSocket.of(socket).change { $0.isOpen = false } }, context)
    }

    /// A connection with an event loop is known to be open before that.
    private func connected() { if bell != nil { opened() } }

    private static func of(_ context: UnsafeMutableRawPointer?) -> NATSSocket {
        Unmanaged<NATSSocket>.fromOpaque(context!).takeUnretainedValue()
    }
}

extension NATSSocket.State {
    fileprivate mutating func close() {
        descriptor = -1
        isOpen = false
    }
}

/// A pipe by which libnats's threads wake the one that owns a connection.
final class NATSBell: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(NATSError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw NATSError("cannot open a pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func ring() {
        var byte: UInt8 = 1
        // A full pipe has rung already.
        _ = write(writeEnd, &byte, 1)
    }

    func silence() {
        var bytes: (UInt64, UInt64) = (0, 0)
        while Glibc.read(readEnd, &bytes, 16) > 0 {}
    }
}
