import CSQLite
import Foundation
import GRDB

/// One service's SQLite file: locked for this process, WAL, `synchronous=FULL`, one read-write connection.
///
/// SQLite 3.40 can corrupt a WAL that is reset while two connections write or checkpoint, so there is only ever one.
package final class SQLiteFile: StoreDatabase, Sendable {
    package enum OpenError: Error, CustomStringConvertible {
        case locked(path: String)
        case cannotLock(path: String, reason: String)
        case notDurable(path: String)
        /// A restore was begun and not ended: what is here may be nothing, or half of it.
        case halfRestored(path: String)
        case moved(path: String)
        case damaged(path: String, why: String)
        case noDisk(path: String, why: String)

        package var description: String {
            switch self {
            case .locked(let path): "another process holds \(path)"
            case .cannotLock(let path, let reason): "cannot lock \(path): \(reason)"
            case .notDurable(let path): "\(path) did not accept synchronous=FULL in WAL mode"
            case .halfRestored(let path):
                "\(path) was being restored, and \(path).restoring is still there: run 'billfold restore' again"
            case .moved(let path):
                """
                the data in \(path) was moved to PostgreSQL: set BILLFOLD_STORE to go on with it there. 'billfold backup' and \
                'billfold restore' bring it back; to go on with what was here before the move, remove \(PostgresMove.mark(of: path))
                """
            case .damaged(let path, let why):
                "\(path) cannot be read (\(why)): keep the file, and restore the last backup ('billfold restore --replace')"
            case .noDisk(let path, let why):
                """
                \(path) cannot be opened (\(why)): the disk is full, read-only or failing, or the file is another user's. This \
                start has changed nothing in it; make room or give access, and start again
                """
            }
        }
    }

    /// Unchecked: used inside `queue` only, which lets one thread in at a time.
    package nonisolated(unsafe) let transaction: Transaction
    let queue: DatabaseQueue
    /// Held as long as the file is in use: closing it releases the lock.
    private let lock: FileLock?

    /// The names of the migrations that this opening of the file ran.
    package let migrated: Set<String>

    package var path: String { queue.path }
    package var name: String { path }

    /// Opens or makes the file and brings it to the newest schema.
    ///
    /// - Parameters:
    ///   - erases: overwrites what is deleted with zeros.
    ///   - lost: called when the process has to end, as what it has acknowledged may be missing on the disk.
    package init(
        path: String, migrations: [Migration], erases: Bool = false,
        lost: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        lock = try FileLock(path: path + ".lock", holding: path)
        guard access(path + ".restoring", F_OK) != 0 else { throw OpenError.halfRestored(path: path) }
        (queue, migrated) = try Self.opened(path, migrations)
        transaction = try queue.writeWithoutTransaction { database in
            // After the migrations, which may sort a whole table: savepoints keep their pages in memory.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
                throw OpenError.notDurable(path: path)
            }
            if erases { try database.execute(sql: "PRAGMA secure_delete = ON") }
            try Self.foldLog(database)
            return try Transaction(Self.connection(of: database, lost: lost))
        }
    }

    private static func opened(
        _ path: String, _ migrations: [Migration]
    ) throws -> (DatabaseQueue, migrated: Set<String>) {
        var configuration = configuration
        // Before the first statement: without it SQLite makes a file for its shared memory, which a full disk refuses.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try makeDurable(queue)
            return (queue, try migrate(queue, migrations))
        } catch let error as DatabaseError
            where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        {
            throw OpenError.damaged(path: path, why: error.message ?? "\(error.resultCode)")
        } catch let error as DatabaseError where StoreFailure.isOfDisk(error) {
            throw OpenError.noDisk(path: path, why: error.message ?? "\(error.resultCode)")
        }
    }

    /// Brings to the disk what a process before this one may have left in the system's memory. A disk without room
    /// takes it later: what is there can be read until then.
    private static func foldLog(_ database: Database) throws {
        do { try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") } catch let error as DatabaseError
            where error.resultCode == .SQLITE_FULL
        {}
    }

    private static func makeDurable(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { database in
            // Checkpoints are small: a large one would keep the disk from commits for too long.
            try database.execute(
                sql: """
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA foreign_keys = ON;
                    PRAGMA cache_size = -65536;
                    PRAGMA wal_autocheckpoint = 1000;
                    """)
            // GRDB sets NORMAL while it opens a file: believe the file, not the statement.
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2,
                try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal"
            else { throw OpenError.notDurable(path: queue.path) }
        }
    }

    /// A database in memory: for tests of what a store does, not of what survives.
    package init(inMemory migrations: [Migration]) throws {
        lock = nil
        queue = try DatabaseQueue(configuration: Self.configuration)
        migrated = try Self.migrate(queue, migrations)
        transaction = try queue.writeWithoutTransaction { try Transaction(Self.connection(of: $0)) }
    }

    /// GRDB's migrator keeps the names of what has been run in the file (`grdb_migrations`).
    ///
    /// - Returns: the names of those that were run now.
    private static func migrate(_ queue: DatabaseQueue, _ migrations: [Migration]) throws -> Set<String> {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.name) { database in
                try migration.run(Transaction(connection(of: database)))
            }
        }
        let before = try queue.read(migrator.appliedIdentifiers)
        try NewerSchema.expectNone(before, of: migrations, in: queue.path)
        try migrator.migrate(queue)
        return Set(migrations.map(\.name)).subtracting(before)
    }

    private static func connection(
        of database: Database, lost: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> SQLiteConnection {
        guard let handle = database.sqliteConnection else { throw StoreFailure.broken("not open") }
        return SQLiteConnection(handle: handle, lost: lost)
    }

    // MARK: The connection

    /// Runs `body` on the connection, in no transaction. Blocks the calling thread; calls from several threads take
    /// turns.
    package func exclusively<Value>(_ body: (Transaction) throws -> Value) throws -> Value {
        try queue.writeWithoutTransaction { _ in try body(transaction) }
    }

    /// The same without blocking.
    package func exclusively<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws
        -> Value
    {
        try await queue.writeWithoutTransaction { [self] _ in try body(transaction) }
    }

    package func enqueue(_ body: @escaping @Sendable () -> Void) { queue.asyncWriteWithoutTransaction { _ in body() } }

    /// A disk that does not answer holds the thread, and nobody can be told more than that.
    package var committing: Duration { .zero }

    /// Folds the log into the file and empties it.
    package func eraseTraces() async throws {
        try await exclusively { try $0.script("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// Folds the log into the file and closes it. Nothing may be done with it afterwards.
    package func close() async throws {
        try await exclusively { transaction in
            transaction.finalizeStatements()
            (transaction.connection as? SQLiteConnection)?.finalizeStatements()
            try transaction.script("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try queue.close()
    }

    /// Nobody asks how much memory SQLite has, and counting it takes a lock for each piece.
    private static let uncounted: Void = billfold_sqlite_counts_no_memory()

    private static var configuration: Configuration {
        _ = uncounted
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // GRDB asks for more than the default; as root its thread would go before those who take and answer asks.
        configuration.qos = .default
        return configuration
    }

    /// Opens another file to read it.
    static func inspect<Value>(_ path: String, _ body: (Transaction) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read { database in
            try body(Transaction(connection(of: database)))
        }
    }
}

/// An advisory lock (flock) on a file of its own, given back when the process ends in whatever way.
private final class FileLock: Sendable {
    private let descriptor: Int32

    init(path: String, holding subject: String) throws {
        descriptor = Glibc.open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        // From here on `deinit` closes it, also when this throws: closing it here too would close whatever another
        // thread has opened under the same number since.
        guard descriptor >= 0 else {
            throw SQLiteFile.OpenError.cannotLock(path: path, reason: String(cString: strerror(errno)))
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw SQLiteFile.OpenError.locked(path: subject) }
    }

    deinit { close(descriptor) }
}
