/// A pay code for keyboards: nine random characters and a check character, without those that look alike.
///
/// The alphabet has 31 characters, a prime: the check finds every wrong character and every two that were exchanged.
package struct TypedCode: Hashable, Sendable {
    package static let length = 10
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ".utf8)

    /// As it is stored and compared, without spaces.
    package let text: String

    /// - Parameter random: bytes; those from 248 on are passed over, so that all characters are equally likely.
    /// - Returns: nil if there are too few bytes.
    package init?(random: [UInt8]) {
        let free = random.filter { $0 < 248 }.prefix(Self.length - 1).map { Int($0) % Self.alphabet.count }
        guard free.count == Self.length - 1 else { return nil }
        let all = free + [Self.check(free)]
        text = String(decoding: all.map { Self.alphabet[$0] }, as: UTF8.self)
    }

    /// What somebody typed, in capitals or not, with spaces and hyphens or not; nil if it is no such code.
    package init?(typed: String) {
        guard typed.utf8.count <= 3 * Self.length else { return nil }
        let digits = typed.uppercased().utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
            .map { Self.alphabet.firstIndex(of: $0) }
        let known = digits.compactMap(\.self)
        guard known.count == digits.count, known.count == Self.length else { return nil }
        guard Self.check(known.dropLast()) == known.last else { return nil }
        text = String(decoding: known.map { Self.alphabet[$0] }, as: UTF8.self)
    }

    /// The character that makes the sum of all, each times its place, a multiple of 31. Its own place is 10, whose
    /// inverse is 28.
    private static func check(_ digits: some Sequence<Int>) -> Int {
        let sum = digits.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }
        return (alphabet.count - sum % alphabet.count) * 28 % alphabet.count
    }
}
