import CSQLite
import Foundation
import GRDB

/// One service's SQLite file: locked for this process, WAL, `synchronous=FULL`, one read-write connection.
///
/// SQLite 3.40 can corrupt a WAL that is reset while two connections write or checkpoint, so there is only ever one.
package struct SQLiteFile: Sendable {
    package enum OpenError: Error, CustomStringConvertible {
        case locked(path: String)
        case cannotLock(path: String, reason: String)
        case notDurable(path: String)
        /// A restore was begun and not ended: what is here may be nothing, or half of it.
        case halfRestored(path: String)

        package var description: String {
            switch self {
            case .locked(let path): "another process holds \(path)"
            case .cannotLock(let path, let reason): "cannot lock \(path): \(reason)"
            case .notDurable(let path): "\(path) did not accept synchronous=FULL in WAL mode"
            case .halfRestored(let path):
                "\(path) was being restored, and \(path).restoring is still there: run 'billfold restore' again"
            }
        }
    }

    package let queue: DatabaseQueue
    /// Held open as long as the file is in use; closing it gives the lock back.
    private let lock: FileLock?

    /// Opens or makes the file and brings it to the newest schema.
    package init(path: String, migrator: DatabaseMigrator) throws {
        lock = try FileLock(path: path + ".lock", holding: path)
        guard access(path + ".restoring", F_OK) != 0 else { throw OpenError.halfRestored(path: path) }
        queue = try DatabaseQueue(path: path, configuration: Self.configuration)
        try queue.writeWithoutTransaction { database in
            // The log is folded after 1,000 pages of 4 KiB: 8,000 at once had the disk for 25 ms, and payments waited for it.
            try database.execute(
                sql: """
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA journal_mode = WAL;
                    PRAGMA synchronous = FULL;
                    PRAGMA foreign_keys = ON;
                    PRAGMA cache_size = -65536;
                    PRAGMA wal_autocheckpoint = 1000;
                    """)
            // GRDB sets NORMAL while it opens a file: believe the file, not the statement.
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2,
                try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal"
            else { throw OpenError.notDurable(path: path) }
        }
        try migrator.migrate(queue)
        try queue.writeWithoutTransaction { database in
            // What a savepoint could need again: in a file it was half of all that was written. Not before migrations, which may
            // sort a whole table.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
                throw OpenError.notDurable(path: path)
            }
        }
    }

    /// A store that lives in memory: for tests of what a store does, not of what survives.
    package init(inMemory migrator: DatabaseMigrator) throws {
        lock = nil
        queue = try DatabaseQueue(configuration: Self.configuration)
        try migrator.migrate(queue)
    }

    /// Writes a page and changes nothing.
    package static func touch(_ database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Nobody asks how much memory SQLite has. What it took to count it was a lock for each of some forty pieces a payment.
    private static let uncounted: Void = billfold_sqlite_counts_no_memory()

    private static var configuration: Configuration {
        _ = uncounted
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // GRDB asks for more than the default; as root its thread would go before those who take and answer asks.
        configuration.qos = .default
        return configuration
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
