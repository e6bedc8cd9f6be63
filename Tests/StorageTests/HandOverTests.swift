import Bus
import Contracts
import Foundation
import Primitives
import Storage
import Synchronization
import Testing

@Suite("A hand-over of a store\'s state", .enabled(if: Engine.address == nil))
struct HandOverTests {
    private let table = "things"

    /// Reads a table on to its present end, into another store.
    private func read(
        _ source: ThingStore, _ followed: FollowedState, _ name: String, after place: String? = nil,
        into target: Store, limit: Int = 3, between: () async throws -> Void = {}
    ) async throws -> String {
        let table = try #require(followed.tables.first { $0.name == name })
        var place = place
        while true {
            let page = try await source.store.handOver.page(
                of: followed.copy, table: name, after: place, limit: limit)
            #expect(page.rows.count + page.removed.count <= limit)
            try await target.put(
                try table.rows(page.rows), removing: try table.rows(page.removed), in: table)
            place = page.next
            if page.isEnd { return page.next }
            try await between()
        }
    }

    private func facts(_ source: ThingStore, into target: Store) async throws {
        let own = try await target.read(after: 0, limit: 1).head
        let page = try await source.store.read(after: own, limit: 1000)
        try await target.append(page.facts, after: own)
    }

    private func target() async throws -> Store {
        let target = try ThingStore().store
        try await target.clear()
        return target
    }

    @Test("copies all rows, and what changes while they are read and afterwards")
    func copies() async throws {
        let (source, target) = (try ThingStore(), try await target())
        for number in 1...20 { try await source.add("thing \(number)") }
        let followed = try await source.store.handOver.follow([])
        var changes = 0
        var place = try await read(source, followed, table, into: target) {
            changes += 1
            guard changes < 4 else { return }
            // Behind the reader, and before it.
            try await source.store.write { try $0.run("UPDATE things SET name = 'changed' WHERE number = 1") }
            try await source.store.write { try $0.run("DELETE FROM things WHERE number = 19") }
            try await source.add("added \(changes)")
        }
        #expect(try await ThingStore.names(target) == source.names())
        try await source.store.write { transaction in
            try transaction.run("DELETE FROM things WHERE number = 2")
            // Another row gets the name, the number of a third changes.
            try transaction.run("UPDATE things SET number = 99, name = 'moved' WHERE number = 3")
            try transaction.run(
                "INSERT OR REPLACE INTO things (number, id, name) SELECT 5, id, 'taken' FROM things WHERE number = 4")
        }
        let names = try await source.names()
        place = try await read(source, followed, table, after: place, into: target)
        #expect(try await ThingStore.names(target) == names)
        // Nothing has changed since; the same place is read twice.
        let rest = try await source.store.handOver.page(of: followed.copy, table: table, after: place, limit: 10)
        #expect(rest.isEnd && rest.rows.isEmpty && rest.removed.isEmpty && rest.next == place)
        // Who asks behind changes has read them, so they are noted no more.
        let again = try #require(place.split(separator: ":", maxSplits: 2).last)
        let all = try await source.store.handOver.page(
            of: followed.copy, table: table, after: "rows:0:\(again)", limit: 10)
        #expect(all.isEnd && all.rows.isEmpty && all.removed.isEmpty)
        try await facts(source, into: target)
        _ = try await read(source, followed, "cursors", into: target)
        let sealed = try await source.store.handOver.seal(followed.copy, true)
        #expect(try await target.obstacle(to: sealed, since: ChangedRows()) == nil)
    }

    @Test("rows are counted while they change, on both sides")
    func counts() async throws {
        let (source, target) = (try ThingStore(), try await target())
        var step: Int64 = 0
        /// Adds, moves, replaces and removes rows here and there.
        func change(_ times: Int64) async throws {
            let first = step
            step += times
            try await source.store.write { transaction in
                for step in first..<first + times {
                    let (one, other) = (step * 7919 % 4000 + 1, step * 1733 % 5000 + 1)
                    let sql =
                        switch step % 4 {
                        case 0: "DELETE FROM things WHERE number = ?1 AND ?2 > 0"
                        case 1: "UPDATE OR REPLACE things SET number = ?2 WHERE number = ?1"
                        case 2: "INSERT OR REPLACE INTO things VALUES (?1, randomblob(16), 'new ' || ?2)"
                        default: "INSERT INTO things (id, name) VALUES (randomblob(16), ?1 || ' and ' || ?2)"
                        }
                    try transaction.run(sql, one, other)
                }
            }
        }
        try await change(8000)
        let followed = try await source.store.handOver.follow([])
        let place = try await read(source, followed, table, into: target, limit: 500) { try await change(50) }
        #expect(try await target.settle() == [])
        try await change(500)
        _ = try await read(source, followed, table, after: place, into: target, limit: 500)
        _ = try await read(source, followed, "cursors", into: target)
        let sealed = try await source.store.handOver.seal(followed.copy, true)
        let names = try await source.names()
        #expect(names.count > 2000)
        #expect(sealed.tables.first { $0.name == table }?.rows == Int64(names.count))
        #expect(try await ThingStore.names(target) == names)
        #expect(try await target.obstacle(to: sealed, since: ChangedRows()) == nil)
    }

