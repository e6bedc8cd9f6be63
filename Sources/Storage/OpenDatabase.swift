import Bus
import Foundation
import Logging

/// Opens or makes a database and brings it to the newest schema. In PostgreSQL it returns when this process leads.
///
/// The process ends when it leads no more, and when it does not know what is committed.
///
/// - Parameters:
///   - erases: overwrites what is deleted with zeros; of SQLite only.
///   - ending: called before the process ends, on the database's thread; the database is of no use then.
/// - Throws: `SQLiteFile.OpenError`, or the database's own error.
package func openDatabase(
    _ place: StorePlace, migrations: [Migration], erases: Bool = false,
    ending: @escaping @Sendable () -> Void = {}
) throws -> any StoreDatabase {
    switch place {
    case .file(let path):
        guard access(PostgresMove.mark(of: path), F_OK) != 0 else { throw SQLiteFile.OpenError.moved(path: path) }
        return try SQLiteFile(path: path, migrations: migrations, erases: erases) { why in
            end("the process ends: the disk has failed", ["file": "\(path)", "why": "\(why)"], after: ending)
        }
    case .postgres(let address, let schema, let keys, let file):
        let logger = Logger(label: "store")
        return try PostgresDatabase(
            PostgresDatabase.Place(address: address, schema: schema, keys: keys, file: file), migrations: migrations,
            waiting: { logger.notice("waiting to lead", metadata: ["schema": "\(schema)", "why": "\($0)"]) },
            lost: { why in
                end(
                    "the process ends: it is no longer the leader", ["schema": "\(schema)", "why": "\(why)"],
                    after: ending)
            })
    }
}

/// A database that ends with the process, for tests: in memory, or in a schema of its own of the PostgreSQL that
/// `BILLFOLD_TEST_STORE` names.
package func openDatabase(forTests migrations: [Migration]) throws -> any StoreDatabase {
    let named = "BILLFOLD_TEST_STORE"
    guard let address = ProcessInfo.processInfo.environment[named], !address.isEmpty else {
        return try SQLiteFile(inMemory: migrations)
    }
    let schema = "test_\(UInt64.random(in: 0...(.max)))"
    return try openDatabase(.postgres(address: address, schema: schema), migrations: migrations)
}

/// How long the last work of a process that has lost the lead may take.
private let endingMax: TimeInterval = 5

/// Ends the process, as what it knows may be no more so. Whoever takes over reads what is really there.
private func end(_ message: Logger.Message, _ metadata: Logger.Metadata, after ending: () -> Void) -> Never {
    Logger(label: "store").critical(message, metadata: metadata)
    // The process is started again only when it has ended: its last work has a limit.
    Thread.detachNewThread {
        Thread.sleep(forTimeInterval: endingMax)
        _exit(EXIT_FAILURE)
    }
    ending()
    _exit(EXIT_FAILURE)
}
