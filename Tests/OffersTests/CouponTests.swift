import Bus
import Contracts
import OffersService
import Primitives
import TestKit
import Testing

@Suite("coupons and the money of their charges")
struct CouponTests {
    private func harness(
        _ kind: StoreKind = .inMemory, in directory: TemporaryDirectory? = nil
    ) async throws -> OffersHarness {
        let offers = try await OffersHarness.peopled(kind, in: directory)
        try await offers.subscribe()
        try await offers.subscribe(.bob)
        return offers
    }

    @Test("a reservation is made once for a charge and a coupon, and says so", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        let offers = try await harness(kind)
        let coupon = try await offers.live(.coupon(each: 1))
        let charge = ChargeID.fresh()
        #expect(try await offers.reserve(coupon, charge) == .init(discount: Money(500), replayed: false))
        offers.clock.advance(.seconds(10))
        #expect(try await offers.reserve(coupon, charge) == .init(discount: Money(500), replayed: true))
        // The same two for something else.
        #expect(
            await refusal { () throws(Fault) in try await offers.reserve(coupon, charge, 1001) } == .idReusedForCoupon)
        #expect(
            await refusal { () throws(Fault) in try await offers.reserve(coupon, charge, by: .bob) }
                == .idReusedForCoupon)
        #expect(
            await refusal { () throws(Fault) in try await offers.reserve(coupon, charge, at: .bakery) }
                == .idReusedForCoupon)
        // Used, as far as the customer is concerned, before it is.
        await #expect {
            try await offers.reserve(coupon)
        } throws: { error in
            let fault = error as? Fault
            return fault?.code == .couponUsedUp && fault?.detail?.contains("is being paid has it") == true
        }
        #expect(try await offers.shown() == [])
        try await offers.pay(charge, 500, coupon: coupon, discount: 500)
        await #expect(throws: Fault(.couponUsedUp)) { try await offers.reserve(coupon) }
        // Another customer's reservation is nothing to wait for.
        try await offers.reserve(coupon, by: .bob)
        await #expect(throws: Fault(.couponUsedUp)) { try await offers.reserve(coupon) }
    }

    @Test("captured with the coupon: redeemed, and told; captured or closed without: free again")
    func ends() async throws {
        let offers = try await harness()
        let coupon = try await offers.live(.coupon(each: 1))
        for end in 0..<2 {
            let charge = ChargeID.fresh()
            try await offers.reserve(coupon, charge)
            if end == 0 { try await offers.close(charge, .expired) } else { try await offers.pay(charge) }
            #expect(try await offers.shown() == [coupon])
            #expect(try await offers.facts(Offers.CouponRedeemed.self).isEmpty)
        }
        let charge = ChargeID.fresh()
        try await offers.reserve(coupon, charge)
        try await offers.pay(charge, 500, coupon: coupon, discount: 500)
        #expect(
            try await offers.facts(Offers.CouponRedeemed.self) == [
                Offers.CouponRedeemed(
                    coupon: coupon, charge: charge, customer: .alice, merchant: .cafe, discount: Money(500),
                    time: offers.clock.now)
            ])
        #expect(try await offers.shown() == [])
        #expect(try await offers.history().used.map(\.charge) == [charge])
        // Asked again, it is what it was.
        #expect(try await offers.reserve(coupon, charge).replayed)
        // A late word of its end changes nothing.
        try await offers.close(charge)
        #expect(try await offers.history().used.count == 1)
        #expect(try await offers.facts(Offers.CouponRedeemed.self).count == 1)
    }

    @Test("a charge for which several were tried is captured with one: the others are free again")
    func several() async throws {
        let offers = try await harness()
        let (first, second) = (try await offers.live(.coupon(each: 1)), try await offers.live(.coupon(each: 1)))
        let charge = ChargeID.fresh()
        try await offers.reserve(first, charge)
        try await offers.reserve(second, charge)
        #expect(try await offers.shown() == [])
        try await offers.pay(charge, 500, coupon: second, discount: 500)
        #expect(try await offers.shown() == [first])
        #expect(try await offers.facts(Offers.CouponRedeemed.self).map(\.coupon) == [second])
    }

    @Test("the limit in all holds whoever comes, over reserved and redeemed", arguments: StoreKind.allCases)
    func limit(kind: StoreKind) async throws {
        let offers = try await harness(kind)
        let coupon = try await offers.live(.coupon(each: 10, inAll: 5))
        let charges = (0..<20).map { _ in ChargeID.fresh() }
        let taken = await withTaskGroup(of: ChargeID?.self) { group in
            for (place, charge) in charges.enumerated() {
                group.addTask {
                    let refused = await refusal { () throws(Fault) in
                        try await offers.reserve(coupon, charge, by: place % 2 == 0 ? .alice : .bob)
                    }
                    return refused == nil ? charge : nil
                }
            }
            return await group.reduce(into: [ChargeID]()) { taken, charge in if let charge { taken.append(charge) } }
        }
        #expect(taken.count == 5)
        try await offers.close(taken[0])
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon) } == nil)
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon) } == .couponUsedUp)
    }

    @Test("what a coupon takes off: rounded half up, at least one, never all of it")
    func discounts() {
        func taken(_ discount: Offers.Discount, _ minor: Int64) -> Int64? { discount.taken(off: Money(minor))?.amount }
        #expect(taken(.init(percent: 50), 1000) == 500)
        #expect(taken(.init(percent: 50), 5) == 3)
        #expect(taken(.init(percent: 10), 14) == 1)
        #expect(taken(.init(percent: 10), 15) == 2)
        #expect(taken(.init(percent: 1), 2) == 1)
        #expect(taken(.init(percent: 99), 10) == 9)
        #expect(taken(.init(percent: 50), 1) == nil)
        #expect(taken(.init(percent: 50), .max) == 4_611_686_018_427_387_904)
        #expect(taken(.init(amount: Money(300)), 1000) == 300)
        #expect(taken(.init(amount: Money(300)), 300) == 299)
        #expect(taken(.init(amount: Money(300, Currency("EUR")!)), 1000) == nil)
        #expect(taken(.init(), 1000) == nil)
    }

    @Test("a coupon is for its merchant, from its least amount on, by the rules, and no ad is one")
    func refusals() async throws {
        let offers = try await harness()
        let coupon = try await offers.live(.coupon(minimum: 500))
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon, .fresh(), 499) } == .couponMinimum)
        #expect(
            await refusal { () throws(Fault) in try await offers.reserve(coupon, at: .bakery) } == .couponNotUsable)
        let ad = try await offers.live(.ad, .ad)
        #expect(await refusal { () throws(Fault) in try await offers.reserve(ad) } == .offerNotFound)
        let words = try await offers.live(.ad, .coupon)
        #expect(await refusal { () throws(Fault) in try await offers.reserve(words) } == .couponNotUsable)
        #expect(await refusal { () throws(Fault) in try await offers.reserve(.fresh()) } == .offerNotFound)
        let pending = try await offers.submit().offer.offer
        #expect(await refusal { () throws(Fault) in try await offers.reserve(pending) } == .couponNotUsable)
        try await offers.enable(coupon, false)
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon) } == .couponNotUsable)
        try await offers.enable(coupon, true)
        try await offers.subscribe(coupons: false)
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon) } == .couponNotUsable)
        try await offers.subscribe()
        offers.clock.advance(DealRules.lifetime + .milliseconds(1))
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon) } == .couponNotUsable)
    }

    @Test("a charge that was requested and is paid takes no other coupon", arguments: StoreKind.allCases)
    func paid(kind: StoreKind) async throws {
        let offers = try await harness(kind)
        let coupon = try await offers.live()
        let charge = try await offers.pay(requested: true)
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon, charge) } == .couponNotUsable)
    }

    @Test("a reservation of which payments' facts say nothing long after its charge's end is released")
    func unknownCharges() async throws {
        let offers = try await harness()
        let coupon = try await offers.live(.coupon(each: 5))
        let (unknown, captured) = (ChargeID.fresh(), ChargeID.fresh())
        for charge in [unknown, captured] { try await offers.reserve(coupon, charge) }
        offers.world.payments(head: 7)
        let service = DealService(
            store: offers.store, asking: offers.world, clock: offers.clock.wall,
            appliedPayments: { sequence, _ throws(Fault) in
                guard sequence == 7 else { throw Fault(.unavailable) }
                // The fact says with which coupon.
                do { try await offers.pay(captured, 500, coupon: coupon, discount: 500) } catch {
                    throw Fault(.unavailable)
                }
            })
        offers.clock.advance(.seconds(300 + 60))
        try await service.sweep()
        #expect(offers.world.asked(ReadFacts<Payments>.type) == 0)
        offers.clock.advance(.milliseconds(1))
        try await service.sweep()
        #expect(try await offers.store.overdue(before: offers.clock.now, limit: 10).isEmpty)
        #expect(try await offers.facts(Offers.CouponRedeemed.self).map(\.charge) == [captured])
        #expect(try await offers.history().used.count == 1)
        // What was released, and captured all the same: money is right.
        try await offers.pay(unknown, 500, coupon: coupon, discount: 500)
        #expect(try await offers.facts(Offers.CouponRedeemed.self).map(\.charge) == [captured, unknown])
        #expect(try await offers.history().used.count == 2)
    }

    @Test("while payments' facts cannot be read, no reservation is released")
    func unreadFacts() async throws {
        let offers = try await harness()
        try await offers.reserve(try await offers.live(.coupon(each: 5)), .fresh())
        offers.clock.advance(.seconds(361))
        #expect(await refusal { () throws(Fault) in try await offers.service.sweep() } == .noWorker)
        #expect(try await offers.store.overdue(before: offers.clock.now, limit: 10).count == 1)
    }

    @Test("a captured charge whose reservation is not in the file counts all the same")
    func adopted() async throws {
        let offers = try await harness()
        let coupon = try await offers.live(.coupon(each: 1))
        let charge = try await offers.pay(.fresh(), 500, coupon: coupon, discount: 500)
        #expect(try await offers.facts(Offers.CouponRedeemed.self).map(\.charge) == [charge])
        #expect(try await offers.shown() == [])
    }

    @Test(
        "after a restart, all is as it was: what is reserved, redeemed, released, and how often",
        arguments: [true, false])
    func restart(isWritten: Bool) async throws {
        let directory = try TemporaryDirectory()
        let (redeemed, open) = (ChargeID.fresh(), ChargeID.fresh())
        let coupon: OfferID
        let facts: Int
        let consumed: [String: [Envelope]]
        do {
            let offers = try await harness(.file, in: directory)
            coupon = try await offers.live(.coupon(each: 2, inAll: 3))
            try await offers.reserve(coupon, redeemed)
            try await offers.reserve(coupon, open)
            try await offers.reserve(coupon, by: .bob)
            try await offers.pay(redeemed, 500, coupon: coupon, discount: 500)
            if isWritten { try await offers.store.writeSums() }
            facts = try await offers.facts().count
            consumed = offers.consumed
        }
        let again = try await OffersHarness(.file, in: directory, hearing: consumed)
        #expect(try await again.facts().count == facts)
        #expect(try await again.reserve(coupon, open).replayed)
        #expect(await refusal { () throws(Fault) in try await again.reserve(coupon) } == .couponUsedUp)
        #expect(await refusal { () throws(Fault) in try await again.reserve(coupon, by: .bob) } == .couponUsedUp)
        try await again.close(open)
        #expect(await refusal { () throws(Fault) in try await again.reserve(coupon, by: .bob) } == nil)
        #expect(try await again.history().used.map(\.charge) == [redeemed])
    }

    @Test(
        "a coupon that is prolonged after its end counts on, with what was redeemed and what is still reserved",
        arguments: [true, false])
    func prolonged(isLoadedAgain: Bool) async throws {
        let offers = try await harness()
        let coupon = try await offers.live(.coupon(each: 1, inAll: 3))
        let (redeemed, open) = (ChargeID.fresh(), ChargeID.fresh())
        try await offers.reserve(coupon, redeemed)
        try await offers.reserve(coupon, open, by: .bob)
        try await offers.pay(redeemed, 500, coupon: coupon, discount: 500)
        offers.clock.advance(DealRules.lifetime + .milliseconds(1))
        if isLoadedAgain {
            try await offers.store.load(at: offers.clock.now)
        } else {
            try await offers.store.sweep(at: offers.clock.now)
        }
        #expect(try offers.store.index { index in index.offer(coupon) } == nil)
        let uses = try await offers.explain(coupon).verdicts.first { $0.rule == .uses }
        #expect(uses?.found == "1 by the customer, 2 in all" && uses?.passes == false)

        try await offers.store.sweep(at: offers.clock.now)
        try await offers.edit(coupon, .coupon(each: 1, inAll: 3, to: offers.clock.now + .seconds(600)))
        try await offers.decide(coupon, revision: 2)
        for customer in [PartyID.alice, .bob] {
            #expect(try await offers.shown(customer) == [])
            #expect(
                await refusal { () throws(Fault) in try await offers.reserve(coupon, by: customer) } == .couponUsedUp)
        }
        try await offers.close(open)
        #expect(try await offers.shown(.bob) == [coupon])
        try await offers.reserve(coupon, by: .bob)
    }

    @Test(
        "a coupon that had ended by a clock that was ahead counts on, and is shown again when the clock is right",
        arguments: [true, false])
    func clockAhead(isLoadedAgain: Bool) async throws {
        let offers = try await harness()
        let coupon = try await offers.live(.coupon(each: 1, inAll: 1))
        let charge = ChargeID.fresh()
        try await offers.reserve(coupon, charge)
        try await offers.pay(charge, 500, coupon: coupon, discount: 500)
        let other = try await offers.live()
        let ahead = offers.clock.now + DealRules.lifetime + .seconds(1)
        if isLoadedAgain {
            try await offers.store.load(at: ahead)
        } else {
            try await offers.store.sweep(at: ahead)
        }
        for customer in [PartyID.alice, .bob] {
            #expect(
                await refusal { () throws(Fault) in try await offers.reserve(coupon, by: customer) } == .couponUsedUp)
        }
        #expect(try await offers.shown(.bob) == [])
        try await offers.store.sweep(at: offers.clock.now)
        #expect(try await offers.shown(.bob) == [other])
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon, by: .bob) } == .couponUsedUp)
    }

    @Test("a coupon's uses in all are not made fewer than there were")
    func fewerUses() async throws {
        let offers = try await harness()
        let coupon = try await offers.live(.coupon(each: 1, inAll: 3))
        for customer in [PartyID.alice, .bob] { try await offers.reserve(coupon, by: customer) }
        #expect(
            await refusal { () throws(Fault) in try await offers.edit(coupon, .coupon(each: 1, inAll: 1)) }
                == .offerInvalid)
        #expect(try await offers.edit(coupon, .coupon(each: 1, inAll: 2)).terms.usesInAll == 2)
    }

    @Test("facts that are told again change nothing", arguments: StoreKind.allCases)
    func toldAgain(kind: StoreKind) async throws {
        let offers = try await harness(kind)
        let coupon = try await offers.live(.coupon(each: 2))
        try await offers.join()
        let charge = ChargeID.fresh()
        try await offers.reserve(coupon, charge)
        let fact = offers.envelope(
            of: Payments.ChargeCaptured(
                charge: charge, merchant: .cafe, customer: .alice, card: CardID(high: 7, low: 7), amount: Money(500),
                memo: "", entry: 1, time: offers.clock.now, coupon: coupon, discount: Money(500)))
        for _ in 0..<3 { try await offers.consume([fact]) }
        try await offers.consume([fact, fact])
        #expect(try await offers.facts(Offers.CouponRedeemed.self).count == 1)
        #expect(try await offers.stars().stars == 1)
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon) } == nil)
        #expect(await refusal { () throws(Fault) in try await offers.reserve(coupon) } == .couponUsedUp)
    }
}
