import Glibc
import NATS
import Testing

@Suite("A connection to NATS")
struct NATSConnectionTests {
    private static let info = #"INFO {"server_id":"a"}"# + "\r\n"

    private func connection(_ scheme: String, _ server: ScriptedServer) throws -> NATSConnection {
        try NATSConnection(
            NATSAccess(servers: try NATSServers("\(scheme)://127.0.0.1:\(server.port)")), name: "test")
    }

    /// Turns until something is so.
    private func turn(
        _ connection: NATSConnection, _ server: ScriptedServer, at now: UInt64 = 0, until isSo: () -> Bool,
        take: (NATSMessage) -> Void = { _ in }, _ location: SourceLocation = #_sourceLocation
    ) {
        for _ in 0..<10_000 {
            connection.turn(now)
            server.turn()
            _ = connection.receive(take)
            if isSo() { return }
            var item = pollfd(fd: connection.descriptor, events: connection.events, revents: 0)
            poll(&item, 1, 1)
        }
        Issue.record("it never comes about; the server has heard: \(server.heard)", sourceLocation: location)
    }

    private func open(_ connection: NATSConnection, _ server: ScriptedServer, at now: UInt64 = 0) {
        turn(connection, server, at: now, until: { server.isConnected })
        server.say(Self.info)
        turn(connection, server, at: now, until: { server.heard.hasSuffix("PING\r\n") })
        server.say("PONG\r\n")
        turn(connection, server, at: now, until: { connection.isOpen })
    }

    @Test("subscribes before it is open, and again when it was lost")
    func again() throws {
        let server = try ScriptedServer()
        let connection = try connection("nats", server)
        let subscription = connection.subscribe(to: "a.*", queue: "q")
        open(connection, server)
        #expect(server.heard.hasPrefix("CONNECT {"))
        #expect(server.heard.hasSuffix("SUB a.* q 1\r\nPING\r\n"))
        var bodies: [String] = []
        server.say("MSG a.b 1 2\r\nhi\r\n")
        let take = { (message: NATSMessage) in
            #expect(message.subscription == subscription)
            bodies.append(String(decoding: message.body, as: UTF8.self))
        }
        turn(connection, server, until: { !bodies.isEmpty }, take: take)
        #expect(bodies == ["hi"])
        server.hangUp()
        turn(connection, server, until: { !connection.isOpen && connection.descriptor == -1 })
        open(connection, server, at: 1_000_000_000)
        #expect(server.heard.hasSuffix("SUB a.* q 1\r\nPING\r\n"))
        #expect(connection.openings == 2)
        #expect(connection.end == nil)
    }

    @Test("ends a subscription when all that was on its way has come")
    func drain() throws {
        let server = try ScriptedServer()
        let connection = try connection("nats", server)
        let subscription = connection.subscribe(to: "a")
        open(connection, server)
        connection.drain(subscription)
        turn(connection, server, until: { server.heard.hasSuffix("UNSUB 1\r\nPING\r\n") })
        #expect(!connection.isDrained(subscription))
        var count = 0
        server.say("MSG a 1 0\r\n\r\nPONG\r\n")
        turn(connection, server, until: { connection.isDrained(subscription) }, take: { _ in count += 1 })
        #expect(count == 1)
    }

    @Test("drops what would be read as something else, or is too large for the server")
    func unsendable() throws {
        let server = try ScriptedServer()
        let connection = try connection("nats", server)
        turn(connection, server, until: { server.isConnected })
        server.say(#"INFO {"max_payload":4}"# + "\r\nPONG\r\n")
        turn(connection, server, until: { connection.isOpen })
        Array("12345".utf8).withUnsafeBytes { body in
            let small = UnsafeRawBufferPointer(rebasing: body[..<4])
            connection.publish(to: "a\r\nSUB", small)
            connection.publish(to: "a b", small)
            connection.publish(to: "", small)
            connection.publish(to: "large", body)
            connection.publish(to: "fits", small)
        }
        turn(connection, server, until: { server.heard.hasSuffix("PING\r\nPUB fits 4\r\n1234\r\n") })
    }

    @Test("gives up a server that lets nobody in, and one that answers no more")
    func silent() throws {
        let server = try ScriptedServer()
        let connection = try connection("nats", server)
        turn(connection, server, until: { server.isConnected })
        connection.turn(3_000_000_000)
        #expect(connection.descriptor == -1)
        server.hangUp()
        open(connection, server, at: 4_000_000_000)
        for second in [7, 9, 11] { connection.turn(UInt64(second) * 1_000_000_000) }
        #expect(connection.isOpen)
        connection.turn(13_000_000_000)
        #expect(!connection.isOpen)
        #expect(connection.end == nil)
    }

    @Test("says nothing in plain text where it is to be encrypted", arguments: ["{}", #"{"tls_required":true}"#])
    func plain(info: String) throws {
        let server = try ScriptedServer()
        let connection = try connection("tls", server)
        turn(connection, server, until: { server.isConnected })
        server.say("INFO \(info)\r\n")
        let isOffered = info != "{}"
        turn(connection, server, until: { isOffered ? !server.heard.isEmpty : connection.end != nil })
        #expect(!server.heard.contains("CONNECT"))
        #expect((connection.end == nil) == isOffered)
    }

    @Test("does not believe what was said before it was encrypted")
    func injected() throws {
        let server = try ScriptedServer()
        let connection = try connection("tls", server)
        turn(connection, server, until: { server.isConnected })
        server.say(#"INFO {"tls_required":true}"# + "\r\nPING\r\n")
        turn(connection, server, until: { connection.descriptor == -1 })
        #expect(connection.openings == 0)
    }
}

/// A server that says what a test lets it say. For one thread, with the connection that it serves.
private final class ScriptedServer {
    let port: UInt16
    private let listener: Int32
    private var client: Int32 = -1
    private(set) var heard = ""

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let failure = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) | listen(listener, 4) | getsockname(listener, $0, &length)
            }
        }
        try #require(failure == 0)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        hangUp()
        close(listener)
    }

    var isConnected: Bool { client >= 0 }

    func turn() {
        if client < 0 { client = accept(listener, nil, nil) }
        guard client >= 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count > 0 { heard += String(decoding: bytes[..<count], as: UTF8.self) }
    }

    func say(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }

    func hangUp() {
        if client >= 0 { close(client) }
        client = -1
        heard = ""
    }
}
