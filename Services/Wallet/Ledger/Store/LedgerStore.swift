import Primitives

/// Why a store did not do what it was asked. Told to nobody outside: an asker gets `bus.unavailable`.
package enum StoreFailure: Error, Equatable, CustomStringConvertible {
    /// A constraint of the schema refused what the rules let pass: a bug. Rolled back; the store is as before.
    case constraint(String)
    /// No room. Rolled back; the store is as before and may be tried again.
    case full(String)
    /// A row is not what the schema allows, or one is missing. Concerns whoever needs it, and the check of the ledger.
    case damaged(String)
    /// The disk or the file is in trouble. Whether the last commit is durable is unknown: the process must end, and
    /// begin anew from what is really there. Never tried again, as an fsync that failed once may succeed falsely.
    case broken(String)

    /// Whether it may concern one operation of a group only.
    package var mayBeOfOne: Bool {
        switch self {
        case .constraint, .damaged: true
        case .full, .broken: false
        }
    }

    package var description: String {
        switch self {
        case .constraint(let what): "a constraint refused a change: \(what)"
        case .full(let what): "no room: \(what)"
        case .damaged(let what): "damage: \(what)"
        case .broken(let what): "storage trouble: \(what)"
        }
    }
}

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

    /// What can wait for a quiet moment, such as folding the log into the file. Call it about once a second.
    func tidy() throws
}
