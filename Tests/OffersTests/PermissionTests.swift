import Bus
import Contracts
import OffersService
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

    @Test("what a customer wants, is shown, has used and earned is the customer's alone")
    func customers() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let id = try await offers.live()
        for actor in Self.actors(but: .alice, .customer) {
            let refusals = [
                await refusal { () throws(Fault) in try await offers.subscribe(actor: actor) },
                await refusal { () throws(Fault) in try await offers.find(actor: actor) },
                await refusal { () throws(Fault) in try await offers.search(merchant: "c", actor: actor) },
                await refusal { () throws(Fault) in try await offers.deal(id, actor: actor) },
                await refusal { () throws(Fault) in try await offers.history(actor: actor) },
                await refusal { () throws(Fault) in try await offers.prefer(.usual, actor: actor) },
                await refusal { () throws(Fault) in try await offers.join(actor: actor) },
                await refusal { () throws(Fault) in try await offers.stars(actor: actor) },
                await refusal { () throws(Fault) in
                    try await ReadPreferencesHandler(offers.service).admit(
                        .init(customer: .alice), in: offers.context(actor))
                },
                await refusal { () throws(Fault) in
                    try await ReadSubscriptionsHandler(offers.service).admit(
                        .init(customer: .alice, after: nil, limit: 1), in: offers.context(actor))
                }
            ]
            #expect(Set(refusals) == [.forbidden], "\(actor) \(refusals)")
        }
        let alice = Actor(role: .customer, party: .alice)
        #expect(try await offers.find(actor: alice).total == 1)
        #expect(try await offers.stars(actor: alice).joined == false)
    }

    @Test(
        "a merchant's offers are the merchant's: others neither write nor read them, and do not learn that they exist")
    func merchants() async throws {
        let offers = try await OffersHarness.peopled()
        let id = try await offers.live()
        for actor in Self.actors(but: .cafe, .merchant) {
            let refusals = [
                await refusal { () throws(Fault) in try await offers.submit(actor: actor) },
                await refusal { () throws(Fault) in try await offers.edit(id, .coupon(minimum: 1), actor: actor) },
                await refusal { () throws(Fault) in try await offers.enable(id, false, actor: actor) },
                await refusal { () throws(Fault) in try await offers.push(id, actor: actor) },
                await refusal { () throws(Fault) in
                    try await ReadOffersHandler(offers.service).admit(
                        .init(merchant: .cafe, kind: nil, before: nil, limit: 1), in: offers.context(actor))
                },
                await refusal { () throws(Fault) in
                    try await ReadProductTypesHandler(offers.service).admit(
                        .init(merchant: .cafe), in: offers.context(actor))
                }
            ]
            #expect(Set(refusals) == [.forbidden], "\(actor) \(refusals)")
        }
        // One merchant among another's: as if it were not there.
        let bakery = Actor(role: .merchant, party: .bakery)
        let read = ReadOfferHandler(offers.service)
        #expect(
            await refusal { () throws(Fault) in try await read.admit(.init(offer: id), in: offers.context(bakery)) }
                == .offerNotFound)
        #expect(await refusal { () throws(Fault) in try await offers.audience(id, actor: bakery) } == .offerNotFound)
        #expect(
            await refusal { () throws(Fault) in try await offers.edit(id, .coupon, by: .bakery, actor: bakery) }
                == .offerNotFound)
        #expect(
            await refusal { () throws(Fault) in try await offers.enable(id, false, by: .bakery, actor: bakery) }
                == .offerNotFound)
        #expect(
            await refusal { () throws(Fault) in try await offers.push(id, by: .bakery, actor: bakery) }
                == .offerNotFound)
        let customer = Actor(role: .customer, party: .alice)
        #expect(
            await refusal { () throws(Fault) in try await read.admit(.init(offer: id), in: offers.context(customer)) }
                == .forbidden)
        #expect(await refusal { () throws(Fault) in try await offers.audience(id, actor: customer) } == .forbidden)
        let cafe = Actor(role: .merchant, party: .cafe)
        #expect(try await read.admit(.init(offer: id), in: offers.context(cafe)).accepted == .accepted)
    }

    @Test("approval and explanation are for administrators (A35)")
    func administrators() async throws {
        let offers = try await OffersHarness.peopled()
        let id = try await offers.submit().offer.offer
        for actor in [Actor(role: .merchant, party: .cafe), Actor(role: .customer, party: .alice)] {
            let refusals = [
                await refusal { () throws(Fault) in try await offers.decide(id, actor: actor) },
                await refusal { () throws(Fault) in try await offers.explain(id, actor: actor) },
                await refusal { () throws(Fault) in
                    try await ReadPendingHandler(offers.service).admit(
                        .init(before: nil, limit: 1), in: offers.context(actor))
                }
            ]
            #expect(Set(refusals) == [.forbidden], "\(actor) \(refusals)")
        }
        let root = Actor(role: .administrator, party: PartyID(high: 9, low: 9))
        #expect(try await offers.decide(id, actor: root).offer.accepted == .accepted)
        #expect(try await offers.audience(id, actor: root).customers == 2)
    }

    @Test("coupons are reserved by services, never on behalf of anyone", arguments: Auth.Role.allCases)
    func reservations(role: Auth.Role) async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let id = try await offers.live()
        for party in [PartyID.alice, .cafe, .bob] {
            let actor = Actor(role: role, party: party)
            #expect(await refusal { () throws(Fault) in try await offers.reserve(id, actor: actor) } == .forbidden)
        }
        #expect(await refusal { () throws(Fault) in try await offers.reserve(id) } == nil)
    }
}
