import Bus
import Contracts
import Primitives
import Synchronization

/// Writes for many callers in one commit: whatever waits while one group is being synced makes up the next.
///
/// Each piece of work is a savepoint of its own, so that one that throws takes nothing from the others; one that is
/// alone is the whole transaction. A piece's result reaches its caller after the commit and never before.
final class GroupCommitter: Sendable {
    private struct Work: Sendable {
        let survives: Durability
        /// Returns why what was written is not to stay; nil if it is.
        let run: @Sendable (Transaction) -> (any Error)?
        /// Called once the group is committed (nil) or has failed as a whole.
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct Waiting {
        var works: [Work] = []
        var draining = false
    }

    /// Pieces in one commit. Larger groups only make the first caller wait longer.
    static let groupMax = 256
    /// After which nobody is to wait behind a commit that is not answered.
    private static let commitMax = Duration.seconds(3)
    /// How often a disk that takes nothing is tried when nobody else writes.
    private static let probePause = Duration.seconds(1)

    let database: any StoreDatabase
    let metrics: StoreMetrics
    private let waiting = Mutex(Waiting())
    /// Whether a write is due that finds out about the disk.
    private let probes = Atomic(false)
    /// Monotonic nanoseconds before which nothing is written; 0 for never.
    private let sealedUntil = Atomic<UInt64>(0)
    private let committed: @Sendable ([PublishedFact]) -> Void
    private let undone: @Sendable (Undone) -> Void

    /// - Parameters:
    ///   - committed: gets the facts of each group once they are durable, in their order and before any caller returns.
    ///   - undone: called when something has been rolled back, and before anything else runs.
    init(
        _ database: any StoreDatabase, committed: @escaping @Sendable ([PublishedFact]) -> Void,
        undone: @escaping @Sendable (Undone) -> Void
    ) {
        self.database = database
        self.committed = committed
        self.undone = undone
        metrics = StoreMetrics(database.name)
    }

