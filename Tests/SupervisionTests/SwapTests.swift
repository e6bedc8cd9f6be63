import Supervision
import Testing

@Suite("A swap")
struct SwapTests {
    /// What is done, without what is told and timed.
    private func acts(_ orders: [Swap.Order]) -> [Swap.Order] {
        orders.filter {
            switch $0 {
            case .report, .time: false
            default: true
            }
        }
    }

    /// A swap that has begun and been told of these; what it did for each.
    private func play(takesOver: Bool = false, _ events: Swap.Event...) -> (swap: Swap, acts: [[Swap.Order]]) {
        var swap = Swap("offers", takesOver: takesOver)
        var all = [acts(swap.begin())]
        for event in events { all.append(acts(swap.handle(event))) }
        return (swap, all)
    }

    private func failure(_ step: Swap.Step, _ reason: String, isRunning: Bool = true) -> Swap.Order {
        .finished(.init(failure: .init(step: step, reason: reason), isRunning: isRunning))
    }

    @Test("pauses, stops, starts, checks and resumes, in this order")
    func success() {
        let (_, acts) = play(.paused, .ended(status: 0), .ready, .checked(passed: true, said: ""), .resumed)
        #expect(
            acts == [
                [.pause], [.terminate], [.startNew], [.check], [.resume],
                [.finished(.init(failure: nil, isRunning: true))]
            ])
    }

    @Test("copies the state before the pause, and reads the rest before the old one ends")
    func takesOver() {
        let (_, acts) = play(
            takesOver: true, .followed, .paused, .completed, .ended(status: 0), .ready,
            .checked(passed: true, said: ""), .resumed, .checked(passed: true, said: ""))
        #expect(
            acts == [
                [.startBeside], [.pause], [.complete], [.terminate], [.promote], [.compare], [.resume], [.check],
                [.finished(.init(failure: nil, isRunning: true))]
            ])
    }

    @Test(
        "lets one that took the state over keep the place when it fails its check, until the state is handed over again",
        arguments: [Swap.Event.checked(passed: false, said: "no"), .ended(status: 1), .late])
    func failsWhileServing(event: Swap.Event) {
        let (_, acts) = play(
            takesOver: true, .followed, .paused, .completed, .ended(status: 0), .ready,
            .checked(passed: true, said: ""), .resumed, event)
        guard case .finished(let outcome)? = acts.last?.first else {
            _ = Issue.record("\(acts)")
            return
        }
        #expect(outcome.failure?.step == .check && outcome.keepsPlace)
        #expect(outcome.isRunning == (event != .ended(status: 1)))
    }

    @Test("ends one whose log is not the old one's before the queue flows")
    func otherLog() {
        let (_, acts) = play(
            takesOver: true, .followed, .paused, .completed, .ended(status: 0), .ready,
            .checked(passed: false, said: "no"), .ended(status: 143), .ready, .resumed)
        #expect(acts.dropFirst(6) == [[.terminate], [.startOld], [.resume], [failure(.check, "no")]])
    }

    @Test(
        "refuses one that cannot take the state over before the pause",
        arguments: [Swap.Event.notTakenOver("no"), .endedBeside(status: 1), .late, .couldNotStart("no such file")])
    func cannotTakeOver(event: Swap.Event) {
        let (_, acts) = play(takesOver: true, event)
        guard case .finished(let outcome)? = acts.last?.first, acts.count == 2 else {
            _ = Issue.record("\(acts)")
            return
        }
        #expect(outcome.failure?.step == .takeOver && outcome.isRunning)
    }

    @Test(
        "lets the old one go on when the rest of the state cannot be read",
        arguments: [Swap.Event.notTakenOver("no"), .endedBeside(status: 1), .late])
    func losesTheTail(event: Swap.Event) {
        let (_, acts) = play(takesOver: true, .followed, .paused, event, .resumed)
        #expect(acts[3] == [.resume])
        guard case .finished(let outcome)? = acts.last?.first else {
            _ = Issue.record("\(acts)")
            return
        }
        #expect(outcome.failure?.step == .takeOver && outcome.isRunning)
    }

    @Test("changes nothing when the queue is not paused")
    func notPaused() {
        #expect(play(.notPaused("no")).acts.last == [failure(.pause, "no")])
        // It may have been paused all the same.
        #expect(play(.late, .resumed).acts.suffix(2) == [[.resume], [failure(.pause, "the broker does not answer")]])
    }

    @Test("kills an old one that does not end")
    func hangingOld() {
        #expect(play(.paused, .late, .ended(status: 137)).acts.suffix(2) == [[.kill], [.startNew]])
    }

    @Test(
        "brings the old one back when the new one ends, or cannot be started",
        arguments: [Swap.Event.ended(status: 3), .couldNotStart("no such file")])
    func endsAtOnce(event: Swap.Event) {
        let (_, acts) = play(.paused, .ended(status: 0), event, .ready, .resumed)
        #expect(acts.dropFirst(3).prefix(2) == [[.startOld], [.resume]])
        guard case .finished(let outcome)? = acts.last?.first else {
            _ = Issue.record("\(acts)")
            return
        }
        #expect(outcome.failure?.step == .start && outcome.isRunning)
    }

    @Test("ends a new one that is not READY, or is refused, before the old one comes back")
    func refused() {
        let late = play(.paused, .ended(status: 0), .late, .ended(status: 143), .ready, .resumed)
        #expect(late.acts.dropFirst(3).prefix(3) == [[.terminate], [.startOld], [.resume]])
        #expect(late.acts.last == [failure(.start, "it was not READY and answering within 3000 ms")])
        let wrong = play(
            .paused, .ended(status: 0), .ready, .checked(passed: false, said: "captures twice"), .late,
            .ended(status: 137),
            .ready, .resumed)
        #expect(
            wrong.acts.dropFirst(4) == [
                [.terminate], [.kill], [.startOld], [.resume], [failure(.check, "captures twice")]
            ])
        #expect(play(.paused, .ended(status: 0), .ready, .late).acts.last == [.terminate])
        #expect(play(.paused, .ended(status: 0), .ready, .ended(status: 1)).acts.last == [.startOld])
    }

    @Test("resumes the queue even if the old one does not come back")
    func nobody() {
        let gone = play(.paused, .ended(status: 0), .ended(status: 1), .ended(status: 2), .resumed)
        #expect(gone.acts.dropFirst(4).first == [.resume])
        #expect(gone.acts.last == [failure(.start, "it ended with status 1 before it was READY", isRunning: false)])
        #expect(play(.paused, .ended(status: 0), .ended(status: 1), .late).acts.last == [.resume])
        let said = play(.paused, .ended(status: 0), .ended(status: 1, said: "error: no key"), .ready, .resumed)
        let reason = "it ended with status 1 before it was READY; its log says: error: no key"
        #expect(said.acts.last == [failure(.start, reason)])
    }

    @Test(
        "the new one keeps the place, and its state, where the broker does not say that it has resumed",
        arguments: [false, true], [Swap.Event.late, .notResumed("gone")])
    func notResumed(takesOver: Bool, last: Swap.Event) {
        var swap = Swap("offers", takesOver: takesOver)
        _ = swap.begin()
        let events: [Swap.Event] =
            (takesOver ? [.followed, .paused, .completed] : [.paused])
            + [.ended(status: 0), .ready, .checked(passed: true, said: "")]
        for event in events { _ = swap.handle(event) }
        #expect(acts(swap.handle(last)) == [.finished(Swap.Outcome(failure: nil, isRunning: true))])
    }

    @Test("passes over what comes twice or too late")
    func late() {
        var (swap, _) = play(.paused, .ended(status: 0), .ready, .checked(passed: true, said: ""), .resumed)
        for event in [Swap.Event.late, .ready, .resumed, .checked(passed: false, said: ""), .paused] {
            #expect(swap.handle(event) == [])
        }
    }

    @Test("is over before a request's ten seconds are, whatever fails")
    func inTime() {
        let longest = Swap.stopMax + Swap.readyMax + Swap.checkMax + Swap.discardMax + Swap.backMax
        let takingOver =
            Swap.tailMax + Swap.stopMax + Swap.promotionMax + Swap.compareMax + Swap.discardMax + Swap.backMax
        #expect(takingOver < Swap.pauseMax)
        #expect(longest < .milliseconds(9500) && longest < Swap.pauseMax)
    }
}
