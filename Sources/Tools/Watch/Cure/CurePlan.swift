import Contracts

/// How far a service has read a source's facts, and whether it goes on by itself.
package struct ReaderState: Equatable, Sendable {
    package enum Trouble: Equatable, Sendable {
        /// The source's log is another one than was read.
        case diverged
        /// The source has facts that the reader does not get on to.
        case stopped
    }

    package let service: String
    package let source: String
    /// The last fact that counts as applied.
    package let position: Int64
    /// Nil: it reads.
    package let trouble: Trouble?

    package init(service: String, source: String, position: Int64, trouble: Trouble?) {
        self.service = service
        self.source = source
        self.position = position
        self.trouble = trouble
    }

    /// The readers of a process, one for each source, as its figures have them.
    package static func readers(in stats: ServiceStats) -> [ReaderState] {
        func value(_ name: String, _ source: String) -> Int64? {
            stats.metrics.first { $0.name == name && $0.labels["source"] == source }?.value
        }
        let sources = stats.metrics.filter { $0.name == "facts_position" }.compactMap { $0.labels["source"] }
        return sources.map { source in
            let isDiverged = value("facts_diverged", source) ?? 0 > 0
            let isStopped = value("facts_stopped", source) ?? 0 > 0
            return ReaderState(
                service: stats.service, source: source, position: value("facts_position", source) ?? 0,
                trouble: isDiverged ? .diverged : isStopped ? .stopped : nil)
        }
    }
}

/// Where the cursor of a reader that does not go on is to stand, and what that means.
package struct CurePlan: Equatable, Sendable {
    package let reader: ReaderState
    package let trouble: ReaderState.Trouble
    package let to: Int64
    /// The newest fact of the source.
    package let head: Int64

    /// - Parameter to: nil for the newest fact of another log, or for the fact that the reader does not get past.
    /// - Returns: nil for a reader that goes on by itself.
    package init?(_ reader: ReaderState, head: Int64, to: Int64? = nil) {
        guard let trouble = reader.trouble else { return nil }
        self.reader = reader
        self.trouble = trouble
        self.head = head
        self.to = to ?? (trouble == .diverged ? head : min(reader.position + 1, head))
    }

    /// Facts of the present log that count as applied and are not.
    package var leftOut: ClosedRange<Int64>? {
        Self.range(trouble == .diverged ? 1 : reader.position + 1, to)
    }

    /// Facts that are applied although the reader has applied facts of these numbers.
    package var repeated: ClosedRange<Int64>? { Self.range(to + 1, min(reader.position, head)) }

    /// Facts that are read for the first time.
    package var fresh: ClosedRange<Int64>? { Self.range(max(to, reader.position) + 1, head) }

    private static func range(_ first: Int64, _ last: Int64) -> ClosedRange<Int64>? {
        first <= last ? first...last : nil
    }

    /// What is wrong, what the move does, and what that means, a sentence a line.
    package var text: String {
        let consumer = Catalogue.service(reader.service) as? any FactConsumer.Type
        let (service, source) = (reader.service, reader.source)
        var lines = [
            trouble == .diverged
                ? "\(service) reads no facts of \(source): \(source)'s log is another one than was read"
                : "\(service) stands still behind the facts of \(source)",
            "  the cursor is at \(reader.position), \(source)'s log ends at \(head); the cursor moves to \(to)"
        ]
        if let leftOut {
            var line = "  left out: \(Self.facts(leftOut)) of the log as it is. \(consumer?.withoutFacts ?? "")"
            if trouble == .diverged {
                line += " Facts that \(service) has read as the log has them now keep what came of them."
            }
            lines.append(line)
        }
        if let repeated {
            let again = trouble == .diverged ? "applied, as they are not those that were read" : "applied again"
            lines.append("  \(again): \(Self.facts(repeated)). \(consumer?.withRepeatedFacts ?? "")")
        }
        if let fresh { lines.append("  read from there on: \(Self.facts(fresh))") }
        return (lines + ["  no money is moved"]).joined(separator: "\n")
    }

    private static func facts(_ range: ClosedRange<Int64>) -> String {
        range.count == 1 ? "fact \(range.lowerBound)" : "facts \(range.lowerBound) to \(range.upperBound)"
    }
}
