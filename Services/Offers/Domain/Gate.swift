import Primitives

#if canImport(Glibc)
import Glibc
#endif

/// A fast test of an offer's times and approximate area, in four comparisons. It passes every offer that the exact
/// rules pass, and few others.
package struct Gate: Sendable {
    private let begins: Int64
    private let ends: Int64
    private let latitude: Int32
    private let longitude: Int32
    /// How far the area reaches north and south, in millionths of a degree; `Int32.max` is everywhere.
    private let north: Int32
    /// How far it reaches east and west, measured at its latitude nearest to a pole.
    private let east: Int32

    package init(_ target: Target) {
        begins = target.sendTime.milliseconds
        ends = target.expires.milliseconds
        guard let area = target.area else {
            (latitude, longitude, north, east) = (0, 0, .max, .max)
            return
        }
        latitude = area.point.latitude
        longitude = area.point.longitude
        let reach = (area.radiusMetres / FlatEarth.metresPerMillionth).rounded(.up) + 1
        north = Int32(reach)
        // The mean latitude is nearer to a pole than the area's centre by at most half the reach.
        let farthest = Double(latitude.magnitude) + reach / 2
        let width = farthest < 90_000_000 ? reach / cos(farthest * FlatEarth.radiansPerMillionth) : .infinity
        east = width < Double(FlatEarth.turn) / 2 ? Int32(width) + 1 : .max
    }

    /// Without a position, every area passes.
    @inline(__always)
    package func isOpen(_ moment: Moment) -> Bool {
        guard begins <= moment.now.milliseconds, moment.now.milliseconds <= ends else { return false }
        guard north != .max, let position = moment.position else { return true }
        guard abs(Int64(latitude) - Int64(position.latitude)) <= Int64(north) else { return false }
        let apart = abs(Int64(longitude) - Int64(position.longitude))
        return min(apart, FlatEarth.turn - apart) <= Int64(east)
    }
}
