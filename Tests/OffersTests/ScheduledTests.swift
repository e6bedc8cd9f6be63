import Bus
import Contracts
import OffersService
import Primitives
import TestKit
import Testing

@Suite("offers that are sent at their time (A87, 001-135)")
struct ScheduledTests {
    private func harness(_ kind: StoreKind = .inMemory, in directory: TemporaryDirectory? = nil) async throws
        -> OffersHarness
    {
        let offers = try await OffersHarness.peopled(kind, in: directory)
        try await offers.subscribe()
        try await offers.subscribe(.bob)
        return offers
    }

    private func sent(_ offers: OffersHarness) async throws -> [Offers.OfferSent] {
        try await offers.facts(Offers.OfferSent.self)
    }

    private func view(_ offers: OffersHarness, _ id: OfferID) async throws -> Offers.OfferView {
        try await ReadOfferHandler(offers.service).admit(.init(offer: id), in: offers.context())
    }

    @Test("at sendTime, once, to all whom it is for", arguments: StoreKind.allCases)
    func atItsTime(kind: StoreKind) async throws {
        let offers = try await harness(kind)
        let time = offers.clock.now + .seconds(3600)
        let id = try await offers.live(.ad(from: time), .ad)
        offers.clock.advance(.seconds(3600) - .milliseconds(1))
        try await offers.service.pushDue()
        #expect(try await sent(offers).isEmpty)
        #expect(try await view(offers, id).pushed == nil)
        offers.clock.advance(.milliseconds(1))
        for _ in 0..<3 { try await offers.service.pushDue() }
        let all = try await sent(offers)
        #expect(Set(all.map(\.customer)) == [.alice, .bob] && all.count == 2)
        #expect(all.allSatisfy { $0.offer == id && $0.occasion == .scheduled && $0.place == nil && $0.time == time })
        #expect(try await view(offers, id).pushed == time)
        // A customer who subscribes later finds it in the lists.
        try await offers.register(PartyID(high: 8, low: 1), .customer, "c1")
        try await offers.subscribe(PartyID(high: 8, low: 1))
        try await offers.service.pushDue()
        #expect(try await sent(offers).count == 2)
    }

    @Test("what is accepted later than its time is sent when it is accepted")
    func acceptedLate() async throws {
        let offers = try await harness()
        let id = try await offers.submit(.ad, .ad).offer.offer
        offers.clock.advance(.seconds(7200))
        try await offers.service.pushDue()
        #expect(try await sent(offers).isEmpty)
        try await offers.decide(id)
        try await offers.service.pushDue()
        #expect(try await sent(offers).map(\.time) == [offers.clock.now, offers.clock.now])
    }

    @Test("nobody is sent what the rules or their own limits exclude")
    func rules() async throws {
        let offers = try await harness()
        try await offers.live(.ad(maxAge: 40), .ad)
        try await offers.service.pushDue()
        #expect(try await sent(offers).map(\.customer) == [.alice])
        try await offers.prefer(.init(perDay: 1))
        try await offers.prefer(.init(enabled: false), .bob)
        let second = try await offers.live(.ad, .ad)
        try await offers.service.pushDue()
        #expect(try await sent(offers).count == 1)
        #expect(try await view(offers, second).pushed == offers.clock.now)
    }

    @Test("rejected, disabled, expired, sent on entry, or of a merchant whom nobody approved: not sent")
    func notLive() async throws {
        let offers = try await harness()
        let rejected = try await offers.submit(.ad, .ad).offer.offer
        try await offers.decide(rejected, .rejected)
        let disabled = try await offers.live(.ad, .ad)
        try await offers.enable(disabled, false)
        try await offers.live(.ad(entry: true), .ad)
        try await offers.register(.kiosk, .merchant, "Kiosk", status: .pending)
        try await offers.subscribe(to: .kiosk)
        let waiting = try await offers.live(.ad, .ad, by: .kiosk)
        try await offers.service.pushDue()
        #expect(try await sent(offers).isEmpty)
        // Once it may be.
        try await offers.enable(disabled, true)
        try await offers.consume(
            Auth.MerchantDecided(merchant: .kiosk, status: .approved, reason: nil, time: offers.clock.now))
        try await offers.service.pushDue()
        #expect(Set(try await sent(offers).map(\.offer)) == [disabled, waiting])
        let late = try await offers.live(.ad, .ad)
        offers.clock.advance(.seconds(400 * 86_400))
        try await offers.service.pushDue()
        #expect(try await !sent(offers).map(\.offer).contains(late))
    }

