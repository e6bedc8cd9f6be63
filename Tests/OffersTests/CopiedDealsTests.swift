import Bus
import Contracts
import Foundation
import OffersService
import Primitives
import Testing

// A state of PostgreSQL is not handed over.
@Suite(
    "the offer index, copied from rows", .enabled(if: ProcessInfo.processInfo.environment["BILLFOLD_TEST_STORE"] == nil)
)
struct CopiedDealsTests {
    /// Reads all tables of a hand-over on to their present ends, as a program does that takes over.
    private func read(
        _ offers: OffersHarness, _ followed: FollowedState, _ places: inout [String: String], into copied: CopiedDeals
    ) async throws {
        for table in followed.tables {
            while true {
                let page = try await offers.store.store.handOver.page(
                    of: followed.copy, table: table.name, after: places[table.name], limit: 3)
                try copied.put(
                    try table.rows(page.rows), removing: try table.rows(page.removed), in: table.name)
                places[table.name] = page.next
                if page.isEnd { break }
            }
        }
    }

    /// What customers are shown and merchants are told, all of it from the index.
    private struct Seen: Equatable {
        var shown: [OfferID] = []
        var bobs: [OfferID] = []
        var stars: Int64 = 0
        var audience: Int64 = 0
        var sellers: [PartyID] = []

        init(_ offers: OffersHarness, _ coupon: OfferID) async throws {
            shown = try await offers.shown()
            bobs = try await offers.shown(.bob)
            stars = Int64(try await offers.stars().stars)
            audience = Int64(try await offers.audience(coupon).audience)
            sellers = try offers.store.index { index in index.merchants(named: nil, selling: "tea") }
        }
    }

    @Test("shows what the one that serves shows, also of what was changed while it was copied")
    func same() async throws {
        let offers = try await OffersHarness.peopled()
        for customer in [PartyID.alice, .bob] { try await offers.subscribe(customer) }
        try await offers.subscribe(.alice, to: .bakery)
        try await offers.join()
        try await offers.sell(["tea", "cake"], by: .cafe)
        let once = try await offers.live(.coupon(each: 1))
        let further = [
            try await offers.live(by: .bakery), try await offers.live(), try await offers.submit().offer.offer
        ]
        let (open, paid) = (ChargeID.fresh(), ChargeID.fresh())
        try await offers.reserve(once, open)
        try await offers.reserve(further[1], paid)
        try await offers.pay(paid, coupon: further[1], discount: 100)
        for _ in 0..<3 { try await offers.pay() }
        try await offers.store.writeSums()

        let copied = CopiedDeals(at: offers.clock.now)
        let followed = try await offers.store.store.handOver.follow([])
        var places: [String: String] = [:]
        try await read(offers, followed, &places, into: copied)
        // The coupon can be used again, a subscription ends, the bakery's offer is off, another one is accepted.
        try await offers.close(open)
        try await offers.subscribe(.bob, ads: false, coupons: false)
        try await offers.enable(further[0], false, by: .bakery)
        try await offers.decide(further[2])
        try await offers.sell(["tea"], by: .bakery)
        try await offers.sell(["coffee"], by: .cafe)
        try await offers.prefer(.init(muted: [.bakery]))
        try await offers.pay()
        try await offers.store.writeSums()
        try await read(offers, followed, &places, into: copied)

        let before = try await Seen(offers, once)
        #expect(before.shown.contains(once) && before.shown.contains(further[2]) && before.bobs.isEmpty)
        #expect(before.sellers == [.bakery] && before.stars == 5)
        #expect(!copied.hasQuietHours)
        try await offers.store.load(at: offers.clock.now, from: copied)
        #expect(try await Seen(offers, once) == before)
        // The limit of the coupon counts on.
        try await offers.reserve(once)
        #expect(try await !offers.shown().contains(once))
        try await offers.store.load(at: offers.clock.now)
        #expect(try await !offers.shown().contains(once))
    }

    @Test("is read from the file where a row is gone that offers never deletes")
    func gone() async throws {
        let offers = try await OffersHarness.peopled()
        try await offers.subscribe()
        let coupon = try await offers.live()
        let copied = CopiedDeals(at: offers.clock.now)
        try copied.put([], removing: [["account": .bytes(PartyID.bob.bytes)]], in: "accounts")
        try await offers.store.load(at: offers.clock.now, from: copied)
        #expect(try await offers.shown() == [coupon])
    }

    @Test("a row that is none of offers' is refused; quiet hours of an earlier version are noticed")
    func rows() throws {
        let copied = CopiedDeals(at: Timestamp(milliseconds: 0))
        for (table, row) in [
            ("offers", ["number": .integer(1)]), ("accounts", ["account": .text("alice")]),
            ("reservations", ["number": .integer(1), "state": .integer(9)]), ("histories", [:])
        ] as [(String, StateRow)] {
            #expect(throws: StateMismatch.self) { try copied.put([row], removing: [], in: table) }
        }
        let body = Offers.Preferences(quietFrom: 60, quietTo: 120).json
        try copied.put(
            [["customer": .bytes(PartyID.alice.bytes), "body": .bytes(body)]], removing: [], in: "preferences")
        #expect(copied.hasQuietHours)
    }
}
