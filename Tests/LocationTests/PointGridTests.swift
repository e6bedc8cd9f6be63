import LocationService
import Primitives
import Testing

@Suite("the grid of points against looking at all of them")
struct PointGridTests {
    /// Where points roam: a street, a city, and the places where a globe has edges.
    enum Area: CaseIterable, Sendable {
        case street, city, equator, antimeridian, north, south, polarCircle, globe

        func point(_ random: inout SplitMix64) -> Coordinate {
            func within(_ latitude: Int64, _ longitude: Int64, _ span: Int64) -> Coordinate {
                let north = latitude + Int64.random(in: -span...span, using: &random)
                var east = longitude + Int64.random(in: -span...span, using: &random)
                if east > 180_000_000 { east -= FlatEarth.turn }
                if east < -180_000_000 { east += FlatEarth.turn }
                return Coordinate(
                    checkedLatitude: Int32(min(max(north, -90_000_000), 90_000_000)), longitude: Int32(east))
            }
            switch self {
            case .street: return within(35_198_284, -111_651_302, 1500)
            case .city: return within(-33_868_800, 151_209_300, 20_000)
            case .equator: return within(0, 0, 4000)
            case .antimeridian: return within(-17_000_000, [180_000_000, -180_000_000][Int(random.next() % 2)], 4000)
            case .north, .south:
                let latitude: Int64 = 90_000_000 - Int64.random(in: 0...3000, using: &random)
                return Coordinate(
                    checkedLatitude: Int32(self == .north ? latitude : -latitude),
                    longitude: Int32.random(in: -180_000_000...180_000_000, using: &random))
            case .polarCircle: return within(88_999_900, 20_000_000, 30_000)
            case .globe:
                return Coordinate(
                    checkedLatitude: Int32.random(in: -90_000_000...90_000_000, using: &random),
                    longitude: Int32.random(in: -180_000_000...180_000_000, using: &random))
            }
        }
    }

    @Test(
        "finds what the formula finds, wherever on the globe, while points come, move and go", arguments: Area.allCases)
    func model(area: Area) throws {
        var random = SplitMix64.seeded("grid, \(area)")
        var grid = PointGrid(radiusMetres: 100)
        var model: [Int32: (point: Coordinate, time: Int64)] = [:]
        for step in 0..<4000 {
            let id = Int32.random(in: 0..<600, using: &random)
            if random.next() % 8 == 0 {
                #expect(grid.remove(id) == (model.removeValue(forKey: id) != nil))
            } else {
                // Most go a few steps, as people do.
                var point = area.point(&random)
                if let before = model[id]?.point, random.next() % 4 > 0, abs(before.longitude) < 179_999_000 {
                    point = Coordinate(
                        checkedLatitude: min(
                            max(before.latitude + Int32.random(in: -90...90, using: &random), -90_000_000), 90_000_000),
                        longitude: before.longitude + Int32.random(in: -90...90, using: &random))
                }
                let time = Int64.random(in: 0..<100, using: &random)
                grid.put(id, at: point, time: time)
                model[id] = (point, time)
            }
            guard step % 40 == 0 else { continue }
            #expect(grid.count == model.count)
            for radius in [0, 10, 100, 200, 731.5] {
                let centre = model.randomElement(using: &random).map(\.value.point) ?? area.point(&random)
                let since = [Int64.min, 50][Int(random.next() % 2)]
                var hits: [Hit] = []
                grid.search(around: centre, radiusMetres: radius, since: since, into: &hits)
                let expected = model.filter { centre.metres(to: $0.value.point) <= radius && $0.value.time > since }
                try #require(
                    hits.map(\.id).sorted() == expected.map(\.key).sorted(), "\(area), step \(step), radius \(radius)")
                for hit in hits {
                    let exact = centre.metres(to: expected[hit.id]!.point)
                    #expect(abs(hit.metres - exact) <= 1e-6 + exact * 1e-9)
                }
            }
        }
        for (id, known) in model {
            #expect(grid[id]?.coordinate == known.point)
            #expect(grid[id]?.time == known.time)
        }
        #expect(grid[600] == nil)
    }

    @Test("A43: the radius itself is within, the next number below it is not, in all directions and anywhere")
    func inclusive() {
        var random = SplitMix64.seeded()
        for area in Area.allCases {
            for _ in 0..<300 {
                let centre = area.point(&random)
                let east = Int64(centre.longitude) + Int64.random(in: -900...900, using: &random)
                let latitude = Int64(centre.latitude) + Int64.random(in: -900...900, using: &random)
                guard let point = Coordinate(latitude: latitude, longitude: east) else { continue }
                let radius = centre.metres(to: point)
                guard radius > 0, radius < 10_000 else { continue }
                var grid = PointGrid(radiusMetres: 100)
                grid.put(0, at: point, time: 1)
                var hits: [Hit] = []
                grid.search(around: centre, radiusMetres: radius, into: &hits)
                #expect(hits.map(\.metres) == [radius])
                hits = []
                grid.search(around: centre, radiusMetres: radius.nextDown, into: &hits)
                #expect(hits.isEmpty)
            }
        }
    }

    @Test("who roams the globe leaves nothing behind, and a crowd that went away no room")
    func roaming() {
        var random = SplitMix64.seeded()
        var grid = PointGrid(radiusMetres: 100)
        for _ in 0..<200_000 { grid.put(0, at: Area.globe.point(&random), time: 1) }
        #expect(grid.count == 1)
        #expect(grid.memoryBytes < 64 * 1024)
        for id in 0..<10_000 { grid.put(Int32(id), at: .square, time: 1) }
        let crowded = grid.memoryBytes
        for round in 0..<20 {
            for id in 0..<10_000 {
                grid.put(Int32(id), at: Coordinate.square.moved(north: Double(round) * 300), time: 1)
            }
        }
        #expect(grid.memoryBytes < 4 * crowded)
    }
}
