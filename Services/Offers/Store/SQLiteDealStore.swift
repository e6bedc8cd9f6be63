import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Storage
import Synchronization
import Wire

/// Offers' one SQLite file and the market in memory, which is its image.
///
/// Each function is one transaction, durable when it returns; only of payments without coupons the file may lack the last
/// seconds, which are heard again. All that writes runs on the file's one connection, one after
/// the other, and changes the market there, last: so memory has the order of the commits, and a transaction may decide by
/// what is in memory. Where a commit fails, the market is read anew from the file.
///
/// The only fault that is not a decision is `bus.unavailable` (the disk).
package final class SQLiteDealStore: FactLog, Sendable {
    /// Holds the file's lock for as long as the store lives.
    private let committer: GroupCommitter
    let statements: DealStatements
    private let memory = Mutex(Image())
    /// Called after each commit that may have told facts.
    private let factsCommitted: @Sendable () -> Void
    /// Hears what went wrong underneath, which never travels.
    private let trouble: @Sendable (any Error) -> Void

    /// Opens or makes the file and brings it to the newest schema. To be followed by `load`.
    ///
    /// - Throws: `SQLiteFile.OpenError`, or GRDB's `DatabaseError`.
    package convenience init(
        path: String, factsCommitted: @escaping @Sendable () -> Void = {},
        trouble: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        try self.init(
            SQLiteFile(path: path, migrator: DealMigrations.migrator), factsCommitted: factsCommitted,
            trouble: trouble)
    }

    /// A store that ends with the process: for tests.
    package convenience init(inMemory factsCommitted: @escaping @Sendable () -> Void) throws {
        try self.init(
            SQLiteFile(inMemory: DealMigrations.migrator), factsCommitted: factsCommitted, trouble: { _ in })
    }

    private init(
        _ file: SQLiteFile, factsCommitted: @escaping @Sendable () -> Void,
        trouble: @escaping @Sendable (any Error) -> Void
    ) throws {
        statements = try file.queue.writeWithoutTransaction { try DealStatements($0) }
        committer = GroupCommitter(file)
        self.factsCommitted = factsCommitted
        self.trouble = trouble
    }

    // MARK: Tables

    /// A page of one of the printed tables (A30).
    package func table(_ table: PrintedTable, after: Int64, limit: Int) async throws -> TablePage {
        try await committer.read { database in
            let page = try PrintedView.page(
                database, table.rawValue, after: after, limit: limit, bytesMax: FactsPage.bytesMax)
            return TablePage(rows: page.rows.map(RawJSON.init), next: page.next)
        }
    }

    /// A copy of the file, made while it is in use.
    package func copy(to path: String) async throws -> DataCopy { try await committer.file.copy(to: path) }

    // MARK: Memory

    package func market<Value: Sendable>(_ body: (borrowing Market) throws(Fault) -> Value) throws(Fault) -> Value {
        let result: Result<Value, Fault> = memory.withLock { image in
            do throws(Fault) { return .success(try body(image.market)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Inside a transaction only, when all is written.
    func note(_ body: (inout Market) -> Void) { memory.withLock { body(&$0.market) } }

    func image<Value: Sendable>(_ body: (inout Image) -> Value) -> Value { memory.withLock { body(&$0) } }

    /// Reads the market from the file: before anything is answered.
    package func load(at now: Timestamp) async throws(Fault) {
        try await read { [self] database in
            let market = try Market(database, at: now)
            memory.withLock { $0.market = market }
        }
    }

    package func sweep(at now: Timestamp) { memory.withLock { $0.market.sweep(at: now) } }

    // MARK: Facts

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try await read { database in
            let facts = try Outbox.read(
                database, after: max(0, sequence), limit: min(max(1, limit), 1000), bytesMax: FactsPage.bytesMax)
            return FactsPage(facts: facts.map(RawJSON.init), head: try Outbox.head(database))
        }
    }

    static func tell<F: Fact>(_ fact: F, in database: Database, at time: Timestamp, _ context: AskContext) throws {
        try Outbox.append(database) { sequence in
            Envelope(
                id: Offers.service + "-" + String(sequence), source: Offers.service, type: F.type.name, time: time,
                correlationID: context.correlationID, causationID: context.causationID,
                traceparent: context.traceparent, sequence: sequence, data: fact.json
            ).json
        }
    }

    /// The last fact of a source that has been applied.
    package func position(_ source: String) async throws(Fault) -> FactPosition {
        try await read { database in
            FactPosition(
                sequence: try Cursors.read(database, source: source), mark: try Cursors.mark(database, source: source))
        }
    }

    // MARK: Transactions

    /// - Throws: a `Fault` of the body as it is, with nothing written; `bus.unavailable` for whatever else went wrong.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(Fault) -> Value {
        let value: Value
        do { value = try await committer.write(body) } catch let fault as Fault { throw fault } catch {
            // The committer logs what is the disk's.
            if !StoreFailure.isOfDisk(error) { trouble(error) }
            await recover()
            throw .ofStore(error)
        }
        factsCommitted()
        return value
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(Fault) -> Value {
        do { return try await committer.read(body) } catch let fault as Fault { throw fault } catch {
            trouble(error)
            throw .ofStore(error)
        }
    }

    /// Puts what the file has in the place of what memory has, which may hold what was not committed.
    private func recover() async {
        do {
            try await committer.read { [self] database in
                let market = try Market(database, at: Timestamp(milliseconds: .min))
                let cursor = try Cursors.read(database, source: Payments.service)
                memory.withLock { $0.restore(market, cursor: cursor) }
            }
        } catch { trouble(error) }
    }
}
