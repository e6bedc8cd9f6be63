import Bus
import Contracts
import LocationService
import Primitives
import TestKit
import Testing

@Suite("places, and what is kept")
struct PlaceStoreTests {
    @Test(
        "001-131, A30: several places for a merchant, in the order in which they were made",
        arguments: StoreKind.allCases)
    func places(kind: StoreKind) async throws {
        let location = try await LocationHarness(kind)
        #expect(try await location.places().isEmpty)
        try await location.put(.second, name: "Station")
        try await location.put(.first, name: "Market", at: Coordinate.square.moved(north: 1000))
        #expect(try await location.places().map(\.name) == ["Station", "Market"])
        try await location.put(.second, name: "Old Station", at: Coordinate.square.moved(north: 1))
        #expect(try await location.places().map(\.name) == ["Old Station", "Market"])
        #expect(try await location.places()[0].latitude == 35_198_293)
        #expect(try await location.remove(.second))
        #expect(try await location.remove(.second) == false)
        #expect(try await location.places().map(\.place) == [.first])
    }

    @Test("a place has a name that can be seen, and a point on the globe", arguments: StoreKind.allCases)
    func names(kind: StoreKind) async throws {
        let location = try await LocationHarness(kind)
        for name in ["", " ", "\n", "a\u{0}b", "\u{202E}kcab", String(repeating: "é", count: 51)] {
            #expect(await refusal { () throws(Fault) in try await location.put(name: name) } == .placeNameInvalid)
        }
        try await location.put(name: String(repeating: "é", count: 50))
        let code = await refusal { () throws(Fault) in
            try await PutPlaceHandler(location.service).admit(
                .init(place: .second, merchant: .cafe, name: "x", latitude: 0, longitude: 180_000_001),
                in: location.context())
        }
        #expect(code == .coordinateInvalid)
        #expect(try await location.places().count == 1)
    }

    @Test(
        "a merchant has a bounded number of places; changing one of them is always possible",
        arguments: StoreKind.allCases)
    func tooMany(kind: StoreKind) async throws {
        var rules = LocationRules()
        rules.placesPerMerchantMax = 3
        let location = try await LocationHarness(kind, rules: rules)
        for number in 0..<3 { try await location.put(PlaceID(high: 4, low: UInt64(number))) }
        #expect(await refusal { () throws(Fault) in try await location.put(.first) } == .tooManyPlaces)
        try await location.put(PlaceID(high: 4, low: 1), name: "Changed")
        try await location.put(.first, of: .bakery)
        _ = try await location.remove(PlaceID(high: 4, low: 0))
        try await location.put(.second)
        #expect(try await location.places().count == 3)
    }

    @Test("a restart keeps places, sharing and facts, and no position")
    func restart() async throws {
        let directory = try TemporaryDirectory()
        do {
            let location = try await LocationHarness(.file, in: directory)
            #expect(throws: (any Error).self) { try SQLPlaceStore(.file(directory.path + "/location.db")) }
            try await location.put()
            try await location.share(.alice)
            try await location.share(.bob)
            try await location.share(.bob, false)
            try await location.move(to: .square)
            try await location.close()
        }
        let location = try await LocationHarness(.file, in: directory)
        #expect(try await location.places().map(\.name) == ["Café"])
        #expect(try await location.isSharing(.alice))
        #expect(try await location.isSharing(.bob) == false)
        #expect(await refusal { () throws(Fault) in try await location.position() } == .positionUnknown)
        #expect(try await location.customers().total == 0)
        #expect(try await location.published() == ["entered"])
    }

