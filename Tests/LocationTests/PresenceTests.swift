import Bus
import Contracts
import LocationService
import Primitives
import TestKit
import Testing

@Suite("being at a merchant's place (001-3, 001-51)")
struct PresenceTests {
    private func prove(
        _ location: LocationHarness, merchant: PartyID = .cafe, place: PlaceID? = .first, actor: Actor? = nil
    ) async throws(Fault) -> Location.Presence {
        try await ProvePresenceHandler(location.service).admit(
            .init(customer: .alice, merchant: merchant, place: place), in: location.context(actor: actor))
    }

    @Test("as near as 001-79 says, told in steps of 25 m")
    func near() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        let found = try await location.customers().customers.first
        let presence = try await prove(location)
        #expect(presence.distanceMetres == found?.distanceMetres)
        #expect((presence.place, presence.time) == (.first, location.clock.now))
    }

    @Test("001-88: at 0.099 km one is there, at 0.101 km far", arguments: [(99.0, true), (101.0, false)])
    func edge(metres: Double, isThere: Bool) async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square.moved(north: metres))
        do throws(Fault) {
            _ = try await prove(location)
            #expect(isThere)
        } catch {
            #expect(!isThere)
            #expect(error.code == .presenceFar)
        }
    }

    @Test("where no place is named, the nearest of the merchant's counts (A96)")
    func anyPlace() async throws {
        let location = try await LocationHarness()
        #expect(await refusal { () throws(Fault) in try await prove(location, place: nil) } == .placeNotFound)
        try await location.put()
        try await location.put(.second, at: .square.moved(north: 300))
        try await location.share()
        #expect(await refusal { () throws(Fault) in try await prove(location, place: nil) } == .presenceStale)
        try await location.move(to: .square.moved(north: 250))
        #expect(try await prove(location, place: nil).place == .second)
        try await location.move(to: .square.moved(north: 150))
        #expect(await refusal { () throws(Fault) in try await prove(location, place: nil) } == .presenceFar)
    }

    @Test("each refusal has its reason: stale, far, not your place")
    func refusals() async throws {
        let location = try await LocationHarness()
        try await location.put()
        #expect(await refusal { () throws(Fault) in try await prove(location) } == .presenceStale)
        try await location.share()
        #expect(await refusal { () throws(Fault) in try await prove(location) } == .presenceStale)
        try await location.move(to: .square)
        #expect(
            await refusal { () throws(Fault) in try await prove(location, merchant: .bakery) } == .placeNotFound)
        #expect(await refusal { () throws(Fault) in try await prove(location, place: .second) } == .placeNotFound)
        location.clock.advance(.seconds(600) - .milliseconds(1))
        _ = try await prove(location)
        location.clock.advance(.milliseconds(1))
        #expect(await refusal { () throws(Fault) in try await prove(location) } == .presenceStale)
    }

    @Test("for services and the merchant itself, for nobody else")
    func permission() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        _ = try await prove(location, actor: Actor(role: .merchant, party: .cafe))
        for actor in [
            Actor(role: .merchant, party: .bakery), Actor(role: .customer, party: .alice),
            Actor(role: .customer, party: .cafe)
        ] {
            #expect(await refusal { () throws(Fault) in try await prove(location, actor: actor) } == .forbidden)
        }
    }
}
