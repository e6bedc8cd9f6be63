import Bus
import Contracts
import Primitives
import Storage

extension RoutineStore {
    /// Reminders of one transaction.
    private static let groupMax = 200

    /// Publishes the reminders that are due, each in the transaction that says so: none is published twice, and none is
    /// lost while the process is away. What was completed before its time is passed over. Fact:
    /// `routines.reminder.due.v1`.
    ///
    /// - Returns: whether there may be more.
    package func remind(at now: Timestamp) async throws(Fault) -> Bool {
        // Most of the time nothing is due, and reading costs no commit.
        let isDue = try await store.read { transaction in
            try transaction.value(
                "SELECT 1 FROM entries WHERE reminded = 0 AND begins <= ? LIMIT 1", now, as: Bool.self) ?? false
        }
        guard isDue else { return false }
        return try await store.write { transaction in
            let due = try transaction.all(
                "SELECT day, number FROM entries WHERE reminded = 0 AND begins <= ? ORDER BY begins, day, number LIMIT ?",
                now, Self.groupMax
            ) { row in (day: try row[0] as Int64, entry: try row[1] as Int64) }
            for one in due {
                try transaction.run("UPDATE entries SET reminded = 1 WHERE day = ? AND number = ?", one.day, one.entry)
                guard let day = try Self.day(one.day, in: transaction),
                    let reminder = day.reminder(of: one.entry, at: now)
                else { continue }
                try transaction.publish(reminder, at: now, because: nil)
            }
            return due.count == Self.groupMax
        }
    }
}