    @Test("a change that is rolled back is none; one of a row that changes again comes once")
    func rolledBack() async throws {
        let source = try ThingStore()
        try await source.add("one")
        let followed = try await source.store.handOver.follow([])
        let copied = try await source.store.handOver.page(of: followed.copy, table: table, after: nil, limit: 10)
        #expect(copied.rows.count == 1 && copied.isEnd)
        for name in ["two", "three"] {
            try await source.store.write { try $0.run("UPDATE things SET name = ? WHERE number = 1", name) }
        }
        await #expect(throws: Fault.self) {
            try await source.store.write { transaction in
                try ThingStore.add("lost", to: transaction)
                throw Fault(.unavailable)
            }
        }
        let page = try await source.store.handOver.page(of: followed.copy, table: table, after: copied.next, limit: 10)
        #expect(page.rows.count == 1 && page.isEnd && page.removed.isEmpty)
    }

    @Test("a seal that nobody takes off ends")
    func abandoned() async throws {
        let source = try ThingStore(sealTime: .nanoseconds(1))
        _ = try await source.store.handOver.seal(try await source.store.handOver.follow([]).copy, true)
        try await source.add("one")
    }

    @Test("a sealed store writes nothing until the seal is taken off")
    func sealed() async throws {
        let source = try ThingStore()
        try await source.add("one")
        let copy = try await source.store.handOver.follow([]).copy
        let undone = Atomic(0)
        source.store.afterRollback { _ in undone.add(1, ordering: .relaxed) }
        let sealed = try await source.store.handOver.seal(copy, true)
        #expect(sealed.facts == 1 && sealed.tables.first { $0.name == table }?.rows == 1)
        await #expect(throws: Fault.self) { try await source.add("two") }
        #expect(try await source.names() == ["one"])
        // Memory that follows the store has nothing to read again.
        #expect(undone.load(ordering: .relaxed) == 0)
        _ = try await source.store.handOver.seal(copy, false)
        try await source.add("two")
        #expect(try await source.names().count == 2)
    }

    @Test("a hand-over ends when another one begins, and knows its tables and places only")
    func refusals() async throws {
        let source = try ThingStore()
        let first = try await source.store.handOver.follow([]).copy
        let copy = try await source.store.handOver.follow([]).copy
        func refusal(_ copy: Int64, _ table: String, _ place: String?) async -> FaultCode? {
            do {
                _ = try await source.store.handOver.page(of: copy, table: table, after: place, limit: 1)
                return nil
            } catch { return error.code }
        }
        #expect(await refusal(first, table, nil) == .malformed)
        #expect(await refusal(copy, "nothing", nil) == .malformed)
        #expect(await refusal(copy, "facts", nil) == .malformed)
        for place in [
            "", "rows", "rows:0", "rows:0:", "rows:0:[1,2]", "rows:0:[\"x\"]", "rows:-1:[]", "rows:x:[]", "memory:0",
            "changes:0", "somewhere:0:[]"
        ] {
            #expect(await refusal(copy, table, place) == .malformed, "\(place)")
        }
        #expect(await refusal(copy, table, nil) == nil)
    }

    @Test("a state that lacks a row, or a fact, is not whole")
    func notWhole() async throws {
        let (source, target) = (try ThingStore(), try await target())
        for name in ["one", "two"] { try await source.add(name) }
        let followed = try await source.store.handOver.follow([])
        _ = try await read(source, followed, table, into: target)
        let sealed = try await source.store.handOver.seal(followed.copy, true)
        func obstacle() async throws -> String? { try await target.obstacle(to: sealed, since: ChangedRows()) }
        #expect(try await obstacle() == "its log ends at 0, and the owner's at 2")
        try await facts(source, into: target)
        #expect(try await target.obstacle(to: sealed, since: ChangedRows()) == nil)
        try await target.write { try $0.run("DELETE FROM things WHERE number = 1") }
        #expect(try await target.obstacle(to: sealed, since: ChangedRows()) == "things has 1 rows, and the owner's 2")
        let page = try await source.store.read(after: 1, limit: 1)
        await #expect(throws: Fault.self) { try await target.append(page.facts, after: 2) }
    }

    @Test("a row that refers to none is found: among those that changed, where its parent has gone, and among all")
    func references() async throws {
        let store = try Store(
            forTests: [
                Migration(
                    "1",
                    """
                    CREATE TABLE people (id INTEGER PRIMARY KEY);
                    CREATE TABLE letters (id INTEGER PRIMARY KEY, "to" INTEGER REFERENCES people (id));
                    """, Outbox.table)
            ])
        try await store.clear()
        let tables = try await store.stateTables
        let letters = try #require(tables.first { $0.name == "letters" })
        let people = try #require(tables.first { $0.name == "people" })
        func put(_ letter: Int64, to person: Int64?, _ changed: inout ChangedRows) async throws {
            let row: StateRow = ["id": .integer(letter), "to": person.map { .integer($0) } ?? .null]
            try await store.put([row], removing: [], in: letters)
            changed.note([row], removing: [], in: letters)
        }
        func obstacle(_ letters: Int64, _ people: Int64, _ changed: ChangedRows) async throws -> String? {
            try await store.obstacle(
                to: SealedState(
                    tables: [
                        SealedTable(name: "letters", rows: letters, last: nil),
                        SealedTable(name: "people", rows: people, last: nil)
                    ], facts: 0), since: changed)
        }
        let broken = "a row of letters refers to one that there is not"
        var changed = ChangedRows()
        try await store.put([["id": .integer(1)], ["id": .integer(2)]], removing: [], in: people)
        try await put(1, to: 1, &changed)
        try await put(2, to: nil, &changed)
        #expect(try await obstacle(2, 2, changed) == nil)
        try await put(3, to: 9, &changed)
        #expect(try await obstacle(3, 2, changed) == broken)
        #expect(try await store.settle() == ["letters"])
        #expect(try await obstacle(3, 2, ChangedRows(in: ["letters"])) == broken)
        try await put(3, to: 2, &changed)
        #expect(try await obstacle(3, 2, changed) == nil)
        #expect(try await store.settle() == [])
        var later = ChangedRows()
        try await store.put([], removing: [["id": .integer(2)]], in: people)
        later.note([], removing: [["id": .integer(2)]], in: people)
        #expect(try await obstacle(3, 1, later) == broken)
    }

    @Test("long bytes are base64, short ones hex, and both come back")
    func bytes() throws {
        let table = StateTable(
            name: "files",
            columns: [
                StateColumn(name: "id", kind: "bytes", isKey: true),
                StateColumn(name: "body", kind: "bytes", isKey: false),
                StateColumn(name: "size", kind: "integer", isKey: false)
            ])
        let row: StateRow = ["id": .bytes([0, 255]), "body": .bytes(Array(0...200)), "size": .null]
        let json = row.json
        #expect(String(decoding: json.bytes, as: UTF8.self).hasPrefix(#"{"id":"00ff","body":{"base64":"AAEC"#))
        #expect(try table.rows([json]) == [row])
        for wrong in [#"{"id":"0"}"#, #"{"id":7}"#, #"{"body":"00"}"#, #"{"id":"00","name":"x"}"#, "7"] {
            #expect(throws: StateMismatch.self) { try table.rows([RawJSON(Array(wrong.utf8))]) }
        }
    }

    @Test("a log of changes gives each key once, with its newest number")
    func changeLog() {
        var log = ChangeLog<Int>()
        for key in [1, 2, 1, 3, 1] { log.note(key) }
        #expect(log.page(after: 0, limit: 10).keys == [2, 3, 1])
        let first = log.page(after: 0, limit: 2)
        #expect(first.keys == [2, 3] && !first.isEnd)
        #expect(log.page(after: first.next, limit: 2).keys == [1])
        // However often a key changes, what is kept follows the number of keys.
        for _ in 0..<10_000 { log.note(7) }
        let rest = log.page(after: 5, limit: 10)
        #expect(rest.keys == [7] && rest.next == 10_005 && rest.isEnd)
    }
}

extension ThingStore {
    fileprivate static func names(_ store: Store) async throws -> [String] {
        try await store.read { try $0.values("SELECT name FROM things ORDER BY number") }
    }
}
