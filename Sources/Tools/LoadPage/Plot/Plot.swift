/// One picture of the report, as values: what is drawn is decided here, how it is written in `Plot+SVG.swift`.
package struct Plot: Sendable {
    /// Names of colours in the page's style; with any colour vision, and on paper, dashes tell lines apart too.
    package enum Hue: String, Sendable, CaseIterable {
        case blue, orange, green, purple, rose, ochre, grey, red, teal, navy, pink, lime
    }

    package enum Stroke: String, Sendable {
        case solid, dashed, dotted, mixed
    }

    package struct Point: Sendable, Equatable {
        package let x: Double
        /// nil: nothing is known here, and the line has a gap. What is no finite number is not known.
        package let y: Double?

        package init(_ x: Double, _ y: Double?) {
            self.x = x
            self.y = y.flatMap { $0.isFinite ? $0 : nil }
        }
    }

    package struct Line: Sendable {
        package let name: String
        package let hue: Hue
        package let stroke: Stroke
        package let points: [Point]
        /// Whether the area below is tinted.
        package let isFilled: Bool

        package init(
            _ name: String, _ hue: Hue, _ stroke: Stroke = .solid, isFilled: Bool = false, points: [Point]
        ) {
            self.name = name
            self.hue = hue
            self.stroke = stroke
            self.points = points
            self.isFilled = isFilled
        }
    }

    /// A vertical line where something was done; its number is explained below the plot.
    package struct Mark: Sendable {
        package let x: Double
        package let words: String

        package init(x: Double, words: String) {
            self.x = x
            self.words = words
        }
    }

    /// A value that stands alone; a hollow one did not meet its limit.
    package struct Dot: Sendable {
        package let x: Double
        package let y: Double
        package let isHollow: Bool
        package let words: String

        package init(x: Double, y: Double, isHollow: Bool, words: String) {
            self.x = x
            self.y = y
            self.isHollow = isHollow
            self.words = words
        }
    }

    package var name: String
    package var title: String
    /// Whether it takes the page's whole width.
    package var isWide = false
    /// What to see in it, in a sentence.
    package var summary: String
    package var x: Axis
    package var y: Axis
    package var lines: [Line]
    package var marks: [Mark] = []
    package var dots: [Dot] = []
    /// A tinted part, from the left edge.
    package var shadeUpTo: Double?
    package var shadeWords = "warm-up"
    /// A horizontal line.
    package var limit: (value: Double, words: String)?
    /// Words for a place along x, as "at 12 s".
    package var place: @Sendable (Double) -> String
    package var figure: @Sendable (Double) -> String
    /// What is said instead when there is nothing to draw.
    package var emptyWords = "Nothing was recorded for this plot."

    package init(
        name: String, title: String, summary: String, x: Axis, y: Axis, lines: [Line],
        place: @escaping @Sendable (Double) -> String, figure: @escaping @Sendable (Double) -> String
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.x = x
        self.y = y
        self.lines = lines
        self.place = place
        self.figure = figure
    }

    package var isEmpty: Bool {
        dots.isEmpty && lines.allSatisfy { line in line.points.allSatisfy { $0.y == nil } }
    }

    /// One place along x, from edge to edge, with the figures that are there.
    package struct ReadOut: Sendable, Equatable {
        package let from: Double
        package let to: Double
        package let words: String
    }

    /// At most so many places, so that a long run does not make a large page.
    package func readOuts(atMost count: Int = 240) -> [ReadOut] {
        let all = Set(lines.flatMap { line in line.points.lazy.filter { $0.y != nil && $0.x.isFinite }.map(\.x) })
            .sorted()
        // A place as wide as a hair cannot be pointed at.
        var places: [Double] = []
        for place in all {
            if let last = places.last, x.fraction(of: place) - x.fraction(of: last) < 1 / Double(count) { continue }
            places.append(place)
        }
        let centres = places.map { x.fraction(of: $0) }
        return places.indices.map { index in
            let here = centres[index]
            let from = index > 0 ? (centres[index - 1] + here) / 2 : here - min(here, halfGap(centres))
            let to =
                index + 1 < centres.count ? (here + centres[index + 1]) / 2 : here + min(1 - here, halfGap(centres))
            let figures = lines.compactMap { line in
                nearest(line.points, to: places[index]).map { "\(line.name) \(figure($0))" }
            }
            return ReadOut(from: from, to: to, words: "\(place(places[index])): \(figures.joined(separator: ", "))")
        }
    }

    private func halfGap(_ centres: [Double]) -> Double {
        centres.count > 1 ? (centres[centres.count - 1] - centres[0]) / Double(centres.count - 1) / 2 : 0.5
    }

    /// The y of the point that is nearest along x; nil where that one is a gap. Points are in order.
    private func nearest(_ points: [Point], to place: Double) -> Double? {
        guard !points.isEmpty else { return nil }
        var low = 0
        var high = points.count
        while low < high {
            let middle = (low + high) / 2
            if points[middle].x < place { low = middle + 1 } else { high = middle }
        }
        let candidates = [low - 1, low].filter(points.indices.contains)
        return candidates.min { abs(points[$0].x - place) < abs(points[$1].x - place) }.flatMap { points[$0].y }
    }
}
