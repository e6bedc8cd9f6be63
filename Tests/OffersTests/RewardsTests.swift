import Bus
import Contracts
import OffersService
import Primitives
import TestKit
import Testing

@Suite("stars (000-1, 000-10, 001-7)")
struct RewardsTests {
    @Test("one for each payment since the customer takes part, by merchant", arguments: StoreKind.allCases)
    func earned(kind: StoreKind) async throws {
        let offers = try await OffersHarness.peopled(kind)
        try await offers.pay()
        #expect(try await offers.stars() == .init(customer: .alice, joined: false, stars: 0, merchants: []))
        #expect(try await offers.join().joined)
        try await offers.pay(at: offers.clock.now - .milliseconds(1))
        for _ in 0..<2 { try await offers.pay() }
        try await offers.pay(to: .bakery)
        try await offers.pay(by: .bob)
        let stars = try await offers.stars()
        #expect(stars.stars == 3)
        #expect(stars.merchants.map(\.name) == ["Corner Café", "Bakery"])
        #expect(stars.merchants.map(\.stars) == [2, 1])
        #expect(try await offers.stars(.bob).stars == 0)
        // Joining again is nothing new; leaving is.
        offers.clock.advance(.seconds(5))
        #expect(try await offers.join().stars == 3)
        #expect(try await offers.join(.alice, false).stars == 0)
        #expect(try await offers.join().stars == 0)
        try await offers.pay()
        #expect(try await offers.stars().stars == 1)
    }

    @Test("a refund in full takes the star and the visit back, once; one in part neither")
    func refunds() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        try await offers.join()
        let offer = try await offers.live(.ad(minVisits: 1), .ad)
        let charge = try await offers.pay(.fresh(), 1000)
        try await offers.refund(charge, 400, inAll: 400)
        #expect(try await offers.stars().stars == 1)
        #expect(try await offers.shown() == [offer])
        try await offers.refund(charge, 600, inAll: 1000)
        #expect(try await offers.stars().stars == 0)
        #expect(try await offers.shown() == [])
        try await offers.pay()
        try await offers.refund(charge, 0, inAll: 1000)
        #expect(try await offers.stars().stars == 1)
    }

    @Test("a refund takes back what its payment brought: no star from before, and nothing where it does not say enough")
    func refundedBefore() async throws {
        let offers = try await OffersHarness.peopled()
        let early = offers.clock.now
        let before = try await offers.pay()
        offers.clock.advance(.seconds(5))
        try await offers.join()
        let since = try await offers.pay()
        try await offers.refund(before, from: early)
        try await offers.refund(since, of: nil)
        #expect(try await offers.stars().stars == 1)
        try await offers.refund(since)
        #expect(try await offers.stars().stars == 0)
        // Of a payment that was never heard of: less than nothing is nothing.
        try await offers.refund(.fresh())
        try await offers.pay()
        #expect(try await offers.stars().stars == 1)
    }

    @Test(
        "a loyalty programme: so many stars, then a coupon; using it spends them (A58)", arguments: StoreKind.allCases)
    func programme(kind: StoreKind) async throws {
        let offers = try await OffersHarness.peopled(kind)
        try await offers.subscribe()
        try await offers.join()
        let coupon = try await offers.live(.coupon(each: 10, stars: 3))
        for count in 1...5 {
            try await offers.pay()
            #expect(try await offers.shown() == (count < 3 ? [] : [coupon]))
        }
        let charge = ChargeID.fresh()
        try await offers.reserve(coupon, charge)
        #expect(try await offers.stars().stars == 2)
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon) } == .couponNotUsable)
        try await offers.close(charge)
        #expect(try await offers.stars().stars == 5)
        try await offers.reserve(coupon, charge)
        try await offers.pay(charge, 500, coupon: coupon, discount: 500)
        // Five less three, and the one that the payment brings.
        #expect(try await offers.stars().stars == 3)
        #expect(try await offers.shown() == [coupon])
    }

    @Test("a coupon that a charge was paid with costs its stars, also where the file lacks the reservation")
    func lostReservation() async throws {
        let directory = try TemporaryDirectory()
        let consumed: [String: [Envelope]]
        do {
            let offers = try await OffersHarness.peopled(.file, in: directory)
            let coupon = try await offers.live(.coupon(each: 10, stars: 3))
            // A customer without stars loses none.
            try await offers.pay(.fresh(), 500, coupon: coupon, discount: 500)
            try await offers.join()
            for _ in 1...5 { try await offers.pay() }
            #expect(try await offers.stars().stars == 5)
            try await offers.pay(.fresh(), 500, coupon: coupon, discount: 500)
            #expect(try await offers.stars().stars == 3)
            try await offers.store.writeSums()
            consumed = offers.consumed
        }
        let again = try await OffersHarness(.file, in: directory, hearing: consumed)
        #expect(try await again.stars().stars == 3)
    }

    @Test(
        "stars are there after a restart, spent ones too, whether they had been written or not",
        arguments: [true, false])
    func restart(isWritten: Bool) async throws {
        let directory = try TemporaryDirectory()
        let consumed: [String: [Envelope]]
        do {
            let offers = try await OffersHarness.peopled(.file, in: directory)
            try await offers.subscribe()
            try await offers.join()
            let coupon = try await offers.live(.coupon(stars: 1))
            try await offers.pay()
            if isWritten { try await offers.store.writeSums() }
            for _ in 0..<2 { try await offers.pay() }
            try await offers.reserve(coupon)
            #expect(try await offers.stars().stars == 2)
            consumed = offers.consumed
        }
        let again = try await OffersHarness(.file, in: directory, hearing: consumed)
        #expect(try await again.stars().stars == 2)
        #expect(try await again.stars().merchants.map(\.name) == ["Corner Café"])
        try await again.pay()
        #expect(try await again.stars().stars == 3)
    }

    @Test("who has just paid finds the star: payments' facts up to the newest are applied first")
    func news() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.join()
        offers.world.payments(head: 7)
        let service = DealService(
            store: offers.store, asking: offers.world, clock: offers.clock.wall,
            appliedPayments: { sequence, _ throws(Fault) in
                guard sequence == 7 else { throw Fault(.unavailable) }
                do { try await offers.pay() } catch { throw Fault(.unavailable) }
            })
        let alice = Actor(role: .customer, party: .alice)
        let view = try await ReadRewardsHandler(service).admit(.init(customer: .alice), in: offers.context(alice))
        #expect(view.stars == 1)
        // Without payments, what is known has to do.
        #expect(try await offers.stars().stars == 1)
    }
}
