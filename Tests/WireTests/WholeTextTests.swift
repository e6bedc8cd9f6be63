import Testing
import Wire

@Suite("One whole text")
struct WholeTextTests {
    private func parse(_ text: String) throws(WireError) -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    @Test("white space is RFC 8259's four characters, anywhere between tokens")
    func whiteSpace() throws {
        let space = " \t\r\n"
        let tokens = ["{", "\"a\"", ":", "[", "1", ",", "true", ",", "null", "]", ",", "\"b\"", ":", "{", "}", "}"]
        let text = space + tokens.joined(separator: space) + space
        #expect(try parse(text).text == tokens.joined())
        for other in ["\u{B}", "\u{C}", "\u{A0}", "\u{2028}", "\u{FEFF}", "\0", "/**/"] {
            for place in 0...tokens.count {
                var parts = tokens
                parts.insert(other, at: place)
                #expect(throws: WireError.self) { try parse(parts.joined()) }
            }
        }
    }

    @Test("a byte order mark is no part of JSON")
    func byteOrderMark() {
        #expect(throws: WireError(.notJSON(offset: 0))) { try parse("\u{FEFF}{}") }
    }

    @Test("nothing may follow", arguments: ["{}", "[]", "1", "\"a\"", "true", "null"])
    func trailing(text: String) throws {
        #expect(try parse(text + " \n").text == text)
        for garbage in ["x", "}", "]", ",", "\0", "\u{1}", "{}", " 1", "\"", "//"] {
            #expect(throws: WireError.self) { try parse(text + garbage) }
        }
    }

    @Test("every beginning of a text that is not the whole is refused")
    func truncated() throws {
        let text = Array(#"{"a":[1,-2,true,null],"b":{"c":"x\n\u00e9\ud834\udd1ey"}}"#.utf8)
        _ = try JSONValue(parsing: text)
        for count in 0..<text.count { #expect(throws: WireError.self) { try JSONValue(parsing: text.prefix(count)) } }
    }

    @Test("a collection in pieces is read like one in one piece")
    func notContiguous() throws {
        let text = #"{"a":[1,"€"]}"#
        let halves = [Array(text.utf8.prefix(6)), Array(text.utf8.dropFirst(6))]
        #expect(try JSONValue(parsing: halves.joined().lazy.map { $0 }) == parse(text))
    }
}
