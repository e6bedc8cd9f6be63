import CSodium
import Glibc
import Primitives

/// Hashes of what people remember: a keyed digest first (the pepper), then Argon2id (RFC 9106).
///
/// The pepper lives in a key file, apart from the database: without it, a stolen table of four-digit PINs says nothing,
/// however slow or fast the hash. Slow on purpose (37 ms at the standard cost): never to be called on a reactor's
/// thread or in Swift's pool.
package struct PasswordHash: Sendable {
    /// What one hash costs. Stored within each hash, so it can be raised without breaking the old ones.
    package struct Cost: Sendable, Equatable {
        /// Passes over the memory (Argon2's t).
        package let passes: Int
        /// Argon2's m, in bytes (whole KiB).
        package let memoryBytes: Int

        package init(passes: Int, memoryBytes: Int) {
            self.passes = passes
            self.memoryBytes = memoryBytes
        }

        /// t = 2, m = 19 MiB, p = 1: what OWASP's Password Storage Cheat Sheet asks at least.
        package static let standard = Cost(passes: 2, memoryBytes: 19 * 1024 * 1024)
        /// The cheapest that libsodium accepts: for tests only.
        package static let cheapest = Cost(passes: 1, memoryBytes: 8 * 1024)
    }

    package enum HashError: Error, Equatable {
        /// The memory that the hash needs was not there.
        case outOfMemory
        /// What was given as a hash is none, or could not be computed.
        case unusable
    }

    package let cost: Cost
    private let pepper: [UInt8]

    /// - Parameter pepper: 32 bytes, from `KeyFile.open`.
    package init(pepper: [UInt8], cost: Cost = .standard) {
        precondition(pepper.count == 32, "a pepper has 32 bytes")
        // Initialises libsodium; Argon2 without it would run its slowest implementation.
        _ = Randomness.shared
        self.pepper = pepper
        self.cost = cost
    }

    /// A new hash with a random salt, in libsodium's own text form (`$argon2id$v=19$m=…`, below 128 characters).
    ///
    /// - Parameter context: what the secret belongs to (its kind, its account). A hash copied to another place in the
    ///   table does not verify there.
    package func hash(_ secret: [UInt8], context: [UInt8]) throws(HashError) -> String {
        var peppered = keyed(secret, context)
        defer { sodium_memzero(&peppered, peppered.count) }
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let status = peppered.withUnsafeBytes { bytes in
            crypto_pwhash_str_alg(
                &text, bytes.bindMemory(to: CChar.self).baseAddress!, UInt64(bytes.count), UInt64(cost.passes),
                cost.memoryBytes, crypto_pwhash_ALG_ARGON2ID13)
        }
        guard status == 0 else { throw .outOfMemory }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the hash was made of this secret in this context. libsodium compares in constant time.
    package func verify(_ secret: [UInt8], context: [UInt8], against hash: String) throws(HashError) -> Bool {
        var peppered = keyed(secret, context)
        defer { sodium_memzero(&peppered, peppered.count) }
        let (status, reason) = peppered.withUnsafeBytes { bytes in
            errno = 0
            let status = crypto_pwhash_str_verify(
                hash, bytes.bindMemory(to: CChar.self).baseAddress!, UInt64(bytes.count))
            return (status, errno)
        }
        if status == 0 { return true }
        // EINVAL is a mismatch; all else is trouble, which must not count as a wrong secret.
        switch reason {
        case EINVAL where needsRehash(hash) != nil: return false
        case ENOMEM: throw .outOfMemory
        default: throw .unusable
        }
    }

    /// Whether a hash was made at another cost than today's; nil where the text is no such hash.
    package func needsRehash(_ hash: String) -> Bool? {
        switch crypto_pwhash_str_needs_rehash(hash, UInt64(cost.passes), cost.memoryBytes) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    private func keyed(_ secret: [UInt8], _ context: [UInt8]) -> [UInt8] {
        // The context's length in front: no two pairs of context and secret make the same input.
        let length = withUnsafeBytes(of: UInt64(context.count).littleEndian, Array.init)
        return Digest.blake2b(length + context + secret, key: pepper)
    }
}
