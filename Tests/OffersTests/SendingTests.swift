import Bus
import Contracts
import OffersService
import Primitives
import TestKit
import Testing

@Suite("what customers are sent (001-4, 001-6, 001-19)")
struct SendingTests {
    private func harness(_ kind: StoreKind = .inMemory) async throws -> OffersHarness {
        let offers = try await OffersHarness.peopled(kind)
        try await offers.subscribe()
        try await offers.subscribe(.bob)
        offers.world.near(.alice, .bob)
        return offers
    }

    @Test("a push reaches those nearby whom the rules allow it, each once", arguments: StoreKind.allCases)
    func push(kind: StoreKind) async throws {
        let offers = try await harness(kind)
        let id = try await offers.live(.ad(maxAge: 40), .ad)
        let push = OperationID.fresh()
        #expect(try await offers.push(id, push) == .init(nearby: 2, sent: 1, replayed: false))
        let published = try await offers.facts(Offers.OfferSent.self)
        #expect(
            published == [
                Offers.OfferSent(
                    offer: id, kind: .ad, merchant: .cafe, merchantName: "Corner Café", customer: .alice,
                    title: "New beans", content: "From the hills", occasion: .pushed, place: .first,
                    expires: ManualClock.start + DealRules.lifetime, time: ManualClock.start)
            ])
        #expect(try await offers.push(id, push) == .init(nearby: 2, sent: 1, replayed: true))
        #expect(try await offers.push(id).sent == 0)
        #expect(try await offers.facts(Offers.OfferSent.self).count == 1)
        let other = try await offers.live(.ad, .ad)
        #expect(await refusal { () throws(Fault) in try await offers.push(other, push) } == .idReusedForCoupon)
        #expect(
            await refusal { () throws(Fault) in try await offers.push(id, push, place: .first) } == .idReusedForCoupon)
    }

    @Test("only what is accepted, enabled and in its time is pushed, by its merchant, from the merchant's places")
    func notLive() async throws {
        let offers = try await harness()
        let id = try await offers.submit(.ad(from: offers.clock.now + .seconds(60)), .ad).offer.offer
        #expect(await refusal { () throws(Fault) in try await offers.push(id) } == .offerNotLive)
        try await offers.decide(id)
        #expect(await refusal { () throws(Fault) in try await offers.push(id) } == .offerNotLive)
        offers.clock.advance(.seconds(60))
        try await offers.enable(id, false)
        #expect(await refusal { () throws(Fault) in try await offers.push(id) } == .offerNotLive)
        try await offers.enable(id, true)
        #expect(await refusal { () throws(Fault) in try await offers.push(id, by: .bakery) } == .offerNotFound)
        #expect(
            await refusal { () throws(Fault) in try await offers.push(id, place: PlaceID(high: 3, low: 2)) }
                == .offerPlaceNotFound)
        #expect(try await offers.push(id, place: .first).sent == 2)
        #expect(try await offers.facts(Offers.OfferSent.self).count == 2)
    }

    @Test("001-136: being near the merchant is not being near what the offer is about")
    func place() async throws {
        let offers = try await harness()
        let id = try await offers.live(.ad(at: .square), .ad)
        offers.world.put(.alice, at: Coordinate.square.moved(east: 150))
        offers.world.put(.bob, at: Coordinate.square.moved(east: 250))
        #expect(try await offers.push(id).sent == 1)
        #expect(try await offers.facts(Offers.OfferSent.self).map(\.customer) == [.alice])
    }

    @Test("a customer's limits: none at all, so many a day (001-5, A69, A85)")
    func limits() async throws {
        let offers = try await harness()
        try await offers.prefer(.init(enabled: false), .bob)
        try await offers.prefer(.init(perDay: 2))
        for _ in 0..<3 { _ = try await offers.push(try await offers.live(.ad, .ad)) }
        #expect(try await offers.facts(Offers.OfferSent.self).map(\.customer) == [.alice, .alice])
        // The first two are a day ago.
        offers.clock.advance(.seconds(86_400))
        #expect(try await offers.push(try await offers.live(.ad, .ad)).sent == 1)
    }

    @Test("001-3, 001-4: who comes to a place is sent what its merchant wants sent then, once")
    func entry() async throws {
        let offers = try await harness()
        let id = try await offers.live(.ad(maxAge: 40, entry: true), .ad)
        try await offers.live(.ad, .ad)
        try await offers.enter()
        try await offers.enter(.bob)
        try await offers.enter()
        let sent = try await offers.facts(Offers.OfferSent.self)
        #expect(sent.map(\.offer) == [id])
        #expect(sent.map(\.occasion) == [.entered])
        #expect(sent.map(\.place) == [.first])
        // Pushed afterwards, it has been sent.
        #expect(try await offers.push(id).sent == 0)
        // The cause of it is the fact that told of the customer.
        let fact = try #require(try await offers.facts().last { $0.type == Offers.OfferSent.type.name })
        #expect(fact.causationID == "location-1")
    }

    @Test("old news of who came call nobody back, and are read once", arguments: StoreKind.allCases)
    func staleEntry(kind: StoreKind) async throws {
        let offers = try await harness(kind)
        try await offers.live(.ad(entry: true), .ad)
        try await offers.enter(at: offers.clock.now - .milliseconds(600_001))
        #expect(try await offers.facts(Offers.OfferSent.self).isEmpty)
        try await offers.enter(at: offers.clock.now - .seconds(600))
        #expect(try await offers.facts(Offers.OfferSent.self).count == 1)
        #expect(try await offers.store.store.position(of: Location.service).sequence == 2)
    }

    @Test("an offer about a place is sent on entry only to who is there")
    func entryWithPlace() async throws {
        let offers = try await harness()
        try await offers.live(.ad(entry: true, at: .square), .ad)
        try await offers.enter()
        #expect(try await offers.facts(Offers.OfferSent.self).isEmpty)
        offers.world.put(.alice, at: .square)
        try await offers.enter()
        #expect(try await offers.facts(Offers.OfferSent.self).count == 1)
    }

    @Test("the explanation says what finding and sending do, rule by rule")
    func explanation() async throws {
        let offers = try await harness()
        let id = try await offers.live(.ad(maxAge: 40, at: .square), .ad)
        try await offers.prefer(.init(perDay: 0))
        let near = try await offers.explain(id, at: .square)
        #expect((near.shown, near.sent) == (true, false))
        #expect(near.verdicts.map(\.rule) == Offers.Rule.allCases.filter { $0 != .quiet })
        #expect(near.verdicts.filter { !$0.passes }.map(\.rule) == [.amount])
        let bob = try await offers.explain(id, .bob)
        #expect(Set(bob.verdicts.filter { !$0.passes }.map(\.rule)) == [.age, .place])
        #expect(
            bob.verdicts.first { $0.rule == .age } == .init(rule: .age, wanted: "up to 40", found: "57", passes: false))
        #expect(
            await refusal { () throws(Fault) in try await offers.explain(id, PartyID(high: 9, low: 9)) }
                == .offerCustomerNotFound)
        #expect(await refusal { () throws(Fault) in try await offers.explain(.fresh()) } == .offerNotFound)
    }

    @Test("the count before approval is of those whom it reaches once it is approved")
    func audience() async throws {
        let offers = try await harness()
        for number in 0..<50 {
            let customer = PartyID(high: 8, low: UInt64(number))
            try await offers.register(
                customer, .customer, "c\(number)",
                birthdate: CivilDate(year: 1970 + number, month: 6, day: 1), gender: number % 2 == 0 ? .male : .female)
            if number % 5 != 0 { try await offers.subscribe(customer, ads: number % 3 != 0) }
        }
        let terms = Offers.Terms.ad(minAge: 18, maxAge: 40, gender: .male)
        let id = try await offers.submit(terms, .ad).offer.offer
        let counted = try await offers.audience(id)
        #expect(counted.customers == 52)
        try await offers.decide(id)
        var reached: Int64 = 0
        for number in 0..<50 where try await offers.shown(PartyID(high: 8, low: UInt64(number))) == [id] {
            reached += 1
        }
        #expect(counted.audience == reached && reached > 0)
        let subscribers: [Int] = (0..<50).filter { $0 % 5 != 0 && $0 % 3 != 0 }
        #expect(counted.subscribed == Int64(2 + subscribers.count))
        #expect(Set(counted.excluded.map(\.rule)) == [.age, .gender])
        #expect(try await offers.audience(id) == counted)
    }
}
