import Glibc
import Primitives

/// A small town as it follows from a seed: shops, people, and at each moment where everybody is and what they do. A
/// value: whoever asks about the same moment gets the same answer, in this run or in another.
package struct Town: Sendable {
    package let seed: UInt64
    package let people: [Person]
    let chance: Chance

    /// Aspen Avenue and Leroux Street, Flagstaff.
    static let centre = Coordinate(checkedLatitude: 35_198_284, longitude: -111_649_600)
    /// How far from the centre people live, north to south and east to west.
    static let radiusMetres = 450.0
    package static let peopleMax = 1000

    /// - Parameter people: how many customers, at most 1,000.
    package init(seed: UInt64, people count: Int) {
        self.seed = seed
        let chance = Chance(seed: seed)
        self.chance = chance
        people = (0..<count).map { Person($0, chance) }
    }
}

extension Coordinate {
    /// The point so many metres away; in a town, where the earth is flat.
    func moved(north: Double, east: Double) -> Coordinate {
        let narrow = cos(Double(latitude) * FlatEarth.radiansPerMillionth)
        return Coordinate(
            checkedLatitude: latitude + Int32((north / FlatEarth.metresPerMillionth).rounded()),
            longitude: longitude + Int32((east / FlatEarth.metresPerMillionth / narrow).rounded()))
    }

    /// The point on the way to another one: 0 here, 1 there.
    func toward(_ other: Coordinate, _ part: Double) -> Coordinate {
        Coordinate(
            checkedLatitude: latitude + Int32((Double(other.latitude - latitude) * part).rounded()),
            longitude: longitude + Int32((Double(other.longitude - longitude) * part).rounded()))
    }
}
