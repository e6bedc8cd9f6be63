import Primitives
import TerminalText
import Wire

/// A message's content in a few words, on one line: money as money, identifiers by their ends, secrets not at all.
package enum MessageWords {
    /// Words shown of a person's text.
    private static let textMax = 32
    /// Digits shown of an identifier: those at its end differ.
    private static let digits = 8

    /// - Parameter isWhole: whether identifiers are shown with all their digits, and texts in full length.
    package static func of(_ data: JSONValue, isWhole: Bool = false) -> String {
        var words: [String] = []
        collect(Redaction.masked(data), isWhole, &words)
        return words.joined(separator: " ")
    }

    package static func short(_ id: String) -> String { "…" + id.suffix(digits) }

    private static func collect(_ value: JSONValue, _ isWhole: Bool, _ words: inout [String]) {
        guard case .object(let members) = value else { return }
        for member in members {
            // The line has the message's own time.
            if member.key == "time" || member.value == .null { continue }
            if let money = money(member.value) {
                words.append("\(member.key)=\(money.display)")
            } else if case .object = member.value {
                collect(member.value, isWhole, &words)
            } else {
                words.append("\(member.key)=\(shown(member.value, isWhole))")
            }
        }
    }

    private static func shown(_ value: JSONValue, _ isWhole: Bool) -> String {
        switch value {
        case .null, .fraction, .object: return ""
        case .bool(let bool): return "\(bool)"
        case .integer(let number): return "\(number)"
        case .array(let elements): return "[\(elements.count)]"
        case .string(let text):
            if text == Redaction.mask { return text }
            if Identifier<Never>(text) != nil { return isWhole ? text : short(text) }
            if text.wholeMatch(of: /[A-Za-z0-9_.:+\-]+/) != nil { return text }
            let line = text.printable
            return isWhole || line.count <= textMax ? "\"\(line)\"" : "\"\(line.prefix(textMax))…\""
        }
    }

    private static func money(_ value: JSONValue) -> Money? {
        guard case .object(let members) = value, members.count == 2, case .integer(let amount)? = value["amount"],
            case .string(let code)? = value["currency"], let currency = Currency(code)
        else { return nil }
        return Money(amount, currency)
    }
}
