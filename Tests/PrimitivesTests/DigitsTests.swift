import Primitives
import Testing

@Suite("Digits")
struct DigitsTests {
    @Test("exactly so many")
    func count() {
        #expect(Digits("1234567890123456", count: 16)?.text == "1234567890123456")
        #expect(Digits("1234567890123456", count: 16)?.lastFour == "3456")
        #expect(Digits("00000000", count: 8)?.text == "00000000")
        #expect(Digits("1234567", count: 8) == nil)
        #expect(Digits("123456789", count: 8) == nil)
        #expect(Digits("", count: 8) == nil)
    }

    @Test(
        "ASCII digits only",
        arguments: ["1234567a", "-1234567", "1234 567", "１２３４５６７８", "1234567\n", "1234567/", "1234567:", "12345६"])
    func others(text: String) {
        #expect(Digits(text, count: 8) == nil)
    }

    @Test("descriptions, which end up in logs, do not show them")
    func description() throws {
        let digits = try #require(Digits("1234567890123456", count: 16))
        #expect("\(digits)" == "16 digits")
        #expect(String(reflecting: digits) == "16 digits")
    }
}
