import Bus
import Contracts
import Primitives
import Wire

extension JournalRow {
    /// The fact as it is published. Derived from the row alone, so that a later read gives the same bytes.
    package var published: PublishedFact {
        let type = kind.type.name
        return PublishedFact(
            type: type, sequence: sequence,
            envelope: Envelope.json(
                id: Wallet.service + "-" + String(sequence), source: Wallet.service, type: type, time: time,
                correlationID: cause.correlation, causationID: cause.causation,
                traceparent: cause.trace?.traceparent(sequence: sequence), sequence: sequence
            ) { $0.json(body) })
    }
}

extension Decision {
    /// The answer to the ask: the fact, or the refusal.
    func outcome<Result: Fact & Equatable>(_ type: Recorded<Result>.Type) -> Outcome {
        switch self {
        case .refused(let fault): return .fault(fault)
        case .recorded(let row, let replayed):
            if let fault = row.recordedFault(replayed: replayed) { return .fault(fault) }
            var writer = JSONWriter(capacity: row.body.count + 64)
            Recorded<Result>.write(result: row.body, sequence: row.sequence, replayed: replayed, to: &writer)
            return .reply(writer.bytes)
        }
    }
}
