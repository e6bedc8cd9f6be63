import Primitives

/// A store's schema in PostgreSQL: made from the same store's in SQLite, so that migrations are described once.
///
/// The declarations in SQLite's words stay beside the tables (`sqlite_schema`): a copy is a file of SQLite again.
struct PostgresSchema {
    /// A declaration as SQLite keeps it (sqlite.org/schematab.html).
    struct Declaration: Equatable {
        let type: String
        let name: String
        let sql: String
    }

    /// In an order in which they can be made.
    let declarations: [Declaration]

    init(_ declarations: [Declaration]) throws(SQLReader.Failure) {
        let kinds = ["table", "index", "view", "trigger"]
        let inOrder = kinds.flatMap { kind in declarations.filter { $0.type == kind } }
        var (made, waiting): ([Declaration], [Declaration]) = ([], inOrder)
        while !waiting.isEmpty {
            // A table comes behind those that it refers to.
            let names = Set(waiting.filter { $0.type == "table" }.map(\.name))
            var next = 0
            for (place, one) in waiting.enumerated() {
                let needed = Self.references(try SQLReader.read(one.sql))
                next = place
                if needed.isDisjoint(with: names.subtracting([one.name])) { break }
            }
            made.append(waiting.remove(at: next))
        }
        self.declarations = made
    }

    /// Of what a database of SQLite has.
    init(ofSQLite transaction: Transaction) throws {
        try self.init(
            transaction.all(
                """
                SELECT type, name, sql FROM sqlite_master
                WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
                """
            ) { row in Declaration(type: try row[0], name: try row[1], sql: try row[2]) })
    }

    /// Of what was kept beside the tables.
    init(keptIn transaction: Transaction) throws {
        try self.init(
            transaction.all("SELECT type, name, sql FROM sqlite_schema ORDER BY place") { row in
                Declaration(type: try row[0], name: try row[1], sql: try row[2])
            })
    }

    private static func references(_ nodes: [SQLNode]) -> Set<String> {
        var found: Set<String> = []
        for (node, next) in zip(nodes, nodes.dropFirst() + [.symbol("")]) {
            if case .group(let inner) = node { found.formUnion(references(inner)) }
            guard node.isWord("REFERENCES") else { continue }
            switch next {
            case .word(let name), .name(let name): found.insert(name)
            default: break
            }
        }
        return found
    }

    /// The names of the tables, those that are referred to first.
    var tables: [String] { declarations.filter { $0.type == "table" }.map(\.name) }

    // MARK: Making it

    /// Makes everything in an empty schema, in a transaction of the caller's.
    func make(in connection: PostgresConnection) throws {
        for declaration in declarations {
            for statement in try Self.translated(declaration) { try connection.runNative(statement) }
        }
        try keep(in: connection)
    }

    /// Makes the numbering of all tables anew. A table that was renamed has none until then, so a migration that
    /// renames one inserts nothing without a number into it afterwards.
    func number(in connection: PostgresConnection) throws {
        for declaration in declarations where declaration.type == "table" {
            let table = Array(try SQLReader.read(declaration.sql).prefix(4))
            let statements = Self.numbering(declaration.name, table)
            if statements.isEmpty { continue }
            for statement in [Self.dropNumbering(declaration.name)] + statements { try connection.runNative(statement) }
        }
    }

    /// Keeps the declarations beside the tables.
    func keep(in connection: PostgresConnection) throws {
        try connection.runNative(
            """
            DROP TABLE IF EXISTS sqlite_schema;
            CREATE TABLE sqlite_schema (place bigint PRIMARY KEY, type text, name text, sql text);
            """)
        let insert = try connection.prepare("INSERT INTO sqlite_schema (place, type, name, sql) VALUES (?, ?, ?, ?)")
        for (place, one) in declarations.enumerated() {
            try insert.bind(Int64(place)).bind(one.type).bind(one.name).bind(one.sql).run()
        }
    }

    static func translated(_ declaration: Declaration) throws(SQLReader.Failure) -> [String] {
        let nodes = try SQLReader.read(declaration.sql)
        return making(nodes) ?? [Dialect(nodes).sql]
    }

