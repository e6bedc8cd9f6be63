import Contracts
import Primitives
import Sodium

/// A registration that keeps all rules.
package struct Registration: Sendable {
    package let account: PartyID
    package let role: Auth.Role
    package let username: String
    package let name: String
    package let password: Secret
    package let profile: Auth.Profile
    /// The status of a merchant.
    package let status: Auth.MerchantStatus?
    /// Whether wrong PINs cost nothing.
    package let isSimulated: Bool
    /// SHA-256 over everything but the password. Tells a repeat from another use of the same id.
    ///
    /// The password is left out, as a fast digest would undo its slow hash. It is compared by that hash.
    package let fingerprint: [UInt8]

    /// - Throws: `auth.name_invalid`, `auth.email_invalid`, `auth.birthdate_invalid`, `auth.profile_invalid`.
    package init(_ ask: Auth.RegisterAccount, under rules: AccountRules, at now: Timestamp) throws(Fault) {
        guard ask.name.map(Self.isName) ?? true else { throw Fault(.nameInvalid, notShown: "name") }
        profile = try ProfileRules.checked(ask.profile ?? Auth.Profile(), of: ask.role, at: now)
        account = ask.account
        role = ask.role
        username = ask.username
        name = ask.name ?? profile.businessName ?? ask.username
        password = Secret(password: ask.password)
        status = ask.role == .merchant ? (ask.approved ?? rules.approvesMerchants ? .approved : .pending) : nil
        isSimulated = ask.simulated ?? false
        // No part contains NUL. The mark tells an absent name from one that equals the username.
        var parts = [role.rawValue, username, ask.name == nil ? "-" : "+", ask.name ?? ask.username]
        // Left out if absent, so that registrations from before these fields existed can still be repeated.
        if let profile = ask.profile { parts.append(String(decoding: profile.json, as: UTF8.self)) }
        if let approved = ask.approved { parts.append(approved ? "approved" : "pending") }
        if isSimulated { parts.append("simulated") }
        fingerprint = Digest.sha256(Array(parts.joined(separator: "\0").utf8))
    }

    /// 1 to 64 ASCII letters, digits and `._@+-`. ASCII only, so that no two different names look the same.
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

    /// Visible text, without characters that control a receipt or a terminal.
    static func isName(_ text: String) -> Bool { text.isShownAndVisible }
}
