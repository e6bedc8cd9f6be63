import Bus
import Supervision
import Testing

@Suite("A log that goes on")
struct LogContinuityTests {
    private let old = FactPosition(sequence: 7, mark: [1, 2])

    @Test("a log with the old one's last fact may follow, however many are behind it", arguments: [7, 9])
    func same(head: Int64) { #expect(LogContinuity.needed.obstacle(after: old, head: head, mark: [1, 2]) == nil) }

    @Test("an empty log, a shorter one and another one may not, unless facts are given up")
    func others() throws {
        for (head, mark, says) in [
            (0, nil, "is empty, and the old one's ends at 7"), (6, nil, "ends at 6, the old one's at 7"),
            (7, [3], "another fact in the place of 7")
        ] as [(Int64, [UInt8]?, String)] {
            let obstacle = try #require(LogContinuity.needed.obstacle(after: old, head: head, mark: mark))
            #expect(obstacle.contains(says) && obstacle.contains("--empty"))
            #expect(LogContinuity.forgotten.obstacle(after: old, head: head, mark: mark) == nil)
        }
    }

    @Test("any log may follow one without a fact")
    func nothing() { #expect(LogContinuity.needed.obstacle(after: 0, head: 0, mark: nil) == nil) }
}
