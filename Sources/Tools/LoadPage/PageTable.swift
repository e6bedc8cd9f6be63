/// A table of the page, in a frame that scrolls by itself where the page is narrow.
struct PageTable {
    let caption: String
    /// Columns whose title begins with a space have numbers.
    let titles: [String]
    let rows: [[String]]
    /// Whether the last row sums up the others.
    let hasSum: Bool

    init(_ caption: String, _ titles: [String], _ rows: [[String]], hasSum: Bool = false) {
        self.caption = caption
        self.titles = titles
        self.rows = rows
        self.hasSum = hasSum && rows.count > 1
    }

    /// Nothing where there are no rows.
    var markup: Markup {
        guard !rows.isEmpty else { return .none }
        let head: [Markup] = titles.map { title in
            title.hasPrefix(" ")
                ? "<th scope=\"col\" class=\"number\">\(title.dropFirst())</th>" : "<th scope=\"col\">\(title)</th>"
        }
        let body: [Markup] = rows.enumerated().map { place, row in
            let cells: [Markup] = row.enumerated().map { index, cell in
                let name: Markup = titles[index].hasPrefix(" ") ? " class=\"number\"" : .none
                return index == 0 ? "<th scope=\"row\"\(name)>\(cell)</th>" : "<td\(name)>\(cell)</td>"
            }
            let name: Markup = hasSum && place == rows.count - 1 ? " class=\"sum\"" : .none
            return "<tr\(name)>\(cells)</tr>\n"
        }
        return """
            <h3>\(caption)</h3>
            <div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table aria-label="\(caption)">
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody></table></div>

            """
    }
}
