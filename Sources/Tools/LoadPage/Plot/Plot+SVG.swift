import TerminalText

// The `svg` is the plot's area alone; axes and marks stand outside of it, in the margin that the page's style leaves.
// Places are parts of the area's size, words have a size of their own: so the plot can be read at any width. Lines are
// drawn in an inner `svg` of 1000 × 1000, stretched to the area.

extension Plot {
    /// The plot with title, legend, picture and read-out.
    package var markup: Markup {
        guard !isEmpty else {
            return """
                <figure class="plot\(isWide ? " wide" : "")" id="\(name)"><figcaption><h3>\(title)</h3></figcaption>\
                <p class="empty">\(emptyWords)</p></figure>

                """
        }
        return """
            <figure class="plot\(isWide ? " wide" : "")" id="\(name)">
            <figcaption><h3>\(title)</h3><p>\(summary.tied)</p></figcaption>
            \(legend)
            <p class="axis-title">\(y.title)</p>
            \(picture)
            <p class="axis-title below">\(x.title)</p>
            \(keyOfMarks)<output class="read-out" aria-hidden="true"></output>
            </figure>

            """
    }

    private var legend: Markup {
        guard lines.count > 1 || limit != nil || shadeUpTo != nil else { return .none }
        func entry(_ drawn: String, _ words: String) -> Markup {
            """
            <li><svg class="swatch" aria-hidden="true"><line class="\(drawn)" x1="0" y1="50%" x2="100%" y2="50%"/></svg>\
            \(words)</li>
            """
        }
        var entries = lines.map { entry("\($0.hue.rawValue) \($0.stroke.rawValue)", $0.name) }
        if let limit { entries.append(entry("limit", limit.words)) }
        if let shadeUpTo, shadeUpTo > x.lower {
            entries.append("<li><span class=\"swatch shade\"></span>\(shadeWords)</li>")
        }
        return "<ul class=\"legend\">\(entries)</ul>"
    }

    private var picture: Markup {
        """
        <svg class="area" role="img" aria-labelledby="\(name)-title \(name)-desc">
        <title id="\(name)-title">\(title)</title>
        <desc id="\(name)-desc">\(summary) Across: \(x.title). Upwards: \(y.title).</desc>
        \(shade)\(grid)<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%">\(paths)</svg>
        \(limitLine)\(markLines)\(dotCircles)\(hits)</svg>
        """
    }

    private var shade: Markup {
        guard let shadeUpTo, shadeUpTo > x.lower else { return .none }
        return "<rect class=\"shade\" x=\"0\" y=\"0\" width=\"\(percent(x.fraction(of: shadeUpTo)))\" height=\"100%\"/>"
    }

    private var grid: Markup {
        let across: [Markup] = y.ticks.map { tick in
            let place = percent(1 - y.fraction(of: tick.value))
            let line: Markup = "<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"\(place)\" y2=\"\(place)\"/>"
            guard !tick.label.isEmpty else { return "\(line)\n" }
            return "\(line)<text class=\"y\" x=\"0\" dx=\"-8\" y=\"\(place)\" dy=\"4\">\(tick.label)</text>\n"
        }
        let up: [Markup] = x.ticks.map { tick in
            let place = percent(x.fraction(of: tick.value))
            return """
                <line class="grid" x1="\(place)" x2="\(place)" y1="0" y2="100%"/>\
                <text class="x\(tick.isMinor ? " minor" : "")" x="\(place)" y="100%" dy="18">\(tick.label)</text>

                """
        }
        return "\(across)\(up)<line class=\"base\" x1=\"0\" x2=\"100%\" y1=\"100%\" y2=\"100%\"/>\n"
    }

    private var paths: Markup {
        "\(lines.filter(\.isFilled).map(area))\(lines.reversed().map(path))"
    }

    private func path(_ line: Line) -> Markup {
        var data = ""
        for run in runs(line.points) {
            for (index, point) in run.enumerated() {
                data += "\(index == 0 ? "M" : "L")\(point.x) \(point.y)"
            }
            // A lone point would have no length and not be seen.
            if run.count == 1 { data += "l.1 0" }
        }
        return data.isEmpty ? .none : "<path class=\"\(line.hue.rawValue) \(line.stroke.rawValue)\" d=\"\(data)\"/>\n"
    }

    private func area(_ line: Line) -> Markup {
        var data = ""
        for run in runs(line.points) where run.count > 1 {
            data += "M\(run[0].x) 1000"
            for point in run { data += "L\(point.x) \(point.y)" }
            data += "L\(run[run.count - 1].x) 1000Z"
        }
        return data.isEmpty ? .none : "<path class=\"tint \(line.hue.rawValue)\" d=\"\(data)\"/>\n"
    }

    /// The line's unbroken pieces, in thousandths of the area from its upper left corner.
    private func runs(_ points: [Point]) -> [[(x: String, y: String)]] {
        var runs: [[(x: String, y: String)]] = [[]]
        for point in points {
            if let y = point.y {
                runs[runs.count - 1].append(
                    (tenths(x.fraction(of: point.x) * 1000), tenths((1 - self.y.fraction(of: y)) * 1000)))
            } else if !runs[runs.count - 1].isEmpty {
                runs.append([])
            }
        }
        return runs.filter { !$0.isEmpty }
    }

    private var limitLine: Markup {
        guard let limit else { return .none }
        let place = percent(1 - y.fraction(of: limit.value))
        return "<line class=\"limit\" x1=\"0\" x2=\"100%\" y1=\"\(place)\" y2=\"\(place)\"/>\n"
    }

    private var markLines: Markup {
        let all: [Markup] = marks.enumerated().map { index, mark in
            let place = percent(x.fraction(of: mark.x))
            // Neighbours at two heights, so that their numbers do not cover each other.
            return """
                <line class="mark" x1="\(place)" x2="\(place)" y1="-4" y2="100%"/><text class="mark" x="\(place)" \
                y="\(index % 2 == 0 ? -8 : -20)">\(index + 1)</text>

                """
        }
        return "\(all)"
    }

    private var keyOfMarks: Markup {
        guard !marks.isEmpty else { return .none }
        let all: [Markup] = marks.map { "<li>\($0.words)</li>" }
        return "<ol class=\"marks\">\(all)</ol>\n"
    }

    private var dotCircles: Markup {
        let all: [Markup] = dots.map { dot in
            """
            <circle class="\(dot.isHollow ? "dot hollow" : "dot")" cx="\(percent(x.fraction(of: dot.x)))" \
            cy="\(percent(1 - y.fraction(of: dot.y)))" r="5"><title>\(dot.words)</title></circle>

            """
        }
        return "\(all)"
    }

    /// Strips that show the figures at their place, by the browser's own means; the page's script shows them faster.
    private var hits: Markup {
        let all: [Markup] = readOuts().map { place in
            """
            <rect class="hit" x="\(percent(place.from))" y="0" width="\(percent(max(0, place.to - place.from)))" \
            height="100%"><title>\(place.words)</title></rect>

            """
        }
        return "<g aria-hidden=\"true\">\(all)</g>"
    }

    private func percent(_ fraction: Double) -> String { tenths(fraction * 100, decimals: 3) + "%" }

    private func tenths(_ value: Double, decimals: Int = 1) -> String {
        var text = Shown.fixed(value, decimals).replacing(",", with: "")
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
