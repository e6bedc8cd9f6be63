import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("limits of requests: nobody is flooded by one merchant")
struct RequestLimitTests {
    private func refusal(_ payments: PaymentsHarness, _ ask: Payments.RequestCharge) async -> Fault? {
        do throws(Fault) {
            try await payments.ask(ask)
            return nil
        } catch { return error }
    }

    @Test(
        "of one merchant so many wait for one customer, and another is refused until one of them has ended",
        arguments: StoreKind.allCases)
    func pair(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind, rules: ChargeRules(waitingMax: 3))
        for number in 1...UInt64(3) {
            try await payments.ask(Payments.RequestCharge.sample(.test(number)), as: .shop)
            payments.clock.advance(.seconds(1))
        }
        let facts = try await payments.facts().count
        let refused = try #require(await refusal(payments, .sample(.test(4))))
        #expect(refused.code == .tooManyRequests && refused.code.status == 429 && refused.code.retry == .later)
        // The first of them ends after 300 s, of which three have gone by.
        #expect(refused.retryAfterSeconds == 297)
        payments.clock.advance(.milliseconds(100))
        #expect(await refusal(payments, .sample(.test(4)))?.retryAfterSeconds == 297)
        #expect(try await payments.facts().count == facts)
        #expect(try await payments.store.charge(.test(4)) == nil)

        // Others are not concerned, and what was made is told again.
        try await payments.ask(Payments.RequestCharge.sample(.test(5), customer: .carol), as: .shop)
        try await payments.ask(Payments.RequestCharge.sample(.test(6), merchant: .bakery), as: .bakery)
        #expect(try await payments.ask(Payments.RequestCharge.sample(.test(1)), as: .shop).replayed)

        for (number, end) in [Payments.DeclineCharge(charge: .test(1), customer: .alice)].enumerated() {
            try await payments.ask(end)
            try await payments.deliverNews()
            #expect(await refusal(payments, .sample(.test(UInt64(10 + number)))) == nil)
            #expect(await refusal(payments, .sample(.test(UInt64(20 + number))))?.code == .tooManyRequests)
        }
    }

    @Test("requests that were taken back count until their time is over", arguments: StoreKind.allCases)
    func takenBack(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind, rules: ChargeRules(waitingMax: 2))
        for number in 1...UInt64(2) {
            try await payments.ask(Payments.RequestCharge.sample(.test(number)), as: .shop)
            try await payments.ask(Payments.CancelCharge(charge: .test(number), merchant: .shop))
            try await payments.deliverNews()
        }
        #expect(await refusal(payments, .sample(.test(3)))?.code == .tooManyRequests)
        payments.clock.advance(.seconds(300))
        #expect(await refusal(payments, .sample(.test(3))) == nil)
    }

    @Test("asked for at once, no more wait than may")
    func race() async throws {
        let payments = try PaymentsHarness(rules: ChargeRules(waitingMax: 5))
        let refused = await withTaskGroup(of: Bool.self) { group in
            for number in 1...UInt64(60) {
                group.addTask { await refusal(payments, .sample(.test(number)))?.code == .tooManyRequests }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(refused == 55)
        #expect(try await payments.facts().count == 5)
    }

    @Test("what a merchant asks of customers who do not know it counts, though it is refused")
    func strangers() async throws {
        let payments = try PaymentsHarness(rules: ChargeRules(presence: .known, unpaidPerMinute: 3))
        for number in 1...UInt64(3) {
            #expect(await refusal(payments, .sample(.test(number)))?.code != .tooManyRequests)
        }
        #expect(await refusal(payments, .sample(.test(4)))?.code == .tooManyRequests)
        payments.clock.advance(.seconds(20))
        #expect(await refusal(payments, .sample(.test(5)))?.code != .tooManyRequests)
    }

    @Test("of requests made at once, no more than so many are accepted; one that is refused does not count")
    func rateRace() async throws {
        let payments = try PaymentsHarness(rules: ChargeRules(waitingMax: 1000, unpaidPerMinute: 6))
        let refused = await withTaskGroup(of: Bool.self) { group in
            for number in 1...UInt64(60) {
                group.addTask { await refusal(payments, .sample(.test(number)))?.code == .tooManyRequests }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(refused == 54)
        payments.clock.advance(.seconds(10))
        #expect(await refusal(payments, .sample(.test(100), customer: .nobody))?.code == .customerNotFound)
        #expect(await refusal(payments, .sample(.test(1), customer: .carol))?.code == .chargeIDReused)
        #expect(await refusal(payments, .sample(.test(101))) == nil)
    }

    @Test("a clock that is set back does not keep a merchant from requesting for as long as the step")
    func clockSetBack() {
        let buckets = MerchantBuckets(perMinute: 6)
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        for _ in 1...6 { buckets.add(to: .shop, at: now) }
        let earlier = now - .seconds(3600)
        #expect(buckets.wait(of: .shop, at: earlier) == 10)
        #expect(buckets.wait(of: .shop, at: earlier + .seconds(10)) == nil)
    }

    @Test("a merchant makes so many unpaid requests a minute, of whomever; what is paid does not count")
    func rate() async throws {
        let payments = try PaymentsHarness(rules: ChargeRules(waitingMax: 1000, unpaidPerMinute: 6))
        for number in 1...UInt64(5) { try await payments.ask(Payments.RequestCharge.sample(.test(number))) }
        // Paid at once, again and again.
        for number in 100...UInt64(110) {
            try await payments.ask(Payments.RequestCharge.sample(.test(number)))
            try await payments.ask(Payments.ApproveCharge(charge: .test(number), customer: .alice, card: nil))
        }
        try await payments.ask(Payments.RequestCharge.sample(.test(6), customer: .carol))
        let refused = try #require(await refusal(payments, .sample(.test(7), customer: .carol)))
        #expect(refused.code == .tooManyRequests && refused.retryAfterSeconds == 10)
        #expect(try await payments.ask(Payments.RequestCharge.sample(.test(1))).replayed)
        #expect(await refusal(payments, .sample(.test(8), merchant: .bakery)) == nil)

        // Taking requests back makes no room for others.
        try await payments.ask(Payments.CancelCharge(charge: .test(1), merchant: .shop))
        try await payments.deliverNews()
        #expect(await refusal(payments, .sample(.test(7)))?.code == .tooManyRequests)
        payments.clock.advance(.seconds(10))
        #expect(await refusal(payments, .sample(.test(7))) == nil)
        #expect(await refusal(payments, .sample(.test(9)))?.code == .tooManyRequests)
        payments.clock.advance(.seconds(60))
        for number in 20...UInt64(25) { #expect(await refusal(payments, .sample(.test(number))) == nil) }
    }
}
