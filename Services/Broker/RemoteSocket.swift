import BusZMQ
import CZeroMQ
import Majordomo

/// libzmq's ROUTER, for peers that come in by tcp: on this host's loopback, or from others with CURVE.
final class RemoteSocket {
    private let socket: ZMQSocket
    private let received: ReceivedFrames
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

    /// What becomes readable when there is news. It tells of it once: slept on only after ``receive(_:)`` has found nothing,
    /// with nothing sent since.
    var descriptor: Int32 { socket.descriptor }

    /// One message, with the routing id of who sent it; false when none waits.
    func receive(_ take: (_ routingID: UnsafeRawBufferPointer, Frames) -> Void) -> Bool {
        guard received.receive(from: socket.raw) else { return false }
        take(received.routingID, received.content)
        return true
    }

    /// Begins a message: nil when its frames may follow, else EHOSTUNREACH or EAGAIN, and nothing has left.
    func address(_ routingID: UnsafeRawBufferPointer) -> Int32? {
        zmq_send(socket.raw, routingID.baseAddress, routingID.count, ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0 ? zmq_errno() : nil
    }

    /// Sends a frame of a message that was addressed; after the first frame none fails.
    func send(_ frame: UnsafeRawBufferPointer, more: Bool) {
        zmq_send(socket.raw, frame.baseAddress, frame.count, (more ? ZMQ_SNDMORE : 0) | ZMQ_DONTWAIT)
    }
}
