import Bus
import Contracts
import Primitives
import Testing
import Watch
import Wire

@Suite("messages, as they are shown")
struct MessageTests {
    private static let id = "019a9c3d2c400005cececececececece"

    private func value(_ json: String) throws -> JSONValue { try JSONValue(parsing: Array(json.utf8)) }

    @Test(
        "secrets and positions are masked, however deep",
        arguments: [
            #"{"password":"planted"}"#, #"{"pin":"planted"}"#, #"{"newPassword":"planted"}"#, #"{"token":"planted"}"#,
            #"{"tokenDigest":"planted"}"#, #"{"secret":"planted"}"#, #"{"code":"planted"}"#, #"{"code":12345678}"#,
            #"{"number":"4000123412341234"}"#, #"{"latitude":52000001}"#, #"{"fixes":[{"longitude":13000001}]}"#,
            #"{"a":{"b":[{"email":"planted"}]}}"#, #"{"address":"planted"}"#, #"{"text":"planted"}"#,
            #"{"to":"planted@example.com"}"#, #"{"registrationId":"planted"}"#, #"{"regId":"planted"}"#
        ])
    func masked(json: String) throws {
        let shown = Redaction.masked(try value(json)).text
        #expect(shown.contains(Redaction.mask))
        for secret in ["planted", "4000", "52000001", "13000001", "12345678"] { #expect(!shown.contains(secret)) }
        #expect(!MessageWords.of(try value(json)).contains("planted"))
    }

    @Test("a refusal's code and a notice's number are no secrets")
    func shown() throws {
        let published = try value(#"{"code":"wallet.insufficient_funds","number":7,"pin":null,"to":"\#(Self.id)"}"#)
        #expect(Redaction.masked(published) == published)
    }

    @Test("money is money, an identifier its end, a text one line")
    func words() throws {
        let published = try value(
            """
            {"payment":"\(Self.id)","amount":{"amount":350,"currency":"USD"},"memo":"one\\ntwo","entry":1000,
             "time":"2026-11-21T09:30:00.000Z","coupon":null,"cards":[1,2],"holder":{"role":"customer"}}
            """)
        #expect(
            MessageWords.of(published)
                == "payment=…cececece amount=$3.50 memo=\"one\u{FFFD}two\" entry=1000 cards=[2] role=customer")
        #expect(MessageWords.of(published, isWhole: true).hasPrefix("payment=\(Self.id) "))
    }

    @Test(
        "patterns of types",
        arguments: [
            ("payments", "payments.charge.captured.v1", true), ("payments", "paymentsx.charge.captured.v1", false),
            ("payments.charge", "payments.charge.captured.v1", true),
            ("payments.ch", "payments.charge.closed.v1", false),
            ("*", "a.b.c.v1", true), ("*.charge.*", "payments.charge.captured.v1", true),
            ("payments.*", "payments.charge.captured.v1", true),
            ("wallet.payment.posted.v1", "wallet.payment.posted.v10", false),
            ("*.v1", "a.b.c.v1", true), ("*.v1", "a.b.c.v10", false), ("a*b*c", "axbxxc", true),
            ("a*b*c", "axcxb", false)
        ])
    func patterns(pattern: String, type: String, matches: Bool) throws {
        #expect(try #require(TypePattern(pattern)).matches(type) == matches)
    }

    @Test("what no type looks like is no pattern", arguments: ["", "a b", "A.b", "wallet/…", "a\u{0}"])
    func noPattern(text: String) { #expect(TypePattern(text) == nil) }

    @Test("a filter wants all that it names, and heads only by their name")
    func filtered() throws {
        let data = try value(#"{"payment":"\#(Self.id)","card":"x"}"#)
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let fact = Envelope(
            id: "wallet-7", source: "wallet", type: "wallet.payment.posted.v1", correlationID: "c", causationID: "d",
            traceparent: "00-\(trace)-00f067aa0ba902b7-01", data: Array("{}".utf8))
        func wants(_ types: [String], _ subjects: [String] = [], _ trace: String? = nil) -> Bool {
            MessageFilter(types: types.compactMap { TypePattern($0) }, subjects: subjects, trace: trace)
                .wants(fact, data)
        }
        #expect(wants([]) && wants(["wallet"]) && wants(["auth", "wallet.*"]) && !wants(["auth"]))
        #expect(wants([], [Self.id]) && wants([], [Self.id, "x"]) && !wants([], [Self.id, "y"]))
        for id in ["c", "d", "wallet-7", trace] { #expect(wants([], [], id)) }
        #expect(!wants([], [], "e"))
        let all = MessageFilter()
        #expect(!all.wants(type: "wallet.facts.head.v1"))
        #expect(MessageFilter(types: [TypePattern("wallet.facts.head.v1")!]).wants(type: "wallet.facts.head.v1"))
        #expect(!MessageFilter(types: [TypePattern("wallet")!]).wants(type: "wallet.facts.head.v1"))
    }

    @Test("a number that is passed over is a gap, one that comes again is known")
    func gaps() {
        var gaps = SequenceGaps()
        #expect(gaps.receive(7, of: "a") == .next)
        #expect(gaps.receive(8, of: "a") == .next)
        #expect(gaps.receive(1, of: "b") == .next)
        #expect(gaps.receive(8, of: "a") == .known)
        #expect(gaps.receive(12, of: "a") == .gap(9...11))
        #expect(gaps.receive(13, of: "a") == .next)
    }

    @Test("a line tells time, source, type, number, content and trace; its JSON is masked too")
    func line() throws {
        let fact = Envelope(
            id: "auth-3", source: "auth", type: "auth.session.closed.v1", time: Timestamp(milliseconds: 1500),
            correlationID: Self.id, sequence: 3, data: Array("{}".utf8))
        let line = MessageLine(
            .fact, fact, try value(#"{"session":"\#(Self.id)","token":"planted"}"#),
            received: Timestamp(milliseconds: 0))
        let text = line.text(colour: false, isWhole: false)
        #expect(text.hasPrefix("00:00:01.500 auth          auth.session.closed.v1"))
        #expect(text.hasSuffix(" #3 session=…cececece token=••• trace=\(Self.id)"))
        #expect(!line.json.text.contains("planted") && line.json["sequence"] == 3)
        #expect(line.text(colour: true, isWhole: false).contains("\u{1B}["))
    }
}
