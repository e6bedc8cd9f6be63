import Sodium

/// A username as somebody typed it, and the key under which tries at it are counted.
///
/// Tries are counted for names that nobody bears too, in the same table and the same way: neither the delay nor the
/// time an answer takes says which names exist. The table holds a keyed digest, because people type passwords into the
/// wrong field.
package struct LoginName: Sendable {
    package let username: String
    package let digest: [UInt8]

    package init(_ username: String, key: [UInt8]) {
        self.username = username
        digest = Digest.blake2b(Array(username.utf8), key: key)
    }
}
