import GRDBSQLite

/// Folds the write-ahead log into the file (a checkpoint), for a store that does so by itself.
///
/// SQLite would do it within COMMIT and pass over its errors: then an fsync of the file that failed is tried again
/// later, and may succeed without the pages being on the disk. Done here, the error is seen.
package final class WriteAheadLog {
    private let connection: OpaquePointer
    /// As of the last commit.
    private var pages: Int = 0

    /// Takes the place of `wal_autocheckpoint`.
    package init(_ transaction: Transaction) {
        connection = transaction.connection.handle
        // Unretained: the hook is gone with the connection, and both have the same owner.
        sqlite3_wal_hook(
            connection,
            { context, _, _, pages in
                if let context {
                    Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Throws: `StoreFailure.broken` when the file could not be written; a full disk is left for another time.
    package func fold(ifPagesExceed limit: Int) throws(StoreFailure) {
        guard pages > limit else { return }
        let code = sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        switch code & 0xFF {
        case SQLITE_OK: pages = 0
        case SQLITE_FULL, SQLITE_BUSY, SQLITE_LOCKED: return
        default: throw .broken("checkpoint: \(StoreFailure(code, connection))")
        }
    }
}
