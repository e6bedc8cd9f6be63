import Primitives

/// A password or a PIN on its way to being hashed. Says nothing of itself: descriptions end up in logs.
package struct Secret: Sendable {
    package enum Kind: String, Sendable {
        case password, pin
    }

    package let kind: Kind
    let bytes: [UInt8]

    package init(password: String) {
        kind = .password
        bytes = Array(password.utf8)
    }

    /// Nil unless `pin` is four ASCII digits.
    package init?(pin: String) {
        guard let digits = Digits(pin, count: 4) else { return nil }
        kind = .pin
        bytes = Array(digits.text.utf8)
    }

    /// What its hash is bound to: a hash moved to another account, or from PIN to password, does not verify.
    func context(of owner: PartyID) -> [UInt8] { Array(kind.rawValue.utf8) + [0] + owner.bytes }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a \(kind.rawValue)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
