import Bus
import Contracts
import OffersService
import Primitives
import TestKit
import Testing

@Suite("what came of an offer")
struct OutcomeTests {
    private func outcome(
        _ offer: OfferID, _ offers: OffersHarness, actor: Actor? = nil
    ) async throws(Fault) -> Offers.ReadOutcome.Reply {
        try await ReadOutcomeHandler(offers.service).admit(.init(offer: offer), in: offers.context(actor))
    }

    @discardableResult
    private func see(
        _ offer: OfferID, by customer: PartyID = .alice, _ offers: OffersHarness
    ) async throws(Fault) -> Timestamp {
        try await SeeDealHandler(offers.service).admit(
            .init(customer: customer, offer: offer), in: offers.context(Actor(role: .customer, party: customer))
        ).seen
    }

    @Test("nobody, then each customer once, and all that was paid with it", arguments: StoreKind.allCases)
    func counted(kind: StoreKind) async throws {
        let offers = try await OffersHarness.peopled(kind)
        try await offers.subscribe()
        let coupon = try await offers.live(.coupon(each: 5))
        let none = Offers.ReadOutcome.Reply(
            offer: coupon, sent: 0, seen: 0, customers: 0, used: 0, discount: Money(0), paid: Money(0))
        #expect(try await outcome(coupon, offers) == none)

        let first = try await see(coupon, offers)
        offers.clock.advance(.seconds(10))
        #expect(try await see(coupon, offers) == first)
        try await see(coupon, by: .bob, offers)
        for _ in 0..<2 {
            let charge = ChargeID.fresh()
            try await offers.reserve(coupon, charge)
            try await offers.pay(charge, 500, coupon: coupon, discount: 500)
        }
        // One that was not paid with it, and another coupon's.
        let open = ChargeID.fresh()
        try await offers.reserve(coupon, open)
        try await offers.close(open)
        try await see(try await offers.live(.coupon(each: 1)), offers)
        #expect(
            try await outcome(coupon, offers)
                == Offers.ReadOutcome.Reply(
                    offer: coupon, sent: 0, seen: 2, customers: 1, used: 2, discount: Money(1000), paid: Money(1000)))
    }

    @Test("a charge that a restored copy lacks counts with what was asked for")
    func adopted() async throws {
        let offers = try await OffersHarness.peopled()
        let coupon = try await offers.live(.coupon(each: 5))
        try await offers.pay(.fresh(), 700, coupon: coupon, discount: 300)
        let found = try await outcome(coupon, offers)
        #expect((found.used, found.discount, found.paid) == (1, Money(300), Money(700)))
    }

    @Test("a merchant learns of its own offers only, and a customer sees what is approved only")
    func permission() async throws {
        let offers = try await OffersHarness.peopled()
        let draft = try await offers.submit().offer.offer
        #expect(await refusal { () throws(Fault) in try await see(draft, offers) } == .offerNotFound)
        let bakery = Actor(role: .merchant, party: .bakery)
        #expect(
            await refusal { () throws(Fault) in try await outcome(draft, offers, actor: bakery) } == .offerNotFound)
        #expect(try await outcome(draft, offers, actor: Actor(role: .merchant, party: .cafe)).seen == 0)
        #expect(
            await refusal { () throws(Fault) in
                try await outcome(draft, offers, actor: Actor(role: .customer, party: .alice))
            } == .forbidden)
    }
}
