import Bus
import Contracts
import Foundation
import GRDB
import Primitives
import Storage

/// Auth's one SQLite file. The functions of `AccountStore` are in the extensions, by what they are about.
package struct SQLiteAccountStore: AccountStore {
    /// Holds the file's lock for as long as the store lives.
    private let file: SQLiteFile
    private let committer: GroupCommitter
    /// Called after each commit that has told facts.
    private let factsCommitted: @Sendable () -> Void
    /// Hears what went wrong underneath, which never travels.
    private let trouble: @Sendable (any Error) -> Void

    /// Opens or makes the file and brings it to the newest schema.
    ///
    /// - Throws: `SQLiteFile.OpenError`, or GRDB's `DatabaseError`.
    package init(
        path: String, factsCommitted: @escaping @Sendable () -> Void = {},
        trouble: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        self.init(
            try SQLiteFile(path: path, migrator: AccountMigrations.migrator), factsCommitted: factsCommitted,
            trouble: trouble)
    }

    /// A store that ends with the process: for tests.
    package init(inMemory factsCommitted: @escaping @Sendable () -> Void) throws {
        self.init(
            try SQLiteFile(inMemory: AccountMigrations.migrator), factsCommitted: factsCommitted, trouble: { _ in })
    }

    private init(
        _ file: SQLiteFile, factsCommitted: @escaping @Sendable () -> Void,
        trouble: @escaping @Sendable (any Error) -> Void
    ) {
        self.file = file
        committer = GroupCommitter(file)
        self.factsCommitted = factsCommitted
        self.trouble = trouble
    }

    // MARK: Facts

    package func read(after sequence: Int64, limit: Int) async throws -> FactsPage {
        try await read { database in
            let facts = try Outbox.read(
                database, after: max(0, sequence), limit: min(max(1, limit), 1000), bytesMax: FactsPage.bytesMax)
            return FactsPage(facts: facts.map(RawJSON.init), head: try Outbox.head(database))
        }
    }

    // MARK: Upkeep

    /// A copy of the file, made while it is in use.
    package func copy(to path: String) async throws -> DataCopy { try await committer.file.copy(to: path) }

    package func sweep(_ sweep: AccountSweep) async throws(Fault) -> AccountSweep.Swept {
        try await write { database in
            try database.execute(
                sql: """
                    DELETE FROM sessions WHERE digest IN (
                        SELECT digest FROM sessions WHERE expires <= ? ORDER BY expires LIMIT ?)
                    """, arguments: [sweep.now.column, AccountSweep.rowsMax])
            let sessions = database.changesCount
            for expired in [
                "resets WHERE id IN (SELECT id FROM resets WHERE expires <= ? LIMIT ?)",
                "restorations WHERE id IN (SELECT id FROM restorations WHERE expires <= ? LIMIT ?)",
                "letters WHERE id IN (SELECT id FROM letters WHERE expires <= ? LIMIT ?)",
                "holds WHERE account IN (SELECT account FROM holds WHERE until <= ? LIMIT ?)"
            ] {
                try database.execute(
                    sql: "DELETE FROM \(expired)", arguments: [sweep.now.column, AccountSweep.rowsMax])
            }
            let names = try Int.fetchOne(database, sql: "SELECT count(*) FROM logins") ?? 0
            try database.execute(
                sql: """
                    DELETE FROM logins WHERE name IN (
                        SELECT name FROM logins WHERE last_try < ? ORDER BY last_try LIMIT ?)
                    """, arguments: [sweep.loginsBefore.column, AccountSweep.rowsMax])
            let forgotten = database.changesCount
            let excess = min(names - forgotten - sweep.loginNamesMax, AccountSweep.rowsMax - forgotten)
            if excess > 0 {
                try database.execute(
                    sql: "DELETE FROM logins WHERE name IN (SELECT name FROM logins ORDER BY last_try LIMIT ?)",
                    arguments: [excess])
            }
            return AccountSweep.Swept(sessions: sessions, loginNames: forgotten + max(0, excess))
        }
    }

    // MARK: Transactions

    /// One transaction without facts.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(Fault) -> Value {
        do { return try await committer.write(body) } catch { throw unavailable(error) }
    }

    /// One transaction with whatever facts it leads to.
    func write<Value: Sendable>(
        by cause: Cause, _ body: @escaping @Sendable (Database, inout FactWriter) throws -> Value
    ) async throws(Fault) -> Value {
        let (value, told) = try await write { database in
            var facts = FactWriter(cause)
            let value = try body(database, &facts)
            return (value, facts.count > 0)
        }
        if told { factsCommitted() }
        return value
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(Fault) -> Value {
        do { return try await committer.read(body) } catch { throw unavailable(error) }
    }

    private func unavailable(_ error: any Error) -> Fault {
        // The committer logs what is the disk's.
        if !StoreFailure.isOfDisk(error) { trouble(error) }
        return .ofStore(error)
    }
}
