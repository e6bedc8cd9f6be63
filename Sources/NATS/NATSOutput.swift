import Wire
import ZMTP

/// What a client says, written behind what waits to be sent.
package struct NATSOutput {
    package let bytes: ByteQueue

    package init(_ bytes: ByteQueue = ByteQueue()) { self.bytes = bytes }

    /// Says who connects.
    ///
    /// - Parameter nonce: of the server, which who has a token signs.
    package func connect(
        name: String, as credentials: NATSAccess.Credentials?, nonce: String?, isEncrypted: Bool
    ) throws(NATSFault) {
        var members: [JSONValue.Member] = [
            .init("verbose", false), .init("pedantic", false), .init("tls_required", .bool(isEncrypted)),
            .init("name", .string(name)), .init("lang", "swift"), .init("version", "1"), .init("protocol", 1),
            .init("headers", true), .init("no_responders", true)
        ]
        switch credentials {
        case .login(let login):
            members += [.init("user", .string(login.user)), .init("pass", .string(login.password))]
        case .token(let token):
            guard let nonce else { throw .refused("the server does not ask for a signature") }
            members += [.init("jwt", .string(token.jwt)), .init("sig", .string(token.signature(of: nonce)))]
        case nil: break
        }
        line("CONNECT \(JSONValue.object(members).text)")
    }

    package func subscribe(_ id: Int, to subject: String, queue: String?) {
        line("SUB \(subject) \(queue.map { "\($0) " } ?? "")\(id)")
    }

    package func unsubscribe(_ id: Int) { line("UNSUB \(id)") }
    package func ping() { line("PING") }
    package func pong() { line("PONG") }

    package func publish(
        _ subject: UnsafeRawBufferPointer, reply: UnsafeRawBufferPointer?, _ body: UnsafeRawBufferPointer
    ) {
        let room = bytes.room(atLeast: subject.count + (reply?.count ?? 0) + body.count + 32)
        var count = 0
        func add(_ more: UnsafeRawBufferPointer) {
            UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: more)
            count += more.count
        }
        func add(_ byte: UInt8) {
            room[count] = byte
            count += 1
        }
        room.storeBytes(of: Self.publishes, as: UInt32.self)
        count = 4
        add(subject)
        add(32)
        if let reply {
            add(reply)
            add(32)
        }
        var power = 1
        while power <= body.count / 10 { power *= 10 }
        while power > 0 {
            add(UInt8(ascii: "0") + UInt8(body.count / power % 10))
            power /= 10
        }
        add(13)
        add(10)
        add(body)
        add(13)
        add(10)
        bytes.extend(by: count)
    }

    /// `PUB `
    private static let publishes = UInt32(littleEndian: 0x2042_5550)

    private func line(_ text: String) {
        var text = text + "\r\n"
        text.withUTF8 { bytes.append(UnsafeRawBufferPointer($0)) }
    }
}
