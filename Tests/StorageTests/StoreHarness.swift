import Bus
import Contracts
import Foundation
import Primitives
import Storage
import Synchronization
import TestKit

/// A service's store in small: things with names, a fact for each.
struct ThingStore: Sendable {
    static let migrations = [
        Migration("1: things", things, Outbox.table, Cursors.table),
        Migration("2: marks", Cursors.marks)
    ]

    static let things = """
        CREATE TABLE things (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            name TEXT NOT NULL CHECK (name <> '')
        ) STRICT;
        CREATE VIEW "Customers" AS SELECT number, name, id FROM things ORDER BY number;
        """

    let store: Store
    let published = Published()

    /// A store in a file, or in a schema that belongs to the path.
    init(_ engine: Engine, _ path: String, migrations: [Migration] = Self.migrations) throws {
        store = try Store(engine.place(path), migrations: migrations)
        store.publish(to: published)
    }

    init(sealTime: Duration? = nil) throws {
        store = try Store(forTests: Self.migrations, sealTime: sealTime)
        store.publish(to: published)
    }

    static func add(_ name: String, to transaction: Transaction) throws {
        let id = PartyID(high: 1, low: UInt64.random(in: 0...(.max)))
        try transaction.run("INSERT INTO things (id, name) VALUES (?, ?)", id, name)
        try transaction.publish(
            Location.FenceEntered(customer: id, merchant: id, place: .init(high: 2, low: 2), time: .epoch), at: .epoch,
            because: nil)
    }

    func add(_ name: String) async throws(Fault) { try await store.write { try Self.add(name, to: $0) } }

    func names() async throws(Fault) -> [String] {
        try await store.read { try $0.values("SELECT name FROM things ORDER BY number") }
    }

    /// The log's facts, which have to be without a gap.
    func log() async throws -> [[UInt8]] {
        var facts: [[UInt8]] = []
        while true {
            let page = try await store.read(after: Int64(facts.count), limit: 70)
            if page.facts.isEmpty { return facts }
            facts += page.facts.map(\.bytes)
        }
    }
}

final class Published: FactPublishing {
    private let state = Mutex<[PublishedFact]>([])

    var facts: [PublishedFact] { state.withLock { $0 } }
    func publish(_ facts: [PublishedFact]) { state.withLock { $0 += facts } }
}

extension Timestamp {
    static let epoch = Timestamp(milliseconds: 1_795_000_000_000)
}

/// What the kit's tests run on: SQLite, and PostgreSQL where `BILLFOLD_TEST_STORE` names one.
enum Engine: Sendable {
    case sqlite, postgres

    static let address = ProcessInfo.processInfo.environment["BILLFOLD_TEST_STORE"]
    static let available: [Engine] = address == nil ? [.sqlite] : [.sqlite, .postgres]

    func place(_ path: String) -> StorePlace {
        switch self {
        case .sqlite: .file(path)
        case .postgres: .postgres(address: Self.address ?? "", schema: Self.schema(path))
        }
    }

    /// A schema's name that belongs to a path: short enough for PostgreSQL not to cut what is made of it.
    static func schema(_ path: String) -> String {
        "test_" + String(path.lowercased().filter { $0.isLetter || $0.isNumber }.suffix(40))
    }
}

extension Store {
    /// Runs some writes as one group, and passes to `check` what each was answered.
    ///
    /// On threads of its own: a server ends a transaction that waits long, as for a thread that other tests have.
    func inOneGroup(
        _ works: [@Sendable (Transaction) throws -> Void], _ check: ([Result<Void, any Error>]) throws -> Void
    ) async throws {
        let results = try await withTaskExecutorPreference(QueueExecutor()) {
            let begun = Counter()
            let end = DispatchSemaphore(value: 0)
            // They come while this one runs.
            async let first: Void = write { _ in
                begun.add()
                end.wait()
            }
            await begun.reach(1)
            var tasks: [Task<Void, any Error>] = []
            for work in works {
                tasks.append(Task(executorPreference: QueueExecutor()) { try await self.write(work) })
                while waitingCount < tasks.count { await Task.yield() }
            }
            end.signal()
            try await first
            var results: [Result<Void, any Error>] = []
            for task in tasks { results.append(await task.result) }
            return results
        }
        try check(results)
    }
}

/// Runs tasks one after the other on a thread of dispatch's, instead of those of the concurrency pool.
final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "tests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
