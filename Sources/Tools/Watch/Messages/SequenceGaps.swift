/// Which facts of each source were received, so that missing ones are reported.
package struct SequenceGaps: Sendable {
    private var last: [String: Int64] = [:]

    package init() {}

    /// What is known of a fact that has come.
    package enum Finding: Equatable, Sendable {
        case next
        /// It was received before.
        case known
        /// These were missed.
        case gap(ClosedRange<Int64>)
    }

    package mutating func receive(_ sequence: Int64, of source: String) -> Finding {
        guard let before = last[source] else {
            last[source] = sequence
            return .next
        }
        guard sequence > before else { return .known }
        last[source] = sequence
        return sequence == before + 1 ? .next : .gap(before + 1...sequence - 1)
    }
}
