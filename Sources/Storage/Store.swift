import Bus
import Contracts
import Primitives
import Synchronization

/// What every service does with its database: open, migrate, write in groups, read, publish, follow other services,
/// copy. A service's store adds its SQL.
///
/// The only fault of its own is `bus.unavailable`, for trouble underneath, which is logged and never travels.
package final class Store: FactLog, CursorStore, Sendable {
    /// How long a seal holds that nobody takes off: longer than a swap takes to end the process.
    package static let sealTime = Duration.seconds(5)

    let committer: GroupCommitter
    private let outlet: Outlet
    /// Hands the tables over to a program that takes the service's place.
    package let handOver: any StateSource

    /// Opens or makes the database and brings it to the newest schema. In PostgreSQL it returns when this process
    /// leads, and the process ends when it leads no more.
    ///
    /// - Parameters:
    ///   - erases: overwrites what is deleted with zeros (see `emptyLog`); of SQLite only.
    /// - Throws: `SQLiteFile.OpenError`, or the database's own error.
    package convenience init(_ place: StorePlace, migrations: [Migration], erases: Bool = false) throws {
        self.init(try openDatabase(place, migrations: migrations, erases: erases))
    }

    /// A store that ends with the process, for tests: in memory, or in a schema of its own of the PostgreSQL that
    /// `BILLFOLD_TEST_STORE` names.
    ///
    /// - Parameter sealTime: how long a seal holds that nobody takes off; nil: longer than any test runs.
    package convenience init(forTests migrations: [Migration], sealTime: Duration? = nil) throws {
        self.init(try openDatabase(forTests: migrations), sealTime: sealTime ?? .seconds(3600))
    }

    private init(_ database: any StoreDatabase, sealTime: Duration = Store.sealTime) {
        let outlet = Outlet()
        self.outlet = outlet
        committer = GroupCommitter(database, committed: { outlet.publish($0) }, undone: { outlet.undone($0) })
        handOver = StateFollowing(committer, sealTime: sealTime)
    }

    /// Calls `body` after each rollback, before anything else runs: for memory that follows the database.
    package func afterRollback(_ body: @escaping @Sendable (Undone) -> Void) {
        outlet.rollback.withLock { $0 = AfterRollback(call: body) }
    }

    // MARK: Transactions

    /// One transaction; its facts are with the publisher when this returns.
    ///
    /// - Parameter survives: what the transaction survives when this returns. What publishes facts has to survive the
    ///   host.
    /// - Throws: a `Fault` of the body, with nothing written; `bus.unavailable` for any other error.
    @discardableResult
    package func write<Value: Sendable>(
        surviving survives: Durability = .host, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(Fault) -> Value {
        do { return try await committer.write(surviving: survives, body) } catch { throw fault(error) }
    }

    /// Writes that wait for the present group to end.
    package var waitingCount: Int { committer.waitingCount }

    /// Reads between two commits: sees everything that was acknowledged.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(Fault) -> Value {
        do { return try await committer.read(body) } catch { throw committer.fault(error, ofRead: true) }
    }

    /// Runs `body` on the connection while the store is being opened: to prepare statements and to load what memory
    /// has.
    package func opening<Value>(_ body: (Transaction) throws -> Value) throws -> Value {
        try committer.database.exclusively(body)
    }

    private func fault(_ error: any Error) -> Fault { committer.fault(error) }

    // MARK: Facts

    /// Names the publisher of this store's facts. Those of earlier commits are in the log.
    package func publish(to publisher: any FactPublishing) { outlet.publisher.withLock { $0 = publisher } }

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try await read { try Outbox.page($0, after: sequence, limit: limit) }
    }

    /// The last fact of a source that has been applied.
    package func position(of source: String) async throws(Fault) -> FactPosition {
        try await read { try $0.position(of: source) }
    }

    package func setPosition(of source: String, to position: FactPosition) async throws(Fault) {
        try await write { try $0.setPosition(of: source, to: position) }
    }

    // MARK: Operators

    /// A page of a printed table.
    package func table(_ table: PrintedTable, after: Int64, limit: Int) async throws(Fault) -> TablePage {
        try await read { try PrintedView.page($0, table, after: after, limit: limit) }
    }

    /// Writes a copy of the database to a path, while it is in use.
    package func copy(to path: String) async throws -> DataCopy { try await committer.database.copy(to: path) }

    /// Lets go of the database, and of those who follow this store: a file cannot be closed while they have statements.
    package func close() async throws {
        outlet.letGo()
        try await committer.database.close()
    }

    /// Folds the write-ahead log into the file and empties it: what was erased is in neither.
    package func emptyLog() async throws(Fault) {
        do { try await committer.database.eraseTraces() } catch { throw fault(error) }
    }
}

/// The function that a store calls after each rollback. Without the structure around it each access through a `Mutex`
/// would wrap the function once more, for good.
private struct AfterRollback: Sendable {
    let call: @Sendable (Undone) -> Void
}

/// Calls others after each commit and rollback.
private final class Outlet: Sendable {
    let publisher = Mutex<(any FactPublishing)?>(nil)
    let rollback = Mutex<AfterRollback?>(nil)

    func publish(_ facts: [PublishedFact]) { publisher.withLock { $0 }?.publish(facts) }

    func undone(_ extent: Undone) { rollback.withLock { $0 }?.call(extent) }

    func letGo() {
        publisher.withLock { $0 = nil }
        rollback.withLock { $0 = nil }
    }
}
