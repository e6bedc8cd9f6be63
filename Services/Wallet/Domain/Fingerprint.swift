import Contracts
import Primitives
import Sodium
import Wire

/// A digest of the content that was asked under an id. The same id with another fingerprint is refused.
package enum AskContent {}
package typealias Fingerprint = Identifier<AskContent>

extension Identifier where Subject == AskContent {
    /// BLAKE2b-128 of the type, a zero byte and the ask in canonical JSON: white space, field order and `null` for an
    /// absent field do not matter.
    ///
    /// - Parameter key: for an ask with a secret that must not be found by trial.
    package init<A: Ask>(of ask: A, key: [UInt8] = []) {
        let json = ask.json
        var name = A.type.name
        let words = name.withUTF8 { name in
            withUnsafeTemporaryAllocation(byteCount: name.count + 1 + json.count, alignment: 1) { content in
                content.copyMemory(from: UnsafeRawBufferPointer(name))
                content[name.count] = 0
                json.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: content[(name.count + 1)...]).copyMemory(from: $0)
                }
                return Digest.blake2b128(UnsafeRawBufferPointer(content), key: key)
            }
        }
        self.init(high: words.high, low: words.low)
    }
}
