import Crypto
import Foundation

/// One message encrypted for one browser (RFC 8291), in the form of RFC 8188's `aes128gcm` with a single record.
package enum WebPushMessage {
    /// RFC 8291 section 4: what every push service takes, less header, tag and delimiter.
    package static let plaintextBytesMax = 3993
    private static let recordSize: UInt32 = 4096

    /// The keys are no key.
    package struct InvalidKey: Error {}

    /// Whether this is a point on P-256, uncompressed.
    package static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        (try? P256.KeyAgreement.PublicKey(x963Representation: bytes)) != nil
    }

    /// - Parameters:
    ///   - plaintext: at most `plaintextBytesMax`.
    ///   - key: a new one for each message.
    ///   - salt: 16 random bytes.
    /// - Throws: `InvalidKey`.
    package static func encrypt(
        _ plaintext: [UInt8], for p256dh: [UInt8], _ auth: [UInt8], key: P256.KeyAgreement.PrivateKey, salt: [UInt8]
    ) throws(InvalidKey) -> [UInt8] {
        precondition(plaintext.count <= plaintextBytesMax && salt.count == 16, "the caller cuts what is too long")
        let own = [UInt8](key.publicKey.x963Representation)
        do {
            let theirs = try P256.KeyAgreement.PublicKey(x963Representation: p256dh)
            let shared = try key.sharedSecretFromKeyAgreement(with: theirs)
            // Section 3.4, then RFC 8188 sections 2.2 and 2.3.
            let input = shared.hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: auth, sharedInfo: Array("WebPush: info\0".utf8) + p256dh + own,
                outputByteCount: 32)
            let contentKey = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8),
                outputByteCount: 16)
            let nonce = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), outputByteCount: 12)
            let sealed = try AES.GCM.seal(
                plaintext + [2], using: contentKey, nonce: AES.GCM.Nonce(data: nonce.withUnsafeBytes { Array($0) }))
            var message = salt
            for shift in [24, 16, 8, 0] as [UInt32] { message.append(UInt8(truncatingIfNeeded: recordSize >> shift)) }
            message.append(UInt8(own.count))
            return message + own + [UInt8](sealed.ciphertext) + [UInt8](sealed.tag)
        } catch {
            throw InvalidKey()
        }
    }
}
