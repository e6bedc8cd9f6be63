import Wire

extension JSONValue {
    /// Over several lines, two blanks a level, for people.
    package var pretty: String { pretty(indent: "") }

    private func pretty(indent: String) -> String {
        let inner = indent + "  "
        switch self {
        case .object(let members) where !members.isEmpty:
            let lines = members.map { "\(inner)\(JSONValue.string($0.key).text): \($0.value.pretty(indent: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .array(let elements) where !elements.isEmpty:
            return "[\n\(elements.map { inner + $0.pretty(indent: inner) }.joined(separator: ",\n"))\n\(indent)]"
        default: return text
        }
    }
}
