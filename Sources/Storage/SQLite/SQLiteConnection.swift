import GRDBSQLite

/// SQLite's C interface, as far as the kit uses it: the driver under `Transaction`.
struct SQLiteConnection {
    let handle: OpaquePointer

    func prepare(_ sql: String) throws(StoreFailure) -> Statement { try Statement(handle, sql) }

    func script(_ sql: String) throws(StoreFailure) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw StoreFailure(code, handle) }
    }

    /// Rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Rows changed since the file was opened.
    var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}
