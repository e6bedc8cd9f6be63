import Bus
import Contracts
import Glibc
import Primitives
import Synchronization
import Wire

/// What a process does when it is stopped, killed or frozen. Only where it is the kit's own to treat so.
enum ProcessCases {
    static func cases(of specification: Specification) -> [Case] {
        guard let load = specification.load else { return [] }
        let (service, leaving) = (specification.service, specification.examples)
        return [
            drain(service, load, leaving), restart(service, load, leaving), late(service, load), silence(service)
        ]
    }

    /// How long a process may take to end after SIGTERM, in seconds. Ours take 1.6 s at most.
    private static let endMax = 5
    /// Asks in flight at one time.
    private static let askers = 8
    /// Answers that have to have come before the process is stopped: then it is at work.
    private static let answersBefore = 16
    /// Asks of each client that are ready before the first is asked, so that the process is stopped among them.
    private static let readyAsks = 24

    private static func drain(
        _ service: String, _ load: @escaping Load, _ leaving: [any AskExample]
    ) -> Case {
        Case(
            "\(service)/drain",
            "on SIGTERM it ends within \(endMax) s and knows afterwards what it has answered; of the asks under way each is "
                + "answered, or asked again done once",
            .controlling
        ) { trial in
            let lost = try await stopped(by: SIGTERM, load, leaving, trial)
            // A worker of the RFCs has one ask at a time, which may be on its way when it says DISCONNECT. Whoever
            // takes more has GOODBYE to finish them.
            try require(lost <= 1, "\(lost) asks that it had taken were never answered")
        }
    }

    private static func restart(
        _ service: String, _ load: @escaping Load, _ leaving: [any AskExample]
    ) -> Case {
        Case(
            "\(service)/restart",
            "after kill -9 under load it knows all that it has answered, in its answers and in its facts, and each ask is "
                + "done once",
            .controlling
        ) { trial in
            _ = try await stopped(by: SIGKILL, load, leaving, trial)
        }
    }

    typealias Load = @Sendable (World) async throws -> LoadedAsk

    private struct Asked: Sendable {
        let ask: LoadedAsk
        /// The reply's essence; nil where it was refused in a way that says: later, or again with the same key.
        let reply: String?
        let isLost: Bool
    }

    /// Stops the process under load and starts it again.
    ///
    /// - Returns: how many asks its end took with it, all of which could be asked again.
    private static func stopped(
        by signal: Int32, _ load: @escaping Load, _ leaving: [any AskExample], _ trial: Trial
    ) async throws -> Int {
        guard let process = trial.process else { throw CannotCheck("there is no process to stop") }
        let before = try await Known(leaving, load, trial)
        let asked = try await underLoad(load, trial) {
            await process.send(signal)
            try await process.awaitEnd(seconds: endMax)
            try await process.startAgain()
        }
        try await before.expectKept(trial)
        let (answered, all) = (asked.filter { $0.reply != nil }, asked)
        let facts = try await trial.log?.facts(after: before.head) ?? []
        for asked in answered { try before.expectFacts(facts, of: asked.ask) }
        for asked in all {
            let reads = asked.reply == nil ? nil : try await asked.ask.reads(trial.world)
            let data = try await replyData(asked.ask, trial.asker)
            guard let reply = asked.reply else { continue }
            if asked.ask.isKeyed {
                try require(data["replayed"] == true, "what it had answered is done again after the start")
            }
            try require(asked.ask.essence(data) == reply, "what it had answered is answered otherwise after the start")
            guard let reads else { continue }
            let now = try await asked.ask.reads(trial.world)
            try require(
                now == reads, "what it had answered was not known after the start: it read \(reads), now \(now)")
        }
        let later = try await trial.log?.facts(after: before.head) ?? []
        try require(Array(later.prefix(facts.count)) == facts, "facts in its log have changed")
        let answeredIDs = answered.reduce(into: Set<String>()) { $0.formUnion($1.ask.ids) }
        for fact in later.dropFirst(facts.count) where fact.names(any: answeredIDs) {
            throw Wrong("\(fact.type) is told again of what it had answered")
        }
        for asked in all { try before.expectFacts(later, of: asked.ask) }
        return all.count { $0.isLost }
    }

