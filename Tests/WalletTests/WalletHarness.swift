import Bus
import Contracts
import Foundation
import Primitives
import Storage
import Synchronization
import TestKit
import Testing
import WalletService
import Wire

/// A wallet with a clock that stands still until it is moved, and all facts that it published.
final class WalletHarness {
    static let key = [UInt8](0..<32)
    static let start = Timestamp(milliseconds: 1_795_000_000_000)

    let clock: TestClock
    let facts = RecordedFacts()
    let store: SQLLedgerStore
    let answering: WalletAnswering
    let failures = Mutex<[StoreFailure]>([])
    let directory: TemporaryDirectory?
    private var asked = 0

    /// - Parameter entriesAheadMax: few, so that rows of accounts are behind their entries, and written, all the time.
    init(
        _ kind: StoreKind, rules: LedgerRules = LedgerRules(cardNumberKey: WalletHarness.key),
        entriesAheadMax: Int64 = 5
    ) throws {
        clock = TestClock(Self.start)
        switch kind {
        case .inMemory:
            directory = nil
            store = try SQLLedgerStore(inMemory: rules, entriesAheadMax: entriesAheadMax)
        case .file:
            let directory = try TemporaryDirectory()
            self.directory = directory
            store = try SQLLedgerStore(
                path: directory.file("wallet.sqlite"), rules: rules, entriesAheadMax: entriesAheadMax)
        }
        answering = try WalletAnswering(
            store: store, facts: facts, clock: clock.wall, uptime: clock.uptime, onClock: clock.note
        ) { failure in
            Issue.record("storage failed: \(failure)")
        }
    }

    /// SQL that makes a ledger one of the time before its journal had a chain.
    static let unchained = """
        ALTER TABLE journal DROP COLUMN hash; ALTER TABLE holds DROP COLUMN ended; ALTER TABLE refunds DROP COLUMN newest;
        DELETE FROM meta WHERE key = 'chain_sealed'; DELETE FROM grdb_migrations WHERE identifier LIKE '4 %';
        """

    /// The path of the file as it is left when the process ends here and now.
    func crashed() throws -> String {
        let directory = try #require(directory, "a ledger in memory is gone with its process")
        let copy = directory.file("crashed-\(UInt64.random(in: 0...UInt64.max)).sqlite")
        for part in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: directory.file("wallet.sqlite") + part, toPath: copy + part)
        }
        try FileManager.default.copyItem(
            atPath: SQLLedgerStore.headFile(of: directory.file("wallet.sqlite")),
            toPath: SQLLedgerStore.headFile(of: copy))
        return copy
    }

    /// One ask, alone in its batch.
    func ask<A: Ask>(
        _ ask: A, actor: Actor? = nil, deadline: Timestamp? = nil, traceparent: String? = nil
    ) throws(Fault) -> A.Reply {
        try reply(A.self, batch([inbound(ask, actor: actor, deadline: deadline, traceparent: traceparent)])[0])
    }

    func reply<A: Ask>(_ type: A.Type, _ outcome: Outcome) throws(Fault) -> A.Reply {
        switch outcome {
        case .fault(let fault): throw fault
        case .reply(let json):
            do throws(WireError) { return try A.Reply(json: json) } catch { throw Fault(error) }
        }
    }

    /// The refusal of an ask; nil when it was not refused.
    func fault<A: Ask>(of ask: A, actor: Actor? = nil, deadline: Timestamp? = nil) -> Fault? {
        do throws(Fault) {
            _ = try self.ask(ask, actor: actor, deadline: deadline)
            return nil
        } catch {
            return error
        }
    }

    /// Facts as whoever publishes them reads them.
    func facts(after sequence: Int64 = 0, limit: Int = 1000) throws -> FactsPage {
        try store.read { try $0.factsPage(after: sequence, limit: limit) }
    }

    func batch(_ asks: [Inbound]) -> [Outcome] { answering.answer(asks) }

    func inbound<A: Ask>(
        _ ask: A, actor: Actor? = nil, deadline: Timestamp? = nil, traceparent: String? = nil
    ) -> Inbound {
        asked += 1
        return Inbound(
            envelope: Envelope(
                id: "ask-\(asked)", source: "test", type: A.type.name, correlationID: "all-of-it",
                traceparent: traceparent, actor: actor, data: ask.json),
            deadline: deadline)
    }

    // MARK: Given

    /// A customer with one card, number `number`, at $16.50.
    @discardableResult
    func addCard(_ card: CardID, of customer: PartyID, number: Int = 1) throws -> CardID {
        _ = try ask(
            Wallet.AddCard(card: card, customer: customer, number: digits(number, 16), code: "12345678"))
        return card
    }

    func openAccount(_ merchant: PartyID) throws { _ = try ask(Wallet.OpenAccount(merchant: merchant)) }

    /// Alice with a card, Bob's shop with an account.
    func aliceAndShop() throws {
        try addCard(.aliceCard, of: .alice)
        try openAccount(.shop)
    }

    func pay(
        _ payment: ChargeID, _ amountMinor: Int64, card: CardID? = nil, memo: String = "coffee",
        attempt: OperationID? = nil
    ) -> Wallet.PostPayment {
        Wallet.PostPayment(
            payment: payment, customer: .alice, card: card, merchant: .shop, amount: Money(amountMinor), memo: memo,
            attempt: attempt)
    }

    // MARK: Then

    func card(_ card: CardID? = nil, of customer: PartyID = .alice) throws -> Wallet.CardView {
        try ask(Wallet.ReadCard(customer: customer, card: card))
    }

    func balanceMinor(_ merchant: PartyID = .shop) throws -> Int64 {
        try ask(Wallet.ReadAccount(merchant: merchant)).balance.amount
    }

    func ledger() throws -> Wallet.ReadLedger.Reply { try ask(Wallet.ReadLedger()) }

    /// All problems that a check of the whole ledger finds, in stretches.
    func problems(stretch: Int = 7) throws -> [String] {
        var problems: [String] = []
        var after: Int64? = 0
        while let from = after {
            let reply = try ask(Wallet.VerifyLedger(after: from, limit: stretch))
            problems += reply.problems
            after = reply.next
        }
        return problems
    }
}

