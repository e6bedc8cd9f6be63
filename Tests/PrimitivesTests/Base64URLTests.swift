import Foundation
import Primitives
import Testing

@Suite("Base64url")
struct Base64URLTests {
    @Test("is read with padding or without, and nothing else is")
    func reading() {
        for length in 0..<40 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + 250) }
            let text = Base64URL.encode(bytes)
            #expect(Base64URL.decode(text) == bytes)
            #expect(Base64URL.decode(text + String(repeating: "=", count: (4 - text.count % 4) % 4)) == bytes)
        }
        for text in ["A", "AA===", "A*AA", "AAA A", "AA+A", "AA/A", "AAÄ"] {
            #expect(Base64URL.decode(text) == nil, "\(text)")
        }
    }

    @Test("is base64 in the URL's alphabet, without padding")
    func writing() {
        let bytes = [UInt8](0...255)
        let plain = Data(bytes).base64EncodedString()
        #expect(
            Base64URL.encode(bytes)
                == plain.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
    }
}
