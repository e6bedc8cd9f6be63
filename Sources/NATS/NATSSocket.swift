import CNATS
import Synchronization

/// What libnats tells about a connection's socket, from whichever thread.
final class NATSSocket: Sendable {
    struct State {
        /// -1: not connected.
        var descriptor: Int32 = -1
        /// Whether something waits to be written.
        var writes = false
        /// How often the connection was made.
        var openings: UInt64 = 0
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }

    private func change(_ body: (inout State) -> Void) -> natsStatus {
        state.withLock { body(&$0) }
        return NATS_OK
    }

    /// Makes libnats leave its socket to the thread that owns the connection.
    func attach(to options: OpaquePointer) -> natsStatus {
        // Kept for good: libnats's own threads may call late, and a process has few connections.
        let context = Unmanaged.passRetained(self).toOpaque()
        return natsOptions_SetEventLoop(
            options, context,
            { data, loop, _, descriptor in
                data?.pointee = loop
                return NATSSocket.of(loop).change {
                    $0.descriptor = descriptor
                    $0.writes = false
                    $0.openings += 1
                }
            },
            { data, adds in NATSSocket.of(data).change { if !adds { $0.descriptor = -1 } } },
            { data, adds in NATSSocket.of(data).change { $0.writes = adds } },
            { data in NATSSocket.of(data).change { $0.descriptor = -1 } })
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> NATSSocket {
        Unmanaged<NATSSocket>.fromOpaque(context!).takeUnretainedValue()
    }
}