func digits(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: count - digits.count) + digits
}

extension Identifier {
    /// A short identifier for tests.
    static func test(_ number: UInt64) -> Identifier { Identifier(high: 0x7E57, low: number) }
}

extension PartyID {
    static let alice = PartyID.test(1)
    static let carol = PartyID.test(2)
    static let shop = PartyID.test(11)
    static let bakery = PartyID.test(12)
}

extension CardID {
    static let aliceCard = CardID.test(101)
    static let aliceOther = CardID.test(102)
    static let carolCard = CardID.test(103)
}

extension Actor {
    static let alice = Actor(role: .customer, party: .alice)
    static let carol = Actor(role: .customer, party: .carol)
    static let shop = Actor(role: .merchant, party: .shop)
    static let bakery = Actor(role: .merchant, party: .bakery)
    static let administrator = Actor(role: .administrator, party: .test(99))
}

final class TestClock: Sendable {
    private struct State {
        var time: Timestamp
        /// Milliseconds.
        var uptime: Int64 = 0
        var alarms: [Duration?] = []
    }
    private let state: Mutex<State>

    init(_ start: Timestamp) { state = Mutex(State(time: start)) }

    var now: Timestamp { state.withLock { $0.time } }
    var wall: WallClock { WallClock { self.now } }
    var uptime: @Sendable () -> Int64 { { self.state.withLock { $0.uptime } } }

    /// Time goes by.
    func advance(_ span: Duration) {
        state.withLock {
            $0.time = $0.time + span
            $0.uptime += span.wholeMilliseconds
        }
    }

    /// Somebody sets the clock.
    func jump(_ span: Duration) { state.withLock { $0.time = $0.time + span } }

    /// What the ledger said of this clock.
    var alarms: [Duration?] { state.withLock { $0.alarms } }
    var note: @Sendable (Duration?) -> Void { { ahead in self.state.withLock { $0.alarms.append(ahead) } } }
}

final class RecordedFacts: FactPublishing {
    private let published = Mutex<[PublishedFact]>([])

    func publish(_ facts: [PublishedFact]) { published.withLock { $0 += facts } }

    var all: [PublishedFact] { published.withLock { $0 } }
    var types: [String] { all.map(\.type) }
}

/// Whether a test may switch the schema's constraints off, which PostgreSQL does not let it do.
let damagesFreely = ProcessInfo.processInfo.environment["BILLFOLD_TEST_STORE"] == nil
