import Bus
import Primitives
import Testing

@Suite("Turns of work that can wait")
struct ShortTurnsTests {
    private static let microsecond: UInt64 = 1_000

    @Test("a turn is over after a tenth of a millisecond, and the next takes as long")
    func turns() {
        var turns = ShortTurns(at: 5)
        #expect(!turns.isOver(at: 5 + 99 * Self.microsecond))
        #expect(turns.isOver(at: 5 + 100 * Self.microsecond))
        turns.begin(at: 5 + 3_000 * Self.microsecond)
        #expect(!turns.isOver(at: 5 + 3_099 * Self.microsecond))
        #expect(turns.isOver(at: 5 + 3_100 * Self.microsecond))
    }

    @Test("after 20 ms it goes on to its end")
    func patience() {
        let turns = ShortTurns(at: 0)
        #expect(turns.isOver(at: 19_999 * Self.microsecond))
        #expect(!turns.isOver(at: 20_000 * Self.microsecond))
    }
}
