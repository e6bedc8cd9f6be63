import Bus
import Contracts
import Foundation
import OffersService
import Primitives
import TestKit
import Testing

@Suite("what customers are shown")
struct FindingTests {
    @Test("001-137: ads of merchants subscribed to for ads, coupons of those for coupons, nothing else")
    func subscriptions() async throws {
        let offers = try await OffersHarness.peopled()
        let ad = try await offers.live(.ad, .ad)
        let coupon = try await offers.live()
        try await offers.live(by: .bakery)
        #expect(try await offers.shown() == [])
        try await offers.subscribe(ads: true, coupons: false)
        #expect(try await offers.shown() == [ad])
        try await offers.subscribe(ads: false, coupons: true)
        #expect(try await offers.shown() == [coupon])
        try await offers.subscribe()
        #expect(Set(try await offers.shown()) == [ad, coupon])
        #expect(try await offers.shown(.alice, .ad) == [ad])
        #expect(try await offers.shown(.alice, .coupon) == [coupon])
        #expect(try await offers.shown(.bob) == [])
        try await offers.subscribe(ads: false, coupons: false)
        #expect(try await offers.shown() == [])
    }

    @Test("001-78, 001-85: near the point that is given, else near the last position; nearest first")
    func place() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let far = try await offers.live(.ad(at: Coordinate.square.moved(north: 189.5)), .ad)
        let near = try await offers.live(.ad(at: Coordinate.square.moved(north: 9.5)), .ad)
        let anywhere = try await offers.live(.ad, .ad)
        try await offers.live(.ad(at: Coordinate.square.moved(north: 5000)), .ad)
        offers.world.place(.cafe, at: Coordinate.square.moved(north: 195))
        #expect(try await offers.shown(at: .square) == [near, far, anywhere])
        #expect(try await offers.find(at: .square).deals.map(\.distanceMetres) == [10, 190, 195])
        #expect(offers.world.asked(Location.ReadPosition.type) == 0)
        #expect(try await offers.shown() == [anywhere])
        offers.world.put(.alice, at: Coordinate.square.moved(north: -15))
        #expect(try await offers.shown() == [near, anywhere])
        // Nobody's position is asked for where it makes no difference.
        let asked = offers.world.asked(Location.ReadPosition.type)
        #expect(try await offers.shown(.alice, .coupon) == [])
        #expect(offers.world.asked(Location.ReadPosition.type) == asked)
    }

    @Test("no more than asked for, those that end soonest first, and how many there are")
    func limit() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        var ids: [OfferID] = []
        for days in [5, 1, 4, 2, 3] {
            ids.append(try await offers.live(.ad(to: offers.clock.now + .seconds(Int64(days) * 86_400)), .ad))
        }
        let found = try await offers.find(limit: 3)
        #expect(found.deals.map(\.offer) == [ids[1], ids[3], ids[4]])
        #expect(found.total == 5)
        for (latitude, longitude) in [(Int64?(1), Int64?.none), (nil, 1)] {
            #expect(
                await refusal { () throws(Fault) in
                    try await FindDealsHandler(offers.service).admit(
                        .init(customer: .alice, kind: nil, latitude: latitude, longitude: longitude, limit: 1),
                        in: offers.context())
                } == .malformed)
        }
        #expect(
            await refusal { () throws(Fault) in
                try await FindDealsHandler(offers.service).admit(
                    .init(customer: .alice, kind: nil, latitude: 90_000_001, longitude: 0, limit: 1),
                    in: offers.context())
            } == .offerCoordinateInvalid)
    }

    @Test("profiles that change, merchants that are approved and rejected, change what is shown (A36)")
    func profiles() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let adults = try await offers.live(.ad(minAge: 30), .ad)
        #expect(try await offers.shown() == [])
        try await offers.consume(
            Auth.ProfileChanged(
                account: .alice, role: .customer, username: "alice", name: "Alice",
                birthdate: CivilDate("1990-01-01"), gender: .female, student: false, time: offers.clock.now))
        #expect(try await offers.shown() == [adults])
        try await offers.consume(
            Auth.MerchantDecided(merchant: .cafe, status: .rejected, reason: "Closed", time: offers.clock.now))
        #expect(try await offers.shown() == [])
        // A new name is no approval.
        try await offers.consume(
            Auth.ProfileChanged(
                account: .cafe, role: .merchant, username: "corner", name: "The Corner", birthdate: nil, gender: nil,
                student: nil, time: offers.clock.now))
        #expect(try await offers.shown() == [])
        try await offers.consume(
            Auth.MerchantDecided(merchant: .cafe, status: .approved, reason: nil, time: offers.clock.now))
        #expect(try await offers.find().deals.map(\.merchantName) == ["The Corner"])
        try await offers.register(.kiosk, .merchant, "Kiosk", status: .pending)
        try await offers.subscribe(to: .kiosk)
        try await offers.live(.ad, .ad, by: .kiosk)
        #expect(try await offers.shown() == [adults])
    }

    @Test("a customer's own limits: types and muted merchants hide, pauses do not (001-5, A69)")
    func preferences() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let (ad, coupon) = (try await offers.live(.ad, .ad), try await offers.live())
        try await offers.prefer(.init(ads: false))
        #expect(try await offers.shown() == [coupon])
        try await offers.prefer(.init(coupons: false))
        #expect(try await offers.shown() == [ad])
        try await offers.prefer(.init(muted: [.cafe]))
        #expect(try await offers.shown() == [])
        let paused = Offers.Preferences(enabled: false, perDay: 0)
        #expect(try await offers.prefer(paused) == paused)
        #expect(Set(try await offers.shown()) == [ad, coupon])
        for wrong in [
            Offers.Preferences(muted: [.cafe, .cafe]), .init(perDay: 101), .init(perDay: -1), .init(quietFrom: 1),
            .init(quietFrom: 0, quietTo: 1440), .init(utcOffsetMinutes: 841),
            // One set of them is enough, and notifications has it (A99).
            .init(quietFrom: 1320, quietTo: 420),
            .init(muted: (0..<201).map { PartyID(high: 9, low: $0) })
        ] {
            #expect(await refusal { () throws(Fault) in try await offers.prefer(wrong) } == .preferencesInvalid)
        }
        let read = ReadPreferencesHandler(offers.service)
        #expect(try await read.admit(.init(customer: .alice), in: offers.context()) == paused)
        #expect(try await read.admit(.init(customer: .bob), in: offers.context()) == .usual)
    }

    @Test("001-48: by a part of the merchant's name, and by kind of product")
    func search() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let coupon = try await offers.live()
        try await offers.live(by: .bakery)
        for (merchant, types) in [(PartyID.cafe, ["Coffee", "cake"]), (.bakery, ["bread", "cake"])] {
            try await offers.sell(types, by: merchant)
        }
        let named = try await offers.search(merchant: "CAFÉ")
        #expect(named.deals.map(\.offer) == [coupon])
        #expect(named.merchants.map(\.name) == ["Corner Café"])
        #expect(named.merchants.first?.subscription == .init(ads: true, coupons: true))
        // Found, and not shown: what is not subscribed to (001-137).
        let cakes = try await offers.search(product: "CAKE")
        #expect(cakes.merchants.map(\.name) == ["Bakery", "Corner Café"])
        #expect(cakes.deals.map(\.offer) == [coupon])
        #expect(try await offers.search(product: "cak").merchants.isEmpty)
        #expect(try await offers.search(merchant: "baker", product: "coffee").merchants.isEmpty)
        #expect(try await offers.search(merchant: "baker", product: "bread").merchants.count == 1)
        #expect(await refusal { () throws(Fault) in try await offers.search() } == .malformed)
        #expect(await refusal { () throws(Fault) in try await offers.search(merchant: "") } == .malformed)
    }

    @Test(
        "001-15, 001-23: a deal is there for whom it is, was sent or was used, and nobody else; nothing that was edited"
    )
    func deal() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let id = try await offers.live()
        let first = try await offers.deal(id)
        #expect((first.usable, first.sent, first.used) == (true, nil, 0))
        #expect(await refusal { () throws(Fault) in try await offers.deal(id, .bob) } == .offerNotFound)
        #expect(await refusal { () throws(Fault) in try await offers.deal(.fresh()) } == .offerNotFound)
        offers.world.near(.alice, .bob)
        try await offers.push(id)
        #expect(try await offers.deal(id).sent == offers.clock.now)
        try await offers.subscribe(coupons: false)
        #expect(try await offers.deal(id).usable == false)
        try await offers.edit(id, .coupon(minimum: 100))
        #expect(try await offers.deal(id).ended == .disabled)
    }

    @Test("A98: a deal that was sent opens for good, also when it was disabled or has expired, and says so")
    func endedDeal() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let id = try await offers.live()
        offers.world.near(.alice)
        try await offers.push(id)
        #expect(try await offers.deal(id).ended == nil)
        try await offers.enable(id, false)
        let disabled = try await offers.deal(id)
        #expect((disabled.usable, disabled.ended) == (false, .disabled))
        #expect(await refusal { () throws(Fault) in try await offers.deal(id, .bob) } == .offerNotFound)
        try await offers.enable(id, true)
        // Terms that wait for an approval are shown to nobody: the customer reads those that were sent.
        let sent = disabled.deal
        try await offers.edit(id, Offers.Terms(title: "Other", content: "Not yet approved"))
        let edited = try await offers.deal(id)
        #expect((edited.usable, edited.ended, edited.deal.title) == (false, .disabled, sent.title))
        #expect(await refusal { () throws(Fault) in try await offers.deal(id, .bob) } == .offerNotFound)
        offers.clock.advance(.seconds(400 * 86_400))
        let expired = try await offers.deal(id)
        #expect((expired.usable, expired.ended) == (false, .expired))
    }

    @Test("001-22, A47: the history has what can be used with its first page, and what was used, newest first")
    func history() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let coupon = try await offers.live(.coupon(each: 10))
        var charges: [ChargeID] = []
        for _ in 0..<3 {
            let charge = ChargeID.fresh()
            try await offers.reserve(coupon, charge)
            try await offers.pay(charge, 500, coupon: coupon, discount: 500)
            charges.append(charge)
        }
        // What it is called now is not what was approved then.
        try await offers.edit(coupon, Offers.Terms(title: "Free!", content: "Not yet approved"))
        let ad = try await offers.live(.ad, .ad)
        let first = try await offers.history(limit: 2)
        #expect(first.usable.map(\.offer) == [ad])
        #expect(first.used.map(\.charge) == [charges[2], charges[1]])
        #expect(Set(first.used.map(\.title)) == ["Half price"])
        let second = try await offers.history(before: first.next, limit: 2)
        #expect(second.usable.isEmpty && second.next == nil)
        #expect(second.used.map(\.charge) == [charges[0]])
        #expect(try await offers.history(.bob).used.isEmpty)
    }

    @Test("who subscribes to whom, in pages; a merchant of whom nobody has told yet is asked for")
    func subscriptionPages() async throws {
        let offers = try await OffersHarness.peopled()
        #expect(try await offers.subscribe(to: .kiosk).name == "Kiosk")
        #expect(
            await refusal { () throws(Fault) in try await offers.subscribe(to: PartyID(high: 9, low: 9)) }
                == .offerMerchantNotFound)
        try await offers.subscribe()
        try await offers.subscribe(to: .bakery, ads: false)
        let read = ReadSubscriptionsHandler(offers.service)
        let first = try await read.admit(.init(customer: .alice, after: nil, limit: 2), in: offers.context())
        #expect(first.subscriptions.map(\.merchant) == [.bakery, .kiosk])
        let second = try await read.admit(.init(customer: .alice, after: first.next, limit: 2), in: offers.context())
        #expect(second.subscriptions.map(\.name) == ["Corner Café"] && second.next == nil)
        let some = Offers.ReadSubscriptions(
            customer: .alice, after: nil, limit: 9, merchants: [.bakery, PartyID(high: 9, low: 9)])
        #expect(try await read.admit(some, in: offers.context()).subscriptions.map(\.merchant) == [.bakery])
        var rules = DealRules()
        rules.subscriptionsMax = 1
        let few = try await OffersHarness.peopled(rules: rules)
        try await few.subscribe()
        try await few.subscribe(ads: false)
        #expect(
            await refusal { () throws(Fault) in try await few.subscribe(to: .bakery) } == .tooManySubscriptions)
    }

    @Test("what has ended is forgotten in memory, and still read from the file")
    func sweep() async throws {
        let offers = try await OffersHarness.peopled(.file)
        try await offers.subscribe()
        let id = try await offers.live()
        offers.clock.advance(DealRules.lifetime + .seconds(1))
        #expect(try await offers.shown() == [])
        try await offers.service.sweep()
        #expect(try offers.store.index { index throws(Fault) in index.offerCount } == 0)
        let view = try await ReadOfferHandler(offers.service).admit(.init(offer: id), in: offers.context())
        #expect(view.accepted == .accepted)
        #expect(try await offers.explain(id).shown == false)
    }

    @Test("after a restart, each is shown what they were shown before")
    func restart() async throws {
        let directory = try TemporaryDirectory()
        let before: [OfferID]
        let consumed: [String: [Envelope]]
        do {
            let offers = try await OffersHarness.peopled(.file, in: directory)
            try await offers.subscribe()
            try await offers.prefer(.init(ads: false, perDay: 3))
            try await offers.pay()
            for terms in [Offers.Terms.coupon, .coupon(maxVisits: 0), .coupon(maxVisits: 1)] {
                try await offers.live(terms)
            }
            try await offers.live(.ad, .ad)
            try await offers.submit()
            before = try await offers.shown()
            consumed = offers.consumed
        }
        #expect(before.count == 2)
        let again = try await OffersHarness(.file, in: directory, hearing: consumed)
        #expect(try await again.shown() == before)
        let preferences = try await ReadPreferencesHandler(again.service).admit(
            .init(customer: .alice), in: again.context())
        #expect(preferences.perDay == 3 && !preferences.ads)
    }

    @Test("with a position, what is near: an offer's own place, or one of its merchant's (A86, 001-78)")
    func nearby() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        try await offers.subscribe(to: .bakery)
        let anywhere = try await offers.live(.ad, .ad)
        let elsewhere = try await offers.live(.ad, .ad, by: .bakery)
        let here = try await offers.live(.ad(at: .square), .ad, by: .bakery)
        offers.world.place(.cafe, at: .square.moved(north: 150))
        // Without a position, all that is for the customer.
        #expect(Set(try await offers.shown()) == [anywhere, elsewhere])
        let found = try await offers.find(at: .square).deals
        #expect(found.map(\.offer) == [here, anywhere])
        #expect(found.map(\.distanceMetres) == [0, 150])
        // A merchant without a place is never near; one that is farther is, within a wider radius.
        offers.world.place(.cafe, at: .square.moved(north: 450))
        #expect(try await offers.shown(at: .square) == [here])
        let wide = try await FindDealsHandler(offers.service).admit(
            .init(
                customer: .alice, kind: .ad, latitude: Int64(Coordinate.square.latitude),
                longitude: Int64(Coordinate.square.longitude), limit: 10, radiusMetres: 500), in: offers.context())
        #expect(wide.deals.map(\.offer) == [here, anywhere] && wide.total == 2)
        // For a customer without such offers, location is not asked.
        let asked = offers.world.asked(Location.FindNear.type)
        #expect(try await offers.shown(.bob, at: .square) == [])
        #expect(offers.world.asked(Location.FindNear.type) == asked)
        let lost = Offers.FindDeals(customer: .alice, kind: nil, limit: 1, radiusMetres: 500)
        #expect(
            await refusal { () throws(Fault) in
                try await FindDealsHandler(offers.service).admit(lost, in: offers.context())
            } == .malformed)
    }

    @Test("while location is away, a list of what is near is refused, as it would lack some (A86)")
    func nearbyWithoutLocation() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        try await offers.live(.ad, .ad)
        offers.world.away(true)
        #expect(await refusal { () throws(Fault) in try await offers.find(at: .square) } == .noWorker)
        #expect(try await offers.shown().count == 1)
    }
}
