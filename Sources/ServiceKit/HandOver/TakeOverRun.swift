import Bus
import Contracts
import Primitives
import Wire

/// Reads a service's state from the process that serves, and follows it to its end (ADR 44).
actor TakeOverRun<Service: StateOwner> {
    private static var rowsAtOnce: Int { 1000 }
    private static var factsAtOnce: Int { 1000 }
    private static var patience: Duration { .seconds(5) }
    /// Nobody waits long behind an answer that takes no longer.
    private static var briefAnswer: Duration { .milliseconds(5) }
    /// A pass that takes no longer leaves so little that it is read at once in the pause.
    private static var shortPass: Duration { .milliseconds(200) }
    /// Between two reads of what has changed.
    private static var followPause: Duration { .milliseconds(10) }

    private struct Table {
        let table: StateTable
        let isInMemory: Bool
        var place: String?
    }

    private let bus: Bus
    private let target: any StateTarget
    private let memory: [StateTable]
    private let follower: (any CopiedMemory)?
    private var phase = TakeOverPhase.copying
    private var wanted = TakeOverPhase.following
    private var failure: Fault?
    private var rows: Int64 = 0
    private var head: Int64 = 0
    private var copy: Int64 = 0
    private var tables: [Table] = []
    /// Since the copy was settled; nil before.
    private var changed: ChangedRows?
    private var nap: Task<Void, Never>?
    private var waiting: [(phase: TakeOverPhase, continuation: CheckedContinuation<Void, Never>)] = []

    /// - Parameters:
    ///   - memory: the tables that are in no file.
    ///   - follower: gets all rows too.
    init(_ bus: Bus, into target: any StateTarget, memory: [StateTable], follower: (any CopiedMemory)?) {
        (self.bus, self.target, self.memory, self.follower) = (bus, target, memory, follower)
    }

    // MARK: What `billfold swap` asks

    /// Goes on to a phase, and returns when it is reached.
    func advance(to phase: TakeOverPhase) async throws(Fault) -> TakeOver {
        if phase == .complete || phase == .serving {
            guard self.phase != .copying else { throw Fault(.unavailable, "the state is still being copied") }
            guard phase == .complete || self.phase != .following else {
                throw Fault(.unavailable, "the state is not complete")
            }
            wanted = phase
            nap?.cancel()
            while failure == nil, self.phase.order < phase.order {
                await withCheckedContinuation { waiting.append((phase, $0)) }
            }
        }
        if let failure { throw failure }
        return TakeOver(phase: self.phase, rows: rows, facts: head)
    }

    private func reach(_ phase: TakeOverPhase) {
        self.phase = phase
        wake()
    }

    private func wake() {
        let ready = waiting.filter { failure != nil || $0.phase.order <= phase.order }
        waiting.removeAll { failure != nil || $0.phase.order <= phase.order }
        for one in ready { one.continuation.resume() }
    }

    // MARK: Reading

    /// Copies and follows the state until it is to be complete, and reads the rest then.
    func read() async throws {
        do {
            try await begin()
            try await catchUp()
            changed = ChangedRows(in: try await target.settle())
            try await catchUp()
            reach(.following)
            while wanted == .following {
                await rest()
                try await pass()
            }
            let sealed = try await ask(SealState<Service>(copy: copy, isSealed: true))
            try await pass()
            let obstacle = try await target.obstacle(to: sealed, since: changed ?? ChangedRows())
            if let obstacle { throw StateMismatch(obstacle) }
        } catch {
            // Without this the seal ends by itself some seconds later.
            if wanted != .following { _ = try? await ask(SealState<Service>(copy: copy, isSealed: false)) }
            fail(error)
            throw error
        }
    }

    /// To be called when the new state is in its place.
    func complete() { reach(.complete) }

    func fail(_ error: any Error) {
        failure = (error as? Fault) ?? Fault(.unavailable, "\(error)")
        wake()
    }

    /// Pauses between two reads, or until the rest is to be read.
    private func rest() async {
        let nap = Task { _ = try? await Task.sleep(for: Self.followPause) }  // ends early when cancelled
        self.nap = nap
        await nap.value
    }

    /// Returns when it may serve.
    func awaitServing() async throws {
        while wanted != .serving { try await Task.sleep(for: .milliseconds(1)) }
        reach(.serving)
    }

    private func begin() async throws {
        let followed: FollowedState
        do throws(Fault) { followed = try await ask(FollowState<Service>()) } catch {
            guard error.code == .unknownType else { throw error }
            throw StateMismatch("the \(Service.service) that serves does not hand its state over")
        }
        let own = try await target.stateTables
        let known = Dictionary(uniqueKeysWithValues: (own + memory).map { ($0.name, $0) })
        let names = Set(followed.tables.map(\.name))
        if let unknown = names.subtracting(known.keys).sorted().first {
            throw StateMismatch("it has a table '\(unknown)', which this program does not keep")
        }
        if let missing = Set(own.map(\.name)).subtracting(names).sorted().first {
            throw StateMismatch("it has no table '\(missing)', which this program needs")
        }
        for table in followed.tables {
            guard let mine = known[table.name] else { continue }
            guard Set(table.keyColumns.map(\.name)) == Set(mine.keyColumns.map(\.name)) else {
                throw StateMismatch("the rows of its table '\(table.name)' have another key")
            }
            let isInMemory = memory.contains { $0.name == table.name }
            tables.append(Table(table: mine, isInMemory: isInMemory, place: nil))
        }
        copy = followed.copy
        try await target.clear()
    }

    /// Reads what there is until little more comes meanwhile, or as much as during the pass before.
    private func catchUp() async throws {
        var before: Duration?
        while true {
            let began = ContinuousClock.now
            try await pass()
            let time = ContinuousClock.now - began
            if time < Self.shortPass { return }
            if let before, time >= before { return }
            before = time
        }
    }

    /// Reads each table and the log of facts to their present ends.
    private func pass() async throws {
        for index in tables.indices { try await readTable(index) }
        try await readFacts()
    }

    private func readTable(_ index: Int) async throws {
        let table = tables[index].table
        var page = try await page(of: table, after: tables[index].place)
        while true {
            // The next page comes while this one is written.
            let (isEnd, place) = (page.isEnd, page.next)
            async let next = isEnd ? nil : self.page(of: table, after: place)
            let rows = try table.rows(page.rows)
            let removed = try table.rows(page.removed)
            if !tables[index].isInMemory {
                try await target.put(rows, removing: removed, in: table)
                changed?.note(rows, removing: removed, in: table)
            }
            try follower?.put(rows, removing: removed, in: table.name)
            self.rows += Int64(rows.count)
            tables[index].place = place
            guard let following = try await next else { return }
            page = following
        }
    }

    private func page(of table: StateTable, after place: String?) async throws -> StatePage {
        try await givingWay {
            try await ask(ReadState<Service>(copy: copy, table: table.name, after: place, limit: Self.rowsAtOnce))
        }
    }

    private func readFacts() async throws {
        var page = try await facts(after: head)
        while true {
            let end = head + Int64(page.facts.count)
            let isEnd = page.facts.isEmpty || end >= page.head
            async let next = isEnd ? nil : facts(after: end)
            try await target.append(page.facts, after: head)
            head = end
            guard let following = try await next else { return }
            page = following
        }
    }

    private func facts(after number: Int64) async throws -> FactsPage {
        try await givingWay { try await ask(ReadFacts<Service>(after: number, limit: Self.factsAtOnce)) }
    }

    /// While it copies, lets the process that serves do something else for twice as long as an answer took, unless that
    /// was brief: it may be one that answers one ask after the other, and people wait for it.
    private func givingWay<Page>(_ read: () async throws -> Page) async throws -> Page {
        let asked = ContinuousClock.now
        let page = try await read()
        let time = ContinuousClock.now - asked
        if phase == .copying, time > Self.briefAnswer { try await Task.sleep(for: time * 2) }
        return page
    }

    /// Asks the process that serves, also while its queue is paused.
    private func ask<A: Ask>(_ ask: A) async throws(Fault) -> A.Reply {
        let reply = try await bus.ask(
            A.type, data: ask.json, retry: A.retry, of: TrialName.of(Service.service),
            in: AskContext(deadline: WallClock.system.now() + Self.patience))
        do throws(WireError) { return try A.Reply(json: reply) } catch {
            throw Fault(.unavailable, "the answer to \(A.type) cannot be read: \(error)")
        }
    }
}

extension TakeOverPhase {
    var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Answers `billfold swap` until the program serves.
struct TakeOverHandler<Service: StateOwner>: Answering {
    let run: TakeOverRun<Service>

    func answer(_ ask: AdvanceTakeOver<Service>, in context: AskContext) async throws(Fault) -> TakeOver {
        try await run.advance(to: ask.to)
    }
}
