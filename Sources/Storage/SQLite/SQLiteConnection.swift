import GRDBSQLite

/// SQLite's C interface, as far as the kit uses it: the driver under `Transaction`.
final class SQLiteConnection: DatabaseConnection {
    let handle: OpaquePointer
    /// Called when what was acknowledged before may be missing on the disk for good.
    private let lost: @Sendable (String) -> Void
    private var steps: [TransactionStep: Statement] = [:]
    /// Whether COMMIT waits for the disk. A file is opened so.
    private var isSyncing = true
    /// Whether something was committed that no sync covers yet.
    private var hasUnsynced = false
    private var changesBefore: Int64 = 0

    init(handle: OpaquePointer, lost: @escaping @Sendable (String) -> Void = { _ in }) {
        self.handle = handle
        self.lost = lost
    }

    func prepare(_ sql: String) throws(StoreFailure) -> Statement { try SQLiteStatement(handle, sql) }

    func script(_ sql: String) throws(StoreFailure) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw StoreFailure(code, handle) }
    }

    func control(_ step: TransactionStep) throws(StoreFailure) {
        switch step {
        case .begin, .beginUnsynced:
            try sync(step == .begin)
            changesBefore = totalChanges
            try run(step)
        case .commit: try commit()
        default: try run(step)
        }
    }

    private func run(_ step: TransactionStep) throws(StoreFailure) {
        if let known = steps[step] { return try known.run() }
        let statement = try prepare(step.rawValue)
        steps[step] = statement
        try statement.run()
    }

    private func commit() throws(StoreFailure) {
        let hasWritten = totalChanges != changesBefore
        do { try run(.commit) } catch {
            // The kernel reports a failed write once, and takes the page for written then. A later sync succeeds
            // without it.
            if isSyncing, hasUnsynced, case .broken(let why) = error { lost(why) }
            throw error
        }
        // One sync is of the whole log. A commit that has written nothing makes none.
        if hasWritten { hasUnsynced = !isSyncing }
    }

    /// Without a sync there is no checkpoint either: it would be the first sync of what was committed, and hide its
    /// errors.
    private func sync(_ isWanted: Bool) throws(StoreFailure) {
        guard isWanted != isSyncing else { return }
        try script(
            isWanted
                ? "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000"
                : "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
        isSyncing = isWanted
    }

    /// Lets go of the statements, without which the connection cannot be closed.
    func finalizeStatements() { steps = [:] }

    var changes: Int { Int(sqlite3_changes64(handle)) }

    var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// After some failures SQLite has rolled everything back by itself (sqlite.org/lang_transaction.html, section 3).
    var survivesPiece: Bool { isInTransaction }

    /// The file is locked.
    var mayBeDeposed: Bool { false }

    var isRemote: Bool { false }

    /// A statement that fails takes nothing else with it.
    var spoiled: StoreFailure? { nil }

    func touch() throws(StoreFailure) {
        let version = try number("PRAGMA user_version")
        try script("PRAGMA user_version = \(version)")
    }

    private func number(_ sql: String) throws(StoreFailure) -> Int64 {
        let statement = try prepare(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.int64(0) : 0
    }

    func tables() throws -> [String] {
        var names: [String] = []
        try prepare(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        ).each { row in
            names.append(try row[0])
            return true
        }
        return names
    }

    func columns(of table: String) throws -> [TableColumn] {
        var columns: [TableColumn] = []
        try prepare("SELECT name, type, pk FROM pragma_table_info(?)").bind(table).each { row in
            let type: String = try row[1]
            let kinds: [String: TableColumn.Kind] = [
                "INTEGER": .integer, "INT": .integer, "TEXT": .text, "BLOB": .bytes
            ]
            guard let kind = kinds[type.uppercased()] else {
                throw StoreFailure.damaged("a column of \(table) is of type \(type)")
            }
            columns.append(TableColumn(name: try row[0], kind: kind, isKey: row.int64(2) > 0))
            return true
        }
        return columns
    }
}
