import Bus
import Contracts
import GRDB
import PaymentsService
import Primitives
import Synchronization
import TestKit
import Testing

/// Payments without its process: store and handlers over a fake wallet, with a clock that stands still until it is
/// moved.
final class PaymentsHarness: Sendable {
    static let start = Timestamp(milliseconds: 1_795_000_000_000)
    static let codeKey = [UInt8](1...32)

    let clock: ManualClock
    let services: FakeServices
    let store: any ChargeStore
    let rules: ChargeRules
    /// How many facts the store has given out to be published.
    let announcements: Counter
    private let news: WalletNews
    private let current: Mutex<ChargeService>
    private let directory: TemporaryDirectory?

    convenience init(_ kind: StoreKind = .inMemory, rules: ChargeRules = ChargeRules()) throws {
        let directory = kind == .file ? try TemporaryDirectory() : nil
        let announcements = Counter()
        let store = try kind.open(in: directory) { facts in for _ in facts { announcements.add() } }
        self.init(store, ManualClock(Self.start), directory, rules, announcements)
    }

    init(
        _ store: any ChargeStore, _ clock: ManualClock, _ directory: TemporaryDirectory? = nil,
        _ rules: ChargeRules = ChargeRules(), _ announcements: Counter = Counter()
    ) {
        self.announcements = announcements
        self.store = store
        self.clock = clock
        self.directory = directory
        self.rules = rules
        services = FakeServices(clock: clock)
        let news = WalletNews(from: services.wallet, to: store)
        self.news = news
        services.afterRefusal { try? await news.deliver() }
        current = Mutex(Self.service(store, services, news, rules, clock))
    }

    private static func service(
        _ store: any ChargeStore, _ services: FakeServices, _ news: WalletNews, _ rules: ChargeRules,
        _ clock: ManualClock
    ) -> ChargeService {
        ChargeService(
            store: store, bus: services, rules: rules, codeKey: codeKey, clock: clock.wall,
            caughtUp: { sequence, _ throws(Fault) in
                do { try await news.reached(sequence) } catch { throw Fault(.unavailable) }
            })
    }

    var wallet: FakeWallet { services.wallet }
    var service: ChargeService { current.withLock { $0 } }

    /// What a restarted process knows: what is in the store, and not what the one before it was told by the wallet.
    func restart() {
        let service = Self.service(store, services, news, rules, clock)
        current.withLock { $0 = service }
    }

    /// The wallet's facts come late from now on: only those that a reader waits for, and all once the wallet refuses.
    func delayNews() async { await news.delay() }
    func deliverNews() async throws { try await news.deliver() }
    /// What readers waited for.
    var waitedFor: [Int64] { get async { await news.waitedFor } }

    // MARK: Asks

