import Primitives
import Sodium

package enum Reset {}
package typealias ResetID = Identifier<Reset>

/// A mailed code: 140 bits as 28 characters of Crockford's base 32, in groups of four.
///
/// It is not stored, not even as a digest: it is a keyed BLAKE2b of the reset's random id, under a key outside the
/// database. So a waiting letter can be sent after a restart, and a copy of the database reveals no code.
package struct ResetCode: Sendable {
    package static let length = 28
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Without the hyphens.
    private let characters: [UInt8]

    package init(of reset: ResetID, key: [UInt8]) {
        let digest = Digest.blake2b(reset.bytes, key: key)
        var (characters, bits, held) = ([UInt8](), UInt32(0), 0)
        for byte in digest {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 5, characters.count < Self.length {
                held -= 5
                characters.append(Self.alphabet[Int(bits >> UInt32(held) & 31)])
            }
        }
        self.characters = characters
    }

    /// Reads a typed code: case, blanks and hyphens do not matter, and letters that look like digits count as digits.
    /// Nil if the text cannot be a code.
    package init?(typed text: String) {
        // Longer than a code with a blank after every character.
        guard text.utf8.count <= 2 * Self.length else { return nil }
        var characters: [UInt8] = []
        for byte in text.uppercased().utf8 {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                continue
            case UInt8(ascii: "O"): characters.append(UInt8(ascii: "0"))
            case UInt8(ascii: "I"), UInt8(ascii: "L"): characters.append(UInt8(ascii: "1"))
            default:
                guard Self.alphabet.contains(byte) else { return nil }
                characters.append(byte)
            }
        }
        guard characters.count == Self.length else { return nil }
        self.characters = characters
    }

    package func matches(_ other: ResetCode) -> Bool { Digest.equal(characters, other.characters) }

    /// The form in which it is mailed.
    package var mailed: String {
        stride(from: 0, to: characters.count, by: 4).map { start in
            String(decoding: characters[start..<min(start + 4, characters.count)], as: UTF8.self)
        }.joined(separator: "-")
    }
}

extension ResetCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a code" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
