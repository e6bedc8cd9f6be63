import Bus
import Contracts
import GRDB
import PaymentsService
import Primitives
import TestKit
import Testing
import Wire

@Suite("charge store: the wallet's facts")
struct WalletFactTests {
    private let clock = ManualClock(PaymentsHarness.start)
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func store(_ kind: StoreKind) throws -> any ChargeStore { try kind.open(in: directory) }

    private func facts(_ store: any ChargeStore) async throws -> [Envelope] {
        let facts = try await store.read(after: 0, limit: 1000).facts.map { try Envelope(json: $0.bytes) }
        #expect(facts.map(\.sequence) == facts.indices.map { Int64($0) + 1 })
        return facts
    }

    private let posted = Wallet.PaymentPosted.sample(.test(1))
    private var closed: Wallet.PaymentClosed {
        Wallet.PaymentClosed(payment: .test(2), reason: .cancelled, time: PaymentsHarness.start + .seconds(3))
    }

    private func request(_ charge: PaymentsService.Charge, in store: any ChargeStore) async throws {
        _ = try await store.request(charge, causedBy: AskContext(deadline: clock.now))
    }

    @Test("a payment without a request becomes a captured charge, with its fact", arguments: StoreKind.allCases)
    func payment(kind: StoreKind) async throws {
        let store = try store(kind)
        try await store.apply([.published(posted, 1)])
        #expect(try await store.charge(.test(1)) == PaymentsService.Charge(posted))
        #expect(try await store.walletPosition().sequence == 1)
        let fact = try #require(try await facts(store).first)
        #expect(
            try Payments.ChargeCaptured(json: fact.data)
                == .init(
                    charge: .test(1), merchant: .shop, customer: .alice, card: .aliceCard, amount: Money(150),
                    memo: "coffee", entry: 7, time: posted.time))
        #expect(fact.correlationID == "touch-7")
        #expect(fact.causationID == "wallet-1")
        #expect(fact.traceparent?.contains("4bf92f3577b34da6a3ce929d0e0e4736") == true)
    }

    @Test("a payment captures the request, which keeps when it was made", arguments: StoreKind.allCases)
    func captures(kind: StoreKind) async throws {
        let store = try store(kind)
        try await request(.sample(.test(1)), in: store)
        try await store.apply([.published(posted, 1)])
        let charge = try #require(try await store.charge(.test(1)))
        #expect(charge.state == .captured)
        #expect(charge.requested == PaymentsHarness.start)
        #expect(charge.expires == PaymentsHarness.start + .seconds(300))
        #expect(charge.decided == posted.time)
        #expect(charge.card == .aliceCard && charge.cardBalance == Money(1500) && charge.entry == 7)
        #expect(charge.view(merchantName: "The Shop").expires == nil)
        #expect(charge.receipt(merchantName: "The Shop")?.entry == 7)
    }

    @Test("what was paid stands, whatever was requested under the same id", arguments: StoreKind.allCases)
    func otherContent(kind: StoreKind) async throws {
        let store = try store(kind)
        try await request(.sample(.test(1), amountMinor: 9999, merchant: .bakery, customer: .carol), in: store)
        try await store.apply([.published(posted, 1)])
        let charge = try #require(try await store.charge(.test(1)))
        #expect(charge.amount == Money(150))
        #expect(charge.merchant == .shop && charge.customer == .alice)
        #expect(try await store.charges(of: .bakery, state: nil, since: nil, before: nil, limit: 9).charges.isEmpty)
        // A refund of all of it fits, so that the reader never stops at one.
        try await store.apply([
            .published(Wallet.RefundPosted.sample(.test(1), amountMinor: 150, refundedMinor: 150), 2)
        ])
        #expect(try await store.charge(.test(1))?.refunded == Money(150))
    }

    @Test("a request is ended for each reason", arguments: StoreKind.allCases, Wallet.CloseReason.allCases)
    func ends(kind: StoreKind, reason: Wallet.CloseReason) async throws {
        let store = try store(kind)
        try await request(.sample(.test(1)), in: store)
        let time = PaymentsHarness.start + .seconds(3)
        try await store.apply([.published(Wallet.PaymentClosed(payment: .test(1), reason: reason, time: time), 1)])
        let charge = try #require(try await store.charge(.test(1)))
        #expect(charge.state == Payments.ChargeState(reason))
        #expect(charge.decided == time)
        #expect(charge.card == nil && charge.entry == nil && charge.receipt(merchantName: "") == nil)
        #expect(
            try await facts(store).last.map { try Payments.ChargeClosed(json: $0.data) }
                == .init(
                    charge: .test(1), merchant: .shop, customer: .alice, amount: Money(150), reason: reason, time: time)
        )
    }

    @Test("an approval that the wallet refused declines the request (A56, 000-20)", arguments: StoreKind.allCases)
    func declines(kind: StoreKind) async throws {
        let store = try store(kind)
        try await request(.sample(.test(1)), in: store)
        func declined(_ operation: OperationID) -> Wallet.OperationDeclined {
            Wallet.OperationDeclined(
                operation: operation, ask: Wallet.PostPayment.type.name, code: FaultCode.insufficientFunds.code,
                detail: nil, time: PaymentsHarness.start)
        }
        // The second was no charge of ours: a payment without approval.
        try await store.apply([.published(declined(.test(1)), 1), .published(declined(.test(2)), 2)])
        #expect(try await store.charge(.test(1))?.state == .declined)
        #expect(try await store.charge(.test(2)) == nil)
        #expect(try await facts(store).count == 2)
        #expect(try await store.walletPosition().sequence == 2)
    }

    @Test("refunds add up, and those of holds are passed over", arguments: StoreKind.allCases)
    func refunds(kind: StoreKind) async throws {
        let store = try store(kind)
        try await store.apply([
            .published(posted, 1),
            .published(Wallet.RefundPosted.sample(.test(1), amountMinor: 50, refundedMinor: 50), 2),
            .published(Wallet.RefundPosted.sample(.test(8), amountMinor: 50, refundedMinor: 50), 3),
            .published(Wallet.RefundPosted.sample(.test(1), amountMinor: 100, refundedMinor: 150), 4)
        ])
        let charge = try #require(try await store.charge(.test(1)))
        #expect(charge.state == .captured)
        #expect(charge.refunded == Money(150))
        #expect(charge.entry == 7)
        let published = try await facts(store).dropFirst().map { try Payments.ChargeRefunded(json: $0.data) }
        #expect(published.map(\.amount) == [Money(50), Money(100)])
        #expect(published.map(\.refunded) == [Money(50), Money(150)])
        #expect(try await store.walletPosition().sequence == 4)
    }

    @Test("the same facts twice are harmless, and the cursor never goes back", arguments: StoreKind.allCases)
    func twice(kind: StoreKind) async throws {
        let store = try store(kind)
        try await request(.sample(.test(2)), in: store)
        let first: [Envelope] = [.published(posted, 1), .published(closed, 2)]
        let refund = Envelope.published(Wallet.RefundPosted.sample(.test(1), amountMinor: 50, refundedMinor: 50), 3)
        try await store.apply(first)
        try await store.apply(first)
        try await store.apply(first + [refund])
        let before = try await facts(store)
        let charges = try await store.charges(of: .alice, state: nil, since: nil, before: nil, limit: 10).charges
        try await store.apply([refund])
        try await store.apply(first)
        try await store.apply([])
        #expect(try await facts(store).map(\.json) == before.map(\.json))
        #expect(
            before.map(\.type) == [
                "payments.charge.requested.v1", "payments.charge.captured.v1", "payments.charge.closed.v1",
                "payments.charge.refunded.v1"
            ])
        #expect(try await store.charges(of: .alice, state: nil, since: nil, before: nil, limit: 10).charges == charges)
        #expect(try await store.walletPosition().sequence == 3)
    }

    @Test("facts that mean nothing move the cursor all the same", arguments: StoreKind.allCases)
    func strangers(kind: StoreKind) async throws {
        let store = try store(kind)
        #expect(try await store.walletPosition().sequence == 0)
        try await store.apply([.published(Wallet.AccountOpened(merchant: .shop, time: PaymentsHarness.start), 1)])
        #expect(try await store.walletPosition().sequence == 1)
        #expect(try await facts(store).isEmpty)
    }

    @Test("a group of facts is applied whole or not at all", arguments: StoreKind.allCases)
    func whole(kind: StoreKind) async throws {
        let store = try store(kind)
        try await request(.sample(.test(2)), in: store)
        let broken = Envelope(
            id: "3", source: "wallet", type: Wallet.PaymentPosted.type.name, sequence: 3, data: Array("{}".utf8))
        await #expect(throws: Fault(.unavailable)) {
            try await store.apply([.published(posted, 1), .published(closed, 2), broken])
        }
        #expect(try await store.charge(.test(1)) == nil)
        #expect(try await store.charge(.test(2))?.state == .requested)
        #expect(try await store.walletPosition().sequence == 0)
        #expect(try await facts(store).count == 1)

        try await store.apply([.published(posted, 1), .published(closed, 2)])
        #expect(try await store.walletPosition().sequence == 2)
        #expect(try await facts(store).count == 3)
    }

    @Test(
        "charge, fact and cursor are one transaction: whichever fails, none is left",
        arguments: ["charges", "facts", "cursors"])
    func oneTransaction(table: String) async throws {
        let path = directory.file("payments.sqlite")
        _ = try SQLChargeStore(.file(path))
        // Stands for a process that ends just then.
        try await DatabaseQueue(waitingFor: path).write { database in
            try database.execute(
                sql: "CREATE TRIGGER bug BEFORE INSERT ON \(table) BEGIN SELECT RAISE(ABORT, 'bug'); END")
        }
        do {
            let store = try store(.file)
            await #expect(throws: (any Error).self) { try await store.apply([.published(posted, 1)]) }
            #expect(try await store.charge(.test(1)) == nil)
            #expect(try await store.walletPosition().sequence == 0)
            #expect(try await facts(store).isEmpty)
        }
        try await DatabaseQueue(waitingFor: path).write { try $0.execute(sql: "DROP TRIGGER bug") }
        let store = try store(.file)
        try await store.apply([.published(posted, 1)])
        #expect(try await store.charge(.test(1))?.state == .captured)
        #expect(try await store.walletPosition().sequence == 1)
        #expect(try await facts(store).count == 1)
    }

    @Test("a reopened file has everything, and goes on where it was")
    func reopens() async throws {
        var before: [[UInt8]] = []
        do {
            let store = try store(.file)
            try await request(.sample(.test(2)), in: store)
            try await store.apply([.published(posted, 1)])
            before = try await facts(store).map(\.json)
            #expect(throws: (any Error).self) { try self.store(.file) }
        }
        let store = try store(.file)
        #expect(try await store.charge(.test(1)) == PaymentsService.Charge(posted))
        #expect(try await store.charge(.test(2)) == .sample(.test(2)))
        #expect(try await store.walletPosition().sequence == 1)
        #expect(try await facts(store).map(\.json) == before)
        try await store.apply([.published(closed, 2)])
        #expect(try await facts(store).count == 3)
        #expect(
            try await store.charges(of: .alice, state: nil, since: nil, before: nil, limit: 10).charges.map(\.id) == [
                .test(2), .test(1)
            ])
    }
}
