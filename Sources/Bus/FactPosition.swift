import Contracts
import Sodium
import Wire

/// Where a reader stands in a source's log: the last fact that it has applied, and which one that was.
package struct FactPosition: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// 0 before the first fact.
    package let sequence: Int64
    /// Distinguishes that fact from any other of its number (`Envelope.mark`). Empty before the first fact, and where
    /// an earlier version wrote the position.
    package let mark: [UInt8]

    package init(sequence: Int64, mark: [UInt8]) {
        self.sequence = sequence
        self.mark = mark
    }

    package init(integerLiteral sequence: Int64) { self.init(sequence: sequence, mark: []) }
}

extension Envelope {
    /// 16 bytes that no other fact of the same number has: an older copy of a log that has grown again gives the same
    /// numbers to other facts. Not of its `id`: a log that was made anew from its own sources holds the same facts.
    /// Not of the form of its `data` either: a source in another language may write spaces and other escapes.
    package var mark: [UInt8] {
        let value = try? JSONValue(parsing: data)
        return mark(of: value.flatMap { $0.hasFraction ? nil : Array($0.text.utf8)[...] } ?? data)
    }

    /// Whether a reader that has stored such a mark has read this fact. Earlier versions took `data` as it was written.
    package func isMarked(_ stored: [UInt8]) -> Bool { stored == mark || stored == mark(of: data) }

    private func mark(of data: ArraySlice<UInt8>) -> [UInt8] {
        Digest.blake2b(Array(type.utf8) + [0] + Array((time?.rfc3339 ?? "").utf8) + [0] + data, length: 16)
    }
}

/// A source's log does not hold the fact up to which it was read: it is an older copy, or another log (ADR 26).
///
/// Nothing of it is applied until the source has its log again, or the reader the state that belongs to this one.
package struct FactsDiverged: Error, Equatable, CustomStringConvertible {
    package let source: String
    /// Up to which the log was read.
    package let position: Int64
    /// Where it ends now.
    package let head: Int64

    package init(source: String, position: Int64, head: Int64) {
        self.source = source
        self.position = position
        self.head = head
    }

    package var description: String {
        "\(source)'s facts are not those that were read: "
            + (head < position
                ? "its log ends at \(head), and \(position) of it are known"
                : "its log has another fact in the place of \(position)")
            + "; was an older copy of its data restored alone?"
    }
}

extension JSONValue {
    /// Whether its text lacks a number.
    fileprivate var hasFraction: Bool {
        switch self {
        case .fraction: true
        case .array(let elements): elements.contains { $0.hasFraction }
        case .object(let members): members.contains { $0.value.hasFraction }
        case .null, .bool, .integer, .string: false
        }
    }
}
