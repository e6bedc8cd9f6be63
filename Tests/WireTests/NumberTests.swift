import Testing
import Wire

@Suite("Numbers")
struct NumberTests {
    private func integer(_ text: String) throws(WireError) -> Int64 {
        try JSONReader.read(Array(text.utf8)) { reader throws(WireError) in try reader.integer() }
    }

    @Test("whole numbers to the ends of 64 bits")
    func limits() throws {
        for value in [Int64.min, .min + 1, -10, -1, 0, 1, 9, 10, 99, 100, .max - 1, .max] {
            #expect(try integer("\(value)") == value)
            #expect(try JSONValue(parsing: Array("\(value)".utf8)) == .integer(value))
            var writer = JSONWriter()
            writer.integer(value)
            #expect(writer.bytes == Array("\(value)".utf8))
        }
        #expect(try integer("-0") == 0)
    }

    @Test(
        "beyond 64 bits is out of range",
        arguments: [
            "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
            "92233720368547758070", "-92233720368547758080", "100000000000000000000000000000000000000"
        ])
    func beyond(text: String) {
        #expect(throws: WireError(.outOfRange)) { try integer(text) }
        #expect(throws: WireError(.outOfRange)) { try JSONValue(parsing: Array(text.utf8)) }
    }

    @Test("fractions and exponents are told apart from what is no number", arguments: ["1.0", "1e2", "1E+2", "-0.0e-9"])
    func fractions(text: String) throws {
        #expect(throws: WireError(.notAnInteger)) { try integer(text) }
        #expect(try JSONValue(parsing: Array(text.utf8)) == .fraction)
    }

    @Test(
        "what is no number is refused",
        arguments: [
            "00", "-01", "-", "--1", "+1", "1.", "1.e2", ".1", "1e", "1e+", "1e1.5", "0x10", "1_000", "1,000",
            "Infinity",
            "-Infinity", "NaN", "١", "1 2", "1a"
        ])
    func notANumber(text: String) {
        #expect(throws: WireError.self) { try integer(text) }
        #expect(throws: WireError.self) { try JSONValue(parsing: Array(text.utf8)) }
    }
}
