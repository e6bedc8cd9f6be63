/// One mail address: RFC 5321's Mailbox, less quoted local parts and address literals.
package struct MailAddress: Sendable, Equatable {
    package static let bytesMax = 254

    package let text: String

    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.bytesMax, parts.count == 2, (1...64).contains(parts[0].utf8.count),
            Self.isDotted(parts[0], of: Self.isAtomByte), Self.isDotted(parts[1], of: Self.isNameByte),
            parts[1].split(separator: ".").allSatisfy({ $0.utf8.count <= 63 && $0.first != "-" && $0.last != "-" })
        else { return nil }
        self.text = text
    }

    private static func isDotted(_ text: Substring, of isByte: (UInt8) -> Bool) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy(isByte)
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte == UInt8(ascii: "-")
    }

    /// RFC 5322's atext.
    private static func isAtomByte(_ byte: UInt8) -> Bool {
        isNameByte(byte) || "!#$%&'*+/=?^_`{|}~".utf8.contains(byte)
    }
}
