import Bus
import Contracts
import Primitives
import Testing
import Wire

@Suite("Envelopes")
struct EnvelopeTests {
    private static let bare = #"{"specversion":"1.0","id":"1","source":"s","type":"t","data":{}}"#

    private func read(_ text: String) throws(WireError) -> Envelope { try Envelope(json: Array(text.utf8)) }

    /// What its attributes say, in one form.
    private func rewritten(_ envelope: Envelope) -> [UInt8] {
        Envelope.json(
            id: envelope.id, source: envelope.source, type: envelope.type, time: envelope.time,
            correlationID: envelope.correlationID, causationID: envelope.causationID,
            traceparent: envelope.traceparent, expiryTime: envelope.expiryTime,
            idempotencyKey: envelope.idempotencyKey, sequence: envelope.sequence, actor: envelope.actor
        ) { $0.json(envelope.data) }
    }

    /// The bare envelope with one more attribute in front.
    private func with(_ attribute: String) -> String { "{" + attribute + "," + Self.bare.dropFirst() }

    private static func full(_ random: inout SplitMix64) -> Envelope {
        let time = Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &random))
        func maybe<Value>(_ value: Value) -> Value? { random.next() & 1 == 0 ? value : nil }
        let role = Auth.Role.allCases[Int(random.next() % 3)]
        return Envelope(
            id: "id \"\\\n\(random.next())", source: "/é/\(random.next())", type: "a.b.c.v\(random.next())",
            time: maybe(time), correlationID: maybe("c\u{1}"), causationID: maybe("d"), traceparent: maybe("00-…"),
            expiryTime: maybe(time + .seconds(1)), idempotencyKey: maybe("k/☕️"),
            sequence: maybe(Int64(random.next() >> 1)),
            actor: maybe(Actor(role: role, party: PartyID(high: random.next(), low: random.next()))),
            data: Array(#"{"a":[1,{"b":" }"}]}"#.utf8))
    }

    @Test("are read as they were written")
    func roundTrip() throws {
        var random = SplitMix64.seeded()
        for _ in 0..<2000 {
            let envelope = Self.full(&random)
            let read = try Envelope(json: envelope.json)
            #expect(read.id == envelope.id)
            #expect(read.source == envelope.source)
            #expect(read.type == envelope.type)
            #expect(read.time == envelope.time)
            #expect(read.correlationID == envelope.correlationID)
            #expect(read.causationID == envelope.causationID)
            #expect(read.traceparent == envelope.traceparent)
            #expect(read.expiryTime == envelope.expiryTime)
            #expect(read.idempotencyKey == envelope.idempotencyKey)
            #expect(read.sequence == envelope.sequence)
            #expect(read.actor == envelope.actor)
            #expect(read.data == envelope.data)
            #expect(read.json == envelope.json)
        }
    }

    @Test(
        "what CloudEvents requires has to be there and not be empty", arguments: ["specversion", "id", "source", "type"]
    )
    func required(attribute: String) {
        let renamed = Self.bare.replacing("\"\(attribute)\"", with: "\"other\"")
        #expect(throws: WireError(.missingField, path: attribute)) { try read(renamed) }
        // The bare envelope's attributes are strings without escapes.
        let value = Self.bare.split(separator: "\"\(attribute)\":")[1].prefix { $0 != "," }
        for other in ["\"\"", "null"] {
            let changed = Self.bare.replacing("\"\(attribute)\":\(value)", with: "\"\(attribute)\":\(other)")
            #expect(throws: WireError.self) { try read(changed) }
        }
    }

    @Test("only version 1.0 is known", arguments: ["0.3", "1", "1.1", "2.0", ""])
    func version(text: String) {
        #expect(throws: WireError(.invalidValue(why: "must be \"1.0\""), path: "specversion")) {
            try read(Self.bare.replacing("1.0", with: text))
        }
    }

    @Test(
        "attributes that nobody here knows are passed over",
        arguments: [
            #""datacontenttype":"application/json""#, #""subject":null"#, #""other":{"data":[1,2.5e3]}"#,
            #""x":"\u00e9""#
        ])
    func unknown(attribute: String) throws {
        #expect(try rewritten(read(with(attribute))) == rewritten(read(Self.bare)))
    }

    @Test(
        "no attribute comes twice, known or not, null or not",
        arguments: [
            #""id":"2""#, #""data":{}"#, #""type":"t""#, #""time":null,"time":null"#,
            #""time":null,"time":"2026-11-21T09:30:00Z""#, #""actor":null,"actor":null"#,
            #""sequence":"1","sequence":null"#,
            #""other":1,"other":1"#, #""expirytime":"2026-11-21T09:30:00Z","expirytime":"2026-11-21T09:30:00Z""#
        ])
    func duplicates(attributes: String) {
        let error = #expect(throws: WireError.self) { try read(with(attributes)) }
        #expect(error?.reason == .duplicateKey)
    }

    @Test("optional attributes may be null, as if they were absent")
    func nulls() throws {
        let names = [
            "time", "correlationid", "causationid", "traceparent", "expirytime", "idempotencykey", "sequence", "actor"
        ]
        let nulls = names.map { "\"\($0)\":null" }.joined(separator: ",")
        #expect(try rewritten(read(with(nulls))) == rewritten(read(Self.bare)))
    }

    @Test(
        "what is not an envelope is refused",
        arguments: [
            "", "{}", "[]", "null", bare + "x", bare + bare, String(bare.dropLast()), "\u{FEFF}" + bare,
            bare.replacing("{}", with: "{"), bare.replacing("{}", with: #""\u0000""#),
            bare.replacing(#""id":"1""#, with: #""id":1"#), bare.replacing(#""id""#, with: #""\u0069d""#)
        ])
    func malformed(text: String) {
        #expect(throws: WireError.self) { try read(text) }
    }

    @Test(
        "what is in data is kept as written, and judged by whoever reads it",
        arguments: [#"{"a":"\q"}"#, #"{"a":1,"a":2}"#, "[1,,2]", "[01]"])
    func unjudged(data: String) throws {
        let envelope = try read(Self.bare.replacing("{}", with: data))
        #expect(envelope.data == Array(data.utf8)[...])
        #expect(throws: WireError.self) { try JSONValue(parsing: Array(envelope.data)) }
    }

    @Test(
        "attributes of the wrong form are refused",
        arguments: [
            #""time":"yesterday""#, #""time":1"#, #""expirytime":"2026-11-21""#, #""correlationid":7"#,
            #""traceparent":[]"#,
            #""sequence":7"#, #""sequence":"""#, #""sequence":"-1""#, #""sequence":"+1""#, #""sequence":"-0""#,
            #""sequence":"1.0""#, #""sequence":"0x1""#, #""sequence":" 1""#, #""sequence":"9223372036854775808""#
        ])
    func wrongForm(attribute: String) {
        #expect(throws: WireError.self) { try read(with(attribute)) }
    }

    @Test("a type is what was written", arguments: ["a", "wallet.card.read.v1", String(repeating: "a", count: 200)])
    func types(type: String) throws {
        #expect(try Envelope(json: Envelope(id: "1", source: "a", type: type, data: [0x5B, 0x5D]).json).type == type)
    }

    @Test("an envelope of a page keeps its own part of the text")
    func page() throws {
        let facts = (1...3).map {
            Envelope(id: "\($0)", source: "s", type: "t", sequence: $0, data: Array("[\($0)]".utf8))
        }
        let page = try EnvelopePage(json: FactsPage(facts: facts.map { RawJSON($0.json) }, head: 3).json)
        #expect(page.facts.map(\.json) == facts.map(\.json))
        #expect(page.facts.map(\.id) == ["1", "2", "3"])
        #expect(page.facts.map { Array($0.data) } == facts.map { Array($0.data) })
    }

    @Test("a sequence is padded so that it sorts as text", arguments: [0, 1, 42, Int64.max])
    func sequence(number: Int64) throws {
        let bare = try read(Self.bare)
        let envelope = Envelope(
            id: bare.id, source: bare.source, type: bare.type, sequence: number, data: Array("{}".utf8))
        let digits = "\(number)"
        let padded = String(repeating: "0", count: 20 - digits.count) + digits
        #expect(String(decoding: envelope.json, as: UTF8.self).contains("\"sequence\":\"\(padded)\""))
        #expect(try read(with("\"sequence\":\"\(padded)\"")).sequence == number)
        #expect(try read(with("\"sequence\":\"\(digits)\"")).sequence == number)
    }

    @Test("an actor is a role and an id, in one spelling")
    func actors() throws {
        let id = "0123456789abcdef0123456789abcdef"
        for role in Auth.Role.allCases {
            let actor = try #require(Actor("\(role.rawValue):\(id)"))
            #expect(actor.role == role)
            #expect(actor.party.hex == id)
            #expect(Actor(actor.text) == actor)
        }
        for text in [
            "", ":", id, "customer", "customer:", ":\(id)", ":customer:\(id)", "customer::\(id)", "customer:\(id):",
            "Customer:\(id)", "customer: \(id)", "root:\(id)", "customer:\(id.uppercased())", "customer:\(id)0"
        ] {
            #expect(Actor(text) == nil, "\(text)")
            let json = JSONValue.string(text).text
            #expect(throws: WireError.self) { try read(with("\"actor\":\(json)")) }
        }
    }

    @Test("without data the message is an empty object")
    func noData() throws {
        let text = #"{"specversion":"1.0","id":"1","source":"s","type":"t"}"#
        #expect(try read(text).data == Array("{}".utf8)[...])
    }

    @Test("data stays as it was written")
    func data() throws {
        let data = #"{ "b" : [ 1 , "\u00e9\/" ] ,"a":1.50 }"#
        #expect(String(decoding: try read(Self.bare.replacing("{}", with: data)).data, as: UTF8.self) == data)
    }

    @Test("64 KiB and not a byte more")
    func size() throws {
        let overhead = Self.bare.utf8.count
        let fitting = Self.bare.replacing(
            "{}", with: "\"" + String(repeating: "x", count: Envelope.bytesMax - overhead) + "\"")
        #expect(fitting.utf8.count == Envelope.bytesMax)
        #expect(try read(fitting).json.count == Envelope.bytesMax)
        #expect(throws: WireError(.outOfRange, path: "envelope")) { try read(fitting + " ") }
    }
}
