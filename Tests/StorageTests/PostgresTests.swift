import Bus
import Contracts
import Foundation
import Primitives
import Storage
import Synchronization
import TestKit
import Testing

@Suite("one leader in PostgreSQL", .enabled(if: Engine.address != nil))
struct PostgresTests {
    private static let movedRows = 20_000

    private let directory: TemporaryDirectory
    private let schema: String

    init() throws {
        directory = try TemporaryDirectory()
        schema = Engine.schema(directory.file("leader"))
    }

    /// A process's database, and why it had to end.
    private final class Process: Sendable {
        let database: PostgresDatabase
        let ends: Ends

        final class Ends: Sendable {
            private let all = Mutex<[String]>([])
            var reasons: [String] { all.withLock { $0 } }
            func add(_ reason: String) { all.withLock { $0.append(reason) } }
        }

        init(_ schema: String, keys: [String: [UInt8]] = [:], waiting: (String) -> Void = { _ in }) throws {
            let ends = Ends()
            self.ends = ends
            database = try PostgresDatabase(
                PostgresDatabase.Place(address: Engine.address ?? "", schema: schema, keys: keys),
                migrations: ThingStore.migrations, waiting: waiting, lost: { ends.add($0) })
        }

        func add(_ name: String) throws {
            try database.exclusively { transaction in
                try transaction.atomically { try ThingStore.add(name, to: transaction) }
            }
        }

        func names() throws -> [String] {
            try database.exclusively { transaction in
                try transaction.reading { try transaction.values("SELECT name FROM things ORDER BY number") }
            }
        }
    }

    /// Somebody else's session.
    private func operate(_ sql: String) throws {
        try PostgresDatabase.operate(on: Engine.address ?? "", sql)
    }

    @Test("another process waits until the first one's session ends, and finds what was committed")
    func waits() async throws {
        let waiting = Mutex<[String]>([])
        let second: Task<Process, any Error>
        do {
            let first = try Process(schema)
            try first.add("one")
            let schema = schema
            second = Task.detached { try Process(schema) { reason in waiting.withLock { $0.append(reason) } } }
            while waiting.withLock({ $0.isEmpty }) { await Task.yield() }
            try first.add("two")
        }
        let leader = try await second.value
        #expect(try leader.names() == ["one", "two"])
        #expect(waiting.withLock { $0 } == ["another process leads"])
        #expect(leader.ends.reasons.isEmpty)
    }

    @Test("a leader that was deposed commits nothing and reads nothing, and is told to end")
    func deposed() throws {
        let leader = try Process(schema)
        try leader.add("one")
        try operate("UPDATE \(schema).leader SET epoch = epoch + 1")
        #expect(throws: StoreFailure.self) { try leader.add("two") }
        #expect(throws: StoreFailure.self) { _ = try leader.names() }
        #expect(Set(leader.ends.reasons) == ["another process leads"])
        try operate("UPDATE \(schema).leader SET epoch = epoch - 1")
        #expect(try leader.names() == ["one"])
    }

