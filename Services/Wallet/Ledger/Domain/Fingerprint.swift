import Contracts
import Primitives
import Sodium
import Wire

/// What was asked under an id, as 16 bytes: the same id with another fingerprint is another ask and is refused.
package enum AskContent {}
package typealias Fingerprint = Identifier<AskContent>

extension Identifier where Subject == AskContent {
    /// BLAKE2b-128 of the type, a zero byte, and the ask written anew: white space, field order and `null` for an
    /// absent field make no difference.
    ///
    /// - Parameter key: given where the ask holds a secret that must not be found by trying.
    package init<A: Ask>(of ask: A, key: [UInt8] = []) {
        let name = A.type.name.utf8
        let json = ask.json
        var content: [UInt8] = []
        content.reserveCapacity(name.count + 1 + json.count)
        content.append(contentsOf: name)
        content.append(0)
        content.append(contentsOf: json)
        let words = Digest.blake2b(content, key: key, length: 16).withUnsafeBytes { digest in
            (
                UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self.init(high: words.0, low: words.1)
    }
}
