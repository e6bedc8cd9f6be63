import Primitives

#if canImport(Glibc)
import Glibc
#endif

/// The globe cut into cells, at least so high and so wide everywhere that a circle of the wanted radius around any
/// point of a cell touches no cells but it and its neighbours.
///
/// Rows are as high everywhere. Columns are as wide as they have to be at the end of their degree of latitude that is
/// nearer to a pole, so that a row is cut by one division; within a degree of the poles a row is one cell.
struct CellMap: Sendable {
    /// The height of a row in millionths of a degree.
    let height: UInt32
    /// The widths of columns by degree of latitude, away from the equator.
    private let widths: [UInt32]

    /// The number of a cell: its row above its column.
    typealias Key = UInt64

    /// - Parameter radiusMetres: of the usual search; a larger one looks at more cells.
    init(radiusMetres: Double) {
        height = UInt32((radiusMetres / FlatEarth.metresPerMillionth).rounded(.up))
        let height = Double(height)
        widths = (1...90).map { degree in
            let narrowest = cos(Double(degree) * .pi / 180)
            return degree == 90 ? UInt32(FlatEarth.turn) : UInt32((height / narrowest).rounded(.up))
        }
    }

    @inline(__always)
    func row(_ latitude: Int32) -> UInt32 { UInt32(latitude + 90_000_000) / height }

    @inline(__always)
    func width(_ row: UInt32) -> UInt32 {
        let south = Int64(row) * Int64(height) - 90_000_000
        let farthest = max(south.magnitude, (south + Int64(height)).magnitude)
        return widths[min(Int(farthest / 1_000_000), 89)]
    }

    /// How many columns a row has: the last one is wider than the others, by less than once.
    @inline(__always)
    func columns(_ width: UInt32) -> UInt32 { max(1, UInt32(FlatEarth.turn) / width) }

    /// Of a longitude counted from the antimeridian eastwards, less than a turn.
    @inline(__always)
    func column(_ east: UInt32, _ width: UInt32) -> UInt32 { min(east / width, columns(width) - 1) }

    /// -180° and 180° are one meridian.
    @inline(__always)
    static func east(_ longitude: Int32) -> UInt32 { longitude == 180_000_000 ? 0 : UInt32(longitude + 180_000_000) }

    @inline(__always)
    static func key(_ row: UInt32, _ column: UInt32) -> Key { UInt64(row) << 32 | UInt64(column) }

    @inline(__always)
    func key(_ point: Coordinate) -> Key {
        let row = row(point.latitude)
        return Self.key(row, column(Self.east(point.longitude), width(row)))
    }
}
