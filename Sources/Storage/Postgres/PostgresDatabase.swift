import Contracts
import Dispatch
import Foundation
import Primitives

/// One service's schema in a PostgreSQL database, of which one process at a time is the leader (ADR 46).
///
/// Opening it waits until this process leads: it holds an advisory lock on the connection that it works with, and has
/// counted the schema's epoch up. Others that open it wait, and take over when the leader's session ends.
package final class PostgresDatabase: StoreDatabase, @unchecked Sendable {
    /// Where a service's schema is.
    package struct Place: Sendable {
        /// A connection string or URI of libpq.
        let address: String
        let schema: String
        /// Digests of the keys that the data cannot be used without, by their names.
        let keys: [String: [UInt8]]
        /// The file in which the data would be without PostgreSQL.
        let file: String?

        package init(address: String, schema: String, keys: [String: [UInt8]] = [:], file: String? = nil) {
            (self.address, self.schema, self.keys, self.file) = (address, schema, keys, file)
        }
    }

    package enum OpenError: Error, CustomStringConvertible {
        case translation(String)
        case migration(String, schema: String, why: String)
        case address
        case otherKey(name: String, schema: String)
        case inUse(schema: String)
        case hasData(schema: String, why: String)
        case notMoved(file: String, schema: String)
        case encoding(String)
        case unusable(schema: String, why: String)

        package var description: String {
            switch self {
            case .otherKey(let name, let schema):
                """
                the key \(name) is not the one that PostgreSQL's schema \(schema) was written with: put that one in its \
                place, from the host that has it or from 'billfold backup --keys'
                """
            case .inUse(let schema): "a process leads PostgreSQL's schema \(schema): stop the set that uses it first"
            case .hasData(let schema, let why):
                """
                PostgreSQL's schema \(schema) has other data already, and nothing was moved into it (\(why)): drop the schema \
                if the file is what counts
                """
            case .notMoved(let file, let schema):
                """
                there is data in \(file), and PostgreSQL's schema \(schema) is new: carry it over with 'billfold move', or put \
                the file away to begin without it
                """
            case .translation(let what): "the schema cannot be made in PostgreSQL: \(what)"
            case .migration(let name, let schema, let why):
                """
                the migration '\(name)' cannot be run in PostgreSQL's schema \(schema): \(why). Drop the schema, start the \
                service on its file once, which brings the file up to date, and move it again
                """
            case .encoding(let found):
                """
                the database has the encoding \(found), which does not have all characters that people write: make it anew with \
                createdb --encoding UTF8 --template template0
                """
            case .unusable(let schema, let why):
                """
                PostgreSQL's schema \(schema) cannot be made or used: \(why). The user that is named needs CREATE on the database, \
                and has to own the schema where it is there already
                """
            case .address:
                """
                the address of PostgreSQL cannot be read: it is postgres://USER@HOST,HOST/DATABASE, with ports that are numbers \
                and parameters that libpq knows
                """
            }
        }
    }

    /// A session that is silent for so long is ended by the server, and with it the lead of a process that is stopped.
    private static let silenceMax = Duration.seconds(5)
    /// How often a leader that has nothing to do shows that it is there.
    static let heartbeat = Duration.seconds(1)
    private static let leadPause: UInt32 = 200_000  // microseconds
    /// How long the commit of a new epoch may take: a primary that was deposed without noticing never ends it.
    private static let epochPatience = Duration.seconds(10)
    /// How long a look at who leads may take with both commits of a new epoch, of a server that stands still.
    private static let epochMax = epochPatience * 2 + silenceMax

    package let name: String
    /// Unchecked: used on `queue` only, which lets one thread in at a time.
    package let transaction: Transaction
    package let migrated: Set<String>
    private let connection: PostgresConnection
    private let place: Place
    private let queue: DispatchQueue
    private let watch: CommitWatch
    private let timer: any DispatchSourceTimer

    /// - Parameters:
    ///   - waiting: called with why this process does not lead yet, each time that changes.
    ///   - lost: called when the process has to end, as it leads no more or does not know what is committed.
    package init(
        _ place: Place, migrations: [Migration], waiting: (String) -> Void, lost: @escaping @Sendable (String) -> Void
    ) throws {
        self.place = place
        name = "PostgreSQL's schema \(place.schema)"
        watch = CommitWatch()
        connection = try Self.lead(place, watch, waiting, lost)
        transaction = Transaction(connection)
        queue = DispatchQueue(label: "billfold.postgres.\(place.schema)")
        migrated = try Self.migrate(connection, migrations, place)
        timer = DispatchSource.makeTimerSource(queue: queue)
        // Unchecked: runs on `queue`. What it finds is told to `lost`.
        nonisolated(unsafe) let transaction = transaction
        timer.setEventHandler { try? transaction.confirm() }
        timer.schedule(deadline: .now() + 1, repeating: Self.heartbeat / .seconds(1))
        timer.activate()
    }

    deinit { timer.cancel() }

    // MARK: Leading

    /// Connects to a server that takes writes.
    ///
    /// - Parameters:
    ///   - turn: which of the servers is tried first.
    ///   - silenceMax: how long the session may be silent; nil: as long as it likes.
    private static func connect(
        _ place: Place, _ hosts: PostgresHosts, turn: Int = 0, silenceMax: Duration? = silenceMax,
        watch: CommitWatch = CommitWatch()
    ) throws(StoreFailure) -> PostgresConnection {
        try PostgresConnection(
            place.address, options: hosts.options(from: turn) + options(place, silenceMax), watch: watch)
    }

    private static func options(_ place: Place, _ silenceMax: Duration?) -> [(String, String)] {
        let silence = Int((silenceMax ?? .zero) / .milliseconds(1))
        return [
            ("connect_timeout", "2"), ("keepalives_idle", "2"), ("keepalives_interval", "1"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(Int(Self.silenceMax / .milliseconds(1)))"),
            ("application_name", "billfold \(place.schema)"),
            ("client_encoding", "UTF8"), ("target_session_attrs", "read-write"),
            (
                "options",
                """
                -c search_path=\(place.schema) -c idle_session_timeout=\(silence) \
                -c idle_in_transaction_session_timeout=\(silence) -c statement_timeout=0 -c lock_timeout=0 \
                -c synchronous_commit=on -c client_min_messages=warning -c timezone=UTC
                """
            )
        ]
    }

    /// Waits until this process is the schema's leader.
    private static func lead(
        _ place: Place, _ watch: CommitWatch, _ waiting: (String) -> Void, _ lost: @escaping @Sendable (String) -> Void
    ) throws -> PostgresConnection {
        var reason = ""
        let hosts = try PostgresHosts(place.address)
        // A new connection each time, from another server on: one that stays with a primary that was deposed would
        // never lead.
        var turn = Int.random(in: 0..<hosts.count)
        while true {
            defer { turn += 1 }
            do {
                let connection = try connect(place, hosts, turn: turn, watch: watch)
                if let epoch = try epoch(connection, place) {
                    connection.lead(epoch: epoch, lost: lost)
                    return connection
                }
                if reason != "another process leads" { waiting("another process leads") }
                reason = "another process leads"
            } catch let failure as StoreFailure {
                let why: String
                switch failure {
                case .broken(let what), .full(let what): why = what  // a full server lets nobody in for a while
                case .constraint, .damaged: throw failure
                }
                if reason != why { waiting(why) }
                reason = why
            }
            usleep(leadPause)
        }
    }

    /// A new epoch, if nobody leads.
    private static func epoch(_ connection: PostgresConnection, _ place: Place) throws -> Int64? {
        do {
            return try connection.breaking(after: epochMax) { try countUp(connection, place) }
        } catch StoreFailure.constraint(let why) {
            throw OpenError.unusable(schema: place.schema, why: why)
        }
    }

    private static func countUp(_ connection: PostgresConnection, _ place: Place) throws -> Int64? {
        let transaction = Transaction(connection)
        guard connection.serverEncoding == "UTF8" else { throw OpenError.encoding(connection.serverEncoding) }
        let isFree = try connection.breaking(after: silenceMax) {
            // Also of a process that waits, so that it says so before it is needed.
            try checkRights(transaction, place)
            try checkKeys(transaction, place)
            return try transaction.value(
                "SELECT pg_try_advisory_lock(hashtextextended('billfold ' || ?, 0))", place.schema) ?? false
        }
        guard isFree else { return nil }
        try connection.cancelling(after: epochPatience) {
            try connection.runNative(
                """
                CREATE SCHEMA IF NOT EXISTS \(quotedName(place.schema));
                CREATE TABLE IF NOT EXISTS leader (
                    one bigint PRIMARY KEY CHECK (one = 1), epoch bigint NOT NULL, changed timestamptz NOT NULL
                );
                CREATE TABLE IF NOT EXISTS leader_keys (name text PRIMARY KEY, digest bytea NOT NULL);
                INSERT INTO leader (one, epoch, changed) VALUES (1, 0, now()) ON CONFLICT DO NOTHING;
                """)
        }
        // This commit makes durable whatever is read from here on.
        let epoch = try connection.cancelling(after: epochPatience) { () throws -> Int64? in
            try connection.control(.begin)
            for (name, digest) in place.keys {
                try transaction.run(
                    "INSERT INTO leader_keys (name, digest) VALUES (?, ?) ON CONFLICT DO NOTHING", name, digest)
            }
            let epoch: Int64? = try transaction.value(
                "UPDATE leader SET epoch = epoch + 1, changed = now() WHERE one = 1 RETURNING epoch")
            try connection.control(.commit)
            return epoch
        }
        try checkKeys(transaction, place)
        return epoch
    }

    private static func checkRights(_ transaction: Transaction, _ place: Place) throws {
        let areThere: Bool? = try transaction.value(
            """
            SELECT CASE WHEN to_regnamespace(?) IS NULL THEN has_database_privilege(current_database(), 'CREATE')
            ELSE has_schema_privilege(?, 'USAGE') AND has_schema_privilege(?, 'CREATE') END
            """, place.schema, place.schema, place.schema)
        guard areThere == true else { throw OpenError.unusable(schema: place.schema, why: "permission is denied") }
    }

    private static func checkKeys(_ transaction: Transaction, _ place: Place) throws {
        guard try !transaction.connection.columns(of: "leader_keys").isEmpty else { return }
        for (name, digest) in place.keys {
            let kept: [UInt8]? = try transaction.value("SELECT digest FROM leader_keys WHERE name = ?", name)
            guard kept == nil || kept == digest else { throw OpenError.otherKey(name: name, schema: place.schema) }
        }
    }

    // MARK: Schema

    /// Runs the migrations that the schema lacks; makes a new one as the newest schema of SQLite is.
    ///
    /// - Returns: the names of those that were run now.
    private static func migrate(
        _ connection: PostgresConnection, _ migrations: [Migration], _ place: Place
    ) throws -> Set<String> {
        let transaction = Transaction(connection)
        do {
            if try isNew(connection) {
                if let file = place.file, access(file, F_OK) == 0 {
                    throw OpenError.notMoved(file: file, schema: place.schema)
                }
                let model = try SQLiteFile(inMemory: migrations)
                _ = try model.exclusively { try fill(connection, from: $0) }
                return Set(migrations.map(\.name))
            }
            let known: Set<String> = Set(try transaction.values("SELECT identifier FROM grdb_migrations"))
            try NewerSchema.expectNone(known, of: migrations, in: "PostgreSQL's schema \(place.schema)")
            let missing = migrations.filter { !known.contains($0.name) }
            if missing.isEmpty { return [] }
            try transaction.atomically {
                for migration in missing {
                    do { try migration.run(transaction) } catch StoreFailure.constraint(let why) {
                        throw OpenError.migration(migration.name, schema: place.schema, why: why)
                    }
                    try transaction.run("INSERT INTO grdb_migrations (identifier) VALUES (?)", migration.name)
                }
                let model = try SQLiteFile(inMemory: migrations)
                let schema = try model.exclusively { try PostgresSchema(ofSQLite: $0) }
                try schema.number(in: connection)
                try schema.keep(in: connection)
            }
            return Set(missing.map(\.name))
        } catch let failure as SQLReader.Failure { throw OpenError.translation("\(failure)") }
    }

    /// Whether the schema has no tables of a service.
    static func isNew(_ connection: PostgresConnection) throws -> Bool {
        try connection.columns(of: "grdb_migrations").isEmpty
    }

    /// Makes the schema of a database of SQLite, with its rows, in one transaction.
    ///
    /// - Returns: the numbers of tables and rows, each of which was read back and compared.
    @discardableResult
    static func fill(
        _ connection: PostgresConnection, from source: Transaction
    ) throws -> (tables: Int, rows: Int64) {
        let target = Transaction(connection)
        let schema = try PostgresSchema(ofSQLite: source)
        var rows: Int64 = 0
        try target.atomically {
            try connection.runNative(SQLiteFunctions.sql)
            try schema.make(in: connection)
            try TableCopy.copy(schema.tables, from: source, to: target)
            try TableCopy.copyNumbers(from: source, to: target)
            rows = try TableCopy.compare(schema.tables, source, target)
        }
        return (schema.tables.count, rows)
    }

    /// Leads without a limit of silence: for work that says nothing for long.
    ///
    /// - Throws: `OpenError.inUse` where another process leads.
    static func leadNow(_ place: Place) throws -> PostgresConnection {
        let connection = try connect(place, PostgresHosts(place.address), silenceMax: nil)
        guard let epoch = try epoch(connection, place) else { throw OpenError.inUse(schema: place.schema) }
        connection.lead(epoch: epoch) { _ in }
        return connection
    }

    // MARK: The connection

    package func exclusively<Value>(_ body: (Transaction) throws -> Value) throws -> Value {
        try queue.sync { try body(transaction) }
    }

    package func enqueue(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    package var committing: Duration { watch.time }

    /// Reads everything as of one moment on a connection of its own, while this one goes on.
    package func copy(
        to path: String, position: @escaping @Sendable (Transaction) throws -> CopyPosition
    ) async throws -> DataCopy {
        let draft = path + ".tables"
        defer { for ending in ["", "-wal", ".lock"] { unlink(draft + ending) } }
        let file = try await offThePool { [self] in try write(to: draft) }
        let copy = try await file.copy(to: path, position: position)
        try await file.close()
        return copy
    }

    private func write(to path: String) throws -> SQLiteFile {
        let reading = Transaction(try snapshot())
        let schema = try PostgresSchema(keptIn: reading)
        let file = try SQLiteFile(path: path, migrations: [])
        try file.exclusively { target in
            try target.script("PRAGMA foreign_keys = OFF; DROP TABLE IF EXISTS grdb_migrations")
            for declaration in schema.declarations { try target.script(declaration.sql) }
            try target.atomically {
                try TableCopy.copy(schema.tables, from: reading, to: target)
                try TableCopy.copyNumbers(from: reading, to: target)
            }
        }
        return file
    }

    /// A connection that reads as of now, at the server where this process leads: a standby, and a primary that was
    /// deposed without noticing, lack what was acknowledged since.
    private func snapshot() throws -> PostgresConnection {
        let hosts = try PostgresHosts(place.address)
        for turn in 0..<hosts.count {
            let source = try Self.connect(place, hosts, turn: turn, silenceMax: nil)
            try source.runNative("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let epoch: Int64? = try Transaction(source).value("SELECT epoch FROM leader")
            guard epoch == connection.epoch else { continue }
            // A commit tells that this process leads still.
            try queue.sync { try transaction.confirm() }
            return source
        }
        throw StoreFailure.broken("no server that takes writes has this leader's epoch")
    }

    /// Deleted rows stay in the server's files until it cleans up (VACUUM), which is its operator's.
    package func eraseTraces() async throws {}

    package func close() async throws { timer.cancel() }

    /// Runs statements on a connection of their own: for tests.
    package static func operate(on address: String, _ sql: String) throws {
        try PostgresConnection(address, options: []).runNative(sql)
    }
}
