import Shadow
import Testing

@Suite("Answers that belong together")
struct PairingTests {
    private let answer = ComparedAnswer(type: "a.b.read.v1.reply", data: ["n": 1])

    @Test("the two answers to an ask meet, whichever is first; times are each one's own", arguments: [true, false])
    func pairs(liveIsFirst: Bool) throws {
        var pairing = Pairing()
        #expect(pairing.ask(7, type: "a.b.read.v1", at: 1_000_000))
        let shadow = Pairing.Timed(answer: answer, microseconds: 80)
        let pair: Pairing.Pair?
        if liveIsFirst {
            #expect(pairing.live(7, answer, at: 1_000_250) == nil)
            pair = pairing.shadow(7, shadow)
        } else {
            #expect(pairing.shadow(7, shadow) == nil)
            pair = pairing.live(7, answer, at: 1_000_250)
        }
        let found = try #require(pair)
        #expect(found.type == "a.b.read.v1")
        #expect(found.live.microseconds == 250)
        #expect(found.shadow.microseconds == 80)
        #expect(pairing.count == 0)
        // A second answer belongs to nothing.
        #expect(pairing.live(7, answer, at: 1_000_300) == nil)
    }

    @Test("only so many are open; who lost an answer makes room after a minute")
    func bounds() {
        var pairing = Pairing()
        for number in 0..<UInt64(Pairing.openMax) { #expect(pairing.ask(number, type: "t", at: 5)) }
        #expect(!pairing.ask(99_999, type: "t", at: 6))
        #expect(pairing.passedOver == 1)
        #expect(pairing.ask(100_000, type: "t", at: 6 + Pairing.lostAfterMicroseconds))
        #expect(pairing.lost == Pairing.openMax)
        #expect(pairing.count == 1)
    }

    @Test("a tally counts by type and by kind of difference, and keeps the first of each")
    func tally() {
        var tally = Tally(ignoring: ["data.time"])
        func count(_ live: ComparedAnswer?, _ shadow: ComparedAnswer?) {
            tally.count(
                Pairing.Pair(
                    type: "a.b.read.v1", live: .init(answer: live, microseconds: 100),
                    shadow: .init(answer: shadow, microseconds: 300)))
        }
        count(answer, answer)
        for value in [2, 3] as [Int64] {
            count(answer, ComparedAnswer(type: "a.b.read.v1.reply", data: ["n": .integer(value)]))
        }
        count(answer, ComparedAnswer(type: "a.b.read.v1.reply", data: ["n": 1, "time": "now"]))
        count(answer, nil)
        #expect((tally.compared, tally.different) == (5, 3))
        #expect(tally.differences.map { "\($0.first.kind) \($0.count)" } == ["data.n 2", "envelope 1"])
        #expect(tally.differences[0].first == Difference(path: "data.n", live: 1, shadow: 2))
        #expect(tally.rows["a.b.read.v1"]?.shadow.valueAtPercentile(50) == 300)
    }
}
