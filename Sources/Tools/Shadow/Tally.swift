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

    /// How often a kind of difference is looked at again before it is believed at once.
    package static let usualFrom = 3
    /// Kinds of differences that are kept; more only count.
    package static let kindsMax = 200

    package private(set) var rows: [String: Row] = [:]
    /// By type and kind, in the order in which they were first seen.
    package private(set) var differences: [Seen] = []
    package private(set) var kindsBeyond = 0
    /// Asks that the candidate was not given, by type: about the process itself, or about files beside it.
    package private(set) var leftOut: [String: Int] = [:]
    /// Asks that a service may leave out, and the candidate does, by type.
    package private(set) var notOffered: [String: Int] = [:]
    /// Reads that were the same only when both services were asked again: facts arrive at different moments.
    package private(set) var settled = 0
    /// What the candidate asked of others that would have changed something, by type: not done.
    package private(set) var prevented: [String: Int] = [:]

    package init() {}

    package var compared: Int { rows.values.reduce(0) { $0 + $1.compared } }
    package var different: Int { rows.values.reduce(0) { $0 + $1.different } }

    package mutating func leaveOut(_ type: String) { leftOut[type, default: 0] += 1 }
    package mutating func lack(_ type: String) { notOffered[type, default: 0] += 1 }
    package mutating func settle() { settled += 1 }
    package mutating func prevent(_ type: String) { prevented[type, default: 0] += 1 }

    /// Counts two answers and where they differ.
    package mutating func count(_ pair: Pairing.Pair, _ found: [Difference]) {
        var row = rows[pair.type] ?? Row()
        row.compared += 1
        if !found.isEmpty { row.different += 1 }
        row.live.record(UInt64(clamping: pair.live.microseconds))
        row.shadow.record(UInt64(clamping: pair.shadow.microseconds))
        rows[pair.type] = row
        for difference in found { keep(difference, of: pair.type) }
    }

    /// Whether each of these kinds of differences was seen so often that another look would only take time.
    package func areUsual(_ found: [Difference], of type: String) -> Bool {
        found.allSatisfy { difference in
            differences.contains {
                $0.type == type && $0.first.kind == difference.kind && $0.count >= Self.usualFrom
            }
        }
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
