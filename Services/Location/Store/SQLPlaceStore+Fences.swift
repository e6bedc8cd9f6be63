import Bus
import Contracts
import Primitives
import Storage
import Synchronization

extension SQLPlaceStore {
    package func publish(
        at time: Timestamp, take: @escaping @Sendable () -> [FenceChange],
        giveBack: @escaping @Sendable ([FenceChange]) -> Void
    ) async throws(Fault) {
        let taken = Taken()
        do throws(Fault) {
            try await store.write { transaction in
                let changes = take()
                taken.changes.withLock { $0 = changes }
                for change in changes { try change.write(to: transaction, at: time) }
            }
        } catch {
            giveBack(taken.changes.withLock { $0 })
            throw error
        }
    }

    /// The changes that a transaction took, to be given back if it fails.
    private final class Taken: Sendable {
        let changes = Mutex<[FenceChange]>([])
    }
}

extension FenceChange {
    /// Writes the visit's row and the fact.
    ///
    /// - Parameter now: the fact's time where no ask led to the change.
    fileprivate func write(to transaction: Transaction, at now: Timestamp) throws {
        let cause = cause ?? Cause(time: now)
        switch kind {
        case .entered:
            try transaction.run(
                """
                INSERT INTO visits (customer, place, merchant, entered, dwelled) VALUES (?, ?, ?, ?, 0)
                ON CONFLICT (customer, place) DO UPDATE SET merchant = excluded.merchant, entered = excluded.entered,
                    dwelled = 0
                """, customer, place, merchant, entered)
            try transaction.publish(
                Location.FenceEntered(customer: customer, merchant: merchant, place: place, time: time),
                by: cause)
        case .dwelled:
            try transaction.run("UPDATE visits SET dwelled = 1 WHERE customer = ? AND place = ?", customer, place)
            try transaction.publish(
                Location.FenceDwelled(
                    customer: customer, merchant: merchant, place: place, entered: entered, time: time),
                by: cause)
        case .exited(let reason):
            try transaction.run("DELETE FROM visits WHERE customer = ? AND place = ?", customer, place)
            try transaction.publish(
                Location.FenceExited(
                    customer: customer, merchant: merchant, place: place, entered: entered, reason: reason, time: time),
                by: cause)
        }
    }
}
