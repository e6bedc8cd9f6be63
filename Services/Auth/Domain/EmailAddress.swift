/// E-mail addresses: RFC 5321's Mailbox without forms that nobody uses (quoted names, addresses in brackets, hosts of
/// one word).
package enum EmailAddress {
    /// RFC 5321 section 4.5.3.1: a path of 256 bytes with its brackets.
    package static let bytesMax = 254
    package static let localBytesMax = 64

    package static func isOne(_ text: String) -> Bool {
        guard text.utf8.count <= bytesMax, let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let local = text.utf8[..<at]
        let domain = text.utf8[text.utf8.index(after: at)...]
        let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return local.count <= localBytesMax
            && local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomText) }
            && labels.count >= 2 && labels.allSatisfy(isLabel)
            // A number as the last label would be an IP address.
            && labels.last?.contains(where: isLetter) == true
    }

    /// Whether two addresses are the same, without regard to case: hosts have none (RFC 5321 section 2.4), and people
    /// do not type the case of the rest.
    package static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { folded($0) == folded($1) }
    }

    /// The same for accounts that may have none.
    package static func same(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return same(left, right)
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// RFC 5322's atext.
    private static func isAtomText(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }

    private static func isLabel(_ label: some BidirectionalCollection<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { isLetter($0) || isDigit($0) || $0 == hyphen }
    }
}