    /// What a service knew before it was stopped.
    private struct Known {
        let head: Int64
        private let facts: [LoggedFact]
        private let traces: [(trace: Trace, snapshot: Snapshot)]
        /// The types of the facts of one ask of the load.
        private let typesOfLoad: [String]

        init(_ leaving: [any AskExample], _ load: Load, _ trial: Trial) async throws {
            var traces: [(Trace, Snapshot)] = []
            for example in leaving where !trial.missing.contains(example.type) {
                guard let trace = try await example.leave?(trial) else { continue }
                traces.append((trace, try await trace.look()))
            }
            self.traces = traces
            let start = try await trial.head()
            let ask = try await load(trial.world)
            _ = try await replyData(ask, trial.asker)
            typesOfLoad = try await trial.log?.facts(after: start).filter { $0.names(any: ask.ids) }.map(\.type) ?? []
            head = try await trial.head()
            facts = try await trial.log?.facts(after: 0) ?? []
        }

        func expectKept(_ trial: Trial) async throws {
            let now = try await trial.log?.facts(after: 0) ?? []
            try require(Array(now.prefix(facts.count)) == facts, "its log has other facts after the start than before")
            for (trace, before) in traces {
                if let difference = try await trace.look().difference(from: before) {
                    throw Wrong("what \(trace.type) has changed is not known after the start: \(difference)")
                }
            }
        }

        func expectFacts(_ log: [LoggedFact], of ask: LoadedAsk) throws(Wrong) {
            let types = log.filter { $0.names(any: ask.ids) }.map(\.type)
            try require(
                types == typesOfLoad,
                "of an ask that it has answered its log has the facts \(types), and of another one \(typesOfLoad)")
        }
    }

