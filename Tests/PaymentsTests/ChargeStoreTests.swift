import Bus
import Contracts
import PaymentsService
import Primitives
import TestKit
import Testing

@Suite("charge store: requests and reading")
struct ChargeStoreTests {
    private let clock = ManualClock(PaymentsHarness.start)
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func store(_ kind: StoreKind) throws -> any ChargeStore { try kind.open(in: directory) }

    private let context = AskContext(
        deadline: Timestamp(milliseconds: .max), correlationID: "touch-1", causationID: "ask-1",
        traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")

    private func facts(_ store: any ChargeStore, after: Int64 = 0) async throws -> [Envelope] {
        try await store.read(after: after, limit: 1000).facts.map { try Envelope(json: $0.bytes) }
    }

    @Test("a request is kept with its fact (001-83)", arguments: StoreKind.allCases)
    func request(kind: StoreKind) async throws {
        let store = try store(kind)
        let recorded = try await store.request(.sample(.test(1)), causedBy: context)
        #expect(!recorded.existed)
        #expect(recorded.charge == .sample(.test(1)))
        #expect(try await store.charge(.test(1)) == .sample(.test(1)))
        #expect(try await store.charge(.test(2)) == nil)

        let fact = try #require(try await facts(store).first)
        #expect(fact.sequence == 1)
        #expect(fact.source == "payments")
        #expect(fact.time == PaymentsHarness.start)
        #expect(fact.correlationID == "touch-1" && fact.causationID == "ask-1")
        #expect(fact.traceparent == context.traceparent)
        #expect(
            try Payments.ChargeRequested(json: fact.data)
                == .init(
                    charge: .test(1), merchant: .shop, customer: .alice, amount: Money(150), memo: "coffee",
                    expires: PaymentsHarness.start + .seconds(300), time: PaymentsHarness.start))
    }

    @Test("the same id gives the first charge again, with the same or other content", arguments: StoreKind.allCases)
    func replay(kind: StoreKind) async throws {
        let store = try store(kind)
        _ = try await store.request(.sample(.test(1)), causedBy: context)
        let others: [PaymentsService.Charge] = [
            .sample(.test(1)), .sample(.test(1), amountMinor: 1), .sample(.test(1), customer: .carol),
            .sample(.test(1), merchant: .bakery)
        ]
        for other in others {
            let again = try await store.request(other, causedBy: context)
            #expect(again.existed)
            #expect(again.charge == .sample(.test(1)))
        }
        #expect(try await facts(store).count == 1)
    }

