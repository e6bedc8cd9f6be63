import Foundation
import PaymentsService
import Primitives
import Testing

@Suite("pay codes")
struct PayCodeTests {
    private let key = PaymentsHarness.codeKey
    private let code = PayCode(
        id: .test(1), customer: .alice, card: .aliceCard, expires: PaymentsHarness.start + .seconds(60))

    @Test("what was sealed is opened, and only with its key")
    func roundTrip() {
        let text = code.sealed(with: key)
        #expect(PayCode(text, key: key) == code)
        #expect(PayCode(text, key: [UInt8](2...33)) == nil)
        #expect(PayCode(text, key: Array(key.reversed())) == nil)
    }

    @Test("fits a bar code: 98 characters that no keyboard wedge changes")
    func form() {
        let text = code.sealed(with: key)
        #expect(text.utf8.count == 98)
        #expect(
            text.utf8.allSatisfy {
                "-_".utf8.contains($0) || Character(UnicodeScalar($0)).isLetter || (48...57).contains($0)
            })
    }

    @Test("any flipped bit is refused")
    func flipped() throws {
        let bytes = try #require(decoded(code.sealed(with: key)))
        #expect(bytes.count == 73)
        for bit in 0..<(bytes.count * 8) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(PayCode(encoded(flipped), key: key) == nil)
        }
    }

    @Test("any changed, missing or added character is refused")
    func changed() {
        let text = Array(code.sealed(with: key))
        for index in text.indices {
            for replacement in "Aa0_-+/= \0é" where replacement != text[index] {
                var changed = text
                changed[index] = replacement
                #expect(PayCode(String(changed), key: key) == nil)
            }
            var shorter = text
            shorter.remove(at: index)
            // A run of one character has the same text whichever of it is missing; it is shorter all the same.
            #expect(PayCode(String(shorter), key: key) == nil)
        }
        for stray in ["=", "==", " ", "\n", "A", "\0", String(repeating: "A", count: 98)] {
            #expect(PayCode(String(text) + stray, key: key) == nil)
            #expect(PayCode(stray + String(text), key: key) == nil)
        }
    }

    @Test("one code has one spelling: neither the other alphabet nor the spare bits make another")
    func spellings() throws {
        // Some code whose text has a character that differs between the alphabets.
        let codes = (1...64).map {
            PayCode(id: .test($0), customer: .alice, card: .aliceCard, expires: PaymentsHarness.start)
                .sealed(with: key)
        }
        let text = try #require(codes.first { $0.contains("-") || $0.contains("_") })
        let other = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        #expect(PayCode(text, key: key) != nil)
        #expect(PayCode(other, key: key) == nil)

        // 73 bytes are 97 characters and two bits: the last character has four bits to spare.
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let value = try #require(text.last.flatMap { alphabet.firstIndex(of: $0) })
        #expect(value % 16 == 0)
        for spare in 1...15 { #expect(PayCode(text.dropLast() + String(alphabet[value + spare]), key: key) == nil) }
    }

    @Test("nothing else is a code", arguments: ["", "A", "!", "code", String(repeating: "A", count: 98), "\u{1F600}"])
    func strange(text: String) { #expect(PayCode(text, key: key) == nil) }

    @Test("any 16 bytes and any time survive", arguments: [Int64.min, -1, 0, 1, 1_795_000_000_000, .max])
    func extremes(milliseconds: Int64) {
        let code = PayCode(
            id: ChargeID(high: .max, low: 0), customer: PartyID(high: 0, low: .max), card: CardID(high: 0, low: 0),
            expires: Timestamp(milliseconds: milliseconds))
        #expect(PayCode(code.sealed(with: key), key: key) == code)
    }

    private func decoded(_ text: String) -> [UInt8]? {
        let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
            .map { [UInt8]($0) }
    }

    private func encoded(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
