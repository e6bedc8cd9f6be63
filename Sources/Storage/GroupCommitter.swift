import Bus
import GRDB
import Primitives
import Synchronization

/// Writes for many callers in one durable commit: whatever waits while one group is being synced makes up the next.
///
/// Each piece of work is a savepoint of its own, so that one that throws takes nothing from the others; one that is alone
/// is the whole transaction. A piece's result reaches its caller after the commit and never before.
package final class GroupCommitter: Sendable {
    private struct Work: Sendable {
        /// Returns whether what was written is to stay.
        let run: @Sendable (Database, _ isAlone: Bool) -> Bool
        /// Called once the group is durable (nil) or has failed as a whole.
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct Waiting {
        var works: [Work] = []
        var draining = false
    }

    /// Pieces in one commit. Larger groups only make the first caller wait longer.
    package static let groupMax = 256

    /// Kept whole: the file's lock is given back with it.
    package let file: SQLiteFile
    private var queue: DatabaseQueue { file.queue }
    private let waiting = Mutex(Waiting())
    private let metrics: StoreMetrics
    /// Whether a write is due that finds out about the disk.
    private let probes = Atomic(false)
    private let undone: @Sendable (Undone) -> Void

    /// What did not stay of what was written.
    package enum Undone: Sendable {
        /// What one piece of work wrote.
        case piece
        /// What all of a group did.
        case group
    }

    /// - Parameter undone: called when something has been taken back, and before anything else runs.
    package init(_ file: SQLiteFile, undone: @escaping @Sendable (Undone) -> Void = { _ in }) {
        self.file = file
        self.undone = undone
        metrics = StoreMetrics(file.queue.path)
    }

    /// How often a disk that takes nothing is tried when nobody else writes.
    private static let probePause = Duration.seconds(1)

    /// Runs `body` in the next group and returns when it is durable.
    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = Mutex<Result<Value, any Error>?>(nil)
            enqueue(
                Work(
                    run: { database, isAlone in
                        do {
                            var value: Value?
                            if isAlone {
                                value = try body(database)
                            } else {
                                try database.inSavepoint {
                                    value = try body(database)
                                    return .commit
                                }
                            }
                            if let value { outcome.withLock { $0 = .success(value) } }
                            return true
                        } catch {
                            outcome.withLock { $0 = .failure(error) }
                            return false
                        }
                    },
                    finish: { failure in
                        let result = outcome.withLock { $0 }
                        switch (failure, result) {
                        case (let failure?, _): continuation.resume(throwing: failure)
                        case (nil, let result?): continuation.resume(with: result)
                        case (nil, nil): preconditionFailure("a group ended without running its work")
                        }
                    }))
        }
    }

    /// Reads on the same connection, between groups: sees everything that was acknowledged.
    ///
    /// Like `write`, and unlike GRDB's own `read`, not cut short by cancellation: an error means that the file is in
    /// trouble, never that the service is being stopped.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.asyncRead { database in
                continuation.resume(with: Result { try body(database.get()) })
            }
        }
    }

    private func enqueue(_ work: Work) {
        let start = waiting.withLock { waiting in
            waiting.works.append(work)
            defer { waiting.draining = true }
            return !waiting.draining
        }
        if start { queue.asyncWriteWithoutTransaction { [self] database in drain(database) } }
    }

    private func drain(_ database: Database) {
        while true {
            let group = waiting.withLock { waiting -> [Work] in
                let group = Array(waiting.works.prefix(Self.groupMax))
                waiting.works.removeFirst(group.count)
                if group.isEmpty { waiting.draining = false }
                return group
            }
            if group.isEmpty { return }
            do {
                let start = monotonicNanoseconds()
                let changes = database.totalChangesCount
                if group.count == 1 {
                    var stays = true
                    try database.inTransaction(.immediate) {
                        stays = group[0].run(database, true)
                        return stays ? .commit : .rollback
                    }
                    if !stays { undone(.piece) }
                } else {
                    try database.inTransaction(.immediate) {
                        for work in group where !work.run(database, false) { undone(.piece) }
                        return .commit
                    }
                }
                metrics.committed(
                    group.count, nanoseconds: monotonicNanoseconds() - start,
                    hasWritten: database.totalChangesCount != changes)
                for work in group { work.finish(nil) }
            } catch {
                metrics.failed(error)
                undone(.group)
                for work in group { work.finish(error) }
                if metrics.isRefusing { probeLater() }
            }
        }
    }

    /// Whether there is room again is known from a write only; whoever looks at the service's health may be the one who
    /// keeps all others from writing.
    private func probeLater() {
        guard !probes.exchange(true, ordering: .relaxed) else { return }
        Task.detached { [weak self] in
            try? await Task.sleep(for: Self.probePause)  // cut short by nobody
            guard let self else { return }
            probes.store(false, ordering: .relaxed)
            guard metrics.isRefusing else { return }
            do {
                try await write { try SQLiteFile.touch($0) }
                metrics.recovered()
            } catch { probeLater() }
        }
    }
}
