import CSodium
import Glibc

/// Digests of libsodium. Each is a pure function of its input.
package enum Digest {
    /// SHA-256 (FIPS 180-4) of the parts one after the other, 32 bytes.
    package static func sha256(_ parts: [UInt8]...) -> [UInt8] {
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        for part in parts { crypto_hash_sha256_update(&state, part, UInt64(part.count)) }
        return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            crypto_hash_sha256_final(&state, buffer.baseAddress!)
            count = 32
        }
    }

    /// The same of bytes that lie together.
    package static func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            crypto_hash_sha256(
                buffer.baseAddress!, bytes.bindMemory(to: UInt8.self).baseAddress, UInt64(bytes.count))
            count = 32
        }
    }

    /// SHA-256 of what a file holds, and how much that is. Blocks the calling thread.
    ///
    /// - Throws: `FileError` where it cannot be read.
    package static func sha256(ofFile path: String) throws(FileError) -> (digest: [UInt8], bytes: Int64) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var state = crypto_hash_sha256_state()
        crypto_hash_sha256_init(&state)
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        var bytes: Int64 = 0
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw FileError(path: path, reason: String(cString: strerror(errno))) }
            if count == 0 { break }
            crypto_hash_sha256_update(&state, chunk, UInt64(count))
            bytes += Int64(count)
        }
        let digest = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            crypto_hash_sha256_final(&state, buffer.baseAddress!)
            count = 32
        }
        return (digest, bytes)
    }

    package struct FileError: Error, Equatable, CustomStringConvertible {
        package let path: String
        package let reason: String
        package var description: String { "\(path) cannot be read: \(reason)" }
    }

    /// BLAKE2b (RFC 7693) with an optional key of 16 to 64 bytes; `length` bytes, 16 to 64.
    package static func blake2b(_ input: [UInt8], key: [UInt8] = [], length: Int = 32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            let status = crypto_generichash(
                buffer.baseAddress!, length, input, UInt64(input.count), key.isEmpty ? nil : key, key.count)
            precondition(status == 0, "BLAKE2b takes keys of up to 64 bytes and gives 16 to 64")
            count = length
        }
    }

    /// BLAKE2b-128 of bytes that lie together, as an identifier's words.
    package static func blake2b128(
        _ bytes: UnsafeRawBufferPointer, key: [UInt8] = []
    ) -> (high: UInt64, low: UInt64) {
        var digest: (UInt64, UInt64) = (0, 0)
        let status = withUnsafeMutableBytes(of: &digest) { digest in
            crypto_generichash(
                digest.bindMemory(to: UInt8.self).baseAddress!, 16, bytes.bindMemory(to: UInt8.self).baseAddress,
                UInt64(bytes.count), key.isEmpty ? nil : key, key.count)
        }
        precondition(status == 0, "BLAKE2b takes keys of up to 64 bytes")
        return (UInt64(bigEndian: digest.0), UInt64(bigEndian: digest.1))
    }

    /// BLAKE2b-256 of bytes that lie together, with a key of 16 to 64 bytes.
    package static func blake2b256(_ bytes: UnsafeRawBufferPointer, key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            let status = crypto_generichash(
                buffer.baseAddress!, 32, bytes.bindMemory(to: UInt8.self).baseAddress, UInt64(bytes.count), key,
                key.count)
            precondition(status == 0, "BLAKE2b takes keys of up to 64 bytes")
            count = 32
        }
    }

    /// Compares in time that depends on the length only.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }
}
