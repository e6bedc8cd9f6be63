import Bus
import BusZMQ
import Conformance
import Contracts
import Primitives
import Synchronization
import Wire

/// Gives a candidate what a service is asked, in its order, and compares what both answer.
package final class ShadowRun: Sendable {
    private struct State {
        var pairing = Pairing()
        var tally = Tally()
        var comparison = Comparison(AnswerRules())
        var turns = Turns()
        /// Reads that both are asked again now.
        var looks = 0
        /// Facts and asks that were taken for the candidate, and those of them that it was given.
        var (taken, given) = (0, 0)
    }

    /// Pauses before the same read is put to both again.
    private static let lookPauses = [5, 15, 40, 100, 300, 1500].map { Duration.milliseconds($0) }
    /// How long the last look waits for the candidate to get what it was not given yet, and then for its facts.
    private static let lastLookPatience = Duration.seconds(60)
    private static let lastLookPause = Duration.milliseconds(500)
    /// How long the end waits for the candidate to get the rest.
    private static let restPatience = Duration.seconds(30)
    /// Reads that are looked at again at once; of more, the first difference counts.
    private static let looksMax = 4_096
    /// How long the candidate may refuse what the live service does: a fact that allows it may be on its way.
    private static let refusalPatience = Duration.seconds(2)
    private static let refusalPause = Duration.milliseconds(10)
    /// Who asks again; copies of these asks are passed over.
    private static let source = "shadow"

    private let set: ShadowSet
    private let service: String
    private let ignored: Set<String>
    /// What the live service was asked before is in the candidate's data, or may be.
    private let comparesFromMicroseconds: UInt64
    private let state = Mutex(State())
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

    /// Takes a fact of another service. The ids in it are not the candidate's own.
    package func hear(_ fact: PublishedFact, at time: Timestamp?) {
        state.withLock { $0.comparison.give(fact.envelope) }
        add(.fact(fact, time: time))
    }

    /// Takes one copy off the live bus.
    package func take(_ copy: AskTap.Copy) {
        switch copy.kind {
        case .ask: takeAsk(copy)
        case .answer, .refusal:
            let answer = ComparedAnswer(envelope: copy.body)
            let pair = state.withLock { $0.pairing.live(copy.number, answer, at: copy.unixMicroseconds) }
            if let pair { judge(pair) }
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
        add(.ask(copy))
    }

    private func add(_ turn: Turns.Turn) {
        state.withLock { state in
            state.taken += 1
            state.turns.add(turn)
        }
        arrived.yield()
    }

    /// Gives the candidate facts and asks, one after the other: the live service has done them in this order, and an id
    /// that one of its answers has made is known before an ask names it. Returns when ``end(_:)`` was called.
    package func giveAll() async {
        for await _ in arrivals {
            while !Task.isCancelled, let turn = state.withLock({ $0.turns.next() }) {
                switch turn {
                case .ask(let copy): await give(copy)
                case .fact(let fact, _): set.tell(fact)
                }
                state.withLock { $0.given += 1 }
            }
        }
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
        let patience = ContinuousClock.now + Self.refusalPatience
        let isReading = Catalogue.ask(type)?.isReading == true
        while true {
            let start = monotonicNanoseconds()
            let answer = await answer(to: ask, askedMicroseconds: copy.unixMicroseconds, deadline: copy.deadline)
            guard !Task.isCancelled else { return }
            let time = Int64((monotonicNanoseconds() - start) / 1_000)
            let lag = WallClock.system.now().milliseconds - Int64(copy.unixMicroseconds / 1_000)
            let mayDoItLater = state.withLock { state -> Bool in
                state.comparison.lagged(lag)
                guard !isReading, answer?.type.hasSuffix(".fault") == true else { return false }
                guard let live = state.pairing.liveAnswer(to: copy.number) else { return true }
                guard live.type.hasSuffix(".reply") else { return false }
                return !state.tally.areUsual([Difference(path: "type", live: nil, shadow: nil)], of: type)
            }
            if mayDoItLater, ContinuousClock.now < patience {
                try? await Task.sleep(for: Self.refusalPause)  // when cancelled, all of it is over
                guard !Task.isCancelled else { return }
                giveFacts(knownAfter: copy)
                continue
            }
            let timed = Pairing.Timed(answer: answer, microseconds: time)
            if let pair = state.withLock({ $0.pairing.shadow(copy.number, timed) }) { judge(pair) }
            return
        }
    }

    /// Gives the candidate the facts that the live service may have known when it answered an ask.
    private func giveFacts(knownAfter copy: AskTap.Copy) {
        let facts = state.withLock { state -> [PublishedFact] in
            guard let answered = state.pairing.liveAnswered(copy.number) else { return [] }
            let facts = state.turns.facts(by: answered)
            state.given += facts.count
            return facts
        }
        facts.forEach(set.tell)
    }

    /// The candidate's answer to an ask, with its names for what the live service has made, and with as much time as
    /// the live service had.
    private func answer(
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

    // MARK: Judging

    private func judge(_ pair: Pairing.Pair) {
        let isLookedAtAgain = state.withLock { state -> Bool in
            let found = differences(of: pair, &state)
            if found.isEmpty { state.comparison.give(pair.ask) }
            if isNotOffered(pair) {
                state.tally.lack(pair.type)
                return false
            }
            guard pair.askedMicroseconds >= comparesFromMicroseconds else { return false }
            if !found.isEmpty, Catalogue.ask(pair.type)?.isReading == true, state.looks < Self.looksMax,
                !state.tally.areUsual(found, of: pair.type)
            {
                state.looks += 1
                return true
            }
            state.tally.count(pair, found)
            return false
        }
        // Other asks need not wait for it.
        if isLookedAtAgain { Task { await lookAgain(pair) } }
    }

    private func isNotOffered(_ pair: Pairing.Pair) -> Bool {
        pair.shadow.answer?.data["code"] == .string(FaultCode.unknownType.code)
            && Specification.of(service)?.isOptional(MessageType(pair.type)) == true
    }

    private func differences(of pair: Pairing.Pair, _ state: inout State) -> [Difference] {
        guard let live = pair.live.answer else { return [] }
        guard let shadow = pair.shadow.answer else {
            return [Difference(path: "envelope", live: .string(live.type), shadow: nil)]
        }
        return state.comparison.differences(live, shadow, ignoring: ignored)
    }

    /// Puts a read to both again, as facts arrive at one of them before the other: it is the same if one says later
    /// what the other said first. The last look is when the candidate was given all that had come by then.
    private func lookAgain(_ first: Pairing.Pair) async {
        defer { state.withLock { $0.looks -= 1 } }
        guard let ask = try? JSONValue(parsing: first.ask) else { return }  // it was read before
        let taken = state.withLock { $0.taken }
        for (number, pause) in Self.lookPauses.enumerated() {
            try? await Task.sleep(for: pause)  // never cancelled
            if isSettled(first, await look(ask, number, first)) { return }
        }
        let end = ContinuousClock.now + Self.lastLookPatience
        while ContinuousClock.now < end, state.withLock({ $0.given < taken }) {
            try? await Task.sleep(for: .milliseconds(20))  // never cancelled
        }
        try? await Task.sleep(for: Self.lastLookPause)  // never cancelled
        if isSettled(first, await look(ask, Self.lookPauses.count, first)) { return }
        state.withLock { state in state.tally.count(first, differences(of: first, &state)) }
    }

    /// Whether one of the two says now what the other said first; then it is counted.
    private func isSettled(_ first: Pairing.Pair, _ later: Pairing.Pair) -> Bool {
        state.withLock { state in
            for (live, shadow) in [(first.live, later.shadow), (later.live, first.shadow)] {
                let pair = Pairing.Pair(type: first.type, live: live, shadow: shadow)
                guard live.answer != nil, differences(of: pair, &state).isEmpty else { continue }
                state.tally.count(pair, [])
                state.tally.settle()
                return true
            }
            return false
        }
    }

    private func look(_ ask: JSONValue, _ number: Int, _ first: Pairing.Pair) async -> Pairing.Pair {
        let now = WallClock.system.now()
        let again = ask.replacing([
            .init("id", .string("\(ask["id"]?.string ?? "")-\(number)")), .init("source", .string(Self.source)),
            .init("expirytime", .string((now + Answerer.deadlineDefault).rfc3339))
        ])
        async let live = set.askLive(Array(again.text.utf8), deadline: now + Answerer.deadlineDefault)
        let shadow = await answer(to: again, askedMicroseconds: UInt64(now.milliseconds) * 1_000, deadline: nil)
        return Pairing.Pair(
            type: first.type, ask: first.ask, askedMicroseconds: first.askedMicroseconds,
            live: .init(answer: ComparedAnswer(await live), microseconds: first.live.microseconds),
            shadow: .init(answer: shadow, microseconds: first.shadow.microseconds))
    }
}

extension ComparedAnswer {
    fileprivate init?(_ outcome: TransportAnswer) {
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
    fileprivate func replacing(_ members: [Member]) -> JSONValue {
        guard case .object(let old) = self else { return self }
        let names = Set(members.map(\.key))
        return .object(old.filter { !names.contains($0.key) } + members)
    }
}
