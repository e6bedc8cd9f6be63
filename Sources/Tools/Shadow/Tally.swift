import Histogram
import Wire

/// What has been compared so far.
package struct Tally: Sendable {
    /// Of one type of ask.
    package struct Row: Sendable {
        package var compared = 0
        package var different = 0
        /// Microseconds, to three digits.
        package var live = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        package var shadow = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    }

    /// A kind of difference, how often it was seen, and the first of it.
    package struct Seen: Sendable {
        package let type: String
        package var count: Int
        package let first: Difference
    }

    /// Kinds of differences that are kept; more only count.
    package static let kindsMax = 200

    package private(set) var rows: [String: Row] = [:]
    /// By type and kind, in the order in which they were first seen.
    package private(set) var differences: [Seen] = []
    package private(set) var kindsBeyond = 0
    /// Asks that would have changed something, by type: not given to the candidate.
    package private(set) var withheld: [String: Int] = [:]
    /// What the candidate asked of others that would have changed something, by type: not done.
    package private(set) var prevented: [String: Int] = [:]
    private let ignored: Set<String>

    /// - Parameter ignored: kinds of differences that are none (`Difference.kind`).
    package init(ignoring ignored: Set<String> = []) { self.ignored = ignored }

    package var compared: Int { rows.values.reduce(0) { $0 + $1.compared } }
    package var different: Int { rows.values.reduce(0) { $0 + $1.different } }

    package mutating func withhold(_ type: String) { withheld[type, default: 0] += 1 }
    package mutating func prevent(_ type: String) { prevented[type, default: 0] += 1 }

    package mutating func count(_ pair: Pairing.Pair) {
        let found = differences(of: pair)
        var row = rows[pair.type] ?? Row()
        row.compared += 1
        if !found.isEmpty { row.different += 1 }
        row.live.record(UInt64(clamping: pair.live.microseconds))
        row.shadow.record(UInt64(clamping: pair.shadow.microseconds))
        rows[pair.type] = row
        for difference in found { keep(difference, of: pair.type) }
    }

    private func differences(of pair: Pairing.Pair) -> [Difference] {
        guard let live = pair.live.answer else { return [] }
        guard let shadow = pair.shadow.answer else {
            return [Difference(path: "envelope", live: .string(live.type), shadow: nil)]
        }
        return live.differences(from: shadow, ignoring: ignored)
    }

    private mutating func keep(_ difference: Difference, of type: String) {
        if let index = differences.firstIndex(where: { $0.type == type && $0.first.kind == difference.kind }) {
            differences[index].count += 1
        } else if differences.count < Self.kindsMax {
            differences.append(Seen(type: type, count: 1, first: difference))
        } else {
            kindsBeyond += 1
        }
    }
}
