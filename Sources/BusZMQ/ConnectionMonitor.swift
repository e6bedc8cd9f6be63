import CZeroMQ

/// Tells when a socket of libzmq's that has one connection gets it, and when it loses it (zmq_socket_monitor(3)).
final class ConnectionMonitor {
    private static let eventsMax: Int32 = 1_000

    private let events: ZMQSocket
    private let frames = ReceivedFrames(capacity: 3)

    /// - Parameter socket: one that is not connected yet.
    init(of socket: ZMQSocket, _ context: ZMQContext) throws {
        let endpoint = "inproc://monitor-\(UInt(bitPattern: socket.raw))"
        let watched = ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED
        guard zmq_socket_monitor(socket.raw, endpoint, watched) == 0 else {
            throw ZMQError("cannot monitor a ZeroMQ socket")
        }
        events = try ZMQSocket(context, ZMQ_PAIR, highWaterMark: Self.eventsMax, lingerMilliseconds: 0)
        try events.connect(endpoint)
    }

    /// The next change: whether the connection is there now. Nil where nothing has changed.
    func next() -> Bool? {
        // The first frame begins with the event's number, in the machine's order of bytes.
        guard frames.receive(from: events.raw), frames.all[0].count >= 2 else { return nil }
        return frames.all[0].loadUnaligned(as: UInt16.self) == UInt16(ZMQ_EVENT_HANDSHAKE_SUCCEEDED)
    }
}
