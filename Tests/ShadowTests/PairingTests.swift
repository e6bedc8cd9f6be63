import Primitives
import Shadow
import Testing

@Suite("Answers that belong together")
struct PairingTests {
    private let answer = ComparedAnswer(type: "a.b.read.v1.reply", data: ["n": 1])

    @Test("the two answers to an ask meet, whichever is first; times are each one's own", arguments: [true, false])
    func pairs(liveIsFirst: Bool) throws {
        var pairing = Pairing()
        let isTaken = pairing.ask(7, type: "a.b.read.v1", at: 1_000_000)
        #expect(isTaken)
        let shadow = Pairing.Timed(answer: answer, microseconds: 80)
        let pair: Pairing.Pair?
        if liveIsFirst {
            #expect(!pairing.isAnswered(7))
            let early = pairing.live(7, answer, at: 1_001_250)
            #expect(early == nil && pairing.isAnswered(7))
            #expect(pairing.liveAnswer(to: 7)?.time == Timestamp(milliseconds: 1_001))
            pair = pairing.shadow(7, shadow)
        } else {
            let early = pairing.shadow(7, shadow)
            #expect(early == nil)
            pair = pairing.live(7, answer, at: 1_001_250)
        }
        let found = try #require(pair)
        #expect(found.type == "a.b.read.v1")
        #expect(found.live.microseconds == 1_250)
        #expect(found.shadow.microseconds == 80)
        #expect(pairing.count == 0)
        // A second answer belongs to nothing.
        let second = pairing.live(7, answer, at: 1_000_300)
        #expect(second == nil)
    }

    @Test("only so many are open; who lost an answer makes room after a minute")
    func bounds() {
        var pairing = Pairing()
        let taken = (0..<UInt64(Pairing.openMax)).filter { pairing.ask($0, type: "t", at: 5) }
        #expect(taken.count == Pairing.openMax)
        let beyond = pairing.ask(99_999, type: "t", at: 6)
        #expect(!beyond)
        #expect(pairing.passedOver == 1)
        let later = pairing.ask(100_000, type: "t", at: 7 + Pairing.lostAfterMicroseconds)
        #expect(later)
        #expect(pairing.lost == Pairing.openMax)
        #expect(pairing.count == 1)
    }

    @Test("a tally counts by type and by kind of difference, and keeps the first of each")
    func tally() {
        var tally = Tally()
        let difference = Difference(path: "data.n", live: 1, shadow: 2)
        func count(_ found: [Difference]) {
            let timed = (
                Pairing.Timed(answer: answer, microseconds: 100), Pairing.Timed(answer: nil, microseconds: 300)
            )
            tally.count(Pairing.Pair(type: "a.b.read.v1", live: timed.0, shadow: timed.1), found)
        }
        count([])
        count([difference])
        count([Difference(path: "data.n", live: 1, shadow: 3)])
        #expect(!tally.areUsual([difference], of: "a.b.read.v1"))
        count([difference, Difference(path: "envelope", live: "a", shadow: nil)])
        count([])
        #expect(tally.areUsual([difference], of: "a.b.read.v1") && !tally.areUsual([difference], of: "a.b.find.v1"))
        #expect((tally.compared, tally.different) == (5, 3))
        #expect(tally.differences.map { "\($0.first.kind) \($0.count)" } == ["data.n 3", "envelope 1"])
        #expect(tally.differences[0].first == Difference(path: "data.n", live: 1, shadow: 2))
        #expect(tally.rows["a.b.read.v1"]?.shadow.valueAtPercentile(50) == 300)
    }
}
