import Bus
import CZeroMQ
import Glibc
import NATS
import ZMTP

/// Where the bus is, and how one gets in.
package enum BusAddress: Sendable {
    /// Unix sockets in a directory, guarded by its mode.
    case directory(String)
    /// tcp between hosts, guarded and encrypted by CURVE (ZeroMQ RFC 25, 26): three ports from this one on, in the
    /// order of ``Entrance``.
    case host(String, port: UInt16, PeerKeys)
    /// A NATS cluster in the broker's place (docs/nats.md).
    case nats(NATSAccess)

    /// One of the broker's sockets.
    package enum Entrance: UInt16, Sendable, CaseIterable {
        case asks = 0
        case factsIn = 1
        case factsOut = 2

        fileprivate var file: String {
            switch self {
            case .asks: "asks.sock"
            case .factsIn: "facts-in.sock"
            case .factsOut: "facts-out.sock"
            }
        }
    }

    /// - Parameters:
    ///   - endpoint: as ``hostAndPort(_:)`` reads it.
    ///   - keys: the directory of a peer's keys.
    /// - Throws: ``ZMQError`` or ``KeyError`` for what cannot be used.
    package init(endpoint: String, keys: String) throws {
        let (host, port) = try Self.hostAndPort(endpoint)
        guard !keys.isEmpty else {
            throw KeyError(
                description: "a broker on another host lets in only who has a key: name its directory (BILLFOLD_KEYS)")
        }
        self = .host(host, port: port, try PeerKeys(directory: keys))
    }

    /// - Parameter endpoint: `tcp://HOST:PORT`; the host may be a name, an IPv4 address or `[IPv6]`.
    /// - Throws: ``ZMQError`` with EINVAL for anything else, and for a port with no room for two more.
    package static func hostAndPort(_ endpoint: String) throws -> (host: String, port: UInt16) {
        let rest = endpoint.dropFirst("tcp://".count)
        guard endpoint.hasPrefix("tcp://"), let colon = rest.lastIndex(of: ":"), colon > rest.startIndex,
            let port = UInt16(rest[rest.index(after: colon)...]), (1...65_533).contains(port)
        else { throw ZMQError("\(endpoint) is not tcp://HOST:PORT with a port of 1 to 65533", code: EINVAL) }
        return (String(rest[..<colon]), port)
    }

    /// A way for asks: our own to a broker on this host and to NATS, libzmq's, which has CURVE, to another broker.
    package func openAsks(lingerMilliseconds: Int32, clock: WallClock = .system) throws -> any AsksPort {
        switch self {
        case .nats(let access): return try NATSPort(access, clock: clock)
        case .directory(let directory):
            return LinkPort(path: try Self.path(directory, .asks))
        case .host:
            let context = try ZMQContext()
            let socket = try ZMQSocket(
                context, ZMQ_DEALER, highWaterMark: 100_000, lingerMilliseconds: lingerMilliseconds)
            let monitor = try ConnectionMonitor(of: socket, context)
            // Nothing is sent into the void of a broker that is not there.
            try socket.set(ZMQ_IMMEDIATE, 1)
            try connect(socket, to: .asks)
            return ZMQPort(socket, monitor)
        }
    }

    /// Why a service on NATS is neither paused nor swapped.
    package static let noPauseOnNATS =
        "NATS has no queue to pause: stop the process and start the other one, asks wait meanwhile"

    /// The same bus, for a process that does otherwise when NATS lets it in no more.
    package func whenRefused(_ refused: NATSAccess.Refused) -> BusAddress {
        guard case .nats(var access) = self else { return self }
        access.refused = refused
        return .nats(access)
    }

    func openFacts(lingerMilliseconds: Int32) throws -> any FactsPort {
        if case .nats(let access) = self { return try NATSFacts(access) }
        return try ZMQFacts(self, lingerMilliseconds: lingerMilliseconds)
    }

    /// The file of the broker's asks; nil for a broker on another host, and for NATS.
    package var asksPath: String? {
        get throws {
            guard case .directory(let directory) = self else { return nil }
            return try Self.path(directory, .asks)
        }
    }

    private static func path(_ directory: String, _ entrance: Entrance) throws -> String {
        let path = "\(directory)/\(entrance.file)"
        guard path.utf8.count <= UnixSocket.pathBytesMax else {
            throw ZMQError("the socket path \(path) is longer than 107 bytes", code: ENAMETOOLONG)
        }
        return path
    }

    /// Connects a socket that talks to this entrance.
    package func connect(_ socket: ZMQSocket, to entrance: Entrance) throws {
        switch self {
        case .nats: throw ZMQError("NATS has no sockets of ZeroMQ", code: EINVAL)
        case .directory(let directory):
            try socket.connect("ipc://\(try Self.path(directory, entrance))")
        case .host(let host, let port, let keys):
            try socket.useHeartbeats()
            try socket.set(ZMQ_IPV6, host.hasPrefix("[") ? 1 : 0)
            try socket.set(ZMQ_CURVE_SERVERKEY, keys.broker)
            try socket.set(ZMQ_CURVE_PUBLICKEY, keys.own.publicKey)
            try socket.set(ZMQ_CURVE_SECRETKEY, keys.own.secret)
            try socket.connect("tcp://\(host):\(port + entrance.rawValue)")
        }
    }
}

extension BusAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .directory(let directory): "in \(directory)"
        case .host(let host, let port, _): "at tcp://\(host):\(port)"
        case .nats(let access): "at \(access.servers)"
        }
    }
}

extension ZMQSocket {
    /// A host that vanishes sends no end of stream.
    package func useHeartbeats() throws {
        try set(ZMQ_HEARTBEAT_IVL, 1_000)
        try set(ZMQ_HEARTBEAT_TIMEOUT, 3_000)
    }

    package func set(_ option: Int32, _ text: String) throws {
        guard zmq_setsockopt(raw, option, text, text.utf8.count) == 0 else {
            throw ZMQError("cannot set ZeroMQ option \(option)")
        }
    }
}