    /// Asks without a pause until `body` has stopped the process and started it again.
    private static func underLoad(
        _ load: @escaping Load, _ trial: Trial, _ body: () async throws -> Void
    ) async throws -> [Asked] {
        let (isOver, answers) = (SharedFlag(), SharedCount())
        let ready = try await withThrowingTaskGroup(of: [LoadedAsk].self) { group in
            for _ in 0..<askers {
                group.addTask {
                    var asks: [LoadedAsk] = []
                    for _ in 0..<readyAsks { asks.append(try await load(trial.world)) }
                    return asks
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return try await withThrowingTaskGroup(of: [Asked].self) { group in
            for ready in ready {
                group.addTask {
                    var (asked, ready): ([Asked], ArraySlice<LoadedAsk>) = ([], ready[...])
                    while !isOver.isSet {
                        let ask = if let next = ready.popFirst() { next } else { try await load(trial.world) }
                        asked.append(try await once(ask, trial.asker))
                        answers.add()
                    }
                    return asked
                }
            }
            do {
                let end = ContinuousClock.now + .seconds(20)
                while answers.value < answersBefore {
                    guard ContinuousClock.now < end else {
                        throw Wrong("it does not answer \(answersBefore) asks in 20 s")
                    }
                    try await Task.sleep(for: .milliseconds(2))
                }
                try await body()
            } catch {
                isOver.set()
                throw error
            }
            isOver.set()
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func once(_ ask: LoadedAsk, _ asker: Asker) async throws -> Asked {
        let (sent, frame) = ask.frame(asker)
        switch await asker.deliver(frame) {
        case .envelope(let bytes):
            switch try AnswerForm.read(bytes, to: sent) {
            case .reply(let data): return Asked(ask: ask, reply: ask.essence(data), isLost: false)
            case .fault(let fault) where fault.code.retry != .never: return Asked(ask: ask, reply: nil, isLost: false)
            case .fault(let fault): throw Wrong("an ask is refused with \(fault.code)")
            }
        case .refused(.workerLost): return Asked(ask: ask, reply: nil, isLost: true)
        case .refused(.outcomeUnknown): throw Wrong("an ask was taken and never answered")
        case .refused(let code) where code.retry != .never: return Asked(ask: ask, reply: nil, isLost: false)
        case .refused(let code): throw Wrong("an ask is refused with \(code)")
        }
    }

    private static func replyData(_ ask: LoadedAsk, _ asker: Asker) async throws -> JSONValue {
        let (sent, frame) = ask.frame(asker)
        switch try AnswerForm.read(try await asker.send(frame), to: sent) {
        case .reply(let data): return data
        case .fault(let fault): throw Wrong("asked again after the start, it is refused with \(fault.code)")
        }
    }

    /// How long an ask is given to a process that is frozen.
    private static let frozenPatience = Duration.milliseconds(700)

    private static func late(_ service: String, _ load: @escaping Load) -> Case {
        Case(
            "\(service)/late",
            "an ask that it finds only when its time is up, having been frozen, is not done any more",
            .controlling
        ) { trial in
            guard let process = trial.process else { throw CannotCheck("there is no process to freeze") }
            let ask = try await load(trial.world)
            let (start, before) = (try await trial.head(), try await ask.reads(trial.world))
            let hasty = Asker(
                service: trial.asker.service, route: trial.asker.service, bus: trial.world.bus, patience: frozenPatience
            )
            await process.freeze()
            let outcome = await hasty.deliver(ask.frame(hasty).frame)
            try await trial.nextMillisecond()
            await process.send(SIGCONT)
            guard case .refused(let code) = outcome, code.retry != .never else {
                throw CannotCheck("the broker gave no word for an ask to a frozen process")
            }
            // Whatever was sent before this one is dealt with before it, or beside it.
            try await answers(trial)
            let after = try await ask.reads(trial.world)
            try require(after == before, "it was done after its deadline: it reads \(after), and read \(before)")
            let facts = try await trial.log?.facts(after: start) ?? []
            try require(
                !facts.contains { $0.names(any: ask.ids) }, "it was done after its deadline: its log tells of it")
            let data = try await replyData(ask, trial.asker)
            try require(data["replayed"] != true, "it was done after its deadline")
        }
    }

    private static func silence(_ service: String) -> Case {
        Case(
            "\(service)/silence", "frozen for so long that the broker gives it up, it registers again and answers",
            .controlling
        ) { trial in
            guard let process = trial.process else { throw CannotCheck("there is no process to freeze") }
            await process.freeze()
            do { try await trial.world.awaitWorkers(of: service, 0, seconds: 30) } catch {
                await process.send(SIGCONT)
                throw error
            }
            await process.send(SIGCONT)
            try await answers(trial)
        }
    }

    /// Waits until it answers. While it registers again, some asks may be refused because their worker went away.
    private static func answers(_ trial: Trial) async throws {
        let type = MessageType("\(trial.asker.service).stats.read.v1")
        let end = ContinuousClock.now + .seconds(endMax)
        while true {
            do {
                let answer = try await trial.asker.answer(type, data: Array("{}".utf8))
                guard case .reply = answer else { throw Wrong("\(type) is answered with \(answer.words)") }
                return
            } catch let wrong as Wrong where wrong.isSilence && ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}

private final class SharedFlag: Sendable {
    private let state = Atomic(false)
    var isSet: Bool { state.load(ordering: .relaxed) }
    func set() { state.store(true, ordering: .relaxed) }
}

private final class SharedCount: Sendable {
    private let state = Atomic(0)
    var value: Int { state.load(ordering: .relaxed) }
    func add() { state.wrappingAdd(1, ordering: .relaxed) }
}
