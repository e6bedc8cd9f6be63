import Bus
import Contracts
import Dispatch
import GRDB
import Primitives
import Storage
import TestKit
import Testing

@Suite("the store kit on real databases")
struct StoreTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("things.sqlite") }

    init() throws { directory = try TemporaryDirectory() }

    // MARK: Opening

    @Test("a file has one process at a time, and keeps what was acknowledged")
    func reopens() async throws {
        do {
            let things = try ThingStore(.sqlite, path)
            try await things.add("one")
            let error = #expect(throws: SQLiteFile.OpenError.self) { try ThingStore(.sqlite, path) }
            #expect(error?.description == "another process holds \(path)")
        }
        #expect(try await ThingStore(.sqlite, path).names() == ["one"])
    }

    @Test("a file that is being restored is refused")
    func halfRestored() throws {
        try "".write(toFile: path + ".restoring", atomically: true, encoding: .utf8)
        #expect(throws: SQLiteFile.OpenError.self) { try ThingStore(.sqlite, path) }
    }

    @Test(
        "each migration runs once, in order, and one that fails leaves the file as it was", arguments: Engine.available)
    func migrates(engine: Engine) async throws {
        let failing = Migration("3: fails") { transaction in
            try transaction.script("CREATE TABLE half (x INTEGER)")
            throw StoreFailure.damaged("planted")
        }
        do {
            let things = try ThingStore(engine, path, migrations: [ThingStore.migrations[0]])
            try await things.store.write { _ in }
            try await things.store.close()
        }
        #expect(throws: StoreFailure.damaged("planted")) {
            try ThingStore(engine, path, migrations: ThingStore.migrations + [failing])
        }
        let more = Migration("3: more", "ALTER TABLE things ADD COLUMN size INTEGER;")
        for _ in 0..<2 {
            let things = try ThingStore(engine, path, migrations: ThingStore.migrations + [more])
            try await things.add("big")
            let half: Int64? = try await things.store.read {
                try $0.value(
                    engine == .sqlite
                        ? "SELECT count(*) FROM sqlite_master WHERE name = 'half'"
                        : "SELECT count(*) FROM pg_tables WHERE tablename = 'half'")
            }
            #expect(half == 0)
        }
        // An older release does not know what the new column is for.
        let refused = #expect(throws: NewerSchema.self) {
            try ThingStore(engine, path, migrations: ThingStore.migrations)
        }
        #expect(refused?.migrations == ["3: more"])
    }

    @Test("a migration makes tables, triggers and numbers as a new schema has them", arguments: Engine.available)
    func makes(engine: Engine) async throws {
        let more = Migration(
            "3: more",
            """
            CREATE TABLE visits (number INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER) STRICT;
            CREATE TABLE pairs (one TEXT, other TEXT, PRIMARY KEY (one, other)) STRICT, WITHOUT ROWID;
            CREATE INDEX visits_by_name ON visits (name);
            CREATE TRIGGER visits_stay BEFORE DELETE ON visits BEGIN SELECT RAISE(ABORT, 'visits stay'); END;
            INSERT INTO visits (name) VALUES ('first');
            """)
        do {
            let things = try ThingStore(engine, path)
            try await things.add("one")
            try await things.store.close()
        }
        let things = try ThingStore(engine, path, migrations: ThingStore.migrations + [more])
        try await things.store.write { transaction in
            try transaction.run("INSERT INTO visits (name) VALUES ('second')")
            try transaction.run("INSERT INTO pairs (one, other) VALUES ('a', 'b')")
        }
        #expect(try await things.store.read { try $0.values("SELECT number FROM visits ORDER BY number") } == [1, 2])
        await #expect(throws: Fault.self) { try await things.store.write { try $0.run("DELETE FROM visits") } }
    }

    @Test(
        "a migration may make tables anew under their names, by way of temporary ones; their rows go on being numbered",
        arguments: Engine.available)
    func makesAnew(engine: Engine) async throws {
        let visits = Migration(
            "3: visits",
            "CREATE TABLE visits (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;")
        let anew = Migration(
            "4: anew",
            """
            CREATE TEMP TABLE names AS SELECT name FROM things ORDER BY number;
            CREATE TEMP TABLE places (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
            INSERT INTO places (name) SELECT name FROM names;
            DROP VIEW "Customers";
            CREATE TABLE things_anew (
                number INTEGER PRIMARY KEY, id BLOB NOT NULL, name TEXT NOT NULL, place INTEGER) STRICT;
            INSERT INTO things_anew (number, id, name, place)
                SELECT number, id, name, (SELECT number FROM places WHERE places.name = things.name) FROM things;
            DROP TABLE things;
            DROP TABLE places;
            ALTER TABLE things_anew RENAME TO things;
            CREATE TABLE visits_anew (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, size INTEGER) STRICT;
            INSERT INTO visits_anew (number, name) SELECT number, name FROM visits;
            DROP TABLE visits;
            ALTER TABLE visits_anew RENAME TO visits;
            """)
        do {
            let things = try ThingStore(engine, path, migrations: ThingStore.migrations + [visits])
            for name in ["one", "two"] { try await things.add(name) }
            try await things.store.write { transaction in
                for name in ["a", "b", "c"] { try transaction.run("INSERT INTO visits (name) VALUES (?)", name) }
                try transaction.run("DELETE FROM visits WHERE number = 3")
            }
            try await things.store.close()
        }
        for round in 1...2 {
            let things = try ThingStore(engine, path, migrations: ThingStore.migrations + [visits, anew])
            try await things.add("more")
            try await things.store.write { try $0.run("INSERT INTO visits (name) VALUES ('more')") }
            let (places, numbers): ([Int64?], [Int64]) = try await things.store.read { transaction in
                (
                    try transaction.all("SELECT place FROM things ORDER BY number") { try $0[0] as Int64? },
                    try transaction.values("SELECT number FROM visits ORDER BY number")
                )
            }
            #expect(places == [1, 2] + Array(repeating: nil, count: round))
            // The new table knows nothing of the row that was deleted from the old one.
            #expect(numbers == [1, 2] + (0..<round).map { Int64(3 + $0) })
        }
    }

    // MARK: Groups

    @Test(
        "many at once are few commits; those that fail take nothing from the others, and leave no gap in the log",
        arguments: Engine.available)
    func groups(engine: Engine) async throws {
        let things = try ThingStore(engine, path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let isEmpty = number % 3 == 0
                    do {
                        // The fact is written first, so that it has to be taken back.
                        try await things.store.write { transaction in
                            try ThingStore.add("x", to: transaction)
                            try ThingStore.add(isEmpty ? "" : "thing \(number)", to: transaction)
                        }
                        #expect(!isEmpty)
                    } catch let fault as Fault { #expect(isEmpty && fault == Fault(.unavailable)) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await things.names().count == 400)
        let log = try await things.log()
        #expect(log.count == 400)
        #expect(try log.map { try Envelope(json: $0).sequence } == (1...400).map { Int64($0) })
        #expect(things.published.facts.map(\.envelope) == log)
        #expect(try Envelope(json: log[6]).id == "location-7")
    }

    @Test("a fault of the body rolls back and reaches the caller as it is", arguments: Engine.available)
    func refusals(engine: Engine) async throws {
        let things = try ThingStore(engine, path)
        await #expect(throws: Fault(.forbidden)) {
            try await things.store.write { transaction in
                try ThingStore.add("one", to: transaction)
                throw Fault(.forbidden)
            }
        }
        #expect(try await things.names() == [])
        #expect(things.published.facts.isEmpty)
        try await things.add("two")
        #expect(things.published.facts.map(\.sequence) == [1])
    }

    @Test("a read sees what was acknowledged, and cannot write", arguments: Engine.available)
    func reads(engine: Engine) async throws {
        let things = try ThingStore(engine, path)
        try await things.add("one")
        await #expect(throws: Fault.self) {
            try await things.store.read { _ = try $0.run("DELETE FROM things") }
        }
        #expect(try await things.names() == ["one"])
    }

    @Test(
        "a read has its turn before the writes that came after it, also while writes keep coming",
        arguments: Engine.available)
    func readsBetweenGroups(engine: Engine) async throws {
        let things = try ThingStore(engine, path)
        // On threads of its own: a server ends a transaction that waits long, as for a thread that other tests have.
        let readsBefore = try await withTaskExecutorPreference(QueueExecutor()) {
            let (begun, reads, end) = (Counter(), Counter(), DispatchSemaphore(value: 0))
            let others = QueueExecutor()
            let writing = Task(executorPreference: QueueExecutor()) {
                try await things.store.write { _ in
                    begun.add()
                    end.wait()
                }
            }
            await begun.reach(1)
            let reading = Task(executorPreference: others) {
                try await things.store.read { _ in reads.add() }
            }
            let after = Task(executorPreference: others) {
                try await things.store.write { _ in reads.count }
            }
            while things.store.waitingCount < 1 { await Task.yield() }
            end.signal()
            try await writing.value
            try await reading.value
            return try await after.value
        }
        #expect(readsBefore == 1)
    }

    /// 1 is NORMAL, 2 FULL.
    private static func syncing(_ transaction: Transaction) throws -> Int64? {
        try transaction.value("PRAGMA synchronous")
    }

    @Test("what is to survive the process only waits for the disk where another piece of its group does")
    func durability() async throws {
        let things = try ThingStore(.sqlite, path)
        #expect(try await things.store.write(surviving: .process, Self.syncing) == 1)
        #expect(try await things.store.write(Self.syncing) == 2)
        let (begun, end) = (Counter(), DispatchSemaphore(value: 0))
        let first = Task(executorPreference: QueueExecutor()) {
            try await things.store.write(surviving: .process) { _ in
                begun.add()
                end.wait()
            }
        }
        await begun.reach(1)
        async let lazy = things.store.write(surviving: .process, Self.syncing)
        async let waiting = things.store.write(Self.syncing)
        while things.store.waitingCount < 2 { await Task.yield() }
        end.signal()
        try await first.value
        #expect(try await [lazy, waiting] == [2, 2])
    }

    @Test("a fact is published by a commit that survives the host only", arguments: Engine.available)
    func durableFacts(engine: Engine) async throws {
        let things = try ThingStore(engine, path)
        await #expect(throws: Fault.self) {
            try await things.store.write(surviving: .process) { try ThingStore.add("lost", to: $0) }
        }
        try await things.add("kept")
        #expect(try await things.names() == ["kept"])
        #expect(try await things.log().count == 1)
        #expect(things.published.facts.count == 1)
    }

    @Test("a piece that may not publish takes none of its group along", arguments: Engine.available)
    func durableFactsOfGroup(engine: Engine) async throws {
        let things = try ThingStore(engine, path)
        // On threads of its own, as in the test of reads between groups.
        let (lost, kept) = try await withTaskExecutorPreference(QueueExecutor()) {
            let (begun, end) = (Counter(), DispatchSemaphore(value: 0))
            let first = Task(executorPreference: QueueExecutor()) {
                try await things.store.write { _ in
                    begun.add()
                    end.wait()
                }
            }
            await begun.reach(1)
            let others = QueueExecutor()
            let lost = Task(executorPreference: others) {
                try await things.store.write(surviving: .process) { try ThingStore.add("lost", to: $0) }
            }
            let kept = Task(executorPreference: others) { try await things.add("kept") }
            while things.store.waitingCount < 2 { await Task.yield() }
            end.signal()
            try await first.value
            return (await lost.result, await kept.result)
        }
        #expect(throws: Fault.self) { try lost.get() }
        try kept.get()
        #expect(try await things.names() == ["kept"])
    }

    @Test("a disk without room refuses with a time to come again, and the store goes on when there is some")
    func full() async throws {
        let things = try ThingStore(.sqlite, path)
        try await things.store.write { transaction in
            let pages: Int64? = try transaction.value("PRAGMA page_count")
            try transaction.script("PRAGMA max_page_count = \(pages ?? 0)")
        }
        var refused: Fault?
        for _ in 0..<100 where refused == nil {
            do throws(Fault) { try await things.add(String(repeating: "long", count: 1000)) } catch { refused = error }
        }
        #expect(refused?.code == .unavailable && refused?.retryAfterSeconds == 5)
        let before = try await things.names().count
        #expect(try await things.log().count == before)
        try await things.store.write { try $0.script("PRAGMA max_page_count = 1000000") }
        try await things.add(String(repeating: "long", count: 1000))
        #expect(try await things.names().count == before + 1)
        #expect(try await things.log().count == before + 1)
    }

    // MARK: Facts of others

    private func received(_ sequences: ClosedRange<Int64>) -> [Envelope] {
        sequences.map {
            Envelope(
                id: "wallet-\($0)", source: Wallet.service, type: "wallet.news.told.v1", sequence: $0,
                data: Array("\($0)".utf8))
        }
    }

    @Test("each fact is applied once, with the cursor, in one transaction", arguments: Engine.available)
    func applies(engine: Engine) async throws {
        do {
            let things = try ThingStore(engine, path)
            func apply(_ facts: [Envelope], failingAt bad: Int64? = nil) async throws {
                try await things.store.write { transaction in
                    for fact in try transaction.take(facts, from: Wallet.service) {
                        try ThingStore.add(fact.sequence == bad ? "" : "fact \(fact.sequence ?? 0)", to: transaction)
                    }
                }
            }
            try await apply(received(1...3))
            await #expect(throws: Fault(.unavailable)) { try await apply(received(4...9), failingAt: 6) }
            #expect(try await things.store.position(of: Wallet.service).sequence == 3)
            try await apply(received(2...5))
            try await apply(received(1...2))
            try await apply([])
            #expect(try await things.names() == (1...5).map { "fact \($0)" })
        }
        let things = try ThingStore(engine, path)
        let position = try await things.store.position(of: Wallet.service)
        #expect(position == FactPosition(sequence: 5, mark: received(5...5)[0].mark))
        #expect(try await things.store.position(of: "payments") == 0)
        #expect(try await things.log().count == 5)
    }

    // MARK: Operators

    @Test("a copy is whole, while the store goes on; a path that is taken is refused", arguments: Engine.available)
    func copies(engine: Engine) async throws {
        let things = try ThingStore(engine, path)
        let facts = received(1...40)
        try await things.store.write { transaction in
            for _ in try transaction.take(facts, from: Wallet.service) {
                try ThingStore.add(String(repeating: "x", count: 2000), to: transaction)
            }
        }
        let target = directory.file("copy.sqlite")
        async let adding: Void = { for number in 0..<50 { try await things.add("more \(number)") } }()
        let copy = try await things.store.copy(to: target)
        try await adding
        #expect(copy.file == "copy.sqlite" && copy.cursors == ["wallet": 40] && copy.head >= 40)
        let copied = try await DatabaseQueue(path: target).read { database in
            try Int64.fetchOne(database, sql: "SELECT count(*) FROM facts")
        }
        #expect(copied == copy.head)
        await #expect(throws: SQLiteFile.CopyError.self) { try await things.store.copy(to: target) }
    }

    @Test("a printed table comes in pages that fit into an envelope", arguments: Engine.available)
    func tables(engine: Engine) async throws {
        let things = try ThingStore(engine, path)
        try await things.store.write { transaction in
            for number in 0..<90 {
                try ThingStore.add("\(number) " + String(repeating: "x", count: 2000), to: transaction)
            }
        }
        var rows: [[UInt8]] = []
        var next: Int64? = 0
        while let after = next {
            let page = try await things.store.table(.customers, after: after, limit: 50)
            #expect(page.json.count < Envelope.bytesMax)
            rows += page.rows.map(\.bytes)
            next = page.next
        }
        #expect(rows.count == 90)
        #expect(String(decoding: rows[1].prefix(22), as: UTF8.self) == #"{"number":2,"name":"1 "#)
    }
}
