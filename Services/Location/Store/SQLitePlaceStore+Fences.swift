import Bus
import Contracts
import GRDB
import Primitives
import Sodium
import Storage
import Synchronization

extension SQLitePlaceStore {
    package func tell(
        at time: Timestamp, take: @escaping @Sendable () -> [FenceChange],
        giveBack: @escaping @Sendable ([FenceChange]) -> Void
    ) async throws(Fault) {
        let taken = Taken()
        do throws(Fault) {
            try await write { database in
                let changes = take()
                taken.changes.withLock { $0 = changes }
                for change in changes { try change.write(to: database, at: time) }
            }
        } catch {
            giveBack(taken.changes.withLock { $0 })
            throw error
        }
        if taken.changes.withLock({ !$0.isEmpty }) { factsCommitted() }
    }

    /// What a transaction took, for when it fails after that.
    private final class Taken: Sendable {
        let changes = Mutex<[FenceChange]>([])
    }
}

extension FenceChange {
    /// The visit's row and the fact, in one transaction.
    fileprivate func write(to database: Database, at time: Timestamp) throws {
        switch kind {
        case .entered:
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO visits (customer, place, merchant, entered, dwelled) VALUES (?, ?, ?, ?, 0)
                    """
            ).execute(arguments: [customer.column, place.column, merchant.column, entered.column])
            try append(
                Location.FenceEntered(customer: customer, merchant: merchant, place: place, time: self.time),
                to: database, at: time)
        case .dwelled:
            try database.cachedStatement(sql: "UPDATE visits SET dwelled = 1 WHERE customer = ? AND place = ?")
                .execute(arguments: [customer.column, place.column])
            try append(
                Location.FenceDwelled(
                    customer: customer, merchant: merchant, place: place, entered: entered, time: self.time),
                to: database, at: time)
        case .exited(let reason):
            try database.cachedStatement(sql: "DELETE FROM visits WHERE customer = ? AND place = ?")
                .execute(arguments: [customer.column, place.column])
            try append(
                Location.FenceExited(
                    customer: customer, merchant: merchant, place: place, entered: entered, reason: reason,
                    time: self.time),
                to: database, at: time)
        }
    }

    /// - Parameter now: when the fact is made, where no ask led to it.
    private func append<Told: Fact>(_ fact: Told, to database: Database, at now: Timestamp) throws {
        let time = cause?.time ?? now
        try Outbox.append(database) { sequence in
            let id: MessageID = Randomness.shared.identifier(at: time)
            return Envelope(
                id: id.hex, source: Location.service, type: Told.type.name, time: time,
                correlationID: cause?.correlationID, causationID: cause?.causationID, traceparent: cause?.traceparent,
                sequence: sequence, data: fact.json
            ).json
        }
    }
}
