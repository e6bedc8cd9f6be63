import Bus
import Contracts
import Dispatch
import Foundation
import GRDBSQLite
import Primitives
import Sodium
import Wire

/// Copies of a file that is in use: SQLite's online backup (sqlite.org/backup.html) on the one connection that there
/// is, some pages at a time between its commits. What is committed meanwhile goes into the copy too, so that it is of
/// the moment at which it ends.
extension SQLiteFile {
    package enum CopyError: Error, CustomStringConvertible {
        case exists(path: String)
        case cannotWrite(path: String, reason: String)
        case damaged(path: String, reason: String)
        case neverEnds(path: String)

        package var description: String {
            switch self {
            case .exists(let path): "\(path) is there already"
            case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)"
            case .damaged(let path, let reason): "the copy \(path) is damaged: \(reason)"
            case .neverEnds(let path): "\(path) changes faster than it can be copied"
            }
        }
    }

    /// Pages (4 KiB each) copied while the writer waits.
    private static let pagesAtOnce: Int32 = 128
    /// A rollback can make the copy begin anew; after so many times the whole file it is given up.
    private static let roundsMax = 10

    /// Writes a copy to a path where there is nothing yet, checks that it is whole, and syncs it to the disk. A failure
    /// leaves nothing.
    ///
    /// - Parameter position: read from the copy.
    package func copy(
        to path: String, position: @escaping @Sendable (Transaction) throws -> CopyPosition
    ) async throws -> DataCopy {
        guard access(path, F_OK) != 0 else { throw CopyError.exists(path: path) }
        let draft = path + ".draft"
        let pause: UInt64
        do {
            pause = try await write(to: draft)
            let (found, digest, bytes) = try await offThePool { () throws in
                let found = try Self.inspect(draft) { copy in
                    let verdict: String = try copy.value("PRAGMA quick_check(1)") ?? "nothing"
                    guard verdict == "ok" else { throw CopyError.damaged(path: draft, reason: verdict) }
                    return try position(copy)
                }
                try Self.sync(draft)
                let (digest, bytes) = try Digest.sha256(ofFile: draft)
                // Fails where somebody else was faster.
                guard link(draft, path) == 0 else { throw CopyError.exists(path: path) }
                unlink(draft)
                try Self.sync((path as NSString).deletingLastPathComponent)
                return (found, digest, bytes)
            }
            return DataCopy(
                file: (path as NSString).lastPathComponent, bytes: bytes, sha256: hexDigits(digest), head: found.head,
                cursors: found.cursors, keys: [], pauseMicroseconds: Int64(pause / 1000), entries: found.entries,
                hash: found.hash.map(hexDigits), chain: found.chain.map(hexDigits))
        } catch {
            if case CopyError.exists(let taken) = error, taken == draft { throw error }
            unlink(draft)
            throw error
        }
    }

    /// - Returns: the longest time that one step has taken, in nanoseconds.
    private func write(to draft: String) async throws -> UInt64 {
        let copying = try OngoingCopy(draft)
        var longest: UInt64 = 0
        do {
            while true {
                let (isDone, nanoseconds) = try await exclusively { source in
                    let start = monotonicNanoseconds()
                    let isDone = try copying.step(
                        from: source.connection, pages: Self.pagesAtOnce, roundsMax: Self.roundsMax)
                    return (isDone, monotonicNanoseconds() - start)
                }
                longest = max(longest, nanoseconds)
                if isDone { break }
                try Task.checkCancellation()
                // Whoever waits for the connection comes first.
                await Task.yield()
            }
            try await offThePool { try copying.finish() }
        } catch {
            try? await exclusively { _ in copying.giveUp() }  // a failure is thrown in any case
            throw error
        }
        return longest
    }

    private static func sync(_ path: String) throws {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CopyError.cannotWrite(path: path, reason: String(cString: strerror(errno))) }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw CopyError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
    }
}

/// A copy under way. Unchecked: `step` and `giveUp` run on the source's connection only, which lets one thread in at a
/// time, and `finish` after the last of them.
private final class OngoingCopy: @unchecked Sendable {
    private let path: String
    private var target: OpaquePointer?
    private var backup: OpaquePointer?
    private var pagesDone = 0

    init(_ path: String) throws {
        self.path = path
        // For this user only, from the first byte on; and not one that another copy is being written to.
        let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST
                ? SQLiteFile.CopyError.exists(path: path)
                : SQLiteFile.CopyError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
        }
        Glibc.close(descriptor)
        guard sqlite3_open_v2(path, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            throw failure()
        }
        // Synced once, when it is whole.
        sqlite3_exec(target, "PRAGMA synchronous = OFF", nil, nil, nil)
    }

    deinit { sqlite3_close(target) }

    func step(from source: any DatabaseConnection, pages: Int32, roundsMax: Int) throws -> Bool {
        if backup == nil {
            guard let source = source as? SQLiteConnection else { throw failure() }
            backup = sqlite3_backup_init(target, "main", source.handle, "main")
            guard backup != nil else { throw failure() }
        }
        let status = sqlite3_backup_step(backup, pages)
        pagesDone += Int(pages)
        switch status {
        case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED:
            let all = Int(sqlite3_backup_pagecount(backup))
            guard pagesDone < roundsMax * (all + Int(pages) * 100) else {
                throw SQLiteFile.CopyError.neverEnds(path: path)
            }
            return false
        case SQLITE_DONE:
            giveUp()
            return true
        // The connection has the error only once the copy is given up.
        default: throw SQLiteFile.CopyError.cannotWrite(path: path, reason: String(cString: sqlite3_errstr(status)))
        }
    }

    /// Lets go of the source; the copy is whole only after a `step` that said so.
    func giveUp() {
        sqlite3_backup_finish(backup)
        backup = nil
    }

    /// One file that needs no log beside it.
    func finish() throws {
        guard sqlite3_exec(target, "PRAGMA journal_mode = DELETE", nil, nil, nil) == SQLITE_OK,
            sqlite3_close(target) == SQLITE_OK
        else { throw failure() }
        target = nil
    }

    private func failure() -> SQLiteFile.CopyError {
        .cannotWrite(path: path, reason: target.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory")
    }
}

/// Runs what waits for the disk on a thread that nobody else waits for.
func offThePool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
    }
}
