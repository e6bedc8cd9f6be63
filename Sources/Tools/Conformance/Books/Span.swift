import Primitives

/// A moment in milliseconds since 1970, known exactly or only between an ask and its answer.
package struct Span: Equatable, Sendable {
    package let earliest, latest: Int64

    package init(_ earliest: Int64, _ latest: Int64) { (self.earliest, self.latest) = (earliest, latest) }
    package init(_ exact: Int64) { self.init(exact, exact) }
    package init(_ exact: Timestamp) { self.init(exact.milliseconds) }

    package func later(_ other: Span) -> Span { Span(max(earliest, other.earliest), max(latest, other.latest)) }
    package func contains(_ time: Timestamp) -> Bool { (earliest...latest).contains(time.milliseconds) }

    /// Whether both are the same moment; nil where that cannot be known.
    package func isSame(as other: Span) -> Bool? {
        if latest < other.earliest || other.latest < earliest { return false }
        return earliest == latest && other.earliest == other.latest ? true : nil
    }

    /// Whether it is before another one; nil where that cannot be known.
    package func isBefore(_ other: Span) -> Bool? {
        if latest < other.earliest { return true }
        return earliest >= other.latest ? false : nil
    }
}
