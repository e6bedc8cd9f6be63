import GRDBSQLite

/// Checkpoints the write-ahead log of a store that turns SQLite's automatic checkpoints off.
///
/// An automatic checkpoint runs within COMMIT and hides its errors: a failed fsync is repeated later and may succeed
/// although the pages are lost. A checkpoint that runs here reports the error.
package final class WriteAheadLog {
    /// Nil where another engine keeps its own log.
    private let connection: OpaquePointer?
    /// Pages in the log after the last commit.
    private var pages: Int = 0

    /// Replaces `wal_autocheckpoint`.
    package init(_ transaction: Transaction) {
        connection = (transaction.connection as? SQLiteConnection)?.handle
        guard let connection else { return }
        // Unretained: the hook ends with the connection, and one object owns both.
        sqlite3_wal_hook(
            connection,
            { context, _, _, pages in
                if let context {
                    Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue().pages = Int(pages)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Throws: `StoreFailure.broken` when the file could not be written; a full disk is no error: the next call tries
    ///   again.
    package func checkpoint(ifPagesExceed limit: Int) throws(StoreFailure) {
        guard let connection, pages > limit else { return }
        let code = sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        switch code & 0xFF {
        case SQLITE_OK: pages = 0
        case SQLITE_FULL, SQLITE_BUSY, SQLITE_LOCKED: return
        default: throw .broken("checkpoint: \(StoreFailure(code, connection))")
        }
    }
}
