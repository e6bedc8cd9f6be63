import Bus
import BusZMQ
import CZeroMQ
import Glibc
import Primitives
import ServiceKit

/// Lets in whose key is known: the ZAP handler (ZeroMQ RFC 27) of everything that this broker listens to over tcp.
///
/// Without a handler CURVE encrypts and lets every key in. So it answers before the first socket is bound, and the
/// sockets refuse whom no handler has let in.
///
/// `@unchecked`: the socket is handed from `init` to the one thread that calls ``run()``.
final class RemotePeers: @unchecked Sendable {
    private enum Call: Sendable { case stop }

    /// Where libzmq asks (RFC 27, "ZAP Transport").
    private static let endpoint = "inproc://zeromq.zap.01"
    private static let domain = "billfold"
    /// ZMQ_ZAP_ENFORCE_DOMAIN: libzmq 4.3 has it, and shows its name only to users of the draft API.
    private static let zapEnforceDomain: Int32 = 93
    /// Version, request, domain, address, routing id, mechanism, key; one more to notice that there are too many.
    private static let requestFrames = 8
    private static let sleepMs: Int64 = 1_000

    private let host: String
    private let port: UInt16
    private let directory: String
    private let keys: CurveKeyPair
    /// Told the address of a peer that was not let in, at most every ten seconds.
    let strangerCame = SetOnce<@Sendable (_ address: String) -> Void>()
    private static let reportPause: UInt64 = 10_000_000_000
    private var nextReport: UInt64 = 0
    private let mailbox: Mailbox<Call>
    private let socket: ZMQSocket
    private let poller: RelayPoller

    /// - Parameters:
    ///   - listen: `tcp://ADDRESS:PORT`, the first of three ports.
    ///   - keys: the broker's directory of keys.
    init(listen: String, keys directory: String, context: ZMQContext) throws {
        (host, port) = try BusAddress.hostAndPort(listen)
        self.directory = directory
        keys = try CurveKeyPair(file: "\(directory)/secret.key")
        mailbox = try Mailbox()
        socket = try ZMQSocket(context, ZMQ_REP, highWaterMark: 1_000, lingerMilliseconds: 0)
        try socket.bind(Self.endpoint)
        poller = RelayPoller([.socket(socket), .descriptor(mailbox.wakeup)])
    }

    /// Binds one more endpoint of a socket. What it is told of CURVE counts for endpoints bound from now on, so that
    /// the Unix socket has to be bound already.
    func bind(_ socket: ZMQSocket, to entrance: BusAddress.Entrance) throws {
        try socket.useHeartbeats()
        try socket.set(ZMQ_IPV6, host.hasPrefix("[") ? 1 : 0)
        // Who is not let in hears nothing (see `answer`) until this time is over, and then tries again.
        try socket.set(ZMQ_HANDSHAKE_IVL, 2_000)
        try socket.set(ZMQ_ZAP_DOMAIN, Self.domain)
        try socket.set(Self.zapEnforceDomain, 1)
        try socket.set(ZMQ_CURVE_SERVER, 1)
        try socket.set(ZMQ_CURVE_SECRETKEY, keys.secret)
        try socket.bind("tcp://\(host):\(port + entrance.rawValue)")
    }

    /// Answers until ``stop()``. Called once, on a thread of its own.
    func run() {
        let frames = ReceivedFrames(capacity: Self.requestFrames)
        while true {
            poller.wait(ms: Self.sleepMs)
            if poller.isReady(1), !mailbox.take().isEmpty { break }
            while frames.receive(from: socket.raw) { answer(frames) }
        }
        _ = mailbox.close()
    }

    func stop() { mailbox.post(.stop) }

    /// The known keys are read anew each time: a peer is let in, or kept out, by a file.
    private func answer(_ frames: ReceivedFrames) {
        let request = frames.count > 1 ? [UInt8](frames.content[0]) : []
        var peer: String?
        // Frames without the first, the version: request, domain, address, routing id, mechanism, key.
        if frames.count == 7, frames.content[4].elementsEqual("CURVE".utf8), frames.content[5].count == 32 {
            var key = [CChar](repeating: 0, count: CurveKeyPair.characters + 1)
            let raw = frames.content[5]
            zmq_z85_encode(&key, raw.bindMemory(to: UInt8.self).baseAddress, raw.count)
            let text = String(
                decoding: key.prefix(CurveKeyPair.characters).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            peer = KeyDirectory.knownPeers(in: directory)[text]
        }
        // 300, "temporary error": after 400 a peer would never come back, also once its key is known.
        let reply: [[UInt8]] = [
            Array("1.0".utf8), request, Array((peer == nil ? "300" : "200").utf8),
            Array((peer == nil ? "unknown key" : "").utf8), Array((peer ?? "").utf8), []
        ]
        for (index, frame) in reply.enumerated() {
            _ = frame.withUnsafeBytes { socket.send($0, more: index + 1 < reply.count) }
        }
        if peer == nil { reportStranger(frames.count > 3 ? String(decoding: frames.content[2], as: UTF8.self) : "") }
    }

    /// Strangers come back every second or so: only some of them are reported.
    private func reportStranger(_ address: String) {
        let now = monotonicNanoseconds()
        guard now >= nextReport, let report = strangerCame.value else { return }
        nextReport = now + Self.reportPause
        report(address)
    }
}
