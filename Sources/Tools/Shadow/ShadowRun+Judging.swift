import Bus
import Conformance
import Contracts
import Primitives
import Wire

extension ShadowRun {
    /// Pauses before the same read is put to both again.
    private static let lookPauses = [5, 15, 40, 100, 300, 1500].map { Duration.milliseconds($0) }
    /// How long the last look waits for the candidate to get what it was not given yet, and then for its facts.
    private static let lastLookPatience = Duration.seconds(60)
    private static let lastLookPause = Duration.milliseconds(500)
    /// Reads that are looked at again at once; of more, the first difference counts.
    private static let looksMax = 4_096

    func judge(_ pair: Pairing.Pair) {
        let isLookedAtAgain = state.withLock { state -> Bool in
            let found = differences(of: pair, &state)
            if found.isEmpty { state.comparison.give(pair.ask) }
            if isNotOffered(pair.type, by: pair.shadow.answer) {
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

    /// Whether the candidate has left out what a service may leave out.
    func isNotOffered(_ type: String, by shadow: ComparedAnswer?) -> Bool {
        shadow?.data["code"] == .string(FaultCode.unknownType.code)
            && Specification.of(service)?.isOptional(MessageType(type)) == true
    }

    private func differences(of pair: Pairing.Pair, _ state: inout State, liveLag: Int64 = 0) -> [Difference] {
        guard let live = pair.live.answer else { return [] }
        guard let shadow = pair.shadow.answer else {
            return [Difference(path: "envelope", live: .string(live.type), shadow: nil)]
        }
        return state.comparison.differences(live, shadow, ignoring: ignored, liveLag: liveLag)
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
        let lag = WallClock.system.now().milliseconds - Int64(clamping: first.askedMicroseconds / 1_000)
        return state.withLock { state in
            for (live, shadow, liveLag) in [(first.live, later.shadow, 0), (later.live, first.shadow, lag)] {
                let pair = Pairing.Pair(type: first.type, live: live, shadow: shadow)
                guard live.answer != nil, differences(of: pair, &state, liveLag: liveLag).isEmpty else { continue }
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
