import NATS
import Testing

@Suite("What a NATS server says")
struct NATSParserTests {
    /// Everything that is read from these bytes, when they come in pieces that end at these places.
    private func read(_ text: String, cutAt cuts: [Int] = []) throws -> [String] {
        let bytes = Array(text.utf8)
        var parser = NATSParser()
        var said: [String] = []
        var first = 0
        for end in cuts + [bytes.count] {
            while let count = try bytes[first..<end].withUnsafeBytes({ bytes in
                try parser.next(bytes).map { operation, count in
                    said.append(describe(operation))
                    return count
                }
            }) { first += count }
        }
        return said
    }

    private func describe(_ operation: NATSOperation) -> String {
        switch operation {
        case .info(let json): "info \(text(json))"
        case .message(let message):
            "message \(text(message.subject)) \(message.replySubject.map(text) ?? "-") \(text(message.body))"
                + (message.saysNobody ? " nobody" : "")
        case .ping: "ping"
        case .pong: "pong"
        case .ok: "ok"
        case .error(let words): "error \(text(words))"
        }
    }

    private func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

    private let talk = """
        INFO {"server_id":"a"} \r\nPING\r\nPONG\r\n+OK\r\n-ERR 'Stale Connection'\r\nMSG a.b 9 5\r\nhello\r\n\
        MSG a.b 9 reply.to 0\r\n\r\nMSG a 1 r 4\r\n\r\n\r\n\r\nHMSG a.b 9 reply 12 14\r\nNATS/1.0\r\n\r\nhi\r\n\
        HMSG inbox 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n
        """

    private let heard = [
        #"info {"server_id":"a"}"#, "ping", "pong", "ok", "error Stale Connection", "message a.b - hello",
        "message a.b reply.to ", "message a r \r\n\r\n", "message a.b reply hi", "message inbox -  nobody"
    ]

    @Test("is read wherever the bytes are cut")
    func cut() throws {
        #expect(try read(talk) == heard)
        for cut in 1..<talk.utf8.count { #expect(try read(talk, cutAt: [cut]) == heard) }
        #expect(try read(talk, cutAt: Array(1..<talk.utf8.count)) == heard)
    }

    @Test("may be in small letters, and have more blanks than one")
    func tolerant() throws {
        #expect(try read("ping\r\npOnG\r\n") == ["ping", "pong"])
        #expect(try read("msg\ta   1\t 2\r\nhi\r\n") == ["message a - hi"])
        #expect(try read("PING\n") == ["ping"])
    }

    @Test(
        "ends the connection when it makes no sense",
        arguments: [
            "\r\n", " \r\n", "HELLO\r\n", "PINGS\r\n", "MSG a 1\r\n", "MSG a 1 x\r\n", "MSG a b 2\r\nhi\r\n",
            "MSG a 1 -1\r\n", "MSG a 1 r s 2\r\nhi\r\n", "MSG a 1 99999999999999999999\r\n", "MSG a 1 2\r\nhi!!",
            "MSG a 1 67108865\r\n", "HMSG a 1 2\r\n", "HMSG a 1 5 4\r\n", "HMSG a 1 r 1 2 3\r\n"
        ])
    func hostile(text: String) { #expect(throws: NATSFault.self) { try read(text) } }

    @Test("has lines that are not too long")
    func long() throws {
        let line = String(repeating: "x", count: NATSParser.lineBytesMax)
        #expect(throws: NATSFault.self) { try read("MSG \(line)") }
        #expect(try read("INFO \"\(line)\"\r\n") == ["info \"\(line)\""])
        let info = String(repeating: "x", count: NATSParser.infoBytesMax)
        #expect(throws: NATSFault.self) { try read("INFO \(info)") }
    }
}