    @Test("asked many times at once, it is one charge", arguments: StoreKind.allCases)
    func atOnce(kind: StoreKind) async throws {
        let store = try store(kind)
        let existed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 {
                group.addTask { [context] in try await store.request(.sample(.test(1)), causedBy: context).existed }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(existed.count { !$0 } == 1)
        #expect(try await facts(store).count == 1)
    }

    @Test("every field survives", arguments: StoreKind.allCases)
    func fields(kind: StoreKind) async throws {
        let store = try store(kind)
        let euro = try #require(Currency("EUR"))
        let odd = PaymentsService.Charge(
            id: ChargeID(high: .max, low: .max), merchant: PartyID(high: 0, low: 0), customer: .alice,
            amount: Money(.max, euro), memo: "Käse 'x\" 👩‍🍳 %", requested: Timestamp(milliseconds: 0),
            expires: Timestamp(milliseconds: .max), state: .requested)
        _ = try await store.request(odd, causedBy: context)
        #expect(try await store.charge(odd.id) == odd)
    }

    @Test("pages go from newest to oldest, by cursor, over both of a party's roles", arguments: StoreKind.allCases)
    func paging(kind: StoreKind) async throws {
        let store = try store(kind)
        // Alice as customer, as merchant, as both, and not at all.
        for number in 1...UInt64(24) {
            let roles: (merchant: PartyID, customer: PartyID) =
                switch number % 4 {
                case 0: (.shop, .alice)
                case 1: (.alice, .carol)
                case 2: (.alice, .alice)
                default: (.shop, .carol)
                }
            // All at the same time: the order is that of recording.
            _ = try await store.request(
                .sample(.test(number), merchant: roles.merchant, customer: roles.customer), causedBy: context)
        }
        let expected = (1...UInt64(24)).reversed().filter { $0 % 4 != 3 }.map { ChargeID.test($0) }
        for limit in [1, 2, 5, 17, 18, 19, 100] {
            var seen: [ChargeID] = []
            var before: Int64?
            repeat {
                let page = try await store.charges(of: .alice, state: nil, since: nil, before: before, limit: limit)
                #expect(page.charges.count <= limit)
                seen += page.charges.map(\.id)
                before = page.next
                // The last page says so, even when it is full.
                #expect((before == nil) == (seen.count == expected.count))
            } while before != nil && seen.count <= expected.count
            #expect(seen == expected, "\(limit) at a time")
        }
        #expect(try await store.charges(of: .nobody, state: nil, since: nil, before: nil, limit: 10).charges.isEmpty)
        #expect(try await store.charges(of: .alice, state: nil, since: nil, before: 1, limit: 10).charges.isEmpty)
        #expect(try await store.charges(of: .alice, state: nil, since: nil, before: -1, limit: 10).next == nil)
    }

    @Test("what comes in between two pages moves nothing", arguments: StoreKind.allCases)
    func pagingWhileGrowing(kind: StoreKind) async throws {
        let store = try store(kind)
        for number in 1...UInt64(4) { _ = try await store.request(.sample(.test(number)), causedBy: context) }
        let first = try await store.charges(of: .shop, state: nil, since: nil, before: nil, limit: 2)
        _ = try await store.request(.sample(.test(5)), causedBy: context)
        let second = try await store.charges(of: .shop, state: nil, since: nil, before: first.next, limit: 2)
        #expect((first.charges + second.charges).map(\.id) == [4, 3, 2, 1].map { .test($0) })
        #expect(second.next == nil)
    }

    @Test("pages of one state only", arguments: StoreKind.allCases)
    func states(kind: StoreKind) async throws {
        let store = try store(kind)
        for number in 1...UInt64(10) { _ = try await store.request(.sample(.test(number)), causedBy: context) }
        func closed(_ number: UInt64, _ reason: Wallet.CloseReason) -> Wallet.PaymentClosed {
            Wallet.PaymentClosed(payment: .test(number), reason: reason, time: PaymentsHarness.start)
        }
        try await store.apply([
            .published(Wallet.PaymentPosted.sample(.test(1)), 1), .published(Wallet.PaymentPosted.sample(.test(6)), 2),
            .published(closed(2, .declined), 3), .published(closed(3, .cancelled), 4),
            .published(closed(4, .expired), 5)
        ])
        let expected: [(Payments.ChargeState, [UInt64])] = [
            (.captured, [6, 1]), (.declined, [2]), (.cancelled, [3]), (.expired, [4]), (.requested, [10, 9, 8, 7, 5])
        ]
        for (state, numbers) in expected {
            let page = try await store.charges(of: .alice, state: state, since: nil, before: nil, limit: 100)
            #expect(page.charges.map(\.id) == numbers.map { .test($0) })
            #expect(page.charges.allSatisfy { $0.state == state })
        }
        let first = try await store.charges(of: .alice, state: .requested, since: nil, before: nil, limit: 3)
        let second = try await store.charges(of: .alice, state: .requested, since: nil, before: first.next, limit: 3)
        #expect((first.charges + second.charges).count == 5)
        #expect(second.next == nil)
    }

    @Test("what waits is found at once behind any number of payments", arguments: StoreKind.allCases)
    func waitingBehindPayments(kind: StoreKind) async throws {
        let store = try store(kind)
        _ = try await store.request(.sample(.test(0)), causedBy: context)
        // More than one page looks at.
        try await store.apply(
            (1...Int64(10_100)).map { .published(Wallet.PaymentPosted.sample(.test(UInt64($0))), $0) })
        let read = try await store.charges(of: .alice, state: .requested, since: nil, before: nil, limit: 10)
        #expect(read.charges.map(\.id) == [.test(0)])
        #expect(read.next == nil)
    }

    @Test(
        "behind any number of declined requests, what waits is found at once, and others page by page",
        arguments: StoreKind.allCases)
    func behindRequests(kind: StoreKind) async throws {
        let (store, context) = (try store(kind), context)
        for number in [0, 1] as [UInt64] { _ = try await store.request(.sample(.test(number)), causedBy: context) }
        // More than one page looks at.
        let declined = 2...UInt64(2_100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in declined {
                group.addTask { _ = try await store.request(.sample(.test(number)), causedBy: context) }
            }
            try await group.waitForAll()
        }
        func close(_ number: UInt64, _ reason: Wallet.CloseReason) -> Envelope {
            .published(
                Wallet.PaymentClosed(payment: .test(number), reason: reason, time: PaymentsHarness.start),
                Int64(number))
        }
        try await store.apply([close(1, .expired)] + declined.map { close($0, .declined) })

        let waiting = try await store.charges(of: .alice, state: .requested, since: nil, before: nil, limit: 10)
        #expect(waiting.charges.map(\.id) == [.test(0)])
        #expect(waiting.next == nil)

        let first = try await store.charges(of: .alice, state: .expired, since: nil, before: nil, limit: 10)
        #expect(first.charges.isEmpty)
        let before = try #require(first.next)
        let second = try await store.charges(of: .alice, state: .expired, since: nil, before: before, limit: 10)
        #expect(second.charges.map(\.id) == [.test(1)])
        #expect(second.next == nil)
    }

    @Test("what is overdue, oldest first (A55)", arguments: StoreKind.allCases)
    func overdue(kind: StoreKind) async throws {
        let store = try store(kind)
        for (number, seconds) in [(1, 30), (2, 10), (3, 20), (4, 40)] as [(UInt64, Int)] {
            _ = try await store.request(.sample(.test(number), expires: .seconds(seconds)), causedBy: context)
        }
        func overdue(_ span: Duration, limit: Int = 10) async throws -> [ChargeID] {
            try await store.overdue(at: PaymentsHarness.start + span, limit: limit)
        }
        #expect(try await overdue(.milliseconds(9_999)) == [])
        #expect(try await overdue(.seconds(10)) == [.test(2)])
        #expect(try await overdue(.seconds(30)) == [.test(2), .test(3), .test(1)])
        #expect(try await overdue(.seconds(99), limit: 2) == [.test(2), .test(3)])
        // What is decided is not overdue.
        try await store.apply([.published(Wallet.PaymentPosted.sample(.test(2)), 1)])
        #expect(try await overdue(.seconds(30)) == [.test(3), .test(1)])
    }

    @Test("being cancelled is no trouble of the store: the read is answered", arguments: StoreKind.allCases)
    func cancelledRead(kind: StoreKind) async throws {
        let store = try store(kind)
        _ = try await store.request(.sample(.test(1)), causedBy: context)
        let reading = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.charge(.test(1))
        }
        #expect(try await reading.value == .sample(.test(1)))
    }

