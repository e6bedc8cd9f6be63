#if canImport(Glibc)
import Glibc
#endif

/// A point on the globe in signed millionths of a degree: 35.198284° is 35198284.
///
/// Says nothing of itself in a description: descriptions end up in logs, and where somebody is belongs in none.
package struct Coordinate: Hashable, Sendable {
    /// -90,000,000 (the south pole) to 90,000,000.
    package let latitude: Int32
    /// -180,000,000 to 180,000,000; both ends are the same meridian.
    package let longitude: Int32

    /// Nil for what is not on the globe: refused, never wrapped around.
    package init?(latitude: Int64, longitude: Int64) {
        guard (-90_000_000...90_000_000).contains(latitude), (-180_000_000...180_000_000).contains(longitude) else {
            return nil
        }
        self.latitude = Int32(latitude)
        self.longitude = Int32(longitude)
    }

    package init(checkedLatitude latitude: Int32, longitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// An equirectangular approximation of the earth, with the cosine of the mean latitude, on a sphere.
package enum FlatEarth {
    /// The mean radius R1 of IUGG.
    package static let radiusMetres = 6_371_008.8
    /// How far a millionth of a degree goes along a meridian: 0.1112 m.
    package static let metresPerMillionth = radiusMetres * .pi / 180e6
    package static let radiansPerMillionth = Double.pi / 180e6

    /// A whole turn of longitudes, in millionths.
    package static let turn: Int64 = 360_000_000
}

extension Coordinate {
    /// The distance in metres by this approximation, the shorter way around the globe.
    ///
    /// Good to a millionth of itself where it is used, over some hundred metres outside the polar circles. Within about
    /// a kilometre of a pole it is too long by up to π/2, as it goes around the pole instead of over it; at the pole
    /// itself all meridians meet, and it is right again.
    package func metres(to other: Coordinate) -> Double {
        let north = Double(Int64(other.latitude) - Int64(latitude)) * FlatEarth.metresPerMillionth
        let mean = Double(Int64(other.latitude) + Int64(latitude)) * (FlatEarth.radiansPerMillionth / 2)
        let apart = abs(Int64(other.longitude) - Int64(longitude))
        let east = Double(min(apart, FlatEarth.turn - apart)) * FlatEarth.metresPerMillionth * cos(mean)
        return (north * north + east * east).squareRoot()
    }
}

extension Coordinate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a coordinate" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
