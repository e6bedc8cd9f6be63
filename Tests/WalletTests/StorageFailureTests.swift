import Bus
import Contracts
import Primitives
import Storage
import Synchronization
import Testing
import WalletService

/// A store that fails when it is told to, at the moment that hurts most: when all is decided.
private final class FailingStore: LedgerStore {
    let store: SQLLedgerStore
    let failure = Mutex<StoreFailure?>(nil)
    let confirmations = Mutex<(count: Int, failure: StoreFailure?)>((0, nil))

    init() throws { store = try SQLLedgerStore(inMemory: LedgerRules(cardNumberKey: WalletHarness.key)) }

    func commit<Value>(
        now: Timestamp, expecting: Int, _ body: (inout LedgerGroup) throws -> Value
    ) throws -> Committed<Value> {
        try store.commit(now: now, expecting: expecting) { group in
            let value = try body(&group)
            if let failure = failure.withLock({ $0 }) { throw failure }
            return value
        }
    }

    func confirm() throws {
        let failure = confirmations.withLock { confirmations in
            confirmations.count += 1
            return confirmations.failure
        }
        if let failure { throw failure }
        try store.confirm()
    }

    func read<Value>(_ body: (any LedgerInspecting) throws -> Value) throws -> Value { try store.read(body) }
    func tidy() throws { if let failure = failure.withLock({ $0 }) { throw failure } }
    func settle() throws { try store.settle() }
    var anchorProblems: [String] { store.anchorProblems }
}

@Suite("storage failures")
struct StorageFailureTests {
    private let store: FailingStore
    private let facts = RecordedFacts()
    private let published = Published()
    private let answering: WalletAnswering

    private final class Published: Sendable {
        let failures = Mutex<[StoreFailure]>([])
        var all: [StoreFailure] { failures.withLock { $0 } }
    }

    init() throws {
        store = try FailingStore()
        let published = published
        answering = try WalletAnswering(store: store, facts: facts, clock: TestClock(WalletHarness.start).wall) {
            failure in published.failures.withLock { $0.append(failure) }
        }
        _ = codes([
            Wallet.AddCard(card: .aliceCard, customer: .alice, number: digits(1, 16), code: "12345678"),
            Wallet.OpenAccount(merchant: .shop)
        ])
    }

    /// The refusals of a batch; nil where there was an answer.
    private func codes(_ asks: [any Ask]) -> [FaultCode?] {
        func inbound<A: Ask>(_ ask: A) -> Inbound {
            Inbound(envelope: Envelope(id: "1", source: "test", type: A.type.name, data: ask.json), deadline: nil)
        }
        return answering.answer(asks.map { inbound($0) }).map { outcome in
            if case .fault(let fault) = outcome { fault.code } else { nil }
        }
    }

    private func pay(_ payment: ChargeID) -> Wallet.PostPayment {
        Wallet.PostPayment(
            payment: payment, customer: .alice, card: nil, merchant: .shop, amount: Money(150), memo: "")
    }

    @Test("a commit that fails answers nobody, publishes nothing, and ends the process")
    func broken() {
        let before = facts.all.count
        store.failure.withLock { $0 = .broken("disk I/O error") }

        #expect(codes([pay(.test(1)), pay(.test(2))]) == [.unavailable, .unavailable])
        #expect(published.all == [.broken("disk I/O error")])
        #expect(facts.all.count == before)

        // Never tried again, not even when the disk seems well.
        store.failure.withLock { $0 = nil }
        #expect(codes([pay(.test(1)), Wallet.ReadCard(customer: .alice)]) == [.unavailable, .unavailable])
        #expect(answering.expireHolds() == 0)
        #expect(published.all.count == 1)
    }

    @Test("reads are confirmed once a batch, or ride on its writes")
    func confirmed() {
        let read = Wallet.ReadCard(customer: .alice)
        #expect(codes([read, read, read]) == [nil, nil, nil])
        #expect(store.confirmations.withLock { $0.count } == 1)
        #expect(codes([pay(.test(1)), read]) == [nil, nil])
        #expect(store.confirmations.withLock { $0.count } == 1)
    }

    @Test("what cannot be confirmed is not answered, as another process may lead")
    func deposed() {
        store.confirmations.withLock { $0.failure = .broken("another process leads") }
        #expect(codes([Wallet.ReadCard(customer: .alice)]) == [.unavailable])
        #expect(published.all == [.broken("another process leads")])
    }

    @Test("a full disk is undone and can be tried again")
    func full() throws {
        store.failure.withLock { $0 = .full("database or disk is full") }
        #expect(codes([pay(.test(1)), Wallet.ReadCard(customer: .alice)]) == [.unavailable, nil])
        #expect(published.all.isEmpty)

        store.failure.withLock { $0 = nil }
        #expect(codes([pay(.test(1))]) == [nil])
        #expect(codes([Wallet.VerifyLedger(after: 0, limit: 100)]) == [nil])
    }

    @Test("a really full file: SQLITE_FULL rolls back, and there is room again later")
    func reallyFull() throws {
        let wallet = try WalletHarness(.file)
        try wallet.aliceAndShop()
        try wallet.store.raw { transaction in
            let pages = try transaction.value("PRAGMA page_count", as: Int.self) ?? 0
            try transaction.script("PRAGMA max_page_count = \(pages)")
        }
        let memo = String(repeating: "x", count: 512)
        let asks = (1...200).map { wallet.inbound(wallet.pay(.test(1000 + $0), 1, memo: memo)) }
        for outcome in wallet.batch(asks) {
            // With a time to come again, so that the bus gives it to the asker at once.
            #expect(throws: Fault.ofStore(StoreFailure.full(""))) { try wallet.reply(Wallet.PostPayment.self, outcome) }
        }
        #expect(Fault.ofStore(StoreFailure.full("")).retryAfterSeconds == 5)
        #expect(try wallet.card().balance == Money(1650))

        try wallet.store.raw { try $0.script("PRAGMA max_page_count = 1000000") }
        for outcome in wallet.batch(asks) {
            #expect(try wallet.reply(Wallet.PostPayment.self, outcome).replayed == false)
        }
        #expect(try wallet.problems().isEmpty)
    }

    @Test("a checkpoint that fails ends the process too")
    func fold() {
        store.failure.withLock { $0 = .broken("fsync") }
        answering.tidy()
        #expect(published.all == [.broken("fsync")])
    }
}