    @Test("a visit outlives a restart: the next fix goes on with it, and ends it where it is outside")
    func visitsGoOn() async throws {
        let directory = try TemporaryDirectory()
        var start = Timestamp(milliseconds: 0)
        do {
            let location = try await LocationHarness(.file, in: directory)
            try await location.put()
            try await location.share()
            start = location.clock.now
            try await location.move(to: .square)
            try await location.close()
        }
        do {
            let location = try await LocationHarness(.file, in: directory, at: start + .seconds(60))
            try await location.move(to: .square)
            #expect(try await location.published() == ["entered"])
            location.clock.advance(.seconds(240))
            try await location.move(to: .square)
            #expect(try await location.published() == ["entered", "dwelled"])
            try await location.close()
        }
        let location = try await LocationHarness(.file, in: directory, at: start + .seconds(400))
        try await location.move(to: .square)
        try await location.move(to: Coordinate.square.moved(north: 900), at: location.clock.now)
        location.clock.advance(.seconds(1))
        try await location.move(to: Coordinate.square.moved(north: 900))
        #expect(try await location.published() == ["entered", "dwelled", "exited left"])
        let exit = try Location.FenceExited(json: try await location.facts()[2].data)
        #expect(exit.entered == start)
    }

    @Test("after a restart, a visit whose customer is not heard of ends in time; one that lost its ground, at once")
    func visitsEnd() async throws {
        let directory = try TemporaryDirectory()
        do {
            let location = try await LocationHarness(.file, in: directory)
            try await location.put()
            for customer in [PartyID.alice, .bob] {
                try await location.share(customer)
                try await location.move(customer, to: .square)
            }
            // Bob opts out, and the process ends before it has told of his exit.
            try await location.store.setSharing(.bob, false, at: location.clock.now)
            try await location.close()
        }
        let location = try await LocationHarness(.file, in: directory)
        #expect(try await location.published() == ["entered", "entered", "exited forgotten"])
        location.clock.advance(.milliseconds(899_999))
        try await location.service.sweep()
        #expect(try await location.published().count == 3)
        location.clock.advance(.milliseconds(1))
        try await location.service.sweep()
        #expect(try await location.published() == ["entered", "entered", "exited forgotten", "exited forgotten"])
        #expect(try await location.store.load().visits.isEmpty)
    }

    @Test("a visit does not outlive an outage that is longer than a position is kept")
    func outage() async throws {
        let directory = try TemporaryDirectory()
        var seen = Timestamp(milliseconds: 0)
        do {
            let location = try await LocationHarness(.file, in: directory)
            try await location.put()
            try await location.share()
            for _ in 0..<10 {
                try await location.move(to: .square)
                try await location.service.sweep()
                seen = location.clock.now
                location.clock.advance(.seconds(60))
            }
        }
        do {
            // It was there ten minutes after the visit began, and has been away for less than a quarter of an hour.
            let location = try await LocationHarness(.file, in: directory, at: seen + .seconds(899))
            try await location.move(to: .square)
            #expect(try await location.published() == ["entered", "dwelled"])
            try await location.close()
        }
        let location = try await LocationHarness(.file, in: directory, at: seen + .seconds(86_400))
        #expect(try await location.published() == ["entered", "dwelled", "exited forgotten"])
        let exit = try Location.FenceExited(json: try await location.facts()[2].data)
        #expect(exit.time == seen + .seconds(899 + 900))
        try await location.move(to: .square)
        #expect(try await location.published().last == "entered")
    }

    @Test("changes of one party keep their order, however many come at once", arguments: StoreKind.allCases)
    func turns(kind: StoreKind) async throws {
        let location = try await LocationHarness(kind)
        for _ in 0..<20 {
            await withTaskGroup(of: Void.self) { group in
                for sharing in [true, false, true, false] {
                    group.addTask { _ = try? await location.share(.alice, sharing) }
                    group.addTask { _ = try? await location.put(name: sharing ? "A" : "B") }
                    if !sharing { group.addTask { _ = try? await location.remove() } }
                }
            }
            let stored = try await location.store.load()
            #expect(stored.sharing.contains(.alice) == (try await location.isSharing()))
            #expect(stored.places.map(\.name) == (try await location.places().map(\.name)))
        }
    }
}
