import Testing
import Wire

@Suite("Strings")
struct StringTests {
    private func parse(_ text: some Sequence<UInt8>) throws(WireError) -> JSONValue {
        try JSONValue(parsing: Array(text))
    }

    /// How each character may be written within quotes, and what it means.
    private static let escapes: [(written: String, meant: String)] = [
        (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{C}"), (#"\n"#, "\n"),
        (#"\r"#, "\r"), (#"\t"#, "\t"), (#"\u0041"#, "A"), (#"\u00e9"#, "é"), (#"\u00E9"#, "é"), (#"\u20AC"#, "€"),
        (#"\ud834\udd1e"#, "𝄞"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\uFFFF"#, "\u{FFFF}"), ("é", "é"), ("𝄞", "𝄞"),
        ("\u{7F}", "\u{7F}"), ("/", "/")
    ]

    // The reader looks at eight bytes at a time: a stop must be seen at each place of a word, and in the rest.
    @Test("escapes are read at every place of an eight-byte word")
    func wordBoundaries() throws {
        for (written, meant) in Self.escapes {
            for before in 0...17 {
                for after in 0...9 {
                    let (head, tail) = (String(repeating: "x", count: before), String(repeating: "y", count: after))
                    #expect(try parse("\"\(head)\(written)\(tail)\"".utf8) == .string(head + meant + tail))
                }
            }
        }
    }

    @Test("control characters are refused at every place of an eight-byte word")
    func controls() {
        for control in UInt8(0)..<0x20 {
            for before in 0...17 {
                let text = [0x22] + [UInt8](repeating: 0x78, count: before) + [control] + Array("yyyyyyyyy\"".utf8)
                #expect(throws: WireError(.notJSON(offset: before + 1))) { try parse(text) }
            }
        }
    }

    @Test("what is written can be read: every ASCII character, at every place of a word")
    func written() throws {
        for value in UInt8(1)..<0x80 {
            for before in 0...8 {
                let text = String(repeating: "é", count: before) + String(Unicode.Scalar(value)) + "z"
                #expect(try parse(JSONValue.string(text).text.utf8) == .string(text))
            }
        }
    }

    @Test("U+0000 is refused however it is written, also where it is passed over")
    func zero() {
        for text in [#""\u0000""#, #""abcdefgh\u0000""#, "\"\0\""] {
            #expect(throws: WireError.self) { try parse(text.utf8) }
            #expect(throws: WireError.self) {
                try JSONReader.read(Array(text.utf8)) { reader throws(WireError) in try reader.skip() }
            }
        }
    }

    @Test(
        "escapes that are none are refused, also where they are passed over",
        arguments: [
            #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\ud800""#, #""\ud800\u0041""#,
            #""\udbff\ue000""#, #""\ud83d\ude""#, #""\u""#, #""\u12""#, #""\u12g4""#, #""\u+123""#, #""\U0041""#,
            #""\x41""#, #""\'""#, #""\0""#, #""\a""#, #""\v""#, #""\""#, #""\\\""#
        ])
    func brokenEscapes(text: String) {
        #expect(throws: WireError.self) { try parse(text.utf8) }
        #expect(throws: WireError.self) {
            try JSONReader.read(Array(text.utf8)) { reader throws(WireError) in try reader.skip() }
        }
    }

    private static let notUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80],
        [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9D, 0x84], [0xF4, 0x90, 0x80, 0x80],
        [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF]
    ]

    @Test("bytes that are not UTF-8 are refused wherever they stand")
    func notUTF8() {
        // With and without so much behind that they are among the 32 bytes that are looked at together.
        for (bytes, after) in Self.notUTF8.flatMap({ [($0, 0), ($0, 40)] }) {
            for before in 0...66 {
                let padding = [UInt8](repeating: 0x61, count: before)
                let rest = [UInt8](repeating: 0x61, count: after)
                let inValue = Array("{\"k\":\"".utf8) + padding + bytes + rest + Array("\"}".utf8)
                let inKey = Array("{\"".utf8) + padding + bytes + rest + Array("\":1}".utf8)
                let behind = padding.map { _ in 0x20 } + Array("{}".utf8) + bytes
                for text in [inValue, inKey, behind] {
                    #expect(throws: WireError(.notUTF8)) { try parse(text) }
                    #expect(!text.withUnsafeBytes(isUTF8))
                }
            }
        }
    }

    @Test("the first and last character of each length are UTF-8 at every place of a word")
    func edgesOfUTF8() throws {
        for scalar in ["\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"] {
            for before in 0...66 {
                let text = String(repeating: "a", count: before) + scalar + String(repeating: "b", count: before)
                #expect(Array(text.utf8).withUnsafeBytes(isUTF8))
                #expect(try parse("\"\(text)\"".utf8) == .string(text))
            }
        }
    }

    @Test("long strings of any size around powers of two")
    func long() throws {
        for power in [3, 4, 6, 10, 16, 20] {
            for count in (1 << power) - 1...(1 << power) + 1 {
                for filler in ["a", "€", "\\", "\""] {
                    let text = String(repeating: filler, count: count)
                    #expect(try parse(JSONValue.string(text).text.utf8) == .string(text))
                }
            }
        }
    }

    @Test("a string without end is refused at its end")
    func unclosed() {
        for count in 0...20 {
            #expect(throws: WireError(.notJSON(offset: count + 1))) {
                try parse([0x22] + [UInt8](repeating: 0x61, count: count))
            }
            #expect(throws: WireError.self) { try parse([0x22] + [UInt8](repeating: 0x61, count: count) + [0x5C]) }
        }
    }
}
