import Histogram
import Load
import LoadReport
import Testing

@Suite struct RecorderTests {
    /// The tally against the histogram it is made of, used directly.
    @Test func percentilesAreHdrHistograms() {
        var tally = Tally()
        var plain = Histogram<UInt64>(
            lowestDiscernibleValue: 1, highestTrackableValue: 3_600_000_000, numberOfSignificantValueDigits: .three)
        var dice = Dice(seed: 5)
        for _ in 0..<50_000 {
            let micros = UInt64(200 + dice.below(1000) * dice.below(100))
            tally.answered(nanoseconds: micros * 1000)
            _ = plain.record(micros)
        }
        for percentile in [1.0, 50, 90, 99, 99.9, 99.99, 100] {
            #expect(tally.percentile(percentile) == Double(plain.valueAtPercentile(percentile)))
        }
        #expect(tally.summary.meanMicros == plain.mean)
        #expect(tally.summary.count == 50_000)
    }

    @Test func aSummaryIsWithinAThousandthOfTheValues() {
        var tally = Tally()
        for micros in 1...10_000 { tally.answered(nanoseconds: UInt64(micros) * 1000) }
        let summary = tally.summary
        #expect(abs(summary.p50Micros - 5000) <= 5)
        #expect(abs(summary.p99Micros - 9900) <= 10)
        #expect(abs(summary.maxMicros - 10_000) <= 10)
        #expect(summary.curve.map(\.percentile) == summary.curve.map(\.percentile).sorted())
        #expect(summary.curve.map(\.micros) == summary.curve.map(\.micros).sorted())
        #expect(summary.curve.last?.percentile == 100)
    }

    @Test func nothingAnsweredHasNoPercentile() {
        #expect(Tally().percentile(99) == nil)
        #expect(Tally().summary == LatencySummary())
    }

    @Test func warmUpIsInTheSecondsAndNotInTheTotals() {
        var recorder = Recorder(scenarios: 1, start: 0)
        recorder.isWarmUp = true
        recorder.answered(0, nanoseconds: 1_000_000, at: 5, isMeasured: false)
        let first = recorder.tick(1_000_000_000, inFlight: 3)
        recorder.isWarmUp = false
        recorder.planned(0)
        recorder.answered(0, nanoseconds: 2_000_000, at: 7, isMeasured: true)
        recorder.refused(0, 4, isMeasured: true)
        let early = recorder.tick(1_500_000_000, inFlight: 1)
        let second = recorder.tick(2_000_000_000, inFlight: 1)
        #expect(first && !early && second)
        #expect(recorder.intervals.map(\.isWarmUp) == [true, false])
        #expect(recorder.intervals.map(\.okPerSecond) == [1, 1])
        #expect(recorder.intervals.map(\.inFlight) == [3, 1])
        #expect(recorder.scenarios[0].ok == 1)
        #expect(recorder.scenarios[0].refusedCount == 1)
        #expect(recorder.okCount == 2)
    }

    @Test func whatComesAfterTheLoadIsNoPartOfTheMeasuredSeconds() {
        var recorder = Recorder(scenarios: 1, start: 0)
        recorder.answered(0, nanoseconds: 1000, at: 5, isMeasured: true)
        let whole = recorder.tick(1_000_000_000, inFlight: 1)
        recorder.answered(0, nanoseconds: 1000, at: 1_500_000_000, isMeasured: true)
        // The second that the load ends in is as long as it was.
        recorder.endLoad(1_500_000_000, inFlight: 1)
        recorder.endLoad(1_600_000_000, inFlight: 1)
        recorder.finish(4_000_000_000)
        #expect(whole && recorder.intervals.map(\.okPerSecond) == [1, 2, 0])
        #expect(recorder.intervals.map(\.isMeasured) == [true, true, false])
        // One that had hardly begun tells nothing.
        recorder.beginStep()
        recorder.endLoad(4_100_000_000, inFlight: 1)
        recorder.finish(4_900_000_000)
        #expect(recorder.intervals.last?.isMeasured == false)
    }

    /// What the rate of an open loop is counted over.
    @Test func theFirstAndTheLastAnswerOfAStretchAreKept() {
        var recorder = Recorder(scenarios: 1, start: 0)
        recorder.answered(0, nanoseconds: 1, at: 5, isMeasured: false)
        #expect(recorder.answers == nil)
        for now in 7...9 as ClosedRange<UInt64> { recorder.answered(0, nanoseconds: 1, at: now, isMeasured: true) }
        #expect(recorder.answers == 7...9)
        recorder.beginStep()
        #expect(recorder.answers == nil)
    }

    @Test func talliesAddUp() {
        var (one, two) = (Tally(), Tally())
        one.answered(nanoseconds: 1000)
        two.answered(nanoseconds: 9_000_000)
        two.refused(1)
        one.add(two)
        #expect(one.ok == 2 && one.refusedCount == 1)
        #expect(one.percentile(100).map { abs($0 - 9000) < 10 } == true)
    }

    @Test func theJournalKeepsMoreThanAChunk() {
        let journal = Journal()
        let count = 600_000
        for number in 0..<count {
            var intent = Intent()
            intent.amount = UInt32(number)
            intent.charge = .init(high: 9, low: UInt64(number))
            journal.append(intent)
        }
        #expect(journal.count == count)
        #expect((0..<count).allSatisfy { journal[$0].amount == UInt32($0) })
        let index = IntentIndex(journal)
        #expect((0..<count).allSatisfy { index[.init(high: 9, low: UInt64($0))] == $0 })
        #expect(index[.init(high: 8, low: 1)] == nil)
    }
}
