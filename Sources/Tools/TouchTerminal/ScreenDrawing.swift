import TouchApp

/// A display drawn with characters: a phone of 60 columns, or of 35 beside its pay code.
package struct ScreenDrawing {
    package enum Style: Sendable {
        case plain
        /// With the codes of ANSI terminals, for the place of the cursor and for errors.
        case terminal
    }

    /// The least that a terminal has to have.
    package static let columnsMin = 80
    package static let rowsMin = 24
    /// Of a narrow phone with its row numbers: a pay code of 45 columns fits beside it.
    static let narrowColumns = 35
    /// A longer word is shortened at a terminal: a pay code has a hundred characters, which nobody types.
    private static let wordMax = 24

    private let style: Style
    private let isNarrow: Bool

    package init(_ style: Style, isNarrow: Bool = false) {
        self.style = style
        self.isNarrow = isNarrow
    }

    private var cellWidth: Int { isNarrow ? 10 : 18 }
    /// Inside the frame: three cells and the two lines between them.
    private var width: Int { 3 * cellWidth + 2 }
    private var indent: String { isNarrow ? " " : "  " }

    /// Lines, each with `\n`. The cell of the cursor has angle brackets.
    package func draw(_ display: Display, cursor: Cell? = nil) -> String {
        lines(display, cursor: cursor, atMost: .max).map { $0 + "\n" }.joined()
    }

    /// As many lines as there is room for: rows of the grid without a button go first, then the last of the details.
    func lines(_ display: Display, cursor: Cell?, atMost room: Int) -> [String] {
        let head = [rule("-"), header(display), rule("-")]
        var details = display.lines.flatMap { line in
            wrapped(shortened(line)).map { framed(line == display.error ? alarm($0) : $0) }
        }
        var rows = Array(1...Cell.rows)
        let menu = menu(display)
        let foot = menu.map { framed(pad($0, to: width - 2)) } + (menu.isEmpty ? [] : [rule("-")])
        // The two lines around the grid.
        let fixed = head.count + foot.count + 2
        if fixed + details.count + rows.count > room {
            rows.removeAll { y in display.grid[y - 1].allSatisfy(\.isEmpty) }
        }
        let left = room - fixed - rows.count
        if details.count > left, left > 0 {
            let hidden = details.count - left + 1
            let hint = framed(pad("\(hidden) more: a taller terminal has them", to: width - 2))
            details = details.prefix(left - 1) + [hint]
        }
        let grid = rows.map { y in "\(y)\(isNarrow ? "" : " ")|" + row(y, of: display, cursor) + "|" }
        return head + details + [rule("+")] + grid + [rule("+")] + foot
    }

    private func rule(_ crossing: String) -> String {
        indent + "+"
            + Array(repeating: String(repeating: "-", count: cellWidth), count: 3).joined(separator: crossing) + "+"
    }

    private func framed(_ padded: String) -> String { "\(indent)| \(padded) |" }

    private func header(_ display: Display) -> String {
        let (left, right) = (display.topLeft ?? "", display.topRight ?? "")
        let room = width - 2 - left.count - right.count
        let before = (width - 2 - display.screen.count) / 2 - left.count
        guard before >= 1 else { return framed(pad("\(left) \(display.screen) \(right)", to: width - 2)) }
        let middle = String(repeating: " ", count: before) + display.screen
        return framed(left + pad(middle, to: room) + right)
    }

    /// Three cells; a button as wide as the screen is drawn as one.
    private func row(_ y: Int, of display: Display, _ cursor: Cell?) -> String {
        let labels = display.grid[y - 1]
        if labels.allSatisfy({ $0 == labels[0] }), !labels[0].isEmpty {
            return cell(labels[0], width: width, chosen: cursor?.y == y)
        }
        return labels.enumerated().map { column, label in
            cell(label, width: cellWidth, chosen: cursor != nil && cursor == Cell(column + 1, y))
        }.joined(separator: "|")
    }

    private func cell(_ label: String, width: Int, chosen: Bool) -> String {
        let margin = isNarrow ? "" : " "
        let room = width - 2 - 2 * margin.count
        let text = String(label.prefix(room))
        let before = (room - text.count) / 2
        let centred = margin + pad(String(repeating: " ", count: before) + text, to: room) + margin
        guard chosen else { return " \(centred) " }
        return style == .terminal ? "\u{1B}[7m>\(centred)<\u{1B}[0m" : ">\(centred)<"
    }

    /// F1 to F5, as many to a line as fit.
    private func menu(_ display: Display) -> [String] {
        guard display.menuActive else { return [] }
        var lines: [String] = []
        for (index, label) in display.menu.enumerated() {
            let item = "F\(index + 1) \(label)"
            if let last = lines.last, last.count + 2 + item.count <= width - 2 {
                lines[lines.count - 1] = last + "  " + item
            } else {
                lines.append(item)
            }
        }
        return lines
    }

    /// In pieces of the frame's width, each padded to it.
    private func wrapped(_ line: String) -> [String] { Self.wrapped(line, to: width - 2) }

    /// In pieces of one width, each padded to it.
    static func wrapped(_ line: String, to width: Int) -> [String] {
        var rest = line[...]
        var parts: [String] = []
        repeat {
            let part = String(rest.prefix(width))
            parts.append(part + String(repeating: " ", count: width - part.count))
            rest = rest.dropFirst(width)
        } while !rest.isEmpty
        return parts
    }

    private func shortened(_ line: String) -> String { style == .terminal ? Self.shortened(line) : line }

    static func shortened(_ line: String) -> String {
        line.split(separator: " ", omittingEmptySubsequences: false)
            .map { $0.count > wordMax ? $0.prefix(wordMax / 2) + "…" : $0 }.joined(separator: " ")
    }

    private func alarm(_ text: String) -> String { style == .terminal ? "\u{1B}[31m\(text)\u{1B}[0m" : text }

    private func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
