import Bus
import Contracts
import Primitives
import RoutinesService
import Synchronization
import TestKit
import Testing
import Wire

/// The service with a store in memory and a clock that a test sets.
final class RoutinesHarness: Sendable {
    static let ada = PartyID(high: 2, low: 1)
    static let bob = PartyID(high: 2, low: 2)
    /// 2026-11-24, a Tuesday.
    static let date = CivilDate(year: 2026, month: 11, day: 24)!

    let store: RoutineStore
    let service: RoutineService
    private let clock = ManualClock()
    private let ids = Mutex<UInt64>(0)

    /// - Parameter directory: of the database; in memory without one.
    init(at time: String = "2026-11-24T05:00:00Z", in directory: TemporaryDirectory? = nil) throws {
        store = try directory.map { try RoutineStore(.file($0.file("routines.sqlite"))) } ?? RoutineStore()
        service = RoutineService(store: store, clock: clock.wall)
        now = Self.moment(time)
    }

    /// Before the file is opened again.
    func close() async throws { try await store.store.close() }

    var now: Timestamp {
        get { clock.now }
        set { clock.set(newValue) }
    }

    static func moment(_ text: String) -> Timestamp { Timestamp(rfc3339: Array(text.utf8))! }

    func id<Subject>() -> Identifier<Subject> {
        Identifier(
            high: 9,
            low: ids.withLock {
                $0 += 1
                return $0
            })
    }

    /// Answers as the bus does: limits first, then the handler.
    func ask<A: Ask>(_ ask: A) async throws -> A.Reply {
        try ask.check()
        for handler in service.handlers { if let reply = try await reply(handler, to: ask) { return reply } }
        throw Fault(.unknownType)
    }

    private func reply<H: Answering, A: Ask>(_ handler: H, to ask: A) async throws -> A.Reply? {
        guard let question = ask as? H.Question else { return nil }
        let context = AskContext(deadline: Timestamp(milliseconds: .max), causationID: "ask-1")
        return try await handler.answer(question, in: context) as? A.Reply
    }

    func facts<F: Fact>(_ type: F.Type) async throws -> [F] {
        var found: [F] = []
        var last: Int64 = 0
        while true {
            let page = try await store.store.read(after: last, limit: 1000).facts
            for fact in page {
                let envelope = try Envelope(json: fact.bytes)
                if envelope.type == F.type.name { found.append(try F(json: envelope.data)) }
                last = envelope.sequence ?? last
            }
            if page.isEmpty { return found }
        }
    }

    // MARK: What tests begin with

    static func action(_ text: String, _ minutes: Int64 = 5, _ priority: Routines.Priority = .normal) -> Routines.Action
    {
        .init(name: .init(text: text), minutes: minutes, priority: priority)
    }

    func newRoutine(
        _ name: Routines.Label, tag: String = "pet", of account: PartyID = ada, quiet: Bool? = nil,
        actions: [Routines.Action] = [action("Step")]
    ) -> Routines.CreateRoutine {
        .init(account: account, routine: id(), name: name, tag: tag, quiet: quiet, actions: actions)
    }

    @discardableResult
    func create(
        _ name: String, tag: String = "pet", quiet: Bool? = nil, actions: [Routines.Action] = [action("Step")]
    ) async throws -> Routines.RoutineView {
        try await ask(newRoutine(.init(text: name), tag: tag, quiet: quiet, actions: actions)).routine
    }

    func confirm(
        _ entries: [Routines.NewEntry], on date: CivilDate = date, zone: String = "UTC", replace: Bool? = nil
    ) async throws -> Routines.DayView {
        try await ask(
            Routines.ConfirmDay(
                account: Self.ada, day: id(), date: date, zone: zone, entries: entries, replace: replace)
        ).day
    }

    func read(_ date: CivilDate = date) async throws -> Routines.DayView {
        try await ask(Routines.ReadDay(account: Self.ada, date: date))
    }

    func mark(
        _ day: Routines.DayView, _ entry: Int64, _ action: Int64, done: Bool = true, time: Timestamp? = nil
    ) async throws -> Routines.DayView {
        try await ask(
            Routines.MarkAction(
                account: Self.ada, day: day.day, entry: entry, action: action, done: done, time: time))
    }
}

/// The code that a refusal has; nil for an answer.
func refusal(_ body: () async throws -> some Sendable) async -> FaultCode? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? Fault)?.code
    }
}
