import BarCode
import TouchApp

/// All that a terminal shows at one moment: the phone, the pay code as a QR code, and what came of the last input.
package struct TerminalPage {
    package struct Size: Hashable, Sendable {
        package var columns: Int
        package var rows: Int

        package init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    private static let hint = "? shows the keys, q ends"

    private let size: Size

    package init(_ size: Size) { self.size = size }

    private var isTooSmall: Bool { size.columns < ScreenDrawing.columnsMin || size.rows < ScreenDrawing.rowsMin }

    /// Lines without their ends; as many as the terminal has rows, at most.
    ///
    /// - Parameter said: what came of the last input, where the display does not show it.
    package func lines(_ display: Display, cursor: Cell?, said: String) -> [String] {
        guard !isTooSmall else { return refusal }
        guard let code = display.payCode.flatMap({ BarCode($0.code, correction: .low) }).map(Self.blocks),
            ScreenDrawing.narrowColumns + code.columns <= size.columns, code.lines.count <= size.rows
        else { return phone(display, cursor, said, isNarrow: false) }
        let left = phone(display, cursor, said, isNarrow: true)
        let empty = String(repeating: " ", count: ScreenDrawing.narrowColumns)
        return (0..<max(left.count, code.lines.count)).map { row in
            (row < left.count ? left[row] : empty) + (row < code.lines.count ? code.lines[row] : "")
        }
    }

    /// The keys.
    package var help: [String] {
        isTooSmall ? refusal : KeyReader.help.split(separator: "\n").map(String.init) + ["", "Any key goes back."]
    }

    private func phone(_ display: Display, _ cursor: Cell?, _ said: String, isNarrow: Bool) -> [String] {
        let width = isNarrow ? ScreenDrawing.narrowColumns : size.columns
        let words = said.isEmpty ? [] : ScreenDrawing.wrapped("(\(ScreenDrawing.shortened(said)))", to: width)
        let below = words + ScreenDrawing.wrapped(Self.hint, to: width)
        return ScreenDrawing(.terminal, isNarrow: isNarrow)
            .lines(display, cursor: cursor, atMost: size.rows - below.count) + below
    }

    private var refusal: [String] {
        let words = """
            This terminal has \(size.columns) columns and \(size.rows) rows. The touch app needs \
            \(ScreenDrawing.columnsMin) and \(ScreenDrawing.rowsMin): make it larger. q ends.
            """
        return Array(ScreenDrawing.wrapped(words, to: max(1, size.columns)).prefix(max(1, size.rows)))
    }

    /// A QR code with two modules to a character, black on white whatever the terminal's colours are: scanners need it.
    private static func blocks(_ code: BarCode) -> (lines: [String], columns: Int) {
        let side = code.size + 2 * BarCode.quietZone
        func isDark(_ x: Int, _ y: Int) -> Bool {
            let (column, row) = (x - BarCode.quietZone, y - BarCode.quietZone)
            return (0..<code.size).contains(column) && (0..<code.size).contains(row) && code.modules[row][column]
        }
        let lines = stride(from: 0, to: side, by: 2).map { y in
            let blocks = (0..<side).map { x in
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[30;107m\(blocks.joined())\u{1B}[0m"
        }
        return (lines, side)
    }
}
