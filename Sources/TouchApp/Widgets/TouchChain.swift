/// A link of a screen's chain: takes the touches that are its own and leaves the others to the links behind it.
package protocol TouchReceiver<Meaning>: Sendable {
    associatedtype Meaning: Sendable

    /// What a touch of `cell` means; nil when the cell is not this link's.
    func meaning(of cell: Cell) -> Meaning?

    /// What is written on `cell`; nil when the cell is not this link's.
    func label(of cell: Cell) -> String?
}

/// The links of a screen, asked one after another. Links have no state: one chain serves all devices.
package struct TouchChain<Meaning: Sendable>: Sendable {
    private let links: [any TouchReceiver<Meaning>]

    package init(_ links: any TouchReceiver<Meaning>...) { self.links = links }

    package func meaning(of cell: Cell) -> Meaning? {
        for link in links {
            if let meaning = link.meaning(of: cell) { return meaning }
        }
        return nil
    }

    package func label(of cell: Cell) -> String? {
        for link in links {
            if let label = link.label(of: cell) { return label }
        }
        return nil
    }

    /// The labels of all cells, row by row; empty where a touch means nothing.
    package var grid: [[String]] {
        (1...Cell.rows).map { y in
            (1...Cell.columns).map { x in Cell(x, y).flatMap(label) ?? "" }
        }
    }
}

/// Where a widget lies on a screen; turns the screen's coordinates into the widget's.
package struct WidgetFrame: Sendable {
    /// The screen's column and row of the widget's (1,1).
    let x: Int
    let y: Int
    let columns: Int
    let rows: Int

    package init(x: Int, y: Int, columns: Int, rows: Int) {
        self.x = x
        self.y = y
        self.columns = columns
        self.rows = rows
    }

    /// The widget's coordinates of a cell of the screen; nil beside the widget.
    package func local(_ cell: Cell) -> (x: Int, y: Int)? {
        guard (x..<x + columns).contains(cell.x), (y..<y + rows).contains(cell.y) else { return nil }
        return (cell.x - x + 1, cell.y - y + 1)
    }
}

/// The link that adapts touches to the key pad, which lies in rows 5 to 8.
package struct KeyPadReceiver<Meaning: Sendable>: TouchReceiver {
    private let frame = WidgetFrame(x: 1, y: 5, columns: KeyPad.columns, rows: KeyPad.rows)
    private let means: @Sendable (Key) -> Meaning

    package init(means: @escaping @Sendable (Key) -> Meaning) { self.means = means }

    package func meaning(of cell: Cell) -> Meaning? { key(at: cell).map(means) }
    package func label(of cell: Cell) -> String? { key(at: cell)?.label }

    private func key(at cell: Cell) -> Key? {
        frame.local(cell).flatMap { KeyPad.keyPress($0.x, $0.y) }
    }
}

/// The link of the passcode display, which is output only: every touch is for the others.
package struct PasscodeReceiver<Meaning: Sendable>: TouchReceiver {
    package init() {}

    package func meaning(of cell: Cell) -> Meaning? { nil }
    package func label(of cell: Cell) -> String? { nil }
}

/// The link of one labelled area.
package struct Button<Meaning: Sendable>: TouchReceiver {
    private let frame: WidgetFrame
    private let label: String
    private let meaning: Meaning

    /// A whole row.
    package init(row: Int, _ label: String, _ meaning: Meaning) {
        frame = WidgetFrame(x: 1, y: row, columns: Cell.columns, rows: 1)
        self.label = label
        self.meaning = meaning
    }

    /// One cell.
    package init(x: Int, y: Int, _ label: String, _ meaning: Meaning) {
        frame = WidgetFrame(x: x, y: y, columns: 1, rows: 1)
        self.label = label
        self.meaning = meaning
    }

    package func meaning(of cell: Cell) -> Meaning? { frame.local(cell) == nil ? nil : meaning }
    package func label(of cell: Cell) -> String? { frame.local(cell) == nil ? nil : label }
}
