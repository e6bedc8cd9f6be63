import Primitives
import Storage

/// A durable group of operations.
package struct Committed<Value> {
    package let value: Value
    /// The rows that are new in the journal, oldest first: to be published now.
    package let facts: [JournalRow]
}

/// Where the ledger lives. One implementation per engine, all held to one test suite.
package protocol LedgerStore: Sendable {
    /// One transaction: lets `body` decide operations and writes what they change. Returns when it is durable.
    ///
    /// Blocks the calling thread. `body` may run again where the engine has to repeat a transaction.
    /// - Throws: `StoreFailure`, or what `body` throws; nothing has happened then, but see `StoreFailure.broken`.
    func commit<Value>(
        now: Timestamp, expecting: Int, _ body: (inout LedgerGroup) throws -> Value
    ) throws -> Committed<Value>

    /// Reads in one transaction; sees everything that was committed before. Blocks the calling thread.
    func read<Value>(_ body: (any LedgerInspecting) throws -> Value) throws -> Value

    /// What the ledger lacks of the heads that were written down outside of its file when it was opened; empty when it
    /// is whole.
    var anchorProblems: [String] { get }

    /// Folds the log into the file, where there is some, and does some of what can wait for a quiet moment. Call it
    /// about five times a second: who pays meanwhile waits for it.
    func tidy() throws

    /// Writes what still follows what was committed, so that the next process finds nothing to catch up on.
    func settle() throws
}
