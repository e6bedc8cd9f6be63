import Contracts

/// The catalogue, as commands list and complete it.
enum CatalogueTypes {
    static let asks = Catalogue.asks.map { $0.type.name }.sorted()
    static let facts = Catalogue.facts.map { $0.type.name }.sorted()

    static func list() {
        let width = asks.map(\.count).max() ?? 0
        for ask in Catalogue.asks.sorted(by: { $0.type.name < $1.type.name }) {
            print(ask.type.name.padding(to: width) + "  " + ask.retry.name)
        }
    }

    static func retry(named name: String) -> RetryClass? { RetryClass.allCases.first { $0.name == name } }

    /// The type of which the fewest letters differ, where that is a slip of the keyboard.
    static func nearest(to type: String) -> String? {
        let near = (asks + facts).map { ($0, distance(Array($0.utf8), Array(type.utf8))) }.min { $0.1 < $1.1 }
        return near.flatMap { $0.1 <= 4 ? $0.0 : nil }
    }

    /// Levenshtein's, by rows.
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (place, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for (at, against) in other.enumerated() {
                let best = min(row[at] + 1, row[at + 1] + 1, diagonal + (letter == against ? 0 : 1))
                diagonal = row[at + 1]
                row[at + 1] = best
            }
        }
        return row[other.count]
    }
}

extension RetryClass {
    var name: String { String(describing: self) }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
