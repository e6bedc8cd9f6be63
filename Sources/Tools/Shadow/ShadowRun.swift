import Bus
import BusZMQ
import Contracts
import Primitives
import Synchronization
import Wire

/// Gives a candidate what a service is asked, and compares what both answer.
package final class ShadowRun: Sendable {
    private struct State {
        var pairing = Pairing()
        var tally: Tally
    }

    private let set: ShadowSet
    /// Asks that change something are given to the candidate too: it has a copy of the data.
    private let givesAll: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - tally: what asks are counted in.
    ///   - givesAll: also asks that change something, and not only those that do not.
    package init(_ set: ShadowSet, tally: Tally, givesAll: Bool) {
        self.set = set
        self.givesAll = givesAll
        state = Mutex(State(tally: tally))
    }

    package var tally: Tally { state.withLock { $0.tally } }
    /// Asks for which there was no room, and those of which an answer never came.
    package var missed: (passedOver: Int, lost: Int) { state.withLock { ($0.pairing.passedOver, $0.pairing.lost) } }

    package func prevent(_ type: String) { state.withLock { $0.tally.prevent(type) } }

    /// Takes one copy off the live bus.
    package func take(_ copy: AskTap.Copy) {
        switch copy.kind {
        case .ask: takeAsk(copy)
        case .answer, .refusal:
            let answer = ComparedAnswer(envelope: copy.body)
            state.withLock { state in
                if let pair = state.pairing.live(copy.number, answer, at: copy.unixMicroseconds) {
                    state.tally.count(pair)
                }
            }
        case .partial: break
        }
    }

    private func takeAsk(_ copy: AskTap.Copy) {
        // What is no envelope says nothing of what it would do.
        guard let envelope = try? Envelope(json: copy.body) else { return }
        let type = envelope.type
        guard givesAll || Catalogue.ask(type)?.isReading == true else {
            return state.withLock { $0.tally.withhold(type) }
        }
        guard state.withLock({ $0.pairing.ask(copy.number, type: type, at: copy.unixMicroseconds) }) else { return }
        let deadline =
            copy.deadline ?? envelope.expiryTime ?? WallClock.system.now() + Answerer.deadlineDefault
        Task { await give(copy, until: deadline) }
    }

    private func give(_ copy: AskTap.Copy, until deadline: Timestamp) async {
        let start = monotonicNanoseconds()
        let outcome = await set.ask(copy.body, deadline: deadline)
        let time = Int64((monotonicNanoseconds() - start) / 1_000)
        let answer: ComparedAnswer? =
            switch outcome {
            case .envelope(let bytes): ComparedAnswer(envelope: bytes)
            case .refused(let code): ComparedAnswer(type: "bus.fault.v1", refused: code)
            }
        state.withLock { state in
            let timed = Pairing.Timed(answer: answer, microseconds: time)
            if let pair = state.pairing.shadow(copy.number, timed) { state.tally.count(pair) }
        }
    }
}

extension ComparedAnswer {
    /// The broker's own refusal.
    fileprivate init(type: String, refused code: FaultCode) {
        let data = try? JSONValue(parsing: Fault(code).json)  // our own JSON can be read
        self.init(type: type, data: data ?? .object([]))
    }
}
