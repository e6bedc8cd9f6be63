import Primitives

#if canImport(Glibc)
import Glibc
#endif

/// When and about where an offer may be found, in four comparisons. Lets in all that the rules of time and place let
/// in, and little else: they have the last word.
package struct Gate: Sendable {
    private let begins: Int64
    private let ends: Int64
    private let latitude: Int32
    private let longitude: Int32
    /// How far north and south the area may reach, in millionths of a degree; nowhere is too far for `Int32.max`.
    private let north: Int32
    /// The same for east and west, where the area reaches nearest to a pole.
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
        // The mean latitude is at most half of the reach nearer to a pole than the area's centre.
        let farthest = Double(latitude.magnitude) + reach / 2
        let width = farthest < 90_000_000 ? reach / cos(farthest * FlatEarth.radiansPerMillionth) : .infinity
        east = width < Double(FlatEarth.turn) / 2 ? Int32(width) + 1 : .max
    }

    /// Without a position, every place is a possible one.
    @inline(__always)
    package func isOpen(_ moment: Moment) -> Bool {
        guard begins <= moment.now.milliseconds, moment.now.milliseconds <= ends else { return false }
        guard north != .max, let position = moment.position else { return true }
        guard abs(Int64(latitude) - Int64(position.latitude)) <= Int64(north) else { return false }
        let apart = abs(Int64(longitude) - Int64(position.longitude))
        return min(apart, FlatEarth.turn - apart) <= Int64(east)
    }
}