    /// Runs `body` in the next group and returns when it survives what it is to survive. What is to survive the process
    /// only waits for the disk where something else of its group does.
    func write<Value: Sendable>(
        surviving survives: Durability = .host, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        if database.committing > Self.commitMax {
            throw StoreFailure.full("the commit before has not been answered for \(Self.commitMax)")
        }
        return try await withCheckedThrowingContinuation { continuation in
            let outcome = Mutex<Result<Value, any Error>?>(nil)
            enqueue(
                Work(
                    survives: survives,
                    run: { transaction in
                        let result = Result {
                            let value = try body(transaction)
                            if let spoiled = transaction.connection.spoiled { throw spoiled }
                            // After a host's end another fact would have the number of one that readers know.
                            if survives == .process, transaction.hasPublished {
                                throw StoreFailure.constraint("a fact has to survive the host")
                            }
                            return value
                        }
                        outcome.withLock { $0 = result }
                        guard case .failure(let error) = result else { return nil }
                        return error
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

    /// Pieces of work for the groups after the present one.
    var waitingCount: Int { waiting.withLock(\.works.count) }

    /// Refuses what is to be written from the next group on, for so long.
    func seal(for time: Duration) {
        let end = time == .zero ? 0 : monotonicNanoseconds() + UInt64(time / .nanoseconds(1))
        sealedUntil.store(end, ordering: .releasing)
    }

    private var isSealed: Bool {
        let end = sealedUntil.load(ordering: .acquiring)
        return end > 0 && monotonicNanoseconds() < end
    }

    /// What an asker is told of an error of a transaction, which is logged if it is not the asker's.
    func fault(_ error: any Error, ofRead isRead: Bool = false) -> Fault {
        if let fault = error as? Fault { return fault }
        if isRead { metrics.failedRead(error) } else { metrics.failedWork(error) }
        return .ofStore(error)
    }

    /// Reads on the same connection, between groups: sees everything that was acknowledged. What `body` writes is
    /// rolled back and refused.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            // The database itself is not captured: whoever has been answered may open it anew.
            nonisolated(unsafe) let transaction = database.transaction
            database.enqueue {
                continuation.resume(with: Result { try Self.read(transaction, body) })
            }
        }
    }

    private static func read<Value>(_ transaction: Transaction, _ body: (Transaction) throws -> Value) throws -> Value {
        let changes = transaction.connection.totalChanges
        try transaction.connection.control(.beginReading)
        let result = Result { try body(transaction) }
        // After some failures SQLite has ended the transaction by itself.
        if transaction.isOpen { try transaction.connection.control(.rollback) }
        guard transaction.connection.totalChanges == changes else {
            transaction.rolledBack()
            throw StoreFailure.constraint("a read wrote")
        }
        return try result.get()
    }

    private func enqueue(_ work: Work) {
        let start = waiting.withLock { waiting in
            waiting.works.append(work)
            defer { waiting.draining = true }
            return !waiting.draining
        }
        if start { database.enqueue { [self] in drain() } }
    }

    /// Commits one group. Those that wait by then get a turn of their own, behind the reads that came before.
    private func drain() {
        let group = waiting.withLock { waiting in
            defer { waiting.works.removeFirst(min(waiting.works.count, Self.groupMax)) }
            return Array(waiting.works.prefix(Self.groupMax))
        }
        commitOrRefuse(group, database.transaction)
        let goesOn = waiting.withLock { waiting in
            waiting.draining = !waiting.works.isEmpty
            return waiting.draining
        }
        if goesOn { database.enqueue { [self] in drain() } }
    }

    private func commitOrRefuse(_ group: [Work], _ transaction: Transaction) {
        guard !isSealed else {
            // Nothing has begun, so nothing is undone, and memory that follows the file is still right.
            let refusal = Fault(.unavailable, "the service's state goes over to another program")
            for work in group { work.finish(refusal) }
            return
        }
        do {
            let start = monotonicNanoseconds()
            let changes = transaction.connection.totalChanges
            let facts = try commit(group, transaction)
            metrics.committed(
                group.count, nanoseconds: monotonicNanoseconds() - start,
                hasWritten: transaction.connection.totalChanges != changes)
            if !facts.isEmpty { committed(facts) }
            for work in group { work.finish(nil) }
        } catch {
            // If the rollback fails too, the next group cannot begin and reports that.
            if transaction.isOpen { try? transaction.connection.control(.rollback) }
            transaction.rolledBack()
            metrics.failed(error)
            undone(.group)
            for work in group { work.finish(error) }
            if metrics.isRefusing { probeLater() }
        }
    }

    /// - Returns: the facts of the pieces that stayed.
    private func commit(_ group: [Work], _ transaction: Transaction) throws -> [PublishedFact] {
        let connection = transaction.connection
        // Whether a disk that refuses takes data again is known from a sync only.
        let isSynced = metrics.isRefusing || group.contains { $0.survives == .host }
        try connection.control(isSynced ? .begin : .beginUnsynced)
        var facts: [PublishedFact] = []
        if group.count == 1 {
            if let failure = group[0].run(transaction) {
                if isOfAll(failure, transaction) { throw failure }
                try connection.control(.rollback)
                takeBackPiece(transaction)
                return []
            }
            facts = transaction.takePublished()
        } else {
            for work in group { facts += try runPiece(work, transaction) }
        }
        try connection.control(.commit)
        return facts
    }

    /// - Returns: the facts of the piece; none if it does not stay.
    private func runPiece(_ work: Work, _ transaction: Transaction) throws -> [PublishedFact] {
        let connection = transaction.connection
        var facts: [PublishedFact] = []
        try connection.control(.beginPiece)
        if let failure = work.run(transaction) {
            if isOfAll(failure, transaction) { throw failure }
            try connection.control(.rollbackPiece)
            takeBackPiece(transaction)
        } else {
            facts = transaction.takePublished()
        }
        try connection.control(.endPiece)
        return facts
    }

    /// Whether the group cannot go on: the disk refuses, or the engine has rolled everything back by itself.
    private func isOfAll(_ failure: any Error, _ transaction: Transaction) -> Bool {
        StoreFailure.isOfDisk(failure) || !transaction.connection.survivesPiece
    }

    private func takeBackPiece(_ transaction: Transaction) {
        transaction.rolledBack()
        undone(.piece)
    }

    /// Whether there is room again is known from a write only; whoever reads the service's health may be the one who
    /// keeps all others from writing.
    private func probeLater() {
        guard !probes.exchange(true, ordering: .relaxed) else { return }
        Task.detached { [weak self] in
            try? await Task.sleep(for: Self.probePause)  // cut short by nobody
            guard let self else { return }
            probes.store(false, ordering: .relaxed)
            guard metrics.isRefusing else { return }
            do {
                try await write { try $0.touch() }
                metrics.recovered()
            } catch { probeLater() }
        }
    }
}

/// What did not stay of what was written.
package enum Undone: Sendable {
    /// What one piece of work wrote.
    case piece
    /// All that a group wrote.
    case group
}
