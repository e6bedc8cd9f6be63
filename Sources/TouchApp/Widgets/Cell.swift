/// A place on the grid of a screen: column `x` 1 to 3, row `y` 1 to 8.
package struct Cell: Hashable, Sendable {
    package static let columns = 3
    package static let rows = 8

    private let column: UInt8
    private let row: UInt8

    /// Nil outside the grid: such a touch means nothing anywhere.
    package init?(_ x: Int, _ y: Int) {
        guard (1...Self.columns).contains(x), (1...Self.rows).contains(y) else { return nil }
        column = UInt8(x)
        row = UInt8(y)
    }

    package var x: Int { Int(column) }
    package var y: Int { Int(row) }

    /// All cells, row by row.
    package static let all: [Cell] = (1...rows).flatMap { y in (1...columns).compactMap { x in Cell(x, y) } }
}
