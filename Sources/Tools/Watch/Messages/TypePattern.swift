/// A message type, or many: `wallet.payment.posted.v1`, `payments.*`, `*.charge.*`. `*` is any text.
package struct TypePattern: Sendable, Equatable {
    package let text: String

    /// Nil for what no type can look like.
    package init?(_ text: String) {
        guard text.wholeMatch(of: /[a-z0-9.*_\-]{1,255}/) != nil else { return nil }
        self.text = text
    }

    /// A whole name, or the beginning of one: `payments` and `payments.charge` mean all that begins so.
    package func matches(_ type: String) -> Bool {
        Self.matches(text[...], type[...]) || (!text.contains("*") && type.hasPrefix(text + "."))
    }

    /// The service whose messages it is about; nil where it may be several.
    package var service: String? {
        let first = text.prefix { $0 != "." }
        return first.contains("*") ? nil : String(first)
    }

    private static func matches(_ pattern: Substring, _ text: Substring) -> Bool {
        guard let star = pattern.firstIndex(of: "*") else { return pattern == text }
        let head = pattern[..<star]
        guard text.hasPrefix(head) else { return false }
        let (rest, after) = (text.dropFirst(head.count), pattern[pattern.index(after: star)...])
        if after.isEmpty { return true }
        return rest.indices.contains { matches(after, rest[$0...]) }
    }
}
