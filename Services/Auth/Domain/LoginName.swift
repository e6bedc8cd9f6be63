import Sodium

/// A username as it was typed, and the key under which its tries are counted.
///
/// Tries are counted for unknown names too, in the same way, so that neither delay nor response time shows which names
/// exist. The table stores a keyed digest, as people type passwords into the wrong field.
package struct LoginName: Sendable {
    package let username: String
    package let digest: [UInt8]

    package init(_ username: String, key: [UInt8]) {
        self.username = username
        digest = Digest.blake2b(Array(username.utf8), key: key)
    }
}
