import Contracts

/// A service's database: one connection, and the one thread at a time that uses it. Each engine has its own.
package protocol StoreDatabase: AnyObject, Sendable {
    /// For the log: a path, or a schema.
    var name: String { get }
    /// To be used on the connection's thread only.
    var transaction: Transaction { get }

    /// Runs `body` on the connection, in no transaction. Blocks the calling thread; calls from several threads take
    /// turns.
    func exclusively<Value>(_ body: (Transaction) throws -> Value) throws -> Value

    /// Runs `body` on the connection's thread, after what is there already, and does not wait for it.
    func enqueue(_ body: @escaping @Sendable () -> Void)

    /// How long the commit under way has taken; zero where none is.
    var committing: Duration { get }

    /// The names of the migrations that this opening ran.
    var migrated: Set<String> { get }

    /// Writes a copy to a path where there is nothing yet: a file of SQLite, whichever engine this is.
    ///
    /// - Parameter position: reads from the copy how far it is.
    func copy(
        to path: String, position: @escaping @Sendable (Transaction) throws -> CopyPosition
    ) async throws -> DataCopy

    /// Makes what was erased unreadable in what the engine keeps beside the tables.
    func eraseTraces() async throws

    /// Lets go of the database. Nothing may be done with it afterwards.
    func close() async throws
}

/// What a copy holds: how far the facts had come, and where a ledger's chains end.
package typealias CopyPosition = (
    head: Int64, cursors: [String: Int64], entries: Int64?, hash: [UInt8]?, chain: [UInt8]?
)

extension StoreDatabase {
    /// A copy of a store with an outbox and, perhaps, cursors.
    func copy(to path: String) async throws -> DataCopy {
        try await copy(to: path) { copy in
            (head: try copy.headSequence(), cursors: try Cursors.all(copy), entries: nil, hash: nil, chain: nil)
        }
    }

    /// Runs `body` on the connection without blocking the caller's thread.
    package func whenFree<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue { [self] in continuation.resume(with: Result { try body(transaction) }) }
        }
    }
}

/// One connection of an engine, as the kit uses it.
protocol DatabaseConnection: AnyObject {
    func prepare(_ sql: String) throws(StoreFailure) -> Statement

    /// Runs statements without parameters.
    func script(_ sql: String) throws(StoreFailure)

    func control(_ step: TransactionStep) throws(StoreFailure)

    /// Rows that the last statement changed.
    var changes: Int { get }

    /// Rows changed since the connection was opened.
    var totalChanges: Int64 { get }

    /// Whether a transaction has been begun and not ended.
    var isInTransaction: Bool { get }

    /// Whether a group goes on after one of its pieces has failed and been rolled back.
    var survivesPiece: Bool { get }

    /// Why nothing that is open can be committed any more, though the piece of work went on after it; nil where it can.
    var spoiled: StoreFailure? { get }

    /// Whether another process may take the database over while this one has it.
    var mayBeDeposed: Bool { get }

    /// Whether each statement that is run is a round trip to a server.
    var isRemote: Bool { get }

    /// Writes and changes nothing: fails as long as nothing can be written.
    func touch() throws(StoreFailure)

    /// The names of all tables, in order.
    func tables() throws -> [String]

    /// A table's columns in their order; empty for a table that is not there.
    func columns(of table: String) throws -> [TableColumn]
}

/// The failure that an acknowledged commit survives.
package enum Durability: Sendable {
    /// The end of the host: the disk has it.
    case host
    /// The end of the process. The disk has it later, at the latest with the next commit that writes and waits.
    /// PostgreSQL keeps it as any other.
    case process
}

/// How a transaction begins, is divided, and ends.
enum TransactionStep: String {
    case begin = "BEGIN IMMEDIATE"
    /// Begins a transaction that is to survive the process only. SQLite reads it as `begin`, whose words are taken.
    case beginUnsynced = "BEGIN IMMEDIATE TRANSACTION"
    case beginReading = "BEGIN"
    case commit = "COMMIT"
    case rollback = "ROLLBACK"
    case beginPiece = "SAVEPOINT piece"
    case rollbackPiece = "ROLLBACK TO piece"
    case endPiece = "RELEASE piece"
}

/// A column as its table's declaration has it.
struct TableColumn: Equatable {
    enum Kind: String { case integer, text, bytes }

    let name: String
    let kind: Kind
    let isKey: Bool
}
