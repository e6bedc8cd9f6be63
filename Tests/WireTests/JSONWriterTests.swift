import Testing
import Wire

@Suite("JSON written")
struct JSONWriterTests {
    /// A text with all that a writer can write, beginning with whatever room.
    private func written(capacity: Int, _ text: String) throws -> [UInt8] {
        let place = try JSONReader.read(Array(#""passed on""#.utf8)) { reader throws(WireError) in try reader.place() }
        var writer = JSONWriter(capacity: capacity)
        writer.beginObject()
        writer.key("text")
        writer.string(text)
        writer.key("any" + "thing")
        writer.beginArray()
        writer.integer(Int64.min)
        writer.null()
        writer.bool(true)
        writer.bool(false)
        writer.string(place, of: Array(#""passed on""#.utf8), then: ".reply")
        writer.plainString(countMax: 9) { place in
            place[0] = UInt8(ascii: "x")
            return 1
        }
        writer.beginObject()
        writer.endObject()
        writer.json(Array("[1]".utf8))
        writer.json(Array("{}".utf8)[...])
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    @Test("is the same whatever room there was", arguments: 0..<160)
    func growth(capacity: Int) throws {
        let bytes = try written(capacity: capacity, "plain")
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"text":"plain","anything":[-9223372036854775808,null,true,false,"passed on.reply","x",{},[1],{}]}"#
        )
    }

    @Test("can be read back, with each character that needs an escape at each place of a word", arguments: 0..<24)
    func escapes(place: Int) throws {
        for code in [0x01...0x1F, 0x22...0x22, 0x5C...0x5C, 0x7F...0x80, 0x1F600...0x1F600].joined() {
            let text =
                String(repeating: "a", count: place) + String(Unicode.Scalar(code)!) + String(repeating: "b", count: 9)
            let value = try JSONValue(parsing: try written(capacity: 1, text))
            #expect(value["text"] == .string(text))
        }
        let plain = String(repeating: "a", count: place)
        #expect(try JSONValue(parsing: try written(capacity: 1, plain + "!"))["text"] == .string(plain + "!"))
    }

    @Test("escapes what RFC 8259 section 7 says, in its short forms")
    func shortForms() {
        var writer = JSONWriter(capacity: 1)
        writer.string("\u{8}\t\n\u{C}\r\"\\/\u{1F}\u{1}")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #""\b\t\n\f\r\"\\/\u001f\u0001""#)
    }
}
