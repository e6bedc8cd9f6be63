import LoadPage
import LoadReport
import Testing

@Suite("Axes")
struct AxisTests {
    private func near(_ left: Double, _ right: Double) -> Bool { abs(left - right) < 1e-9 * max(1, abs(right)) }

    @Test(
        "steps are 1, 2 or 5 times a power of ten",
        arguments: [
            (10, 5, 2), (9, 5, 2), (4.9, 5, 1), (1, 5, 0.2), (0.03, 5, 0.01), (1234, 5, 500), (5000, 5, 1000),
            (0, 5, 1), (.infinity, 5, 1)
        ] as [(Double, Int, Double)])
    func niceStep(span: Double, count: Int, step: Double) {
        #expect(near(Axis.niceStep(span: span, atMost: count), step))
    }

    @Test("a linear axis begins at 0 and ends at a mark at or above the highest value")
    func linear() {
        for highest in [1e-3, 0.7, 1, 4.2, 10, 99, 2400, 123_456_789] {
            let axis = Axis.linear(upTo: highest, title: "x") { "\($0)" }
            #expect(axis.lower == 0 && axis.upper >= highest * (1 - 1e-9))
            #expect(axis.upper < highest * 2.01)
            #expect(axis.ticks.first?.value == 0 && axis.ticks.last?.value == axis.upper)
            #expect((2...6).contains(axis.ticks.count))
            #expect(axis.fraction(of: 0) == 0 && axis.fraction(of: axis.upper) == 1)
        }
        #expect(Axis.linear(upTo: 0, title: "") { _ in "" }.upper == 1)
        #expect(Axis.linear(upTo: .nan, title: "") { _ in "" }.upper == 1)
        #expect(Axis.linear(upTo: 1, wholeSteps: true, title: "") { _ in "" }.ticks.map(\.value) == [0, 1])
    }

    @Test("a logarithmic axis: equal factors are equally far apart")
    func logarithmic() {
        let axis = Axis.logarithmic(of: [1200, 812_000, 0, -3, .nan], title: "x") { "\(Int($0))" }
        #expect(axis.lower == 1000 && axis.upper == 1_000_000)
        #expect(near(axis.fraction(of: 10_000), 1.0 / 3) && near(axis.fraction(of: 100_000), 2.0 / 3))
        #expect(axis.fraction(of: 0) == 0 && axis.fraction(of: 1e9) == 1)
        #expect(axis.ticks.map(\.label).filter { !$0.isEmpty } == ["1000", "10000", "100000", "1000000"])
        let short = Axis.logarithmic(of: [3, 30], title: "x") { "\(Int($0))" }
        #expect(short.ticks.map(\.label) == ["2", "5", "10", "20", "50"])
        let alone = Axis.logarithmic(of: [10], title: "x") { "\(Int($0))" }
        #expect(alone.lower == 10 && alone.upper > 10)
        let none = Axis.logarithmic(of: [], title: "x") { "\(Int($0))" }
        #expect(none.lower < none.upper)
    }

    @Test("percentiles: each nine is as far as the one before")
    func percentiles() {
        let axis = Axis.percentiles(samples: 100_000)
        #expect(near(axis.upper, 99.999))
        for (percentile, place) in [(0, 0), (90, 0.2), (99, 0.4), (99.9, 0.6), (99.99, 0.8), (99.999, 1)]
            as [(Double, Double)]
        {
            #expect(abs(axis.fraction(of: percentile) - place) < 1e-6, "\(percentile)")
        }
        #expect(axis.fraction(of: 100) == 1)
        #expect(axis.ticks.map(\.label) == ["", "50 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %"])
        #expect(abs(Axis.nines(50) - 0.301_03) < 1e-5)
    }

    @Test(
        "percentiles no finer than the samples allow, nor than can be told apart",
        arguments: [-1, 0, 1, 99, 5988, Int.max])
    func percentilesOfFew(samples: Int) {
        let axis = Axis.percentiles(samples: samples)
        #expect(axis.upper >= 99 - 1e-9 && axis.upper < 100)
        #expect(axis.ticks.allSatisfy { $0.value <= axis.upper + 1e-9 })
        if samples == 5988 { #expect(axis.ticks.last?.label == "99.9 %") }
        if samples == Int.max { #expect(axis.ticks.last?.label == "99.99999 %") }
    }

    @Test("time is marked in steps that clocks have")
    func time() {
        #expect(Axis.time(upTo: 70).ticks.map(\.label) == ["0", "10", "20", "30", "40", "50", "60", "70"])
        #expect(Axis.time(upTo: 3.5).ticks.map(\.label) == ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5"])
        let hour = Axis.time(upTo: 3600)
        #expect(hour.ticks.map(\.label) == ["0", "10", "20", "30", "40", "50", "60"])
        #expect(hour.title.hasPrefix("minutes"))
        for end in [0, -1, .nan, .infinity, 1e-9, 1e15] as [Double] {
            let axis = Axis.time(upTo: end)
            #expect(axis.upper > 0 && !axis.ticks.isEmpty && axis.ticks.count <= 12)
        }
    }

    @Test("latencies on a linear axis when they are alike, else on a logarithmic one")
    func latency() {
        #expect(Axis.latency(of: [1000, 5000]).kind == .linear)
        #expect(Axis.latency(of: [1000, 500_000]).kind == .logarithmic)
        #expect(Axis.latency(of: []).kind == .linear)
        #expect(Axis.latency(of: [1000, 4200]).ticks.map(\.label) == ["0", "1 ms", "2 ms", "3 ms", "4 ms", "5 ms"])
    }
}
