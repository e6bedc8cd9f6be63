import Bus
import Contracts
import Deals
import GRDB
import Primitives
import Testing

@Suite("when the disk is in trouble")
struct StorageTroubleTests {
    /// Lets a statement fail behind the store's back.
    private func breakDown(_ offers: OffersHarness, _ event: String) async throws {
        try await offers.store.write { database in
            try database.execute(
                sql: "CREATE TEMP TRIGGER trouble BEFORE \(event) BEGIN SELECT RAISE(ABORT, 'trouble'); END")
        }
    }

    private func mend(_ offers: OffersHarness) async throws {
        try await offers.store.write { try $0.execute(sql: "DROP TRIGGER trouble") }
    }

    @Test("nothing is changed, in the file or in memory, and the same ask succeeds later")
    func submission() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let id = try await offers.submit().offer.offer
        try await breakDown(offers, "INSERT ON facts")
        #expect(await refusal { () throws(Fault) in try await offers.decide(id) } == .unavailable)
        #expect(await refusal { () throws(Fault) in try await offers.submit() } == .unavailable)
        #expect(try await offers.shown() == [])
        try await mend(offers)
        #expect(try await offers.decide(id).replayed == false)
        #expect(try await offers.shown() == [id])
        #expect(try await offers.facts(Offers.OfferSubmitted.self).count == 1)
    }

    @Test("what memory has beyond the file is forgotten: facts that could not be applied are applied once, later")
    func facts() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        try await offers.join()
        let coupon = try await offers.live(.coupon(each: 1))
        let charge = ChargeID.fresh()
        try await offers.reserve(coupon, charge)
        let told = [
            offers.envelope(
                of: Payments.ChargeCaptured(
                    charge: .fresh(), merchant: .cafe, customer: .alice, card: CardID(high: 7, low: 7),
                    amount: Money(100), memo: "", entry: 1, time: offers.clock.now)),
            offers.envelope(
                of: Payments.ChargeClosed(
                    charge: charge, merchant: .cafe, customer: .alice, amount: Money(1000), reason: .declined,
                    time: offers.clock.now))
        ]
        // The last of what the transaction writes, when memory has seen the rest.
        try await breakDown(offers, "INSERT ON cursors")
        for _ in 0..<2 {
            await #expect(throws: Fault(.unavailable)) { try await offers.tell(told) }
            #expect(try await offers.stars().stars == 0)
            #expect(try await offers.shown() == [])
        }
        try await mend(offers)
        try await offers.tell(told)
        #expect(try await offers.stars().stars == 1)
        #expect(try await offers.shown() == [coupon])
    }
}
