import Checks
import Foundation
import LoadReport
import Primitives
import Testing

@Suite("Stored runs")
struct StoredRunTests {
    @Test("written and read again it is the same", arguments: [LoadRun.small, .disturbed, .ramped, .empty, .odd])
    func roundTrip(run: LoadRun) throws {
        let stored = try run.json()
        let read = try LoadRun(json: stored)
        // NaN is no equal of itself, its JSON is.
        if run == run { #expect(read == run) }
        #expect(try read.json() == stored)
    }

    @Test("each shape of load")
    func shapes() throws {
        for shape: LoadShape in [
            .closed(inFlight: 64), .open(perSecond: 0.5),
            .ramp(startPerSecond: 100, stepSeconds: 5, p99LimitMicros: 20_000)
        ] {
            var run = LoadRun.empty
            run.shape = shape
            #expect(try LoadRun(json: run.json()).shape == shape)
        }
    }

    @Test("the file tells the verdict, and a reader does not believe it")
    func verdict() throws {
        var text = String(decoding: try LoadRun.small.json(), as: UTF8.self)
        #expect(text.contains(#""format" : "billfold.load.v1""#))
        let range = try #require(text.range(of: #""passed" : false"#, options: .backwards))
        text.replaceSubrange(range, with: #""passed" : true"#)
        #expect(try !LoadRun(json: Data(text.utf8)).verdict.passed)
    }

    @Test("a verdict without checks is no pass")
    func emptyVerdict() {
        #expect(!MoneyVerdict(checks: []).passed)
        #expect(MoneyVerdict(checks: []).word == "NOT CHECKED")
        let unread = MoneyVerdict.Check(
            name: MoneyVerdict.readBack, statement: "It could be read back", passed: false, examined: 0)
        let unknown = MoneyVerdict(checks: [unread])
        #expect(unknown.word == "NOT CHECKED" && !unknown.passed)
        #expect(unknown.headline == "It is not known whether the money is right")
        let good = MoneyVerdict.Check(name: "sum_is_zero", statement: "The sum is zero", passed: true, examined: 12)
        var bad = good
        bad.passed = false
        #expect(MoneyVerdict(checks: [good]).passed)
        #expect(!MoneyVerdict(checks: [good, bad]).passed)
        #expect(MoneyVerdict(checks: [unread, bad]).word == "FAIL")
    }

    @Test("another format is refused by its name")
    func otherFormat() {
        #expect(throws: LoadFormatError(format: "billfold.load.v9")) {
            try LoadRun(json: Data(#"{"format": "billfold.load.v9"}"#.utf8))
        }
    }
}