    @Test("an edited offer is sent again when it is accepted again, to whom it was not sent before")
    func edited() async throws {
        let offers = try await harness()
        let id = try await offers.live(.ad(maxAge: 40), .ad)
        try await offers.service.pushDue()
        try await offers.edit(id, .ad)
        #expect(try await view(offers, id).pushed == nil)
        try await offers.decide(id, revision: 2)
        try await offers.service.pushDue()
        #expect(try await sent(offers).map(\.customer) == [.alice, .bob])
    }

    @Test("an offer about a place goes to who is there then; while location is away it waits")
    func place() async throws {
        let offers = try await harness()
        offers.world.put(.alice, at: Coordinate.square.moved(east: 150))
        offers.world.put(.bob, at: Coordinate.square.moved(east: 250))
        let id = try await offers.live(.ad(at: .square), .ad)
        offers.world.away(true)
        #expect(await refusal { () throws(Fault) in try await offers.service.pushDue() } == .noWorker)
        #expect(try await view(offers, id).pushed == nil)
        offers.world.away(false)
        try await offers.service.pushDue()
        #expect(try await sent(offers).map(\.customer) == [.alice])
    }

    @Test("while location is away, offers about places keep no other offer from being sent")
    func others() async throws {
        let offers = try await harness()
        for _ in 0..<12 { try await offers.live(.ad(at: .square), .ad) }
        let elsewhere = try await offers.live(.ad, .ad)
        offers.world.away(true)
        #expect(await refusal { () throws(Fault) in try await offers.service.pushDue() } == .noWorker)
        #expect(Set(try await sent(offers).map(\.offer)) == [elsewhere])
        #expect(offers.world.asked(Location.ReadPosition.type) == 2)
    }

    @Test("a restart between two groups loses nothing and sends nothing twice")
    func restart() async throws {
        let directory = try TemporaryDirectory()
        let id: OfferID
        let consumed: [String: [Envelope]]
        do {
            let offers = try await harness(.file, in: directory)
            id = try await offers.live(.ad, .ad)
            // As far as the process came: some have it, and the offer is still due.
            let offer = try #require(try await offers.store.offer(id))
            let one = Candidate(customer: .bob, place: nil, position: nil)
            #expect(try await offers.store.send(due: offer, to: [one], at: offers.clock.now))
            consumed = offers.consumed
            try await offers.close()
        }
        let again = try await OffersHarness(.file, in: directory, hearing: consumed)
        try await again.service.pushDue()
        #expect(try await sent(again).map(\.customer) == [.bob, .alice])
        try await again.service.pushDue()
        #expect(try await sent(again).count == 2)
    }

    @Test("an offer that is changed while it is sent is not sent on")
    func changed() async throws {
        let offers = try await harness()
        let id = try await offers.live(.ad, .ad)
        let offer = try #require(try await offers.store.offer(id))
        try await offers.edit(id, .ad(maxAge: 40))
        try await offers.decide(id, revision: 2)
        let one = Candidate(customer: .bob, place: nil, position: nil)
        #expect(try await !offers.store.send(due: offer, to: [one], at: offers.clock.now))
        try await offers.store.notePushed(offer, at: offers.clock.now)
        #expect(try await view(offers, id).pushed == nil)
        #expect(try await sent(offers).isEmpty)
    }

    @Test("more subscribers than one transaction takes")
    func many() async throws {
        let offers = try await harness()
        for number in 0..<450 {
            let customer = PartyID(high: 8, low: UInt64(number))
            try await offers.register(customer, .customer, "c\(number)")
            try await offers.subscribe(customer)
        }
        try await offers.live(.ad, .ad)
        try await offers.service.pushDue()
        for number in 0..<450 {
            let customer = PartyID(high: 8, low: UInt64(number))
            #expect(try await offers.store.sentLately(to: customer, at: offers.clock.now) == 1)
        }
    }

    @Test("quiet hours of an earlier version are handed over once, and the rest stays (A99)")
    func quietHours() async throws {
        let offers = try await harness()
        let old = Offers.Preferences(ads: false, perDay: 3, quietFrom: 1320, quietTo: 420, utcOffsetMinutes: -420)
        let wholeDay = Offers.Preferences(perDay: 4, quietFrom: 5, quietTo: 5)
        try await offers.store.setPreferences(old, of: .alice)
        try await offers.store.setPreferences(wholeDay, of: .bob)
        for _ in 0..<2 { try await offers.store.moveQuietHours(at: offers.clock.now) }
        try await offers.store.load(at: offers.clock.now)
        #expect(
            try await offers.facts(Offers.QuietHoursMoved.self) == [
                .init(customer: .alice, from: 1320, until: 420, offset: -420)
            ])
        let read = ReadPreferencesHandler(offers.service)
        #expect(try await read.admit(.init(customer: .alice), in: offers.context()) == .init(ads: false, perDay: 3))
        #expect(try await read.admit(.init(customer: .bob), in: offers.context()) == .init(enabled: false, perDay: 4))
    }
}
