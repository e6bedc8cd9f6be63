import Primitives

/// Keys that are sorted as they are taken, so that whoever takes the first few of many thousands does not wait for the
/// order of all: a quicksort that puts off what is not asked for yet.
package struct KeysInOrder: Sendable {
    package typealias Key = Identifier<Never>

    package struct Row: Equatable, Sendable {
        package let key: Key
        /// What belongs to the key.
        package let place: Int64

        package init(key: Key, place: Int64) { (self.key, self.place) = (key, place) }
    }

    /// Pieces that are sorted at once.
    private static let pieceMax = 128

    private var rows: [Row]
    /// Rows that have been taken.
    private var taken = 0
    /// Rows that are where they belong.
    private var sorted = 0
    /// Where pieces end whose rows all come before those behind them, the nearest last.
    private var ends: [Int]

    package init(_ rows: [Row]) {
        self.rows = rows
        ends = [rows.count]
    }

    package var count: Int { rows.count - taken }

    /// The first rows in the order of their keys, so many at most.
    package mutating func first(_ count: Int) -> ArraySlice<Row> {
        let end = taken + min(count, self.count)
        while sorted < end { sortFurther() }
        return rows[taken..<end]
    }

    /// Takes away so many of those that `first` gave.
    package mutating func removeFirst(_ count: Int) {
        precondition(count <= sorted - taken)
        taken += count
    }

    private mutating func sortFurther() {
        let end = ends[ends.count - 1]
        if end - sorted > Self.pieceMax {
            ends.append(split(sorted..<end))
        } else {
            rows[sorted..<end].sort { $0.key.isBefore($1.key) }
            sorted = end
            ends.removeLast()
        }
    }

    /// Brings the lesser half before the greater one, by the middle one of three (Hoare's partition).
    ///
    /// - Returns: where the greater half begins; neither is empty.
    private mutating func split(_ range: Range<Int>) -> Int {
        rows.withUnsafeMutableBufferPointer { rows in
            var three = [range.lowerBound, (range.lowerBound + range.upperBound) / 2, range.upperBound - 1].map {
                rows[$0].key
            }
            three.sort { $0.isBefore($1) }
            let middle = three[1]
            var (low, high) = (range.lowerBound - 1, range.upperBound)
            while true {
                repeat { low += 1 } while rows[low].key.isBefore(middle)
                repeat { high -= 1 } while middle.isBefore(rows[high].key)
                if low >= high { return high + 1 }
                rows.swapAt(low, high)
            }
        }
    }
}

extension KeysInOrder.Key {
    /// Identifiers made here begin with 48 bits of milliseconds since 1970: below this until the year 2109. Digests,
    /// which may be anything, mostly are not.
    static var timedEnd: Self { Self(high: 1 << 58, low: 0) }

    var isTimed: Bool { isBefore(.timedEnd) }

    /// In the order of their bytes, as SQLite has them.
    func isBefore(_ other: Self) -> Bool { high < other.high || high == other.high && low < other.low }
}
