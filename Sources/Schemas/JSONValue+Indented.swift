import Wire

extension JSONValue {
    /// For people and for version control: two blanks a level, lists and objects without content in one line.
    package var indented: String {
        var text = ""
        write(to: &text, level: 0)
        return text
    }

    private func write(to text: inout String, level: Int) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            text += "[\n"
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ",\n" }
                text += String(repeating: "  ", count: level + 1)
                element.write(to: &text, level: level + 1)
            }
            text += "\n" + String(repeating: "  ", count: level) + "]"
        case .object(let members) where !members.isEmpty:
            text += "{\n"
            for (index, member) in members.enumerated() {
                if index > 0 { text += ",\n" }
                text += String(repeating: "  ", count: level + 1) + JSONValue.string(member.key).text + ": "
                member.value.write(to: &text, level: level + 1)
            }
            text += "\n" + String(repeating: "  ", count: level) + "}"
        default: text += self.text
        }
    }
}
