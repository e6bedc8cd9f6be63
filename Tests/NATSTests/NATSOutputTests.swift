import NATS
import Testing
import Wire

@Suite("What a NATS client says")
struct NATSOutputTests {
    private func said(_ say: (NATSOutput) throws -> Void) rethrows -> String {
        let output = NATSOutput()
        try say(output)
        return String(decoding: output.bytes.bytes, as: UTF8.self)
    }

    private func publish(_ body: String, reply: String? = nil, _ output: NATSOutput) {
        Array("a.b".utf8).withUnsafeBytes { subject in
            Array(body.utf8).withUnsafeBytes { body in
                guard let reply else { return output.publish(subject, reply: nil, body) }
                Array(reply.utf8).withUnsafeBytes { output.publish(subject, reply: $0, body) }
            }
        }
    }

    @Test("is a line each, and the bytes behind it")
    func lines() {
        #expect(said { $0.subscribe(7, to: "a.*", queue: nil) } == "SUB a.* 7\r\n")
        #expect(said { $0.subscribe(8, to: "a.b", queue: "q") } == "SUB a.b q 8\r\n")
        #expect(said { $0.unsubscribe(8) } == "UNSUB 8\r\n")
        #expect(said { $0.ping() } == "PING\r\n")
        #expect(said { $0.pong() } == "PONG\r\n")
        #expect(said { publish("hello", $0) } == "PUB a.b 5\r\nhello\r\n")
        #expect(said { publish("", reply: "r", $0) } == "PUB a.b r 0\r\n\r\n")
        let long = String(repeating: "x", count: 100_010)
        #expect(said { publish(long, $0) } == "PUB a.b 100010\r\n\(long)\r\n")
    }

    @Test("begins with who connects")
    func connect() throws {
        let start =
            #"CONNECT {"verbose":false,"pedantic":false,"tls_required":false,"name":"n","lang":"swift","version":"1","#
            + #""protocol":1,"headers":true,"no_responders":true"#
        #expect(
            try said { try $0.connect(name: "n", as: nil, nonce: nil, isEncrypted: false) } == start + "}\r\n")
        let login = try #require(NATSLogin(#"wallet:a"b"#))
        #expect(
            try said { try $0.connect(name: "n", as: .login(login), nonce: nil, isEncrypted: false) }
                == start + #","user":"wallet","pass":"a\"b"}"# + "\r\n")
    }

    @Test("has a token and a signature, where a file has them")
    func token() throws {
        let token = try #require(NATSToken(Self.file))
        #expect(!"\(token)".contains("eyJ"))
        let text = try said {
            try $0.connect(name: "n", as: .token(token), nonce: "PXoWU7zWAMt75FY", isEncrypted: true)
        }
        let json = try JSONValue(parsing: text.dropFirst("CONNECT ".count).utf8.dropLast(2))
        #expect(json["tls_required"] == true)
        #expect(json["jwt"] == "eyJ0eXAiOiJKV1QifQ.e30.c2ln")
        #expect(json["sig"] == .string(Self.signature))
        #expect(throws: NATSFault.self) {
            try said { try $0.connect(name: "n", as: .token(token), nonce: nil, isEncrypted: true) }
        }
    }

    @Test("has no token of a file whose seed is none")
    func wrongSeed() {
        #expect(NATSToken(Self.file.replacing("YYYCU3VY", with: "YYYCU4VY")) == nil)
        #expect(NATSToken("wallet:secret") == nil)
        #expect(NATSToken("-----BEGIN NATS USER JWT-----") == nil)
    }

    /// The seed is an example of NATS's own documentation.
    private static let file = """
        -----BEGIN NATS USER JWT-----
        eyJ0eXAiOiJKV1QifQ.e30.c2ln
        ------END NATS USER JWT------

        -----BEGIN USER NKEY SEED-----
        SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY
        ------END USER NKEY SEED------
        """
    private static let signature =
        "zHsjAXoXbo2tbVRLf6_3-aHC2CGLiez1yMSLOyF4Z2wmzmO4ppyieii5IZsQSBgfdppsi6wMHWzYYXUv6A-8DQ"
}