    @Test(
        "a leader that was deposed commits nothing where no answer is waited for before COMMIT",
        arguments: [false, true])
    func deposedWithoutAnswers(gathers: Bool) throws {
        let leader = try Process(schema)
        try operate("UPDATE \(schema).leader SET epoch = epoch + 1")
        #expect(throws: StoreFailure.self) {
            try leader.database.exclusively { transaction in
                try transaction.atomically {
                    let insert = try transaction.statement("INSERT INTO facts (sequence, envelope) VALUES (?, ?)")
                    try gathers ? insert.bind(1).bind([0]).postRow() : insert.bind(1).bind([0]).post()
                }
            }
        }
        try operate("UPDATE \(schema).leader SET epoch = epoch - 1")
        let facts: Int64? = try leader.database.exclusively { try $0.value("SELECT count(*) FROM facts") }
        #expect(facts == 0)
    }

    /// Posts a row to each of two tables.
    private static func post(_ number: Int, to transaction: Transaction) throws {
        try transaction.postRow("INSERT INTO facts (sequence, envelope) VALUES (?, ?)", number, [0] as [UInt8])
        try transaction.postRow(
            "INSERT INTO things (number, id, name) VALUES (?, ?, ?)", number, PartyID(high: 1, low: UInt64(number)),
            "thing")
    }

    private static func fail(after posted: Int, _ transaction: Transaction) throws {
        try transaction.atomically {
            try transaction.statement("INSERT INTO facts (sequence, envelope) VALUES (-1, NULL)").post()
            for _ in 0..<posted { try transaction.statement("UPDATE things SET name = name").post() }
            try post(0, to: transaction)
        }
    }

    @Test("rows that a failure kept from being sent are forgotten, wherever it is noticed")
    func forgottenRows() throws {
        let leader = try Process(schema)
        // Answers are read when 512 have gathered.
        for posted in 480...520 {
            #expect(throws: StoreFailure.self) {
                try leader.database.exclusively { try Self.fail(after: posted, $0) }
            }
            let counts: [Int?] = try leader.database.exclusively { transaction in
                try transaction.atomically { try Self.post(posted, to: transaction) }
                return [
                    try transaction.value("SELECT count(*) FROM facts"),
                    try transaction.value("SELECT count(*) FROM things")
                ]
            }
            #expect(counts == [posted - 479, posted - 479])
        }
    }

    @Test("a value of another type than its column's is refused, alone and among others", arguments: [1, 2])
    func otherType(rows: Int) throws {
        let leader = try Process(schema)
        #expect(throws: StoreFailure.self) {
            try leader.database.exclusively { transaction in
                try transaction.atomically {
                    for row in 0..<rows {
                        try transaction.postRow(
                            "INSERT INTO facts (sequence, envelope) VALUES (?, ?)", "1234567\(row)", [0] as [UInt8])
                    }
                }
            }
        }
        let facts: Int64? = try leader.database.exclusively { transaction in
            try transaction.reading { try transaction.value("SELECT count(*) FROM facts") }
        }
        #expect(facts == 0)
    }

    @Test("a leader that takes long over the rows of one answer leads on")
    func longReading() throws {
        let leader = try Process(schema)
        // Longer than the silence after which the server ends a session.
        let pause: UInt32 = 20_000  // microseconds
        let rows = try leader.database.exclusively { transaction in
            try transaction.reading {
                var rows = 0
                try transaction.each("SELECT generate_series(1, 300)") { _ in
                    usleep(pause)
                    rows += 1
                    return true
                }
                return rows
            }
        }
        #expect(rows == 300)
        try leader.add("one")
        #expect(leader.ends.reasons.isEmpty)
    }

    @Test("a copy that cannot be of what the leader has committed is not made")
    func copyOfAnother() async throws {
        let leader = try Process(schema)
        try operate("UPDATE \(schema).leader SET epoch = epoch + 1")
        let position: CopyPosition = (head: 0, cursors: [:], entries: nil, hash: nil, chain: nil)
        do {
            _ = try await leader.database.copy(to: directory.file("copy.sqlite")) { _ in position }
            Issue.record("a copy was made")
        } catch is StoreFailure {}
    }

    @Test("a piece whose statement fails behind its end takes the whole group with it", arguments: [false, true])
    func latePiece(writesFirst: Bool) async throws {
        let things = try Store(
            .postgres(address: Engine.address ?? "", schema: schema), migrations: ThingStore.migrations)
        try await things.inOneGroup([
            { transaction in
                try transaction.statement("INSERT INTO facts (sequence, envelope) VALUES (9, NULL)").post()
            },
            { transaction in
                if !writesFirst { let _: Int64? = try transaction.value("SELECT count(*) FROM things") }
                try transaction.run("DELETE FROM things WHERE number = 7")
            }
        ]) { results in
            for result in results { #expect(throws: Fault.self) { try result.get() } }
        }
        let facts: Int64? = try await things.read { try $0.value("SELECT count(*) FROM facts") }
        #expect(facts == 0)
    }

    @Test("an address that cannot be read is refused without its words, which may be a password's")
    func unreadable() {
        for address in ["postgres://u:se%zzcret@h/d", "postgres://u:sec/ret@h/d", "postgres://[::1/d"] {
            let error = #expect(throws: PostgresDatabase.OpenError.self) {
                try PostgresMove(directory.file("none.sqlite"), to: address, schema: schema, keys: [:])
            }
            #expect(error.map { !"\($0)".contains("cret") && !"\($0)".contains("sec") } == true)
        }
    }

    @Test("a leader whose session was ended finds out by itself")
    func ended() async throws {
        let leader = try Process(schema)
        try operate(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'billfold \(schema)'")
        while leader.ends.reasons.isEmpty { await Task.yield() }
        #expect(leader.ends.reasons[0].hasPrefix("the connection is lost"))
        #expect(throws: StoreFailure.self) { try leader.add("two") }
        #expect(try Process(schema).names() == [])
    }

    @Test("a process with another key does not lead, and says which")
    func keys() throws {
        do { _ = try Process(schema, keys: ["a.key": [1]]) }
        let error = #expect(throws: PostgresDatabase.OpenError.self) { try Process(schema, keys: ["a.key": [2]]) }
        #expect(error?.description.contains("the key a.key is not the one that PostgreSQL's schema") == true)
        _ = try Process(schema, keys: ["a.key": [1]])
    }

    @Test("rows are numbered as SQLite numbers them: without a gap after a rollback")
    func numbers() throws {
        let leader = try Process(schema)
        try leader.add("one")
        #expect(throws: StoreFailure.self) { try leader.add("") }
        try leader.add("two")
        let numbers: [Int64] = try leader.database.exclusively {
            try $0.values("SELECT number FROM things ORDER BY number")
        }
        #expect(numbers == [1, 2])
    }

    @Test("a file is moved row by row, into an empty schema only, and comes back as it was in a copy")
    func moves() async throws {
        let file = directory.file("things.sqlite")
        do {
            let things = try ThingStore(.sqlite, file)
            try await things.store.write { transaction in
                // More than a server keeps the answers to.
                for number in 0..<Self.movedRows { try ThingStore.add("thing \(number)", to: transaction) }
            }
            try await things.store.close()
        }
        let address = Engine.address ?? ""
        for wasThere in [false, true] {
            let move = try PostgresMove(file, to: address, schema: schema, keys: ["a.key": [1]])
            #expect(throws: SQLiteFile.OpenError.self, "a service could start on it") { try ThingStore(.sqlite, file) }
            #expect(throws: PostgresDatabase.OpenError.self) {
                try PostgresMove(directory.file("other.sqlite"), to: address, schema: schema, keys: [:])
            }
            let moved = try move.run()
            #expect(moved.tables == 4 && moved.rows == 2 * Self.movedRows + 2 && moved.wasThere == wasThere)
        }
        #expect(throws: PostgresDatabase.OpenError.self, "it was moved with another key") {
            try Process(schema, keys: ["a.key": [2]])
        }
        let copy = directory.file("copy.sqlite")
        do {
            let things = try Store(.postgres(address: address, schema: schema), migrations: ThingStore.migrations)
            try await things.write { try ThingStore.add("one more", to: $0) }
            _ = try await things.copy(to: copy)
            try await things.close()
        }
        let error = #expect(throws: PostgresDatabase.OpenError.self) {
            try PostgresMove(file, to: address, schema: schema, keys: [:]).run()
        }
        #expect(error?.description.contains("has other data already, and nothing was moved into it") == true)
        let back = try ThingStore(.sqlite, copy)
        #expect(try await back.names() == (0..<Self.movedRows).map { "thing \($0)" } + ["one more"])
        #expect(try await back.log().count == Self.movedRows + 1)
    }

    @Test("a service whose schema is new begins no empty state beside its file")
    func beside() throws {
        let file = directory.file("things.sqlite")
        _ = try ThingStore(.sqlite, file)
        let place = StorePlace.postgres(address: Engine.address ?? "", schema: schema, file: file)
        let error = #expect(throws: PostgresDatabase.OpenError.self) {
            try Store(place, migrations: ThingStore.migrations)
        }
        #expect(error?.description.contains("carry it over with 'billfold move'") == true)
        try FileManager.default.removeItem(atPath: file)
        _ = try Store(place, migrations: ThingStore.migrations)
        _ = try ThingStore(.sqlite, file)
        _ = try Store(place, migrations: ThingStore.migrations)
    }
}
