import Wire

/// Ids and secrets that the live service and the candidate have each made for the same thing.
///
/// The first answer that has them makes two of them twins; from then on one stands for the other, in later asks too.
package struct Twins: Sendable {
    /// Pairs, and names that clients gave, that are remembered; of later ones only equality is known.
    package static let twinsMax = 500_000

    private var shadows: [String: String] = [:]
    private var lives: [String: String] = [:]
    /// Given by clients or other services: the same on both sides.
    private var given: Set<String> = []

    package init() {}

    /// Whether the candidate's may stand for the live one: as it did before, or as neither was seen before.
    package func mayBe(_ live: String, _ shadow: String) -> Bool {
        if let twin = shadows[live] { return twin == shadow }
        if live == shadow { return lives[shadow] == nil }
        guard lives[shadow] == nil, !given.contains(live), !given.contains(shadow) else { return false }
        return shadows.count < Self.twinsMax
    }

    package mutating func learn(_ live: String, _ shadow: String) {
        guard live != shadow, shadows.count < Self.twinsMax else { return }
        shadows[live] = shadow
        lives[shadow] = live
    }

    /// Notes the ids in what a client or another service has sent.
    package mutating func give(_ text: [UInt8]) {
        for id in Self.ids(in: text) where given.count < Self.twinsMax && shadows[id] == nil { given.insert(id) }
    }

    /// The same, with the candidate's names for what the live service has made.
    package func translated(_ value: JSONValue) -> JSONValue {
        guard !shadows.isEmpty else { return value }
        return switch value {
        case .object(let members): .object(members.map { .init($0.key, translated($0.value)) })
        case .array(let elements): .array(elements.map(translated))
        case .string(let text): .string(translated(text))
        case .null, .bool, .integer, .fraction: value
        }
    }

    /// Ids stand in links and in texts too.
    package func translated(_ text: String) -> String {
        if let twin = shadows[text] { return twin }
        guard text.utf8.count > 32 else { return text }
        var result = text
        for id in Self.ids(in: Array(text.utf8)) {
            if let twin = shadows[id] { result = result.replacing(id, with: twin) }
        }
        return result
    }

    /// Runs of exactly 32 hex digits.
    static func ids(in text: [UInt8]) -> [String] {
        var found: [String] = []
        var start = 0
        for index in 0...text.count {
            if index < text.count, isHexDigit(text[index]) { continue }
            if index - start == 32 { found.append(String(decoding: text[start..<index], as: UTF8.self)) }
            start = index + 1
        }
        return found
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
