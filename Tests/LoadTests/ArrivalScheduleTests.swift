import Load
import Testing

@Suite struct ArrivalScheduleTests {
    private let second: UInt64 = 1_000_000_000

    @Test func operationsAreDueAtAConstantRate() {
        var schedule = ArrivalSchedule(start: 5 * second, end: 7 * second, perSecond: 1000)
        var planned: [UInt64] = []
        while let moment = schedule.take(at: 100 * second) { planned.append(moment) }
        #expect(planned.count == 2000)
        #expect(planned == (0..<2000).map { 5 * second + $0 * 1_000_000 })
        #expect(schedule.next == nil)
    }

    @Test func nothingIsDueBeforeItsMoment() {
        var schedule = ArrivalSchedule(start: second, end: 2 * second, perSecond: 10)
        #expect(schedule.take(at: second - 1) == nil)
        #expect(schedule.take(at: second) == second)
        #expect(schedule.take(at: second + 99_999_999) == nil)
        #expect(schedule.take(at: second + 100_000_000) == second + 100_000_000)
    }

    /// The point of an open loop: a stall makes operations late, it moves none of them.
    @Test func aStallMovesNoPlannedStart() {
        var steady = ArrivalSchedule(start: 0, end: 3 * second, perSecond: 777)
        var stalled = steady
        var expected: [UInt64] = []
        for now in stride(from: UInt64(0), to: 4 * second, by: 1_000_000) {
            while let moment = steady.take(at: now) { expected.append(moment) }
        }
        var found: [UInt64] = []
        while let moment = stalled.take(at: second) { found.append(moment) }
        // Nothing for a second and a half, then all at once.
        while let moment = stalled.take(at: 5 * second / 2) { found.append(moment) }
        while let moment = stalled.take(at: 9 * second) { found.append(moment) }
        #expect(found == expected)
    }

    @Test func oddRatesDoNotDrift() {
        let schedule = ArrivalSchedule(start: 0, end: .max, perSecond: 3)
        #expect(schedule.moment(3_000_000) == 1_000_000 * second)
        #expect(schedule.moment(1) == 333_333_333)
    }

    @Test func whatIsDueCountsUpToTheEnd() {
        let schedule = ArrivalSchedule(start: second, end: 3 * second, perSecond: 100)
        #expect(schedule.due(by: 0) == 0)
        #expect(schedule.due(by: 2 * second) == 100)
        #expect(schedule.due(by: 9 * second) == 200)
    }
}