    func context(as actor: Actor? = nil, within patience: Duration = .seconds(30)) -> AskContext {
        AskContext(
            deadline: clock.now + patience, correlationID: "touch-1", causationID: "ask-1",
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", actor: actor)
    }

    @discardableResult
    func ask<A: Ask>(
        _ ask: A, as actor: Actor? = nil, within patience: Duration = .seconds(30)
    ) async throws(Fault) -> A.Reply {
        let context = context(as: actor, within: patience)
        func answered<H: Answering>(by handler: H) async throws(Fault) -> A.Reply {
            try await handler.admit(ask as! H.Question, in: context) as! A.Reply
        }
        switch ask {
        case is Payments.CreatePayment: return try await answered(by: CreatePaymentHandler(service: service))
        case is Payments.IssueCode: return try await answered(by: IssueCodeHandler(service: service))
        case is Payments.RedeemCode: return try await answered(by: RedeemCodeHandler(service: service))
        case is Payments.RequestCharge: return try await answered(by: RequestChargeHandler(service: service))
        case is Payments.ApproveCharge: return try await answered(by: ApproveChargeHandler(service: service))
        case is Payments.DeclineCharge: return try await answered(by: DeclineChargeHandler(service: service))
        case is Payments.CancelCharge: return try await answered(by: CancelChargeHandler(service: service))
        case is Payments.RefundCharge: return try await answered(by: RefundChargeHandler(service: service))
        case is Payments.ReadCharge: return try await answered(by: ReadChargeHandler(service: service))
        case is Payments.ReadCharges: return try await answered(by: ReadChargesHandler(service: service))
        case is Payments.ReadReceipt: return try await answered(by: ReadReceiptHandler(service: service))
        case is Payments.ReadEnabled: return try await answered(by: ReadEnabledHandler(service: service))
        case is Payments.SetEnabled: return try await answered(by: SetEnabledHandler(service: service))
        case is Payments.ReadChargeable: return try await answered(by: ReadChargeableHandler(service: service))
        case is Payments.SetPermission: return try await answered(by: SetPermissionHandler(service: service))
        case is Payments.ReadPermissions: return try await answered(by: ReadPermissionsHandler(service: service))
        default: throw Fault(.unknownType)
        }
    }

    /// The code of the refusal; nil when there was none.
    func refusal<A: Ask>(of ask: A, as actor: Actor? = nil) async -> FaultCode? {
        do throws(Fault) {
            try await self.ask(ask, as: actor)
            return nil
        } catch {
            return error.code
        }
    }

    func sweep() async throws { try await ExpirySweep(service: service).run() }

    // MARK: What there is

    func state(of charge: ChargeID) async throws -> Payments.ChargeState? { try await store.charge(charge)?.state }

    /// All facts that payments told, checked to be without a gap.
    func facts() async throws -> [Envelope] {
        var facts: [Envelope] = []
        var head: Int64
        repeat {
            // A page holds what fits into an envelope.
            let page = try await store.read(after: Int64(facts.count), limit: 1000)
            facts += try page.facts.map { try Envelope(json: $0.bytes) }
            head = page.head
            if page.facts.isEmpty { break }
        } while Int64(facts.count) < head
        #expect(facts.compactMap(\.sequence) == facts.indices.map { Int64($0) + 1 })
        #expect(head == Int64(facts.count))
        return facts
    }

    func factTypes() async throws -> [MessageType] { try await facts().map { MessageType($0.type) } }
}

/// Where the charges under test are kept. Every test of what a store does runs on each; another engine joins here.
enum StoreKind: CaseIterable, CustomTestStringConvertible {
    case inMemory, file

    var testDescription: String {
        switch self {
        case .inMemory: "SQLite in memory"
        case .file: "SQLite file"
        }
    }

    /// Few rows ahead of their index, so that they are behind, and written, all the time.
    ///
    /// - Parameter directory: needed for stores that survive.
    func open(
        in directory: TemporaryDirectory?, publish: @escaping @Sendable ([PublishedFact]) -> Void = { _ in }
    ) throws -> any ChargeStore {
        let charges =
            switch self {
            case .inMemory: try SQLChargeStore(rowsAheadMax: 3)
            case .file: try SQLChargeStore(.file(try #require(directory).file("payments.sqlite")), rowsAheadMax: 3)
            }
        charges.store.publish(to: Publisher(body: publish))
        return charges
    }

    private struct Publisher: FactPublishing {
        let body: @Sendable ([PublishedFact]) -> Void

        func publish(_ facts: [PublishedFact]) { body(facts) }
    }
}

extension ChargeStore {
    /// However long a search takes.
    func charges(
        of party: PartyID, state: Payments.ChargeState?, since: Timestamp?, before: Int64?, limit: Int
    ) async throws(Fault) -> ChargePage {
        try await charges(of: party, state: state, since: since, before: before, limit: limit, isLate: { false })
    }

    /// However many wait.
    func request(
        _ charge: PaymentsService.Charge, causedBy context: AskContext
    ) async throws -> (charge: PaymentsService.Charge, existed: Bool) {
        switch try await request(charge, waitingMax: .max, ofKnown: false, causedBy: context) {
        case .recorded: (charge, false)
        case .existed(let known, _): (known, true)
        case .stranger, .tooManyWait: preconditionFailure("there is no limit")
        }
    }
}

extension SQLChargeStore {
    /// Makes a file that takes no charges with this memo: stands for a disk that is full for a while.
    static func makeFile(_ path: String, refusing memo: String) async throws {
        _ = try SQLChargeStore(.file(path))
        try await DatabaseQueue(waitingFor: path).write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER refusing BEFORE INSERT ON charges WHEN NEW.memo = '\(memo)'
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """)
        }
    }
}

extension DatabaseQueue {
    /// A file whose store has just been let go of: the thread that wrote it may still hold it.
    convenience init(waitingFor path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(60)
        try self.init(path: path, configuration: configuration)
    }
}
