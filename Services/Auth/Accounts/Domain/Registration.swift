import Contracts
import Primitives
import Sodium

/// A registration whose every part is acceptable.
package struct Registration: Sendable {
    package let account: PartyID
    package let role: Auth.Role
    package let username: String
    package let name: String
    package let password: Secret
    /// SHA-256 over all but the password: tells a repeat from another use of the same id.
    ///
    /// The password stays out, as a fast digest of it would undo the slow hash; it is compared by that hash.
    package let fingerprint: [UInt8]

    /// - Throws: `auth.username_invalid`, `auth.password_invalid`, `auth.name_invalid`.
    package init(_ ask: Auth.RegisterAccount) throws(Fault) {
        guard Self.isUsername(ask.username) else { throw Fault(.usernameInvalid) }
        guard (8...128).contains(ask.password.utf8.count) else { throw Fault(.passwordInvalid) }
        guard ask.name.map(Self.isName) ?? true else { throw Fault(.nameInvalid) }
        account = ask.account
        role = ask.role
        username = ask.username
        name = ask.name ?? ask.username
        password = Secret(password: ask.password)
        // NUL occurs in none of the parts; the mark tells an absent name from one that equals the username.
        let parts = [role.rawValue, username, ask.name == nil ? "-" : "+", name]
        fingerprint = Digest.sha256(Array(parts.joined(separator: "\0").utf8))
    }

    /// 1 to 64 ASCII letters, digits and `._@+-`. ASCII only: no two names look the same and differ.
    static func isUsername(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "._@+-".utf8.contains(byte)
                }
            }
    }

    /// At most 100 bytes, something to see, nothing that controls what a receipt or a terminal shows.
    static func isName(_ text: String) -> Bool {
        text.utf8.count <= 100 && text.unicodeScalars.contains { !$0.properties.isWhitespace }
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                // Embeddings, overrides and isolates: they reorder the text around the name.
                case .format: !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
                default: true
                }
            }
    }
}
