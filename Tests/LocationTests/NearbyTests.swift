import Contracts
import LocationService
import Primitives
import TestKit
import Testing

@Suite("who is near")
struct NearbyTests {
    @Test("001-88: a customer at 0.099 km is found, at 0.101 km is not, in any direction and hemisphere (001-91)")
    func customerEdge() async throws {
        for latitude: Int32 in [35_198_284, -35_198_284, 0, 69_000_000] {
            for longitude: Int32 in [-111_651_302, 111_651_302, 0] {
                let location = try await LocationHarness()
                let place = Coordinate(checkedLatitude: latitude, longitude: longitude)
                try await location.put(at: place)
                try await location.share()
                for (metres, isNear) in [(99.0, true), (101.0, false)] {
                    for (north, east) in [(metres, 0.0), (-metres, 0), (0, metres), (0, -metres)] {
                        try await location.move(to: place.moved(north: north, east: east))
                        let found = try await location.customers()
                        #expect(found.customers.map(\.customer) == (isNear ? [.alice] : []))
                        #expect(found.total == (isNear ? 1 : 0))
                        location.clock.advance(.seconds(1))
                    }
                }
            }
        }
    }

    @Test("001-79, A43: along a meridian 899 millionths are within 0.10 km and 900 are not: 99.96 m and 100.08 m")
    func customerEdgeInMillionths() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        for (steps, isNear): (Int32, Bool) in [(899, true), (900, false), (-899, true), (-900, false)] {
            let square = Coordinate.square
            try await location.move(
                to: Coordinate(checkedLatitude: square.latitude + steps, longitude: square.longitude))
            #expect(try await location.customers().total == (isNear ? 1 : 0), "\(steps)")
            location.clock.advance(.seconds(1))
        }
    }

    @Test("A43: exactly as far as the limit is near; a limit less by one bit is not reached")
    func inclusive() async throws {
        let there = Coordinate.square.moved(north: 60, east: 80)
        let exact = Coordinate.square.metres(to: there)
        for (limit, isNear) in [(exact, true), (exact.nextDown, false)] {
            var rules = LocationRules()
            rules.customersWithinMetres = limit
            rules.merchantsWithinMetres = limit
            let location = try await LocationHarness(rules: rules)
            try await location.put()
            try await location.share()
            try await location.move(to: there)
            #expect(try await location.customers().total == (isNear ? 1 : 0))
            #expect(try await location.merchants().total == (isNear ? 1 : 0))
        }
    }

    @Test("001-89, 001-80: a merchant at 0.199 km is found, at 0.201 km is not")
    func merchantEdge() async throws {
        let location = try await LocationHarness()
        try await location.share()
        try await location.move(to: .square)
        for (metres, isNear) in [(199.0, true), (201.0, false)] {
            for (north, east) in [(metres, 0.0), (-metres, 0), (0, metres), (0, -metres)] {
                try await location.put(at: Coordinate.square.moved(north: north, east: east))
                let found = try await location.merchants()
                #expect(found.merchants.map(\.place) == (isNear ? [.first] : []))
                // Rounded up, from the nearest millionth of a degree.
                #expect(found.merchants.allSatisfy { (199...200).contains($0.distanceMetres) })
            }
        }
    }

    @Test("001-90: a merchant with two places is found if either is near")
    func twoPlaces() async throws {
        let location = try await LocationHarness()
        try await location.share()
        try await location.move(to: .square)
        try await location.put(.first, at: Coordinate.square.moved(north: 5000))
        #expect(try await location.merchants().merchants.isEmpty)
        try await location.put(.second, at: Coordinate.square.moved(north: 150))
        #expect(try await location.merchants().merchants.map(\.place) == [.second])
        try await location.put(.first, at: Coordinate.square.moved(north: -20))
        #expect(try await location.merchants().merchants.map(\.place) == [.first, .second])
        // A customer near both is there once, at the nearer one.
        try await location.put(.second, at: Coordinate.square.moved(north: 50))
        let near = try await location.customers()
        #expect(near.customers.map(\.place) == [.first])
        #expect(near.total == 1)
        #expect(try await location.customers(place: .second).customers.map(\.place) == [.second])
    }

    @Test("001-85: an update counts at once, for both sides; places that move do too")
    func atOnce() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: Coordinate.square.moved(north: 5000))
        #expect(try await location.customers().total == 0)
        location.clock.advance(.milliseconds(1))
        try await location.move(to: .square)
        #expect(try await location.customers().total == 1)
        #expect(try await location.merchants().total == 1)
        try await location.put(at: Coordinate.square.moved(north: 5000))
        #expect(try await location.customers().total == 0)
        #expect(try await location.merchants().total == 0)
        try await location.put()
        #expect(try await location.remove())
        #expect(try await location.merchants().total == 0)
        #expect(await refusal { () throws(Fault) in try await location.customers(place: .first) } == .placeNotFound)
    }

    @Test("nearest first, as many as asked for, and how many there are")
    func order() async throws {
        let location = try await LocationHarness()
        try await location.put()
        for number in 1...60 {
            let customer = PartyID(high: 9, low: UInt64(number))
            try await location.share(customer)
            try await location.move(
                customer, to: Coordinate.square.moved(east: Double((number * 37) % 60) * 1.9))
        }
        let found = try await location.customers(limit: 10)
        #expect(found.customers.count == 10)
        #expect(found.total == 53)  // those up to 98.8 m, of 60 every 1.9 m from 0
        let numbers = found.customers.map { Int($0.customer.low * 37 % 60) }
        #expect(numbers == Array(0..<10))
        for limit in [0, -1, 101] {
            #expect(await refusal { () throws(Fault) in try await location.customers(limit: limit) } == .malformed)
            #expect(await refusal { () throws(Fault) in try await location.merchants(limit: limit) } == .malformed)
        }
    }

    @Test("A49: a merchant sees whose fix is younger than ten minutes; with a longer freshness, the older ones too")
    func freshness() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        location.clock.advance(.milliseconds(599_999))
        #expect(try await location.customers().total == 1)
        location.clock.advance(.milliseconds(1))
        #expect(try await location.customers().total == 0)
        #expect(try await location.customers(fresh: 601).total == 1)
        #expect(try await location.customers(fresh: 86_400).total == 1)
        // The customer still sees the merchant: that goes by the stored position (001-80).
        #expect(try await location.merchants().total == 1)
        location.clock.advance(.milliseconds(299_999))
        #expect(try await location.customers(fresh: 86_400).total == 1)
        location.clock.advance(.milliseconds(1))
        #expect(try await location.customers(fresh: 86_400).total == 0)
        #expect(await refusal { () throws(Fault) in try await location.merchants() } == .positionUnknown)
        for seconds: Int64 in [0, -1, 86_401, .max] {
            #expect(await refusal { () throws(Fault) in try await location.customers(fresh: seconds) } == .malformed)
        }
    }

    @Test("merchants learn who is there and about how far, never where")
    func coarse() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        var shown: Set<Int64> = []
        for metres in stride(from: 0.0, through: 99, by: 1) {
            location.clock.advance(.seconds(1))
            try await location.move(to: Coordinate.square.moved(north: metres))
            let found = try await location.customers()
            shown.formUnion(found.customers.map(\.distanceMetres))
            let text = String(decoding: found.json, as: UTF8.self)
            #expect(!text.contains("itude") && !text.contains("35198"))
        }
        #expect(shown == [25, 50, 75, 100])
    }

    @Test("001-79, 001-80: usernames come with it, are asked for once, and are waited for by nobody")
    func names() async throws {
        let location = try await LocationHarness()
        try await location.put()
        // That the merchant is approved is known.
        #expect(try await location.customers().total == 0)
        try await location.share()
        try await location.move(to: .square)
        location.auth.leave(true)
        #expect(try await location.customers().customers.map(\.username) == [nil])
        location.auth.leave(false)
        #expect(try await location.customers().customers.map(\.username) == ["user10"])
        #expect(try await location.merchants().merchants.map(\.username) == ["user202"])
        let asks = location.auth.asks
        #expect(try await location.customers().customers.map(\.username) == ["user10"])
        #expect(location.auth.asks == asks)
    }

    @Test("A95: a merchant who is not approved sees nobody, and neither does one of whom auth cannot say it")
    func notApproved() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        location.auth.leave(true)
        #expect(await refusal { () throws(Fault) in try await location.customers() } == .noWorker)
        location.auth.leave(false)
        location.auth.refuse(.cafe)
        #expect(try await location.customers().total == 0)
        location.auth.leave(true)
        #expect(try await location.customers().total == 0)
        location.auth.leave(false)
        location.auth.refuse(nil)
        #expect(try await location.customers().total == 1)
    }

    @Test("A95: a refusal that no fact told of counts within a minute, for the merchant and for its customers")
    func unheardRefusal() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        #expect(try await location.customers().total == 1)
        #expect(try await location.merchants().total == 1)
        location.auth.refuse(.cafe)
        #expect(try await location.customers().total == 1)
        location.clock.advance(.seconds(60))
        #expect(try await location.customers().total == 0)
        #expect(try await location.merchants().total == 0)
    }

    @Test("A95: a merchant who was not approved stays hidden while auth cannot say that somebody has approved it")
    func hiddenWithoutAuth() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        location.auth.refuse(.cafe)
        #expect(try await location.merchants().total == 0)
        location.auth.leave(true)
        location.clock.advance(.seconds(60))
        #expect(try await location.merchants().total == 0)
        location.auth.leave(false)
        location.auth.refuse(nil)
        location.clock.advance(.seconds(60))
        #expect(try await location.merchants().total == 1)
        // A merchant whom auth has approved once stays shown while it is away.
        location.auth.leave(true)
        location.clock.advance(.seconds(60))
        #expect(try await location.merchants().total == 1)
    }
}
