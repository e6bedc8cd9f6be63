import Primitives
import Testing
import Wire

@Suite("Identifiers")
struct IdentifierTests {
    private func random(_ random: inout SplitMix64) -> OperationID {
        OperationID(high: random.next(), low: random.next())
    }

    @Test("32 lowercase hexadecimal digits, both ways")
    func hex() throws {
        #expect(OperationID(high: 0x0123_4567_89AB_CDEF, low: 1).hex == "0123456789abcdef0000000000000001")
        var generator = SplitMix64.seeded()
        for _ in 0..<10_000 {
            let id = random(&generator)
            #expect(OperationID(id.hex) == id)
            #expect(OperationID(hex: Array(id.hex.utf8).lazy.map { $0 }) == id)
            #expect(Array(id.hex.utf8).withUnsafeBufferPointer { OperationID(hex: $0) } == id)
            #expect(OperationID(bytes: id.bytes) == id)
            #expect(id.bytes.count == 16)
            #expect("\(id)" == id.hex)
            var writer = JSONWriter()
            id.write(to: &writer)
            #expect(writer.bytes == Array("\"\(id.hex)\"".utf8))
            #expect(
                try JSONReader.read(writer.bytes) { reader throws(WireError) in try OperationID.read(&reader) } == id)
        }
    }

    @Test("each byte at each place: the sixteen digits and no other")
    func everyByte() {
        let text = Array("0123456789abcdef0123456789abcdef".utf8)
        let digits = Set("0123456789abcdef".utf8)
        for place in text.indices {
            for byte in UInt8.min ... .max {
                var changed = text
                changed[place] = byte
                #expect((OperationID(hex: changed) != nil) == digits.contains(byte))
            }
        }
    }

    @Test(
        "another length or spelling is refused",
        arguments: [
            "", "0", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
            "01234567-89ab-cdef-0123-456789abcdef", "0123456789ABCDEF0123456789abcdef",
            " 123456789abcdef0123456789abcdef",
            "0x23456789abcdef0123456789abcdef", "０123456789abcdef0123456789abcd"
        ])
    func invalid(text: String) {
        #expect(OperationID(text) == nil)
        let json = JSONValue.string(text).text.utf8
        #expect(throws: WireError(.invalidValue(why: "must be 32 lowercase hexadecimal digits"))) {
            try JSONReader.read(Array(json)) { reader throws(WireError) in try OperationID.read(&reader) }
        }
        #expect(throws: WireError.self) { try JSONValue.string(text).decode(OperationID.self) }
        #expect(OperationID(bytes: Array(text.utf8.prefix(15))) == nil)
    }

    @Test("digits written as escapes are the same identifier to both readers")
    func escaped() throws {
        let text = #""\u0030123456789abcdef0123456789abcdef""#
        let id = OperationID(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF)
        #expect(
            try JSONReader.read(Array(text.utf8)) { reader throws(WireError) in try OperationID.read(&reader) } == id)
        #expect(try JSONValue(parsing: Array(text.utf8)).decode(OperationID.self) == id)
    }

    @Test("identifiers made here sort by their time")
    func order() {
        var generator = SplitMix64.seeded()
        var last = ""
        for milliseconds in stride(from: Int64(1_700_000_000_000), through: 1_800_000_000_000, by: 99_999_999) {
            let id = OperationID(
                at: Timestamp(milliseconds: milliseconds), random: (generator.next(), generator.next()))
            #expect(id.hex > last)
            #expect(Int64(id.high >> 16) == milliseconds)
            last = id.hex
        }
        // The time takes 48 bits, and nothing of the random words is lost below them.
        let filled = OperationID(at: Timestamp(milliseconds: 1), random: (.max, .max))
        #expect(filled.hex == "000000000001ffffffffffffffffffff")
    }

    @Test("the same bytes can mean another thing")
    func reinterpreted() {
        let id = ChargeID(high: 1, low: 2)
        #expect(id.reinterpreted(as: OperationID.self).hex == id.hex)
    }
}
