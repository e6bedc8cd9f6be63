import Bus
import Contracts
import Foundation
import LocationService
import Primitives
import Sodium

/// Location's values alone, in this process: a million customers who walk about in a city of twenty kilometres square
/// with ten thousand places, each with a fence. Nothing is written down, as nothing is for an update that crosses no
/// fence.
struct LocationBench {
    enum Deed: String {
        case updates, searches
    }

    let deed: Deed
    let seconds: Double
    /// Operations between two looks at the clock.
    let group: Int

    static let customers = 1_000_000
    static let places = 10_000
    /// Half the city's side: some 100,000 millionths of a degree are 11 km north and, here, 9 km east.
    private static let span: ClosedRange<Int32> = -90_000...90_000
    private static let middle = (latitude: Int32(35_198_284), longitude: Int32(-111_651_302))

    func run(_ time: inout ProcessorTime) throws -> Figure {
        var random = Walks()
        let start = WallClock.system.now()
        let customers: [PartyID] = (0..<Self.customers).map { _ in Randomness.shared.identifier(at: start) }
        var tracker = PresenceTracker(rules: LocationRules())
        let merchants: [PartyID] = (0..<Self.places).map { _ in Randomness.shared.identifier(at: start) }
        for owner in merchants {
            let place: PlaceID = Randomness.shared.identifier(at: start)
            tracker.put(
                MerchantPlace(id: place, merchant: owner, name: "Place", point: random.point(Self.middle, Self.span)),
                at: start, because: nil)
        }
        var fixes = customers.map { customer in
            let point = random.point(Self.middle, Self.span)
            return Location.Fix(
                customer: customer, latitude: Int64(point.latitude), longitude: Int64(point.longitude), time: start)
        }
        for fix in fixes {
            tracker.share(fix.customer, since: nil)
            _ = try tracker.update(fix, at: start, because: nil)
        }
        _ = tracker.takeChanges()

        var (done, found, published, spent) = (0, 0, 0, 0.0)
        var groups: [Double] = []
        var now = start
        time.start()
        while spent < seconds * 1e6 {
            now = now + .milliseconds(1)
            // What is asked is made before the clock runs, and what was told is dropped after it.
            let asked = (0..<group).map { _ -> Int in
                let index = random.below(deed == .updates ? Self.customers : Self.places)
                if deed == .updates {
                    let old = fixes[index]
                    fixes[index] = Location.Fix(
                        customer: old.customer, latitude: old.latitude + random.step(),
                        longitude: old.longitude + random.step(),
                        time: now)
                }
                return index
            }
            let begin = monotonicNanoseconds()
            switch deed {
            case .updates: for index in asked { _ = try tracker.update(fixes[index], at: now, because: nil) }
            case .searches:
                for index in asked {
                    found += try tracker.customers(
                        near: merchants[index], place: nil, freshness: .seconds(600), limit: 20, at: now
                    ).total
                }
            }
            groups.append(Double(monotonicNanoseconds() - begin) / 1000)
            spent += groups[groups.count - 1]
            done += group
            published += tracker.takeChanges().count
        }
        let subject =
            deed == .updates
            ? "position updates, \(published) facts" : "searches of 100 m, \(found / max(1, done)) found each"
        return Figure("location \(subject), groups of \(group)", count: done, seconds: spent / 1e6, groups, &time)
    }
}

/// Where people go: cheap numbers, as making them is not what is measured.
private struct Walks {
    private var state: UInt64 = Randomness.shared.pair().0

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func point(_ middle: (latitude: Int32, longitude: Int32), _ span: ClosedRange<Int32>) -> Coordinate {
        let width = span.count
        return Coordinate(
            checkedLatitude: middle.latitude + span.lowerBound + Int32(below(width)),
            longitude: middle.longitude + span.lowerBound + Int32(below(width)))
    }

    /// Up to fifteen metres in one direction: a fix every ten seconds or so.
    mutating func step() -> Int64 { Int64(below(271)) - 135 }
}
