import Wire

/// A string of exactly so many decimal digits, such as a card's number (16) or code (8).
package struct Digits: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Nil unless `text` is `count` ASCII digits.
    package init?(_ text: String, count: Int) {
        guard text.utf8.count == count, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        self.text = text
    }

    package var lastFour: String { String(text.suffix(4)) }

    /// Never the digits: descriptions end up in logs.
    package var description: String { "\(text.utf8.count) digits" }
}
