import Foundation
import LoadReport
import Primitives
import Testing

@Suite("Stored runs")
struct StoredRunTests {
    @Test("a verdict without checks is no pass")
    func emptyVerdict() {
        #expect(!MoneyVerdict(checks: []).passed)
        let good = MoneyVerdict.Check(name: "sum_is_zero", question: "Is the sum zero?", passed: true, examined: 12)
        var bad = good
        bad.passed = false
        #expect(MoneyVerdict(checks: [good]).passed)
        #expect(!MoneyVerdict(checks: [good, bad]).passed)
    }

    @Test("another format is refused by its name")
    func otherFormat() {
        #expect(throws: LoadFormatError(format: "billfold.load.v9")) {
            try LoadRun(json: Data(#"{"format": "billfold.load.v9"}"#.utf8))
        }
    }
}
