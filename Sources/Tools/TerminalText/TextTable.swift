/// Rows in aligned columns for terminals.
package struct TextTable {
    /// Column titles; those that begin with a space stand at the right, as numbers do.
    package let titles: [String]
    package var rows: [[String]] = []

    package init(_ titles: String...) { self.titles = titles }

    /// The titles' line first. No line ends with a space.
    ///
    /// - Parameter paint: given each cell of a row with the row's number and its column's; what it adds takes no room.
    package func lines(
        indent: Int = 0, paint: (_ row: Int, _ column: Int, _ cell: String) -> String = { $2 }
    ) -> [String] {
        let all = [titles.map { $0.hasPrefix(" ") ? String($0.dropFirst()) : $0 }] + rows
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.enumerated().map { number, row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                let cell = number == 0 || row[column].isEmpty ? row[column] : paint(number - 1, column, row[column])
                return titles[column].hasPrefix(" ") ? space + cell : cell + space
            }
            var line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}
