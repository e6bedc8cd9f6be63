/// The name that somebody who misspelt one probably meant.
package enum NearestName {
    /// Letters that may differ; fewer in a short name, as any two short names are near each other.
    private static let differencesMax = 2

    /// Nil where none is near.
    package static func nearest(to name: String, among names: some Sequence<String>) -> String? {
        nearest(to: name, among: names, atMost: 1).first
    }

    /// Those that are near, the nearest first.
    package static func nearest(
        to name: String, among names: some Sequence<String>, atMost count: Int
    ) -> [String] {
        let most = min(differencesMax, max(1, name.utf8.count / 3))
        let near = names.map { (name: $0, distance: distance(Array($0.utf8), Array(name.utf8))) }
            .filter { $0.distance <= most }
        return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(count).map(\.name)
    }

    /// Letters put in, left out, changed, or changed places with their neighbours (optimal string alignment).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var (before, last, row) = ([Int](), [Int](), Array(0...other.count))
        for (place, letter) in one.enumerated() {
            (before, last, row) = (last, row, [place + 1])
            for (at, against) in other.enumerated() {
                var best = min(row[at] + 1, last[at + 1] + 1, last[at] + (letter == against ? 0 : 1))
                if place > 0, at > 0, letter == other[at - 1], one[place - 1] == against {
                    best = min(best, before[at - 1] + 1)
                }
                row.append(best)
            }
        }
        return row[other.count]
    }
}
