import Bus
import Contracts
import GRDB
import Primitives
import Storage

/// Writes the facts of one transaction, and keeps them at hand for when it is durable.
struct FactTeller {
    private var outbox: Outbox.Writer
    private(set) var told: [PublishedFact] = []

    init(_ database: Database) throws { outbox = try Outbox.Writer(database) }

    mutating func tell<F: Fact>(_ fact: F, at time: Timestamp, _ context: AskContext) throws {
        let envelope = try outbox.append { sequence in
            Envelope(
                id: "\(Payments.service)-\(sequence)", source: Payments.service, type: F.type.name, time: time,
                correlationID: context.correlationID, causationID: context.causationID,
                traceparent: context.traceparent, sequence: sequence, data: fact.json
            ).json
        }
        told.append(PublishedFact(type: F.type.name, envelope: envelope))
    }
}
