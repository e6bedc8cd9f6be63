import Bus
import Contracts
import Primitives
import TestKit
import Testing

@Suite("who may ask what")
struct PermissionTests {
    private static func actors(but owner: PartyID, _ role: Auth.Role) -> [Actor] {
        [
            Actor(role: .customer, party: .bob), Actor(role: .merchant, party: .bakery),
            Actor(role: .administrator, party: PartyID(high: 9, low: 9))
        ] + Auth.Role.allCases.filter { $0 != role }.map { Actor(role: $0, party: owner) }
    }

    @Test("a customer's position and sharing are the customer's alone: nobody else reads, moves or forgets them")
    func customers() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        for actor in Self.actors(but: .alice, .customer) {
            #expect(await refusal { () throws(Fault) in try await location.position(actor: actor) } == .forbidden)
            #expect(await refusal { () throws(Fault) in try await location.forget(actor: actor) } == .forbidden)
            #expect(await refusal { () throws(Fault) in try await location.share(actor: actor) } == .forbidden)
            #expect(
                await refusal { () throws(Fault) in try await location.share(.alice, false, actor: actor) }
                    == .forbidden)
            #expect(await refusal { () throws(Fault) in try await location.isSharing(actor: actor) } == .forbidden)
            #expect(await refusal { () throws(Fault) in try await location.merchants(actor: actor) } == .forbidden)
            #expect(
                await refusal { () throws(Fault) in try await location.move(to: .square, actor: actor) } == .forbidden)
            let own = Location.Fix(customer: actor.party, latitude: 0, longitude: 0)
            let others = Location.Fix(customer: .alice, latitude: 0, longitude: 0)
            #expect(
                await refusal { () throws(Fault) in try await location.batch([own, others], actor: actor) }
                    == .forbidden)
        }
        #expect(try await location.position().latitude == 35_198_284)
        let alice = Actor(role: .customer, party: .alice)
        #expect(try await location.position(actor: alice).latitude == 35_198_284)
        #expect(try await location.merchants(actor: alice).total == 1)
        let fix = Location.Fix(customer: .alice, latitude: 1, longitude: 1)
        #expect(try await location.batch([fix], actor: alice).stored == 1)
        #expect(try await location.forget(actor: alice))
    }

    @Test("places and who is near them are the merchant's alone")
    func merchants() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        for actor in Self.actors(but: .cafe, .merchant) {
            #expect(await refusal { () throws(Fault) in try await location.put(actor: actor) } == .forbidden)
            #expect(await refusal { () throws(Fault) in try await location.remove(actor: actor) } == .forbidden)
            #expect(await refusal { () throws(Fault) in try await location.places(actor: actor) } == .forbidden)
            #expect(await refusal { () throws(Fault) in try await location.customers(actor: actor) } == .forbidden)
        }
        let cafe = Actor(role: .merchant, party: .cafe)
        #expect(try await location.customers(actor: cafe).total == 1)
        #expect(try await location.places(actor: cafe).count == 1)
    }

    @Test("another merchant's place is as if it were not there, for looking, changing and removing")
    func tenants() async throws {
        let location = try await LocationHarness()
        try await location.put()
        try await location.share()
        try await location.move(to: .square)
        let bakery = Actor(role: .merchant, party: .bakery)
        #expect(
            await refusal { () throws(Fault) in
                try await location.customers(near: .bakery, place: .first, actor: bakery)
            } == .placeNotFound)
        #expect(
            await refusal { () throws(Fault) in
                try await location.customers(near: .bakery, place: .second, actor: bakery)
            } == .placeNotFound)
        #expect(
            await refusal { () throws(Fault) in
                try await location.put(.first, of: .bakery, at: Coordinate.square.moved(north: 900), actor: bakery)
            } == .placeIDReused)
        #expect(try await location.remove(.first, of: .bakery, actor: bakery) == false)
        #expect(try await location.places(of: .bakery, actor: bakery).isEmpty)
        #expect(try await location.customers(near: .bakery, actor: bakery).total == 0)
        #expect(try await location.customers().total == 1)
        #expect(try await location.places().map(\.latitude) == [35_198_284])
    }
}
