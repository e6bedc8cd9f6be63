import BusZMQ
import CZeroMQ
import Glibc
import Majordomo

/// libzmq's ROUTER, for peers that come in by tcp: on this host's loopback, or from others with CURVE.
final class RemoteSocket {
    private let socket: ZMQSocket
    private let received: ReceivedFrames
    private let unsent = UnsentBytes()
    private var unsentOf: [Peer: UnsentBytes] = [:]
    /// Of the peer that is being sent to.
    private var counted: UnsentBytes?
    /// Frames that are smaller are bounded by their number alone.
    private static let countedBytesMin = 256
    let endpoints: [String]

    /// - Returns: nil where no tcp endpoint is wanted.
    init?(_ configuration: BrokerConfiguration, frames: Int, context: ZMQContext, peers: RemotePeers?) throws {
        guard configuration.asksTCP != nil || peers != nil else { return nil }
        // What is unsent at the end is lost: stopping must not wait for a peer that does not read.
        socket = try ZMQSocket(
            context, ZMQ_ROUTER, highWaterMark: configuration.receiveHighWaterMark, lingerMilliseconds: 0)
        // Else a message to a peer that is gone vanishes, and its ask with it.
        try socket.set(ZMQ_ROUTER_MANDATORY, 1)
        try socket.set(ZMQ_SNDHWM, configuration.sendHighWaterMark)
        var endpoints: [String] = []
        if let endpoint = configuration.asksTCP {
            // A host that vanishes sends no end of stream.
            try socket.useHeartbeats()
            try socket.set(ZMQ_IPV6, endpoint.hasPrefix("tcp://[") ? 1 : 0)
            try socket.bind(endpoint)
            endpoints.append(socket.lastEndpoint)
        }
        if let peers {
            try peers.bind(socket, to: .asks)
            endpoints.append(socket.lastEndpoint)
        }
        self.endpoints = endpoints
        received = ReceivedFrames(capacity: 1 + frames + 1)
    }

    /// What becomes readable when there is news. It tells of it once: slept on only after ``receive(_:)`` has found
    /// nothing, with nothing sent since.
    var descriptor: Int32 { socket.descriptor }

    /// One message, with the routing id of who sent it; false when none waits.
    func receive(_ take: (_ routingID: UnsafeRawBufferPointer, Frames) -> Void) -> Bool {
        guard received.receive(from: socket.raw) else { return false }
        take(received.routingID, received.content)
        return true
    }

    /// What all peers by tcp have not read.
    var unsentBytes: Int { unsent.count }

    /// Begins a message: nil when its frames may follow, else EHOSTUNREACH or EAGAIN, and nothing has left.
    ///
    /// - Parameter free: a peer that has not read as much gets no more.
    func address(_ routingID: UnsafeRawBufferPointer, of peer: Peer, free: Int) -> Int32? {
        counted = unsentOf[peer]
        guard counted?.count ?? 0 < free else { return EAGAIN }
        guard zmq_send(socket.raw, routingID.baseAddress, routingID.count, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0 else {
            return zmq_errno()
        }
        if counted == nil {
            counted = UnsentBytes(in: unsent)
            unsentOf[peer] = counted
        }
        return nil
    }

    /// Sends a frame of a message that was addressed; after the first frame none fails.
    func send(_ frame: UnsafeRawBufferPointer, more: Bool) {
        let flags = (more ? ZMQ_SNDMORE : 0) | ZMQ_DONTWAIT
        if frame.count >= Self.countedBytesMin, let counted {
            counted.send(frame, to: socket.raw, flags)
        } else {
            zmq_send(socket.raw, frame.baseAddress, frame.count, flags)
        }
    }

    /// Forgets the peers that have read all.
    func tick() { unsentOf = unsentOf.filter { $0.value.count > 0 } }
}
