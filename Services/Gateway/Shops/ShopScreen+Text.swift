extension ShopScreen {
    /// The view as lines of at most so many columns: the logo, the corner at the right edge, the bar at the bottom.
    package func text(columns: Int) -> String {
        var text = [corner.map { Self.apart(logo, "[\($0.label)]", columns) } ?? logo]
        if let back { text.append("< \(back.label)") }
        text += ["", title, ""]
        for line in lines { text += Self.wrapped(line, columns) }
        if !lines.isEmpty, !rows.isEmpty { text.append("") }
        for row in rows {
            text += row.value.map { Self.rows(label(of: row), $0, columns) } ?? Self.wrapped(label(of: row), columns)
            if let disabled = row.press?.disabled {
                text += Self.wrapped("(\(disabled))", columns - 2).map { "  \($0)" }
            }
            if let detail = row.detail { text += Self.wrapped(detail, columns - 2).map { "  \($0)" } }
        }
        text += ["", navigation.map { "[\($0.label)]" }.joined(separator: " ")]
        return text.joined(separator: "\n") + "\n"
    }

    /// An event says by its sign whether it is open; a setting stands in brackets, as all that can be pressed.
    private func label(of row: Row) -> String {
        guard row.press != nil else { return row.label }
        return view == .history ? (row.detail == nil ? "+ " : "- ") + row.label : "[\(row.label)]"
    }

    /// Label and value on one line where they fit, else below each other.
    private static func rows(_ label: String, _ value: String, _ columns: Int) -> [String] {
        label.count + value.count + 2 <= columns
            ? [apart(label, value, columns)]
            : wrapped(label, columns) + wrapped(value, columns - 2).map { "  \($0)" }
    }

    private static func apart(_ left: String, _ right: String, _ columns: Int) -> String {
        left + String(repeating: " ", count: max(2, columns - left.count - right.count)) + right
    }

    /// Lines of at most so many characters, broken between words; a longer word is broken anywhere.
    private static func wrapped(_ text: String, _ columns: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                var word = String(word)
                while word.count > columns {
                    if !line.isEmpty { lines.append(line) }
                    line = ""
                    lines.append(String(word.prefix(columns)))
                    word = String(word.dropFirst(columns))
                }
                if line.isEmpty {
                    line = word
                } else if line.count + 1 + word.count <= columns {
                    line += " " + word
                } else {
                    lines.append(line)
                    line = word
                }
            }
            lines.append(line)
        }
        return lines
    }
}
