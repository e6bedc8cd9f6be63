import Bus
import Contracts
import Foundation
import GRDB
import OffersService
import Primitives
import TestKit
import Testing

// Its troubles are triggers in SQLite's words.
@Suite(
    "when the disk is in trouble", .enabled(if: ProcessInfo.processInfo.environment["BILLFOLD_TEST_STORE"] == nil))
struct StorageTroubleTests {
    /// Lets a statement fail behind the store's back.
    private func breakDown(_ offers: OffersHarness, _ event: String) async throws {
        try await offers.store.write { transaction in
            try transaction.script(
                "CREATE TEMP TRIGGER trouble BEFORE \(event) BEGIN SELECT RAISE(ABORT, 'trouble'); END")
        }
    }

    private func mend(_ offers: OffersHarness) async throws {
        try await offers.store.write { try $0.script("DROP TRIGGER trouble") }
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
        let published = [
            offers.envelope(
                of: Payments.ChargeCaptured(
                    charge: .fresh(), merchant: .cafe, customer: .alice, card: CardID(high: 7, low: 7),
                    amount: Money(100), memo: "", entry: 1, time: offers.clock.now)),
            offers.envelope(
                of: Payments.ChargeClosed(
                    charge: charge, merchant: .cafe, customer: .alice, amount: Money(1000), reason: .declined,
                    time: offers.clock.now))
        ]
        // The end of a reservation, which memory has seen by then.
        try await breakDown(offers, "UPDATE ON reservations")
        for _ in 0..<2 {
            await #expect(throws: Fault(.unavailable)) { try await offers.consume(published) }
            #expect(try await offers.stars().stars == 0)
            #expect(try await offers.shown() == [])
        }
        try await mend(offers)
        try await offers.consume(published)
        #expect(try await offers.stars().stars == 1)
        #expect(try await offers.shown() == [coupon])
    }

    @Test("what was rolled back is not there for the piece of work behind it, either")
    func nextPiece() async throws {
        let offers = try await OffersHarness.peopled()
        for customer in [PartyID.alice, .bob] { try await offers.subscribe(customer) }
        let coupon = try await offers.live(.coupon(inAll: 1))
        let charge = ChargeID.fresh()
        try await offers.reserve(coupon, charge)
        // The end of the reservation, which memory has seen by then.
        try await breakDown(offers, "UPDATE ON reservations")
        let begun = Counter()
        let end = DispatchSemaphore(value: 0)
        async let held: Void = offers.store.read { _ in
            begun.add()
            end.wait()
        }
        await begun.reach(1)
        let closed = Task {
            try await offers.store.settle(charge, .closed, at: offers.clock.now, causedBy: offers.context())
        }
        while offers.store.store.waitingCount < 1 { await Task.yield() }
        async let refused = refusal { () throws(Fault) in try await offers.reserve(coupon, by: .bob) }
        while offers.store.store.waitingCount < 2 { await Task.yield() }
        end.signal()
        try await held
        await #expect(throws: Fault(.unavailable)) { try await closed.value }
        #expect(await refused == .couponUsedUp)
    }

    @Test("sums that the file does not have yet are neither lost nor counted twice, whatever fails meanwhile")
    func unwritten() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.join()
        for _ in 0..<3 { try await offers.pay() }
        try await breakDown(offers, "INSERT ON cursors")
        for stars in 4...5 {
            await #expect(throws: Fault(.unavailable)) { try await offers.store.writeSums() }
            try await offers.pay()
            #expect(try await offers.stars().stars == stars)
        }
        try await mend(offers)
        // Whatever fails has the index read anew, from a file that has none of them.
        try await breakDown(offers, "INSERT ON offers")
        #expect(await refusal { () throws(Fault) in try await offers.submit() } == .unavailable)
        #expect(try await offers.stars().stars == 5)
        #expect(try await written(offers, "visits") == 0)
        for _ in 0..<2 { try await offers.store.writeSums() }
        #expect(try await written(offers, "visits") == 5)
        // And now from one that has all but the last.
        try await offers.pay()
        #expect(await refusal { () throws(Fault) in try await offers.submit() } == .unavailable)
        #expect(try await offers.stars().stars == 6)
        try await mend(offers)
        try await offers.store.writeSums()
        #expect(try await written(offers, "visits") == 6)
        #expect(try await written(offers, "stars") == 6)
    }

    @Test("who leaves the stars leaves those behind that were not written yet")
    func leaves() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.join()
        for _ in 0..<3 { try await offers.pay() }
        try await offers.join(.alice, false)
        try await offers.pay()
        try await offers.store.writeSums()
        #expect(try await written(offers, "visits") == 4)
        #expect(try await written(offers, "stars") == 0)
    }

    private func written(_ offers: OffersHarness, _ sum: String) async throws -> Int {
        try await offers.store.read { try $0.value("SELECT CAST(sum(\(sum)) AS INTEGER) FROM histories") ?? 0 }
    }

    @Test("a file of the version before goes on with its sums")
    func migrates() async throws {
        let directory = try TemporaryDirectory()
        do {
            let offers = try await OffersHarness.peopled(.file, in: directory)
            try await offers.join()
            for _ in 0..<2 { try await offers.pay() }
            try await offers.store.writeSums()
            try await offers.close()
        }
        // As the third version left it.
        try await DatabaseQueue(path: directory.path + "/offers.sqlite").write { database in
            try database.execute(
                sql: """
                    DROP TABLE paid;
                    CREATE TABLE purchases (charge BLOB PRIMARY KEY, customer BLOB, star INTEGER) STRICT, WITHOUT ROWID;
                    CREATE INDEX purchases_with_star ON purchases (customer) WHERE star = 1;
                    INSERT INTO purchases VALUES (x'01', x'02', 1);
                    DELETE FROM grdb_migrations WHERE identifier LIKE '4:%';
                    """)
        }
        let offers = try await OffersHarness(.file, in: directory)
        try await offers.pay()
        #expect(try await offers.stars().stars == 3)
        try await offers.refund(.fresh())
        #expect(try await offers.stars().stars == 2)
    }

    @Test("a store whose state goes over to another program refuses, and what memory has stays as it is")
    func sealed() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let coupon = try await offers.live()
        let copy = try await offers.store.store.handOver.follow([]).copy
        _ = try await offers.store.store.handOver.seal(copy, true)
        // Empty: if it were read from the file again, it would not be.
        try await offers.store.load(at: offers.clock.now, from: CopiedDeals(at: offers.clock.now))
        #expect(await refusal { () throws(Fault) in try await offers.submit() } == .unavailable)
        #expect(try await offers.shown() == [])
        _ = try await offers.store.store.handOver.seal(copy, false)
        try await offers.store.load(at: offers.clock.now)
        #expect(try await offers.shown() == [coupon])
        try await offers.submit()
    }
}
