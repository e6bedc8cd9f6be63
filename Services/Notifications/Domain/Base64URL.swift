import Foundation

/// Base64 with the URL-safe alphabet and without padding (RFC 4648 section 5; RFC 7515 section 2).
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// Nil for what is not base64url. Padding may be there: some browsers send it.
    package static func decode(_ text: String) -> [UInt8]? {
        let bare = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.count
        guard text.utf8.count - bare < 3, bare % 4 != 1 else { return nil }
        var base64 = String(text.prefix(bare)).replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - bare % 4) % 4)
        return Data(base64Encoded: base64).map { [UInt8]($0) }
    }
}
