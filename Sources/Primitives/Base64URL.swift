/// Base64 with the URL-safe alphabet and without padding (RFC 4648 section 5; RFC 7515 section 2).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// By byte; 255 for what is not of the alphabet.
    private static let values: [UInt8] = alphabet.enumerated().reduce(into: Array(repeating: 255, count: 256)) {
        $0[Int($1.element)] = UInt8($1.offset)
    }

    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var (bits, held) = (UInt32(0), 0)
        // An array first: without specialization each byte of another sequence costs a call.
        for byte in Array(bytes) {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 6 {
                held -= 6
                text.append(alphabet[Int(bits >> UInt32(held) & 63)])
            }
        }
        if held > 0 { text.append(alphabet[Int(bits << UInt32(6 - held) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for what is not base64url. Padding may be there: some browsers send it.
    package static func decode(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)
        let padded = digits.count
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard padded - digits.count < 3, digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var (bits, held) = (UInt32(0), 0)
        for digit in digits {
            let value = values[Int(digit)]
            guard value != 255 else { return nil }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        return bytes
    }
}
