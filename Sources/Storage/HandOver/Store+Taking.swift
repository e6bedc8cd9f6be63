import Bus
import Contracts
import Primitives
import Wire

/// Takes another program's state into a store of its own file (ADR 44).
extension Store: StateTarget {
    package var stateTables: [StateTable] {
        get async throws(Fault) { try await read { try StateSchema.tables($0) } }
    }

    package func clear() async throws(Fault) {
        do {
            try await committer.database.whenFree { transaction in
                // Rows come table by table: whether they refer to each other rightly is checked at the end.
                try transaction.script("PRAGMA foreign_keys = OFF")
                let tables = try StateSchema.tables(transaction)
                try transaction.atomically {
                    for table in tables.map(\.sql) + ["facts"] { try transaction.run("DELETE FROM \(table)") }
                }
                try RowCounts.end(transaction)
                try RowCounts.begin(tables, transaction)
                transaction.rolledBack()  // what it knew of the log is not true any more
            }
        } catch { throw committer.fault(error) }
    }

    package func put(
        _ rows: [StateRow], removing removed: [StateRow], in table: StateTable
    ) async throws(Fault) {
        if rows.isEmpty, removed.isEmpty { return }
        try await write { transaction in
            for row in removed {
                try transaction.statement(
                    "DELETE FROM \(table.sql) WHERE \(table.keyIsGiven)", values: table.key(of: row)
                ).run()
            }
            var (columns, sql): ([String], String) = ([], "")
            for row in rows {
                // Rows of a page have the same columns, so that their statement is written once.
                if row.columns != columns {
                    columns = row.columns
                    sql = table.insertion(of: columns)
                }
                try transaction.statement(sql, values: row.values).run()
            }
        }
    }

    package func append(_ facts: [RawJSON], after sequence: Int64) async throws(Fault) {
        if facts.isEmpty { return }
        try await write { transaction in
            var next = sequence
            for fact in facts {
                next += 1
                let number: Int64?
                do throws(WireError) { number = try Envelope(json: fact.bytes).sequence } catch {
                    throw Fault(.malformed, "fact \(next) cannot be read: \(error)")
                }
                guard number == next else {
                    throw Fault(.malformed, "fact \(next) is missing; \(number ?? 0) comes in its place")
                }
                try transaction.run("INSERT INTO facts (sequence, envelope) VALUES (?, ?)", next, fact.bytes)
            }
        }
    }

    package func settle() async throws(Fault) -> Set<String> {
        try await emptyLog()
        do {
            return try await committer.database.whenFree { transaction in
                for table in try StateSchema.tables(transaction) {
                    while try RowCounts.count(Self.countedAtOnce, of: table, transaction) {}
                }
                let broken: [String] = try transaction.values("SELECT DISTINCT \"table\" FROM pragma_foreign_key_check")
                return Set(broken)
            }
        } catch { throw committer.fault(error) }
    }

    private static var countedAtOnce: Int { 10_000 }

    package func obstacle(to sealed: SealedState, since changed: ChangedRows) async throws(Fault) -> String? {
        try await write { transaction -> String? in
            let tables = try StateSchema.tables(transaction)
            for table in tables {
                guard let owners = sealed.tables.first(where: { $0.name == table.name }) else {
                    return "\(table.name) is not counted"
                }
                let count = try RowCounts.rows(of: table, transaction)
                guard owners.rows == count else {
                    return "\(table.name) has \(count) rows, and the owner's \(owners.rows)"
                }
                if let last = owners.last { try transaction.setLastNumber(last, of: table) }
            }
            for table in tables {
                guard try !References.hold(of: table.name, since: changed, in: transaction) else { continue }
                return "a row of \(table.name) refers to one that there is not"
            }
            // Each was added with the number after the one before it.
            let last: Int64 = try transaction.value("SELECT max(sequence) FROM facts") ?? 0
            return last == sealed.facts ? nil : "its log ends at \(last), and the owner's at \(sealed.facts)"
        }
    }
}

extension StateTable {
    /// A row that is in the way by another unique column has changed too, and comes later.
    fileprivate func insertion(of columns: [String]) -> String {
        let names = columns.map(quotedName).joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT OR REPLACE INTO \(sql) (\(names)) VALUES (\(marks))"
    }
}

extension Transaction {
    fileprivate func setLastNumber(_ number: Int64, of table: StateTable) throws {
        guard let own = try lastNumber(of: table) else {
            let exists: Int64? = try value(
                "SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'", table.name)
            if exists != nil { try run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table.name, number) }
            return
        }
        try run("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", max(own, number), table.name)
    }
}
