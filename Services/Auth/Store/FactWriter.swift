import Bus
import Contracts
import GRDB
import Primitives
import Sodium
import Storage

/// Adds facts to the outbox, in the transaction of what they tell of.
struct FactWriter {
    let cause: Cause
    private(set) var count = 0

    init(_ cause: Cause) { self.cause = cause }

    mutating func append<Told: Fact>(_ fact: Told, in database: Database) throws {
        try Outbox.append(database) { sequence in
            let id: MessageID = Randomness.shared.identifier(at: cause.time)
            return Envelope(
                id: id.hex, source: Auth.service, type: Told.type.name, time: cause.time,
                correlationID: cause.context.correlationID, causationID: cause.context.causationID,
                traceparent: cause.context.traceparent, sequence: sequence, data: fact.json
            ).json
        }
        count += 1
    }
}
