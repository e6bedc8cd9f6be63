import Bus
import Contracts
import Glibc
import Primitives
import Storage
import Testing

@Suite("statements with typed arguments and columns")
struct TransactionTests {
    private func inTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        let store = try Store(forTests: [
            Migration(
                "1",
                """
                CREATE TABLE things (
                    id BLOB, number INTEGER, flag INTEGER, text TEXT, bytes BLOB, time INTEGER, currency TEXT
                ) STRICT;
                """)
        ])
        return try await store.write(body)
    }

    @Test("each kind of value comes back as it was, and nothing as nothing")
    func values() async throws {
        try await inTransaction { transaction in
            let id = PartyID(high: .max, low: 1)
            // PostgreSQL has no text with U+0000.
            let texts = ["", Engine.address == nil ? "é\u{0}x" : "éx", String(repeating: "long", count: 3000)]
            for text in texts {
                try transaction.run(
                    "INSERT INTO things VALUES (?, ?, ?, ?, ?, ?, ?)", id, Int64.min, true, text, Array(text.utf8),
                    Timestamp(milliseconds: -1), Currency.usd)
            }
            let rows = try transaction.all("SELECT * FROM things ORDER BY length(text)") { row in
                #expect(try row[0] == id && row[1] == Int64.min && row[2] == true)
                #expect(try row["time"] == Timestamp(milliseconds: -1) && row["currency"] == Currency.usd)
                #expect(try row["bytes"] == Array((row["text"] as String).utf8))
                return try row["text"] as String
            }
            #expect(rows == texts)
            try transaction.run("DELETE FROM things")
            try transaction.run("INSERT INTO things (id, text) VALUES (?, ?)", nil as PartyID?, nil as String?)
            try transaction.each("SELECT id, text, number FROM things") { row in
                let (id, text, number): (PartyID?, String?, Int64?) = (try row[0], try row[1], try row["number"])
                #expect(id == nil && text == nil && number == nil)
                return true
            }
        }
    }

    @Test("NULL, and what has another form, is damage where a value has to be", arguments: ["id", "text", "time"])
    func damage(column: String) async throws {
        try await inTransaction { transaction in
            try transaction.run("INSERT INTO things (id) VALUES (x'00')")
            #expect(throws: StoreFailure.damaged("column '\(column)'")) {
                try transaction.each("SELECT * FROM things") { row in
                    switch column {
                    case "id": _ = try row["id"] as PartyID
                    case "text": _ = try row["text"] as String
                    default: _ = try row["time"] as Timestamp
                    }
                    return true
                }
            }
            #expect(throws: StoreFailure.self) {
                try transaction.first("SELECT id FROM things") { row in try row["nothing"] as Int64 }
            }
        }
    }

    @Test("rows that are posted are there for the next statement, in whatever order", arguments: [1, 2, 511, 512, 1100])
    func rows(count: Int) async throws {
        try await inTransaction { transaction in
            try transaction.script("CREATE TABLE others (number INTEGER PRIMARY KEY, name TEXT) STRICT;")
            for number in 1...count {
                // A column without any value, and one with some.
                try transaction.postRow(
                    "INSERT INTO things (number, id, text, bytes, currency) VALUES (?, ?, ?, ?, ?)", number,
                    PartyID(high: 7, low: UInt64(number)), number % 3 == 0 ? nil : "é\"{\(number)", nil as [UInt8]?,
                    Currency.usd)
                try transaction.postRow("INSERT INTO others (number, name) VALUES (?, ?)", number, "")
                try transaction.postRow("INSERT INTO others (number, name) VALUES (?, ?) ON CONFLICT DO NOTHING", 1, "")
            }
            let found = try transaction.all("SELECT number, id, text, bytes FROM things ORDER BY number") { row in
                (try row[0] as Int, try row[1] as PartyID, try row[2] as String?, try row[3] as [UInt8]?)
            }
            #expect(found.map(\.0) == Array(1...count))
            for (number, id, text, bytes) in found {
                #expect(id.low == UInt64(number) && text == (number % 3 == 0 ? nil : "é\"{\(number)") && bytes == nil)
            }
            #expect(try transaction.value("SELECT count(*) FROM others") == count)
        }
    }

    @Test("rows of many bytes are posted as well as short ones")
    func longRows() async throws {
        let bytes = [UInt8](repeating: 7, count: 300_000)
        try await inTransaction { transaction in
            for number in 1...9 {
                try transaction.postRow("INSERT INTO things (number, bytes) VALUES (?, ?)", number, bytes)
            }
            #expect(try transaction.value("SELECT count(*) FROM things WHERE length(bytes) = 300000") == 9)
        }
    }

    @Test("rows of a piece of work that fails do not stay, and none that was posted with one that is refused")
    func failingRows() async throws {
        struct Trouble: Error {}
        let things = try ThingStore()
        let insert = "INSERT INTO things (number, id, name) VALUES (?, ?, ?)"
        let post: @Sendable (Int, String, Transaction) throws -> Void = { number, name, transaction in
            try transaction.postRow(insert, number, PartyID(high: 1, low: UInt64(number)), name)
        }
        try await things.store.inOneGroup([
            { transaction in
                try post(1, "one", transaction)
                throw Trouble()
            },
            { transaction in
                for number in 2...4 { try post(number, "some", transaction) }
            }
        ]) { results in
            #expect(throws: Fault.self) { try results[0].get() }
            try results[1].get()
        }
        await #expect(throws: Fault.self) {
            try await things.store.write { transaction in
                try post(5, "five", transaction)
                try post(6, "", transaction)
            }
        }
        #expect(try await things.names() == ["some", "some", "some"])
    }

    @Test("a statement may run inside itself")
    func nested() async throws {
        let pairs = try await inTransaction { transaction in
            for number in 1...3 { try transaction.run("INSERT INTO things (number) VALUES (?)", number) }
            let sql = "SELECT number FROM things WHERE number >= ? ORDER BY number"
            return try transaction.all(sql, 1) { outer in
                let number: Int = try outer[0]
                return [number] + (try transaction.values(sql, number))
            }
        }
        #expect(pairs == [[1, 1, 2, 3], [2, 2, 3], [3, 3]])
    }

    @Test("how many rows were changed, and what RETURNING gives")
    func changes() async throws {
        try await inTransaction { transaction in
            for number in 1...3 {
                let row: Int64? = try transaction.value(
                    "INSERT INTO things (number) VALUES (?1) RETURNING number * 2", number)
                #expect(row == Int64(number) * 2)
            }
            #expect(try transaction.run("UPDATE things SET flag = 1 WHERE number > ?", 1) == 2)
            #expect(try transaction.run("DELETE FROM things WHERE number > ?", 9) == 0)
        }
    }

    @Test("a constraint's refusal is a bug's, not the disk's")
    func constraint() async throws {
        let failure = try await inTransaction { transaction in
            do throws(StoreFailure) { try transaction.run("INSERT INTO things (id) VALUES (1)") } catch {
                try transaction.rollback()
                try transaction.begin()
                return error
            }
            throw StoreFailure.damaged("it was not refused")
        }
        #expect(!StoreFailure.isOfDisk(failure) && failure.mayBeOfOne)
    }
}
