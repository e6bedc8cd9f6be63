import TouchApp

/// A display drawn with characters: a phone of 60 columns.
package struct ScreenDrawing {
    package enum Style: Sendable {
        case plain
        /// With the codes of ANSI terminals, for the place of the cursor and for errors.
        case terminal
    }

    /// Inside the frame: three cells and the two lines between them.
    private static let width = 56
    private static let cellWidth = 18

    private let style: Style

    package init(_ style: Style) { self.style = style }

    /// Lines, each with `\n`. The cell of the cursor has angle brackets.
    package func draw(_ display: Display, cursor: Cell? = nil) -> String {
        var lines = [rule("-"), header(display), rule("-")]
        for line in display.lines {
            let isError = line == display.error
            for part in wrapped(line) { lines.append(framed(isError ? alarm(part) : part)) }
        }
        lines.append(rule("+"))
        for y in 1...Cell.rows { lines.append("\(y) |" + row(y, of: display, cursor) + "|") }
        lines.append(rule("+"))
        let menu = menu(display)
        for part in menu { lines.append(framed(pad(part, to: Self.width - 2))) }
        if !menu.isEmpty { lines.append(rule("-")) }
        return lines.map { $0 + "\n" }.joined()
    }

    private func rule(_ crossing: String) -> String {
        "  +" + Array(repeating: String(repeating: "-", count: Self.cellWidth), count: 3).joined(separator: crossing)
            + "+"
    }

    private func framed(_ padded: String) -> String { "  | \(padded) |" }

    private func header(_ display: Display) -> String {
        let (left, right) = (display.topLeft ?? "", display.topRight ?? "")
        let room = Self.width - 2 - left.count - right.count
        let before = (Self.width - 2 - display.screen.count) / 2 - left.count
        guard before >= 1 else { return framed(pad("\(left) \(display.screen) \(right)", to: Self.width - 2)) }
        let middle = String(repeating: " ", count: before) + display.screen
        return framed(left + pad(middle, to: room) + right)
    }

    /// Three cells; a button as wide as the screen is drawn as one.
    private func row(_ y: Int, of display: Display, _ cursor: Cell?) -> String {
        let labels = display.grid[y - 1]
        if labels.allSatisfy({ $0 == labels[0] }), !labels[0].isEmpty {
            return cell(labels[0], width: Self.width, chosen: cursor?.y == y)
        }
        return labels.enumerated().map { column, label in
            cell(label, width: Self.cellWidth, chosen: cursor != nil && cursor == Cell(column + 1, y))
        }.joined(separator: "|")
    }

    private func cell(_ label: String, width: Int, chosen: Bool) -> String {
        let room = width - 4
        let text = String(label.prefix(room))
        let before = (room - text.count) / 2
        let centred = pad(String(repeating: " ", count: before) + text, to: room)
        guard chosen else { return "  \(centred)  " }
        return style == .terminal ? "\u{1B}[7m> \(centred) <\u{1B}[0m" : "> \(centred) <"
    }

    /// F1 to F5, as many to a line as fit.
    private func menu(_ display: Display) -> [String] {
        guard display.menuActive else { return [] }
        var lines: [String] = []
        for (index, label) in display.menu.enumerated() {
            let item = "F\(index + 1) \(label)"
            if let last = lines.last, last.count + 2 + item.count <= Self.width - 2 {
                lines[lines.count - 1] = last + "  " + item
            } else {
                lines.append(item)
            }
        }
        return lines
    }

    /// In pieces of the frame's width, each padded to it.
    private func wrapped(_ line: String) -> [String] {
        var rest = line[...]
        var parts: [String] = []
        repeat {
            parts.append(pad(String(rest.prefix(Self.width - 2)), to: Self.width - 2))
            rest = rest.dropFirst(Self.width - 2)
        } while !rest.isEmpty
        return parts
    }

    private func alarm(_ text: String) -> String { style == .terminal ? "\u{1B}[31m\(text)\u{1B}[0m" : text }

    private func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
