import Primitives
import Testing
import Wire

@Suite("Strict JSON")
struct JSONReaderTests {
    private func parse(_ text: String) throws(WireError) -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    @Test(
        "valid texts are read and written back",
        arguments: [
            #"{"a":1,"b":[true,false,null,"x"],"c":{"d":-9223372036854775808}}"#, #""é€𝄞""#, "[]", "{}", "0", "-1",
            #"{"text":"tab\tquote\"slash\\bell\u0007"}"#
        ])
    func roundTrip(text: String) throws {
        #expect(try parse(text).text == text)
    }

    @Test(
        "what is not RFC 8259 is refused",
        arguments: [
            "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "+1", "-", "1e", "nul", "truex",
            "\"\u{1}\"", "\"\\x\"", "\"unclosed", "[1 2]", "{\"a\" 1}", "{} {}", "NaN", "'a'", "\"\\ud800\"",
            "\"\\udc00\\ud800\"", "\"\\u12\"", "\"\\u0000\"", "// no"
        ])
    func malformed(text: String) {
        #expect(throws: WireError.self) { try parse(text) }
    }

    @Test("a key given twice is refused at any depth")
    func duplicates() {
        #expect(throws: WireError(.duplicateKey, path: "a")) { try parse(#"{"a":1,"a":2}"#) }
        #expect(throws: WireError(.duplicateKey, path: "a.b")) { try parse(#"{"a":{"b":1,"b":1}}"#) }
        #expect(throws: WireError(.escapedKey)) { try parse(#"{"amount":1,"\u0061mount":2}"#) }
    }

    @Test("bytes that are not UTF-8 are refused", arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]])
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: WireError(.notUTF8)) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }
    }

    @Test("money is a whole number of minor units", arguments: ["1.5", "100.0", "1e2", "9223372036854775808", "\"1\""])
    func noFractions(amount: String) {
        let text = #"{"amount":\#(amount),"currency":"USD"}"#
        #expect(throws: WireError.self) { try Money(json: text.utf8) }
        // The general codec says the same.
        #expect(throws: WireError.self) { try parse(text).decode(Money.self) }
    }

    @Test("fields that are unknown, missing or of the wrong type are named")
    func fields() {
        #expect(throws: WireError(.unknownField, path: "tip")) {
            try Money(json: #"{"amount":1,"currency":"USD","tip":2}"#.utf8)
        }
        #expect(throws: WireError(.missingField, path: "currency")) { try Money(json: #"{"amount":1}"#.utf8) }
        #expect(throws: WireError(.wrongType(expected: .string), path: "currency")) {
            try Money(json: #"{"amount":1,"currency":7}"#.utf8)
        }
        #expect(throws: WireError(.duplicateKey, path: "amount")) {
            try Money(json: #"{"amount":1,"amount":1,"currency":"USD"}"#.utf8)
        }
    }

    @Test("random bytes never crash the reader")
    func fuzz() throws {
        var random = SplitMix64.seeded()
        let alphabet = Array("{}[]\":,0123456789eE+-.truefalsn\\u \u{7f}".utf8) + [0x80, 0xFF, 0x00]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet.randomElement(using: &random)!
            }
            if let value = try? JSONValue(parsing: bytes) {
                // What was understood can be written and understood again.
                #expect(try JSONValue(parsing: Array(value.text.utf8)).text == value.text)
            }
        }
    }
}
