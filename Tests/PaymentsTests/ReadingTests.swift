import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("receipts and history (000-19)")
struct ReadingTests {
    @Test("there is a receipt exactly for what is paid (000-20)", arguments: [nil] + Answer.allCases)
    func receipts(answer: Answer?) async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.RequestCharge.sample(.test(1)))
        if let answer { _ = try await payments.give(answer, to: .test(1)) }
        try await payments.deliverNews()
        for party in [PartyID.alice, .shop] {
            let read = Payments.ReadReceipt(charge: .test(1), party: party)
            #expect(await payments.refusal(of: read) == (answer == .approve ? nil : .chargeNotCaptured))
        }
    }

    @Test("nobody but its parties learns that a charge exists")
    func strangers() async throws {
        let payments = try PaymentsHarness()
        try await payments.ask(Payments.CreatePayment.sample(.test(1)))
        for party in [PartyID.carol, .bakery, .nobody] {
            for charge in [ChargeID.test(1), .test(2)] {
                #expect(
                    await payments.refusal(of: Payments.ReadReceipt(charge: charge, party: party)) == .chargeNotFound)
                #expect(
                    await payments.refusal(of: Payments.ReadCharge(charge: charge, party: party)) == .chargeNotFound)
            }
            let page = Payments.ReadCharges(party: party, state: nil, before: nil, limit: 10)
            #expect(try await payments.ask(page).charges.isEmpty)
        }
    }

    @Test("whoever got an answer finds it: readers wait for the wallet's facts that were told of")
    func ownWrites() async throws {
        let payments = try PaymentsHarness()
        await payments.delayNews()
        try await payments.ask(Payments.CreatePayment.sample(.test(1)))
        #expect(await payments.waitedFor.isEmpty)
        #expect(try await payments.state(of: .test(1)) == nil)
        let history = Payments.ReadCharges(party: .alice, state: .captured, before: nil, limit: 10)
        #expect(try await payments.ask(history, as: .alice).charges.map(\.charge) == [.test(1)])
        #expect(await payments.waitedFor == [1])

        try await payments.ask(Payments.CreatePayment.sample(.test(2)))
        try await payments.ask(Payments.ReadReceipt(charge: .test(2), party: .shop))
        try await payments.ask(Payments.RefundCharge.sample(.test(9), .test(2), 50))
        #expect(try await payments.ask(Payments.ReadCharge(charge: .test(2), party: .alice)).refunded == Money(50))
        #expect(await payments.waitedFor.last == 3)

        // A process that has told nobody anything waits for nothing.
        payments.restart()
        try await payments.ask(history, as: .alice)
        #expect(await payments.waitedFor.last == 0)
    }

    @Test("a reader whose facts do not come in time is told so")
    func slowNews() async throws {
        let payments = try PaymentsHarness()
        let service = ChargeService(
            store: payments.store, bus: payments.services, rules: payments.rules, codeKey: PaymentsHarness.codeKey,
            clock: payments.clock.wall,
            caughtUp: { sequence, _ throws(Fault) in if sequence > 0 { throw Fault(.deadlineExceeded) } })
        _ = try await RequestChargeHandler(service: service).admit(.sample(.test(2)), in: payments.context())
        _ = try await CreatePaymentHandler(service: service).admit(.sample(.test(1)), in: payments.context())
        await #expect(throws: Fault(.deadlineExceeded)) {
            try await ReadReceiptHandler(service: service).admit(
                .init(charge: .test(1), party: .alice), in: payments.context())
        }
        await #expect(throws: Fault(.deadlineExceeded)) {
            try await DeclineChargeHandler(service: service).admit(
                .init(charge: .test(1), customer: .alice), in: payments.context())
        }
        // A charge that is here is decided by the wallet, and then nobody can say that nothing was done.
        await #expect(throws: Fault(.outcomeUnknown)) {
            try await DeclineChargeHandler(service: service).admit(
                .init(charge: .test(2), customer: .alice), in: payments.context())
        }
    }

    @Test("the mark of what was told of never goes back")
    func watermark() {
        let watermark = WalletWatermark()
        #expect(watermark.sequence == 0)
        for (published, mark) in [(3, 3), (1, 3), (4, 4), (4, 4)] as [(Int64, Int64)] {
            watermark.raise(to: published)
            #expect(watermark.sequence == mark)
        }
    }

    @Test("history comes in pages, for both sides, by state", arguments: StoreKind.allCases)
    func history(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind)
        for number in 1...UInt64(3) { try await payments.ask(Payments.CreatePayment.sample(.test(number), 10)) }
        try await payments.deliverNews()
        for number in 4...UInt64(5) { try await payments.ask(Payments.RequestCharge.sample(.test(number))) }
        for party in [PartyID.alice, .shop] {
            let first = try await payments.ask(Payments.ReadCharges(party: party, state: nil, before: nil, limit: 3))
            #expect(first.charges.map(\.charge) == [.test(5), .test(4), .test(3)])
            #expect(first.charges.allSatisfy { $0.merchantName == "The Shop" })
            let second = try await payments.ask(
                Payments.ReadCharges(party: party, state: nil, before: first.next, limit: 3))
            #expect(second.charges.map(\.charge) == [.test(2), .test(1)])
            #expect(second.next == nil)
            let paid = try await payments.ask(
                Payments.ReadCharges(party: party, state: .captured, before: nil, limit: 3))
            #expect(paid.charges.map(\.charge) == [.test(3), .test(2), .test(1)])
            #expect(paid.next == nil)
        }
    }

    @Test(
        "001-81, A46: those of a week, and what is before behind the cursor, also where the week was empty",
        arguments: StoreKind.allCases)
    func week(kind: StoreKind) async throws {
        let payments = try PaymentsHarness(kind, rules: ChargeRules(waitingMax: 14))
        func page(before: Int64? = nil, since: Timestamp? = nil) async throws -> Payments.ReadCharges.Reply {
            try await payments.ask(
                Payments.ReadCharges(party: .alice, state: nil, before: before, limit: 10, since: since))
        }
        let none = try await page(since: payments.clock.now)
        #expect((none.charges.count, none.next) == (0, nil))
        for number in 1...UInt64(2) { try await payments.ask(Payments.RequestCharge.sample(.test(number))) }
        let weekBegins = payments.clock.now
        payments.clock.advance(.seconds(7 * 86_400))
        #expect(try await page(since: weekBegins).charges.map(\.charge) == [.test(2), .test(1)])
        payments.clock.advance(.milliseconds(1))
        let empty = try await page(since: payments.clock.now - .seconds(7 * 86_400))
        #expect((empty.charges.count, empty.next) == (0, 0))
        #expect(try await page(before: 0, since: payments.clock.now - .seconds(7 * 86_400)).next == nil)
        #expect(try await page(before: empty.next).charges.map(\.charge) == [.test(2), .test(1)])
        for number in 3...UInt64(14) { try await payments.ask(Payments.RequestCharge.sample(.test(number))) }
        let week = payments.clock.now - .seconds(7 * 86_400)
        let ten = try await page(since: week)
        #expect(ten.charges.map(\.charge) == (5...UInt64(14)).reversed().map { .test($0) })
        let rest = try await page(before: ten.next)
        #expect(rest.charges.map(\.charge) == (1...UInt64(4)).reversed().map { .test($0) })
        #expect(rest.next == nil)
        // A reader who goes on with the same time comes to an end.
        let two = try await page(before: ten.next, since: week)
        #expect(two.charges.map(\.charge) == [.test(4), .test(3)])
        #expect(two.next != nil)
        let end = try await page(before: two.next, since: week)
        #expect((end.charges.count, end.next) == (0, nil))
    }

    @Test("a page has 1 to 100 charges", arguments: [(-1, false), (0, false), (1, true), (100, true), (101, false)])
    func limits(limit: Int, isAllowed: Bool) async throws {
        let payments = try PaymentsHarness()
        let ask = Payments.ReadCharges(party: .alice, state: nil, before: nil, limit: limit)
        #expect(await payments.refusal(of: ask) == (isAllowed ? nil : .malformed))
    }
}
