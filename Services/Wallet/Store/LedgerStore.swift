import Primitives
import Storage

/// A durable group of operations.
package struct Committed<Value> {
    package let value: Value
    /// The new rows of the journal, oldest first, to be published now.
    package let facts: [JournalRow]
}

/// The store of the ledger.
package protocol LedgerStore: Sendable {
    /// Runs one transaction: `body` decides operations, and their changes are written. Durable when it returns, and
    /// confirmed also if there were no changes.
    ///
    /// Blocks the calling thread.
    /// - Throws: `StoreFailure`, or the error of `body`. Nothing has changed then, except as `StoreFailure.broken`
    ///   says.
    func commit<Value>(
        now: Timestamp, expecting: Int, _ body: (inout LedgerGroup) throws -> Value
    ) throws -> Committed<Value>

    /// Returns when it is known that no other process has changed the ledger before this was called. Blocks the calling
    /// thread.
    func confirm() throws

    /// Reads in one transaction, which sees all earlier commits of this process. What it says is current if it was
    /// confirmed since it was asked for. Blocks the calling thread.
    func read<Value>(_ body: (any LedgerInspecting) throws -> Value) throws -> Value

    /// Heads that the ledger lacked when it was opened, and a head that was missing itself. Empty if it is whole.
    var anchorProblems: [String] { get }

    /// Checkpoints the write-ahead log, and writes some outdated rows while nobody pays. Call it about five times a
    /// second; payments wait for it.
    func tidy() throws

    /// Writes all outdated rows, so that the next process has nothing to catch up on.
    func settle() throws
}
