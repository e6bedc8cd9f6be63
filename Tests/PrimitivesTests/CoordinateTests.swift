import Primitives
import Testing

@Suite("coordinates")
struct CoordinateTests {
    private func point(_ latitude: Int64, _ longitude: Int64) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    @Test("A43: what is not on the globe is none, and nothing is wrapped around")
    func bounds() {
        for latitude: Int64 in [-90_000_000, 0, 90_000_000] {
            for longitude: Int64 in [-180_000_000, 0, 180_000_000] {
                #expect(Coordinate(latitude: latitude, longitude: longitude) != nil)
            }
        }
        for (latitude, longitude): (Int64, Int64) in [
            (90_000_001, 0), (-90_000_001, 0), (0, 180_000_001), (0, -180_000_001), (.max, .max), (.min, .min)
        ] {
            #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
        }
    }

    @Test("A43: distances are those of the formula, worked out by hand")
    func distances() throws {
        // A degree of a meridian is 6371.0088 km · π / 180.
        #expect(abs(try point(0, 0).metres(to: try point(1_000_000, 0)) - 111_195.0802) < 0.001)
        // At 60° a degree of longitude is half of one of latitude.
        #expect(abs(try point(60_000_000, 10).metres(to: try point(60_000_000, 1_000_010)) - 55_597.5401) < 0.001)
        // 001-86's example, 0.0009° north and 0.001° east of it: √(100.0756² + 90.8639²).
        let from = try point(35_198_284, -111_651_302)
        #expect(abs(from.metres(to: try point(35_199_184, -111_650_302)) - 135.1716) < 0.001)
        #expect(from.metres(to: from) == 0)
    }

    @Test("001-91: the hemisphere makes no difference, nor does the direction")
    func signs() throws {
        var random = SplitMix64.seeded()
        for _ in 0..<2000 {
            let latitude = Int64.random(in: -89_990_000...89_990_000, using: &random)
            let longitude = Int64.random(in: -179_990_000...179_990_000, using: &random)
            let (north, east) = (
                Int64.random(in: -5000...5000, using: &random), Int64.random(in: -5000...5000, using: &random)
            )
            let here = try point(latitude, longitude)
            let there = try point(latitude + north, longitude + east)
            let distance = here.metres(to: there)
            #expect(there.metres(to: here) == distance)
            let mirrored = try point(-latitude, -longitude).metres(to: try point(-latitude - north, -longitude - east))
            #expect(mirrored == distance)
        }
    }

    @Test("001-91: the shorter way across the antimeridian; both of its longitudes are one")
    func antimeridian() throws {
        let west = try point(10_000_000, 179_999_600)
        let east = try point(10_000_000, -179_999_600)
        #expect(west.metres(to: east) == (try point(10_000_000, -400)).metres(to: try point(10_000_000, 400)))
        #expect((try point(10_000_000, 180_000_000)).metres(to: try point(10_000_000, -180_000_000)) == 0)
    }

    @Test("001-91: near a pole the formula goes around it, up to π/2 times too far; at the pole all meridians meet")
    func poles() throws {
        // Ten metres from the pole on either side of it: 20 m apart, 31 m around.
        let here = try point(89_999_910, 0)
        let opposite = try point(89_999_910, 180_000_000)
        let around = here.metres(to: opposite)
        #expect(around > 31 && around < 32)
        let pole = try point(90_000_000, 0)
        #expect(pole.metres(to: try point(90_000_000, 123_456_789)) < 1e-6)
        #expect(abs(pole.metres(to: try point(89_999_910, 0)) - 10.0076) < 0.001)
    }

    @Test("says nothing of itself, as descriptions end up in logs")
    func silent() throws {
        let point = try point(35_198_284, -111_651_302)
        var dumped = ""
        dump(point, to: &dumped)
        for text in ["\(point)", String(reflecting: point), "\([point])", "\(Optional(point) as Any)", dumped] {
            #expect(!text.contains("35198284") && !text.contains("111651302"), "\(text)")
        }
    }
}