    @Test("facts are read in pages, from any place", arguments: StoreKind.allCases)
    func outbox(kind: StoreKind) async throws {
        let store = try store(kind)
        #expect(try await store.read(after: 0, limit: 10) == FactsPage(facts: [], head: 0))
        for number in 1...UInt64(7) { _ = try await store.request(.sample(.test(number)), causedBy: context) }
        let all = try await facts(store)
        #expect(all.map(\.sequence) == (1...7).map { Int64($0) })
        #expect(Set(all.map(\.id)).count == 7)
        let page = try await store.read(after: 2, limit: 3)
        #expect(try page.facts.map { try Envelope(json: $0.bytes).sequence } == [3, 4, 5])
        #expect(page.head == 7)
        #expect(try await store.read(after: 7, limit: 3).facts.isEmpty)
    }

    @Test("a page of facts fits into an envelope", arguments: StoreKind.allCases)
    func outboxBytes(kind: StoreKind) async throws {
        let store = try store(kind)
        for number in 1...UInt64(200) { _ = try await store.request(.sample(.test(number)), causedBy: context) }
        let page = try await store.read(after: 0, limit: 1000)
        #expect(page.facts.count < 200)
        #expect(page.json.count <= Envelope.bytesMax)
        #expect(page.head == 200)
    }
}
