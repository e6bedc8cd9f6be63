import Load
import Testing

@Suite struct RampSearchTests {
    /// Runs a search against a set that meets the limit up to `limit`.
    private func find(_ limit: Double, from start: Double) -> (highest: Double?, rates: [Double]) {
        var search = RampSearch(start: start)
        var rates: [Double] = []
        while let rate = search.next {
            rates.append(rate)
            search.measured(rate, met: rate <= limit)
        }
        return (search.highest, rates)
    }

    @Test(arguments: [1000.0, 1234, 9_999, 52_000])
    func theHighestRateIsFoundWithinItsPrecision(_ limit: Double) throws {
        let (highest, rates) = find(limit, from: 1000)
        let found = try #require(highest)
        #expect(found <= limit && found > limit * 0.94)
        #expect(rates.count <= 24)
        #expect(rates.first == 1000)
    }

    @Test func itClimbsByTheFactorUntilAStepFails() {
        #expect(Array(find(3000, from: 1000).rates.prefix(4)) == [1000, 1500, 2250, 3375])
    }

    @Test func itGoesDownWhenTheFirstRateIsTooMuch() throws {
        let (highest, rates) = find(400, from: 1000)
        #expect(rates[1] < 1000)
        let found = try #require(highest)
        #expect(found <= 400 && found > 370)
    }

    @Test func nothingIsFoundWhereNothingMeetsTheLimit() {
        let (highest, rates) = find(0, from: 1000)
        #expect(highest == nil)
        #expect(rates.count < 24)
    }

    @Test func aStepMeetsTheLimitOnlyWhenEverythingWentWell() {
        func meets(p99: Double?, failures: Int = 0, share: Double = 1) -> Bool {
            RampSearch.meets(p99Micros: p99, limitMicros: 50_000, failures: failures, answeredShare: share)
        }
        #expect(meets(p99: 50_000))
        #expect(!meets(p99: 50_001))
        #expect(!meets(p99: nil))
        #expect(!meets(p99: 10, failures: 1))
        #expect(!meets(p99: 10, share: 0.9))
    }
}
