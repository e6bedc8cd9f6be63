import Testing
import Wire

@Suite("Nesting is bounded")
struct NestingTests {
    private let bracketPairs = [("[", "]"), (#"{"a":"#, "}")]

    private func nested(_ depth: Int, _ pair: (String, String), inner: String = "1") -> [UInt8] {
        Array((String(repeating: pair.0, count: depth) + inner + String(repeating: pair.1, count: depth)).utf8)
    }

    @Test("the limit itself is allowed, one more is not")
    func limit() throws {
        for pair in bracketPairs {
            let deepest = nested(JSONReader.depthMax, pair)
            #expect(try JSONValue(parsing: deepest).text == String(decoding: deepest, as: UTF8.self))
            let error = #expect(throws: WireError.self) {
                try JSONValue(parsing: nested(JSONReader.depthMax + 1, pair))
            }
            // The path says where, as that of every error does; it is as bounded as the nesting is.
            #expect(error?.reason == .tooDeep)
        }
    }

    @Test("what is passed over is bounded too")
    func skipped() throws {
        for pair in bracketPairs {
            let deepest = nested(JSONReader.depthMax, pair)
            let range = try JSONReader.read(deepest) { reader throws(WireError) in try reader.skip() }
            #expect(range == 0..<deepest.count)
            #expect(throws: WireError(.tooDeep)) {
                try JSONReader.read(nested(JSONReader.depthMax + 1, pair)) { reader throws(WireError) in
                    try reader.skip()
                }
            }
        }
    }

    @Test("a value that is kept unread ends where it ends, whatever is in its texts")
    func passed() throws {
        for value in [#"{"a":"}]\"{","b":[[],{}]}"#, "[\"[\",[]]", "{}", "[]", #""}""#, "-1", "null"] {
            let text = Array(" \(value) ".utf8)
            let range = try JSONReader.read(text) { reader throws(WireError) in try reader.pass() }
            #expect(text[range].elementsEqual(value.utf8))
        }
        for text in ["", "{", "[[]", #"{"a":"}"#, #"{"a":1"#, "}", "[\u{1}\"\u{1}\"]"] {
            #expect(throws: WireError.self) {
                try JSONReader.read(Array(text.utf8)) { reader throws(WireError) in try reader.pass() }
            }
        }
    }

    @Test("brackets without end neither overflow the stack nor take long")
    func endless() {
        let error = #expect(throws: WireError.self) { try JSONValue(parsing: [UInt8](repeating: 0x5B, count: 1 << 20)) }
        #expect(error?.reason == .tooDeep)
    }

    @Test("depth is counted open to close, not over the whole text")
    func siblings() throws {
        let element = String(decoding: nested(JSONReader.depthMax - 1, bracketPairs[1]), as: UTF8.self)
        let text = "[" + repeatElement(element, count: 100).joined(separator: ",") + "]"
        #expect(try JSONValue(parsing: Array(text.utf8)).text == text)
    }
}
