import Bus
import BusZMQ
import Conformance
import Contracts
import DequeModule
import Primitives
import Synchronization
import Wire

/// Gives a candidate what a service is asked, in its order, and compares what both answer.
package final class ShadowRun: Sendable {
    struct State {
        var pairing = Pairing()
        var tally = Tally()
        var comparison = Comparison(AnswerRules())
        var turns = Turns()
        /// Reads that both are asked again now.
        var looks = 0
        /// Facts and asks that were taken for the candidate, and those of them that it was given.
        var (taken, given) = (0, 0)
        /// The facts that the candidate was given lately and may still consume: the ids in each, and when it got it.
        var told: Deque<(ids: Set<String>, time: ContinuousClock.Instant)> = []
    }

    /// How long the end waits for the candidate to get the rest.
    private static let restPatience = Duration.seconds(30)
    /// How long the candidate may refuse what the live service does: a fact that allows it may be on its way.
    private static let refusalPatience = Duration.seconds(2)
    /// How long a read may differ after a fact about the same things was given: the candidate takes time to consume it.
    private static let readPatience = Duration.milliseconds(100)
    /// An answer that stays the same for so long is given with all facts that the candidate has.
    private static let factPatience = Duration.milliseconds(20)
    private static let retryPause = Duration.milliseconds(3)
    /// How often it is looked whether held facts are due.
    private static let heldPause = Duration.milliseconds(50)
    /// Who asks again; copies of these asks are passed over.
    static let source = "shadow"

    let set: ShadowSet
    let service: String
    let ignored: Set<String>
    /// What the live service was asked before is in the candidate's data, or may be.
    let comparesFromMicroseconds: UInt64
    let state = Mutex(State())
    /// One element for any number of turns that were added.
    private let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - ignored: kinds of differences that are none (`Difference.kind`).
    ///   - moment: asks from before are given to the candidate and not compared.
    package init(_ set: ShadowSet, of service: String, ignoring ignored: Set<String>, from moment: UInt64) {
        (self.set, self.service, self.ignored, comparesFromMicroseconds) = (set, service, ignored, moment)
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package var tally: Tally { state.withLock { $0.tally } }
    /// Asks for which there was no room, and those of which an answer never came.
    package var missed: (passedOver: Int, lost: Int) { state.withLock { ($0.pairing.passedOver, $0.pairing.lost) } }

    package func prevent(_ type: String) { state.withLock { $0.tally.prevent(type) } }

    /// Takes a live fact. The candidate gets those of other services; the ids in them are not its own.
    package func hear(_ fact: PublishedFact, _ envelope: Envelope) {
        guard envelope.source != service else {
            guard let cause = envelope.causationID else { return }
            return state.withLock { $0.turns.know(cause) }
        }
        add { state in
            state.comparison.give(fact.envelope)
            state.turns.add(fact, envelope, at: .now)
        }
    }

    /// Takes one copy off the live bus.
    package func take(_ copy: AskTap.Copy) {
        switch copy.kind {
        case .ask: takeAsk(copy)
        case .answer, .refusal:
            let answer = ComparedAnswer(envelope: copy.body)
            let pair = state.withLock { $0.pairing.live(copy.number, answer, at: copy.unixMicroseconds) }
            if let pair { judge(pair) }
            arrived.yield()
        case .partial: break
        }
    }

    private func takeAsk(_ copy: AskTap.Copy) {
        // What is no envelope says nothing of what it would do.
        guard let envelope = try? Envelope(json: copy.body), envelope.source != Self.source else { return }
        let type = envelope.type
        guard !AnswerRules.leavesOut(type) else { return state.withLock { $0.tally.leaveOut(type) } }
        guard state.withLock({ $0.pairing.ask(copy.number, type: type, copy.body, at: copy.unixMicroseconds) }) else {
            return
        }
        add { $0.turns.add(copy, isReading: Catalogue.ask(type)?.isReading == true, at: .now) }
    }

    private func add(_ turn: (inout State) -> Void) {
        state.withLock { state in
            state.taken += 1
            turn(&state)
        }
        arrived.yield()
    }

    /// Gives the candidate facts and asks, one after the other: the live service has done them in this order, and an id
    /// that one of its answers has made is known before an ask names it. Returns when ``end(_:)`` was called.
    package func giveAll() async {
        let looking = Task { [arrived] in
            while !Task.isCancelled {
                try await Task.sleep(for: Self.heldPause)
                arrived.yield()
            }
        }
        defer { looking.cancel() }
        for await _ in arrivals { while await giveNext(at: .now) {} }
        while await giveNext(at: nil) {}
    }

    private func giveNext(at now: ContinuousClock.Instant?) async -> Bool {
        guard !Task.isCancelled,
            let turn = state.withLock({ state in state.turns.next(at: now) { state.pairing.isAnswered($0) } })
        else { return false }
        switch turn {
        case .ask(let copy):
            await give(copy)
            state.withLock { $0.given += 1 }
        case .fact(let fact): give([fact])
        }
        return true
    }

    private func give(_ facts: [Turns.Fact]) {
        let now = WallClock.system.now()
        state.withLock { state in
            state.given += facts.count
            while let first = state.told.first, first.time + Self.readPatience < .now { state.told.removeFirst() }
            for fact in facts { state.told.append((fact.ids, .now)) }
            for time in facts.compactMap(\.time) { state.comparison.lagged(now.milliseconds - time.milliseconds) }
        }
        for fact in facts { set.tell(fact.fact) }
    }

    /// Takes no more, and waits for the answers to what was taken and for what is looked at again.
    ///
    /// - Parameter giving: the task of ``giveAll()``.
    package func end(_ giving: Task<Void, Never>) async {
        arrived.finish()
        let limit = Task {
            try await Task.sleep(for: Self.restPatience)
            giving.cancel()
        }
        await giving.value
        limit.cancel()
        state.withLock { $0.given = $0.taken }
        // Each look ends by itself.
        while state.withLock({ $0.looks > 0 }) { try? await Task.sleep(for: .milliseconds(20)) }  // never cancelled
    }

    private func give(_ copy: AskTap.Copy) async {
        guard let ask = try? JSONValue(parsing: copy.body), case .string(let type)? = ask["type"] else { return }
        let isReading = Catalogue.ask(type)?.isReading == true
        let ids = Set(Twins.ids(in: copy.body))
        let live = state.withLock { $0.pairing.liveAnswer(to: copy.number) }
        let start = ContinuousClock.now
        var (last, changed) = (ComparedAnswer?.none, start - Self.factPatience)
        while true {
            let asked = monotonicNanoseconds()
            let answer = await answer(to: ask, askedMicroseconds: copy.unixMicroseconds, deadline: copy.deadline)
            guard !Task.isCancelled else { return }
            let time = Int64((monotonicNanoseconds() - asked) / 1_000)
            let lag = WallClock.system.now().milliseconds - Int64(copy.unixMicroseconds / 1_000)
            let (lacksFact, told) = state.withLock { state in
                state.comparison.lagged(lag)
                let told = state.told.last { !$0.ids.isDisjoint(with: ids) }?.time ?? start - Self.readPatience
                return (mayLackFact(answer, as: live?.answer, type, isReading: isReading, &state), told)
            }
            let now = ContinuousClock.now
            if let last, last != answer { changed = now }
            last = answer
            var facts: [Turns.Fact] = []
            if let live, lacksFact, now >= max(changed, told) + Self.factPatience {
                facts = state.withLock { $0.turns.facts(by: live.time, naming: isReading ? ids : nil) }
            }
            let end = isReading ? told + Self.readPatience : start + Self.refusalPatience
            guard lacksFact, !facts.isEmpty || now < end else {
                let timed = Pairing.Timed(answer: answer, microseconds: time)
                if let pair = state.withLock({ $0.pairing.shadow(copy.number, timed) }) { judge(pair) }
                return
            }
            give(facts)
            try? await Task.sleep(for: Self.retryPause)  // when cancelled, all of it is over
        }
    }

    /// Whether a fact may make the candidate's answer to an ask the live one: a change may only be asked again if it
    /// was refused.
    private func mayLackFact(
        _ shadow: ComparedAnswer?, as live: ComparedAnswer?, _ type: String, isReading: Bool, _ state: inout State
    ) -> Bool {
        guard let live, !isNotOffered(type, by: shadow) else { return false }
        let found: [Difference]
        if isReading {
            found = shadow.map { state.comparison.differences(live, $0, ignoring: ignored) } ?? []
        } else {
            let isRefused = live.type.hasSuffix(".reply") && shadow?.type.hasSuffix(".fault") == true
            found = isRefused ? [Difference(path: "type", live: nil, shadow: nil)] : []
        }
        return !found.isEmpty && !state.tally.areUsual(found, of: type)
    }

    /// The candidate's answer to an ask, with its names for what the live service has made, and with as much time as
    /// the live service had.
    func answer(
        to ask: JSONValue, askedMicroseconds: UInt64, deadline: Timestamp?
    ) async -> ComparedAnswer? {
        let late = Duration.milliseconds(
            max(0, WallClock.system.now().milliseconds - Int64(askedMicroseconds / 1_000)))
        let expiry = ask["expirytime"]?.string.flatMap { Timestamp(rfc3339: Array($0.utf8)) }
        let shifted = expiry.map { [JSONValue.Member("expirytime", .string(($0 + late).rfc3339))] } ?? []
        let translated = state.withLock { $0.comparison.twins.translated(ask.replacing(shifted)) }
        let until = (deadline ?? expiry).map { $0 + late } ?? WallClock.system.now() + Answerer.deadlineDefault
        return ComparedAnswer(await set.ask(Array(translated.text.utf8), deadline: until))
    }
}

extension ComparedAnswer {
    init?(_ outcome: TransportAnswer) {
        switch outcome {
        case .envelope(let bytes): self.init(envelope: bytes)
        case .refused(let code):
            let data = try? JSONValue(parsing: Fault(code).json)  // our own JSON can be read
            self.init(type: "bus.fault.v1", data: data ?? .object([]))
        }
    }
}

extension JSONValue {
    /// An object with other values in these members, which it has or gets.
    func replacing(_ members: [Member]) -> JSONValue {
        guard case .object(let old) = self else { return self }
        let names = Set(members.map(\.key))
        return .object(old.filter { !names.contains($0.key) } + members)
    }
}