    /// The statements that make, rename or drop a table with its numbering, or make a trigger; nil for another
    /// statement.
    static func making(_ nodes: [SQLNode]) -> [String]? {
        // The rows of a temporary table, which has a name that no other has, are numbered by PostgreSQL itself.
        let isTemporary =
            nodes.count > 2 && ["TEMP", "TEMPORARY"].contains(where: nodes[1].isWord) && nodes[2].isWord("TABLE")
        let nodes = isTemporary ? Array(nodes.prefix(1) + nodes.dropFirst(2)) : nodes
        guard nodes.count > 2, let name = nodes[2].identifier else { return nil }
        let ofTable = nodes[1].isWord("TABLE")
        // DROP TABLE, with IF EXISTS or without.
        if ofTable, nodes[0].isWord("DROP"), let name = nodes.last?.identifier {
            return [
                Dialect(nodes).sql, dropNumbering(name), "DELETE FROM sqlite_sequence WHERE name = '\(name)'"
            ]
        }
        if ofTable, let new = newName(nodes) {
            return [
                Dialect(nodes).sql, dropNumbering(name),
                "UPDATE sqlite_sequence SET name = '\(new)' WHERE name = '\(name)'"
            ]
        }
        guard nodes.count > 3, nodes[0].isWord("CREATE") else { return nil }
        if nodes[1].isWord("TRIGGER") { return [refusal(name, nodes)] }
        guard ofTable, case .group = nodes[3] else { return nil }
        // CREATE TABLE name (…); what follows is SQLite's own.
        let table = Array(nodes.prefix(4))
        return isTemporary ? [Dialect(temporary(table)).sql] : [Dialect(table).sql] + numbering(name, table)
    }

    /// `CREATE TABLE name (…)` for the connection alone. A sequence numbers its rows, whose gaps go with the table.
    private static func temporary(_ table: [SQLNode]) -> [SQLNode] {
        guard case .group(let columns)? = table.last else { return table }
        let numbered = columns.split(omittingEmptySubsequences: false) { $0.isSymbol(",") }.map { column in
            guard column.dropFirst().starts(with: numberedKey) else { return Array(column) }
            let identity = ["GENERATED", "BY", "DEFAULT", "AS", "IDENTITY"].map(SQLNode.word)
            return Array(column.prefix(2)) + identity + column.dropFirst(2)
        }
        return [.word("CREATE"), .word("TEMP")] + table.dropFirst().dropLast()
            + [.group(Array(numbered.joined(separator: [.symbol(",")])))]
    }

    /// What `ALTER TABLE name RENAME TO name` calls the table from now on; nil for another statement.
    private static func newName(_ nodes: [SQLNode]) -> String? {
        guard nodes.count == 6, nodes[3].isWord("RENAME"), nodes[4].isWord("TO") else { return nil }
        return nodes[5].identifier
    }

    private static func dropNumbering(_ table: String) -> String {
        "DROP FUNCTION IF EXISTS \(quotedName("number_\(table)")) CASCADE"
    }

    /// The words behind the name of a column whose rows SQLite numbers.
    private static let numberedKey: [SQLNode] = [.word("INTEGER"), .word("PRIMARY"), .word("KEY")]

    /// SQLite numbers the rows of a table whose key is an integer without a gap; a sequence would leave one after each
    /// rollback.
    private static func numbering(_ name: String, _ table: [SQLNode]) -> [String] {
        guard case .group(let columns)? = table.last else { return [] }
        let key = columns.split { $0.isSymbol(",") }.first {
            $0.dropFirst().starts(with: numberedKey)
        }
        guard let key, let column = key.first.flatMap(\.identifier) else { return [] }
        let (table, isOnce) = (quotedName(name), key.contains { $0.isWord("AUTOINCREMENT") })
        let (number, function) = ("NEW.\(quotedName(column))", quotedName("number_\(name)"))
        let body =
            isOnce
            ? """
            INSERT INTO sqlite_sequence (name, seq) VALUES ('\(name)', coalesce(\(number), 1))
                ON CONFLICT (name) DO UPDATE SET seq = CASE WHEN \(number) IS NULL THEN sqlite_sequence.seq + 1
                    ELSE greatest(sqlite_sequence.seq, \(number)) END
                RETURNING coalesce(\(number), seq) INTO \(number);
            """ : "\(number) := (SELECT coalesce(max(\(quotedName(column))), 0) + 1 FROM \(table));"
        return [
            """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(body) RETURN NEW; END $$
            """,
            """
            CREATE TRIGGER \(function) BEFORE INSERT ON \(table) FOR EACH ROW
                \(isOnce ? "" : "WHEN (\(number) IS NULL)") EXECUTE FUNCTION \(function)()
            """
        ]
    }

    /// A trigger that refuses what it is called for: the only kind there is.
    private static func refusal(_ name: String, _ nodes: [SQLNode]) -> String {
        let reason =
            nodes.lazy.compactMap { node -> String? in
                guard case .group(let arguments) = node, case .text(let text)? = arguments.last else { return nil }
                return text
            }.first ?? ""
        let head = Dialect(Array(nodes.prefix { !$0.isWord("BEGIN") && !$0.isWord("FOR") })).sql
        let function = quotedName(name)
        return """
            CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION '\(reason.replacingScalar("'", with: "''"))'; END $$;
            \(head) FOR EACH ROW EXECUTE FUNCTION \(function)()
            """
    }
}
