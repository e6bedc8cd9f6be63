import Contracts

/// The catalogue, as commands complete it.
enum CatalogueTypes {
    static let asks = Catalogue.asks.map { $0.type.name }.sorted()
    static let facts = Catalogue.facts.map { $0.type.name }.sorted()

    static func retry(named name: String) -> RetryClass? { RetryClass.allCases.first { $0.name == name } }

    /// Letters in which a type may differ from one that was meant: a slip of the keyboard or two.
    private static let slipsMax = 2

    /// The type that differs in the fewest letters, where these are slips. A version that is missing or wrong is none.
    static func nearest(to type: String) -> String? {
        let letters = Array(withoutVersion(type).utf8)
        let near = (asks + facts).map { ($0, distance(Array(withoutVersion($0).utf8), letters)) }.min { $0.1 < $1.1 }
        return near.flatMap { $0.1 <= slipsMax ? $0.0 : nil }
    }

    private static func withoutVersion(_ type: String) -> Substring {
        type.firstRange(of: /\.v[0-9]*$/).map { type[..<$0.lowerBound] } ?? type[...]
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

extension RetryClass {
    var name: String { String(describing: self) }
}
