import Primitives

#if canImport(Glibc)
import Glibc
#endif

/// Divides the globe into cells. Each cell is at least as high and wide as the usual search radius, so a circle around
/// any of its points touches only the cell and its neighbours.
///
/// All rows have the same height. Column widths depend on the degree of latitude, measured at its end nearer to the
/// pole, so that one division finds a column; within a degree of the poles a row is one cell.
struct CellMap: Sendable {
    /// The height of a row in millionths of a degree.
    let height: UInt32
    /// The widths of columns by degree of latitude, away from the equator.
    private let widths: [UInt32]

    /// A cell's key: its row in the high bits, its column in the low bits.
    typealias Key = UInt64

    /// - Parameter radiusMetres: the usual search radius. Larger searches visit more cells.
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

    /// The number of columns in a row. The last column is wider than the others, by less than one width.
    @inline(__always)
    func columns(_ width: UInt32) -> UInt32 { max(1, UInt32(FlatEarth.turn) / width) }

    /// The column of a longitude that is counted eastwards from the antimeridian and is less than a full turn.
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
