/// Rows in aligned columns for terminals.
struct TextTable {
    /// Column titles; those that begin with a space stand at the right, as numbers do.
    let titles: [String]
    var rows: [[String]] = []

    init(_ titles: String...) { self.titles = titles }

    /// The titles' line first. No line ends with a space.
    func lines(indent: Int = 0) -> [String] {
        let all = [titles.map { $0.hasPrefix(" ") ? String($0.dropFirst()) : $0 }] + rows
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return titles[column].hasPrefix(" ") ? space + row[column] : row[column] + space
            }
            var line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}

/// ANSI colours, or none.
struct Paint {
    let isOn: Bool

    func strong(_ text: String) -> String { painted(text, "1") }
    func quiet(_ text: String) -> String { painted(text, "2") }
    func good(_ text: String) -> String { painted(text, "32") }
    func bad(_ text: String) -> String { painted(text, "1;31") }
    func waiting(_ text: String) -> String { painted(text, "33") }

    private func painted(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// Text from outside on one line of a terminal: a control character could do anything there.
    var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }
}
