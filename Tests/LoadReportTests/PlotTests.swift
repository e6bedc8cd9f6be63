import LoadPage
import LoadReport
import Testing

@Suite("Plots")
struct PlotTests {
    private func plot(_ lines: Plot.Line..., upTo end: Double = 10) -> Plot {
        Plot(
            name: "it", title: "It", summary: "See it.", x: .time(upTo: end),
            y: .linear(upTo: 10, title: "y") { "\(Int($0))" }, lines: lines, place: { "at \(Int($0))" },
            figure: { "\(Int($0))" })
    }

    @Test("a gap breaks the line; a lone point is still seen")
    func gaps() {
        let points = [(0, 0), (1, 5), (2, nil), (3, 10), (4, nil), (5, 5), (6, 0)] as [(Double, Double?)]
        let text = plot(Plot.Line("a", .blue, points: points.map { Plot.Point($0, $1) })).markup.text
        #expect(text.contains(#"d="M0 1000L100 500M300 0l.1 0M500 500L600 1000""#))
    }

    @Test("a value that is no number is a gap")
    func notANumber() {
        let text = plot(
            Plot.Line("a", .blue, points: [Plot.Point(0, 5), Plot.Point(1, .nan), Plot.Point(2, .infinity)])
        ).markup.text
        #expect(text.contains(#"d="M0 500l.1 0""#))
        #expect(!text.contains("nan") && !text.contains("inf"))
    }

    @Test("nothing to draw is said")
    func empty() {
        var nothing = plot(Plot.Line("a", .blue, points: [Plot.Point(0, nil)]))
        #expect(nothing.isEmpty)
        nothing.emptyWords = "All is quiet."
        #expect(nothing.markup.text.contains("All is quiet.") && !nothing.markup.text.contains("<svg"))
    }

    @Test("read-outs have the figures of all lines at their place, side by side, without a hole")
    func readOuts() {
        let readOuts = plot(
            Plot.Line("a", .blue, points: (0...10).map { Plot.Point(Double($0), Double($0)) }),
            Plot.Line("b", .red, points: [Plot.Point(0, 7), Plot.Point(9.9, nil)])
        ).readOuts()
        #expect(readOuts.count == 11)
        #expect(readOuts[2].words == "at 2: a 2, b 7")
        #expect(readOuts[10].words == "at 10: a 10")
        for (left, right) in zip(readOuts, readOuts.dropFirst()) { #expect(left.to == right.from) }
        #expect(readOuts[0].from == 0 && readOuts[10].to == 1)
    }

    @Test("a long run has no more read-outs than can be pointed at")
    func manyReadOuts() {
        let points = (0..<36_000).map { Plot.Point(Double($0), 1) }
        let readOuts = plot(Plot.Line("a", .blue, points: points), upTo: 36_000).readOuts(atMost: 240)
        #expect((200...241).contains(readOuts.count))
    }

    @Test("marks, limit, shade and dots are there, with words")
    func furniture() {
        var plot = plot(Plot.Line("a", .blue, points: [Plot.Point(0, 1), Plot.Point(10, 2)]))
        plot.marks = [Plot.Mark(x: 5, words: "5 s: kill <wallet>")]
        plot.limit = (5, "limit 5")
        plot.shadeUpTo = 2
        plot.dots = [Plot.Dot(x: 10, y: 10, isHollow: true, words: "too slow")]
        let text = plot.markup.text
        #expect(text.contains(#"<line class="mark" x1="50%" x2="50%""#))
        #expect(text.contains("5 s: kill &lt;wallet&gt;"))
        #expect(text.contains(#"<line class="limit" x1="0" x2="100%" y1="50%" y2="50%"/>"#))
        #expect(text.contains(#"<rect class="shade" x="0" y="0" width="20%""#))
        #expect(text.contains(#"<circle class="dot hollow" cx="100%" cy="0%""#))
        #expect(text.contains("limit 5") && text.contains("warm-up") && text.contains("too slow"))
    }
}
