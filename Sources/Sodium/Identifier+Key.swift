import Primitives
import Wire

extension Identifier {
    /// What a key that somebody else chose makes of something: the same for the same key, name and scope, and no
    /// other's.
    ///
    /// BLAKE2b-128 of all three. They are told apart by the zero bytes, which neither name nor key has; the scope's
    /// length goes with it as it may hold any byte.
    ///
    /// Where the key is a UUID of version 7 (RFC 9562, section 5.7), its 48 bits of time take the place of the first 48
    /// of the digest: operations then come in the order of their ids, and the stores' indexes grow at their ends
    /// instead of changing another page for each payment. What is left of the digest, 80 bits, still depends on all
    /// parts.
    ///
    /// - Parameters:
    ///   - key: visible ASCII.
    ///   - name: what is done with it.
    ///   - scope: whose key it is.
    package init(of key: [UInt8], for name: String, scope: [UInt8]) {
        var input: [UInt8] = []
        input.reserveCapacity(name.utf8.count + scope.count + key.count + 4)
        input.append(contentsOf: name.utf8)
        input.append(0)
        input.append(UInt8(truncatingIfNeeded: scope.count >> 8))
        input.append(UInt8(truncatingIfNeeded: scope.count))
        input.append(contentsOf: scope)
        input.append(0)
        input.append(contentsOf: key)
        let digest = Digest.blake2b(input, length: 16).withUnsafeBytes { digest in
            (
                high: UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        let high = uuidTime(key).map { $0 << 16 | digest.high & 0xFFFF } ?? digest.high
        self.init(high: high, low: digest.low)
    }
}

/// The first 48 bits of a UUID of version 7, its time; nil for any other key.
private func uuidTime(_ bytes: [UInt8]) -> UInt64? {
    guard bytes.count == 36 else { return nil }
    var (digits, time): (Int, UInt64) = (0, 0)
    for (place, byte) in bytes.enumerated() {
        if place == 8 || place == 13 || place == 18 || place == 23 {
            guard byte == UInt8(ascii: "-") else { return nil }
            continue
        }
        guard let digit = hexValue(byte) else { return nil }
        switch digits {
        case 0..<12: time = time << 4 | UInt64(digit)
        case 12 where digit != 7: return nil
        case 16 where digit & 0b1100 != 0b1000: return nil
        default: break
        }
        digits += 1
    }
    return time
}
