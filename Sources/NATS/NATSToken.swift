import CSodium

/// A user's token and the key that proves it, as NATS's own `.creds` files have them. Never printed.
package struct NATSToken: Sendable, Equatable, CustomStringConvertible {
    let jwt: String
    /// An Ed25519 key's seed: 32 bytes.
    private let seed: [UInt8]

    /// - Parameter text: of the file; nil unless it holds both.
    package init?(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline)
        func line(behind mark: String) -> Substring? {
            guard let index = lines.firstIndex(where: { $0.contains(mark) }), index + 1 < lines.count else {
                return nil
            }
            return lines[index + 1]
        }
        guard let jwt = line(behind: "BEGIN NATS USER JWT"), let key = line(behind: "BEGIN USER NKEY SEED"),
            let seed = Self.seed(key)
        else { return nil }
        (self.jwt, self.seed) = (String(jwt), seed)
    }

    /// Signs the nonce; in base64 for addresses.
    func signature(of nonce: String) -> String {
        var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES))
        var secretKey = [UInt8](repeating: 0, count: Int(crypto_sign_SECRETKEYBYTES))
        crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
        var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
        let bytes = Array(nonce.utf8)
        crypto_sign_detached(&signature, nil, bytes, UInt64(bytes.count), secretKey)
        sodium_memzero(&secretKey, secretKey.count)
        let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(signature.count, variant))
        sodium_bin2base64(&text, text.count, signature, signature.count, variant)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The bytes of a user's seed: two that say what it is, the seed, and a checksum (NATS's `nkeys`).
    private static func seed(_ text: Substring) -> [UInt8]? {
        guard text.hasPrefix("SU"), let bytes = base32(text), bytes.count == 36 else { return nil }
        let sum = UInt16(bytes[34]) | UInt16(bytes[35]) << 8
        return checksum(bytes[..<34]) == sum ? Array(bytes[2..<34]) : nil
    }

    /// RFC 4648, without padding.
    private static func base32(_ text: Substring) -> [UInt8]? {
        var (bytes, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for character in text.utf8 {
            let value: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): value = character - UInt8(ascii: "2") + 26
            default: return nil
            }
            bits = bits << 5 & 0xFFFF | UInt32(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }

    /// CRC-16 as XMODEM has it.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
    }

    package var description: String { "a token of NATS" }
}
