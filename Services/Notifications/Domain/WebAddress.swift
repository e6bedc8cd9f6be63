/// A URL that users may have us connect to: the part of RFC 3986 that is safe to follow.
package struct WebAddress: Sendable, Equatable {
    package static let bytesMax = 1000

    package let isSecure: Bool
    /// Normalized: lowercase, without a trailing dot; an IPv6 address in its shortest form, without brackets.
    package let host: String
    package let port: Int
    /// The path with its query.
    package let path: String

    /// Nil unless the text is an absolute http or https URL of visible ASCII with a host, and without user and
    /// fragment.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !text.utf8.contains(where: { "\"<>\\^`{|}#".utf8.contains($0) })
        else { return nil }
        let lower = text.lowercased()
        let rest: Substring
        if lower.hasPrefix("https://") {
            isSecure = true
            rest = text.dropFirst(8)
        } else if lower.hasPrefix("http://") {
            isSecure = false
            rest = text.dropFirst(7)
        } else {
            return nil
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@"), let (host, port) = Self.split(authority, isSecure ? 443 : 80) else {
            return nil
        }
        self.host = host
        self.port = port
        let path = String(rest.dropFirst(authority.count))
        self.path = path.hasPrefix("/") ? path : "/" + path
    }

    /// The URL to request, with the normalized host: an address that was resolved for `host` is valid for it.
    package var text: String { origin + path }

    /// Scheme, host and port: the audience of a VAPID token (RFC 8292 section 2).
    package var origin: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let usual = port == (isSecure ? 443 : 80)
        return (isSecure ? "https://" : "http://") + name + (usual ? "" : ":\(port)")
    }

    private static func split(_ authority: Substring, _ usual: Int) -> (String, Int)? {
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<close]
            rest = authority[authority.index(after: close)...]
            guard let bytes = IPAddress.bytes(String(host)), bytes.count == 16, let text = IPAddress.text(bytes) else {
                return nil
            }
            return port(rest, usual).map { (text, $0) }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority.dropFirst(host.count)
            guard host.utf8.allSatisfy({ isNameByte($0) }) else { return nil }
        }
        let name = host.hasSuffix(".") ? host.dropLast() : host
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy({ !$0.isEmpty }) else { return nil }
        return port(rest, usual).map { (name.lowercased(), $0) }
    }

    private static func port(_ rest: Substring, _ usual: Int) -> Int? {
        guard !rest.isEmpty else { return usual }
        let digits = rest.dropFirst()
        guard rest.first == ":", !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let port = Int(digits), (1...65_535).contains(port)
        else { return nil }
        return port
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
