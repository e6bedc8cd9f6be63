import Supervision
import Testing

@Suite("A roll over several processes")
struct RollTests {
    private let names = ["gateway-2", "gateway"]

    private func acts(_ orders: [Roll.Order]) -> [Roll.Order] {
        orders.filter {
            switch $0 {
            case .report, .time: false
            default: true
            }
        }
    }

    private func play(_ events: Roll.Event...) -> [[Roll.Order]] {
        var roll = Roll(names)
        return [acts(roll.begin())] + events.map { acts(roll.handle($0)) }
    }

    @Test("replaces one after the other: the next ends when the one before answers")
    func success() {
        #expect(
            play(.ended(status: 0), .healthy, .ended(status: 0), .healthy) == [
                [.take("gateway-2"), .terminate("gateway-2")], [.startNew("gateway-2")],
                [.giveBack("gateway-2"), .take("gateway"), .terminate("gateway")], [.startNew("gateway")],
                [.giveBack("gateway"), .finished(.init(failure: nil))]
            ])
    }

    @Test(
        "goes back at the first that fails, and touches no further one",
        arguments: [Roll.Event.ended(status: 1), .couldNotStart("no such file")])
    func first(event: Roll.Event) {
        let acts = play(.ended(status: 0), event, .healthy)
        #expect(acts[2] == [.startOld("gateway-2")])
        guard case .finished(let outcome)? = acts[3].last else {
            _ = Issue.record("\(acts)")
            return
        }
        #expect(outcome.failure?.reason.hasPrefix("gateway-2: ") == true && outcome.kept.isEmpty)
    }

    @Test("the ones replaced before go back too, one after the other")
    func second() {
        let acts = play(
            .ended(status: 0), .healthy, .ended(status: 0), .late, .ended(status: 143), .healthy, .ended(status: 0),
            .healthy)
        #expect(
            acts.dropFirst(3) == [
                [.startNew("gateway")], [.terminate("gateway")], [.startOld("gateway")],
                [.giveBack("gateway"), .take("gateway-2"), .terminate("gateway-2")], [.startOld("gateway-2")],
                [
                    .giveBack("gateway-2"),
                    .finished(
                        .init(failure: .init(step: .start, reason: "gateway: it had not answered within 10 s")))
                ]
            ])
    }

    private func tried(_ events: Roll.Event...) -> [[Roll.Order]] {
        var roll = Roll(["c", "b", "a"], trial: .init(count: 1, time: .seconds(30)))
        return [acts(roll.begin())] + events.map { acts(roll.handle($0)) }
    }

    @Test("a share is compared with the rest before more are replaced, once")
    func share() {
        let acts = tried(.ended(status: 0), .healthy, .judged(.asGood), .ended(status: 0), .healthy)
        #expect(acts[2] == [.giveBack("c"), .watch(new: ["c"], old: ["b", "a"], time: .seconds(30))])
        #expect(acts[3] == [.take("b"), .terminate("b")])
        #expect(acts[5] == [.giveBack("b"), .take("a"), .terminate("a")])
    }

    @Test(
        "a share that is worse, ends, or cannot be judged goes back",
        arguments: [
            Roll.Event.judged(.worse("slow")), .judged(.unknown("few")), .ended(status: 1), .late
        ])
    func worse(event: Roll.Event) {
        let acts = tried(.ended(status: 0), .healthy, event, .ended(status: 0), .healthy)
        #expect(acts[3] == [.take("c"), .terminate("c")] && acts[4] == [.startOld("c")])
        guard case .finished(let outcome)? = acts[5].last else {
            _ = Issue.record("\(acts)")
            return
        }
        #expect(outcome.failure?.step == .share && outcome.kept.isEmpty)
    }

    @Test("one that does not end is killed; one that does not come back is left to whoever keeps the set")
    func hanging() {
        #expect(play(.late).last == [.kill("gateway-2")])
        let acts = play(.ended(status: 0), .ended(status: 1), .ended(status: 2))
        #expect(
            acts.last == [
                .giveBack("gateway-2"),
                .finished(
                    .init(
                        failure: .init(step: .start, reason: "gateway-2: it ended with status 1"), kept: ["gateway-2"]))
            ])
        // What comes too late changes nothing.
        #expect(play(.healthy).last == [])
    }
}
