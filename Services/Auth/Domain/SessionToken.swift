import Primitives
import Sodium

/// The token of a session: 256 random bits as 43 characters of base64url (RFC 4648 section 5, unpadded). Only its
/// digest is stored.
package struct SessionToken: Sendable {
    package let text: String
    /// SHA-256 of the text, 32 bytes. A fast digest is enough, as nobody guesses 256 bits.
    package var digest: [UInt8] { Digest.sha256(Array(text.utf8)) }

    package init() { text = Base64URL.encode(Randomness.shared.bytes(32)) }

    /// Reads a digest from the bus: 64 lowercase hex digits. Nil for any other text.
    package static func digest(hex: String) -> [UInt8]? {
        let text = Array(hex.utf8)
        guard text.count == 64, let high = Identifier<Session>(hex: text[..<32]),
            let low = Identifier<Session>(hex: text[32...])
        else { return nil }
        return high.bytes + low.bytes
    }
}

extension SessionToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "a token" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
