import Sodium

/// The keys that auth derives from its key file, one for each use.
package struct AuthKeys: Sendable {
    /// For `PasswordHash`.
    package let pepper: [UInt8]
    /// For `LoginName`.
    package let loginNames: [UInt8]
    /// For `LoginName` of those who request a code, and of those who enter one.
    package let resetNames: [UInt8]
    package let codeNames: [UInt8]
    /// For the same, of addresses whose usernames are asked for.
    package let addressNames: [UInt8]
    /// For `LoginName` of accounts whose owners get letters.
    package let changeNames: [UInt8]
    /// For `ResetCode`: codes for a new password, and codes that restore an address.
    package let resetCodes: [UInt8]
    package let restoreCodes: [UInt8]

    /// - Parameter file: the 32 bytes of `KeyFile.open`. Losing them makes every password and PIN unusable.
    package init(file: [UInt8]) {
        pepper = Digest.blake2b(Array("billfold.auth.pepper".utf8), key: file)
        loginNames = Digest.blake2b(Array("billfold.auth.login-names".utf8), key: file)
        resetNames = Digest.blake2b(Array("billfold.auth.reset-names".utf8), key: file)
        codeNames = Digest.blake2b(Array("billfold.auth.code-names".utf8), key: file)
        addressNames = Digest.blake2b(Array("billfold.auth.address-names".utf8), key: file)
        changeNames = Digest.blake2b(Array("billfold.auth.change-names".utf8), key: file)
        resetCodes = Digest.blake2b(Array("billfold.auth.reset-codes".utf8), key: file)
        restoreCodes = Digest.blake2b(Array("billfold.auth.restore-codes".utf8), key: file)
    }
}

extension AuthKeys: CustomStringConvertible, CustomReflectable {
    package var description: String { "keys" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
