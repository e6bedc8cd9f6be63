import Primitives

/// What PostgreSQL writes otherwise than SQLite, in one place: stores are written in the SQL that both understand and
/// in SQLite's functions and types, and this translates the rest (ADR 46).
///
/// Keywords are written in capitals and names are not, which tells them apart. What it cannot translate PostgreSQL
/// refuses when the statement is prepared; the stores' tests run on both engines.
package struct Dialect {
    /// The translated text, with the parameters `$1` and so on.
    package let sql: String
    /// How many parameters it has.
    let parameters: Int
    /// Whether it changes rows or the schema.
    package let isWrite: Bool

    package init(_ sql: String) throws(SQLReader.Failure) { self.init(try SQLReader.read(sql)) }

    init(_ nodes: [SQLNode]) {
        // A trigger's function has its name, and takes the trigger with it.
        let dropsTrigger = nodes.starts(with: [.word("DROP"), .word("TRIGGER")])
        let nodes =
            dropsTrigger ? [.word("DROP"), .word("FUNCTION")] + nodes.dropFirst(2) + [.word("CASCADE")] : nodes
        var writer = Writer()
        writer.isView = nodes.starts(with: [.word("CREATE"), .word("VIEW")])
        writer.write(nodes)
        if writer.ignoresConflicts { writer.put("ON CONFLICT DO NOTHING") }
        sql = writer.text
        parameters = writer.parametersMax
        isWrite =
            nodes.contains { node in ["INSERT", "UPDATE", "DELETE"].contains { node.isWord($0) } }
            || nodes.first.map { node in ["CREATE", "ALTER", "DROP"].contains { node.isWord($0) } } ?? false
    }

    /// The statements of a script, without those that are SQLite's own business.
    static func script(_ sql: String) throws(SQLReader.Failure) -> [[SQLNode]] {
        var statements: [[SQLNode]] = [[]]
        for node in try SQLReader.read(sql) {
            let last = statements.count - 1
            // A trigger's own statements end with END.
            let isInTrigger =
                statements[last].starts(with: [.word("CREATE"), .word("TRIGGER")])
                && statements[last].last?.isWord("END") == false
            if node.isSymbol(";"), !isInTrigger { statements.append([]) } else { statements[last].append(node) }
        }
        return statements.filter { !($0.first?.isWord("PRAGMA") ?? true) }
    }

    private struct Writer {
        var text = ""
        var parametersMax = 0
        var ignoresConflicts = false
        var isView = false
        private var depth = 0

        mutating func put(_ piece: String) { text += text.isEmpty ? piece : " " + piece }

        private mutating func grouped(_ nodes: [SQLNode], _ name: String = "", _ end: String = ")") {
            put("\(name)(")
            depth += 1
            write(nodes)
            depth -= 1
            put(end)
        }

        mutating func write(_ nodes: [SQLNode]) {
            var rest = nodes[...]
            while let node = rest.popFirst() {
                switch node {
                case .word(let word): keywordOrName(word, &rest)
                case .name(let name): put(quotedName(name))
                case .text(let text): put("'\(text.replacingScalar("'", with: "''"))'")
                case .blob(let digits): put("'\\x\(digits)'::bytea")
                case .number(let number): put(number)
                case .parameter(let number):
                    let number = number ?? parametersMax + 1
                    parametersMax = max(parametersMax, number)
                    put("$\(number)")
                case .symbol(let symbol): put(symbol == "==" ? "=" : symbol)
                case .group(let inner): grouped(inner)
                }
            }
        }

        private mutating func keywordOrName(_ word: String, _ rest: inout ArraySlice<SQLNode>) {
            if case .group(let arguments)? = rest.first, Self.functions.contains(word.lowercased()) {
                rest.removeFirst()
                return function(word.lowercased(), arguments)
            }
            guard word == word.uppercased(), word.contains(where: \.isLetter) else { return put(quotedName(word)) }
            switch word {
            case "INTEGER": put("bigint")
            case "BLOB": put("bytea")
            case "TEXT": put("text COLLATE \"C\"")
            case "AUTOINCREMENT": break
            case "COLLATE" where rest.first?.isWord("BINARY") ?? false: rest.removeFirst()
            case "INDEXED": rest.removeFirst(2)
            case "OR" where rest.first?.isWord("IGNORE") ?? false:
                rest.removeFirst()
                ignoresConflicts = true
            case "NOT" where rest.first?.isWord("GLOB") ?? false:
                rest.removeFirst()
                pattern("!~", &rest)
            case "GLOB": pattern("~", &rest)
            case "IS": comparison(&rest)
            default: put(word)
            }
        }

        /// `IS` compares values in SQLite, NULL being one.
        private mutating func comparison(_ rest: inout ArraySlice<SQLNode>) {
            let isNot = rest.first?.isWord("NOT") ?? false
            let subject = isNot ? rest.dropFirst().first : rest.first
            if let subject, ["NULL", "TRUE", "FALSE", "DISTINCT"].contains(where: subject.isWord) { return put("IS") }
            if isNot { rest.removeFirst() }
            put(isNot ? "IS DISTINCT FROM" : "IS NOT DISTINCT FROM")
        }

        /// A pattern of the shell, as a regular expression.
        private mutating func pattern(_ operation: String, _ rest: inout ArraySlice<SQLNode>) {
            put(operation)
            guard case .text(let glob)? = rest.first else { return }
            rest.removeFirst()
            var expression = "^"
            var isInBrackets = false
            for letter in glob {
                switch letter {
                case "[": isInBrackets = true
                case "]": isInBrackets = false
                default: break
                }
                switch letter {
                case "*" where !isInBrackets: expression += ".*"
                case "?" where !isInBrackets: expression += "."
                case "$", ".", "+", "(", ")", "|", "{", "}", "\\", "^":
                    expression += isInBrackets ? String(letter) : "\\\(letter)"
                default: expression.append(letter)
                }
            }
            write([.text(expression + "$")])
        }

        // MARK: Functions

        /// Those that stores use; any other word before a parenthesis is a name or a keyword.
        private static let functions: Set = [
            "abs", "cast", "coalesce", "count", "group_concat", "hex", "ifnull", "iif", "instr", "json_extract", "lag",
            "length", "lower", "max", "min", "printf", "round", "row_number", "strftime", "substr", "sum", "total",
            "upper", "zeroblob"
        ]

        private mutating func function(_ name: String, _ arguments: [SQLNode]) {
            let parts = arguments.split { $0.isSymbol(",") }.map(Array.init)
            switch name {
            case "max" where parts.count > 1: grouped(arguments, "greatest")
            case "min" where parts.count > 1: grouped(arguments, "least")
            case "sum", "max", "min", "total":
                Self.isCondition(arguments)
                    ? grouped([.group(arguments)], name, "::int)") : grouped(arguments, name == "total" ? "sum" : name)
            case "ifnull": grouped(arguments, "coalesce")
            case "hex": grouped(arguments, "upper(encode", ", 'hex'))")
            case "instr": grouped(arguments, "strpos")
            case "group_concat": grouped(arguments, "string_agg")
            case "iif" where parts.count == 3:
                grouped(
                    [.word("CASE"), .word("WHEN")] + parts[0] + [.word("THEN")] + parts[1] + [.word("ELSE")]
                        + parts[2] + [.word("END")])
            case "cast": cast(arguments)
            // A view's column has the type that the document gives it.
            case "json_extract" where isView && depth == 0: grouped(arguments, "json_value_at")
            default: grouped(arguments, name)
            }
        }

        /// Whether an expression is true or false, which SQLite counts as 1 and 0.
        private static func isCondition(_ nodes: [SQLNode]) -> Bool {
            nodes.contains { node in
                ["=", "<>", "<", ">", "<=", ">="].contains(where: node.isSymbol)
                    || ["IS", "AND", "OR", "NOT", "EXISTS"].contains(where: node.isWord)
            } && !nodes.contains { $0.isWord("CASE") }
        }

        private mutating func cast(_ arguments: [SQLNode]) {
            guard let at = arguments.lastIndex(where: { $0.isWord("AS") }) else { return grouped(arguments, "cast") }
            let value = Array(arguments[..<at])
            switch arguments[arguments.index(after: at)...].first {
            case .word("BLOB"): grouped(value, "as_bytes")
            case .word("TEXT"): grouped(value, "as_text")
            default: grouped(value, "", ")::bigint")
            }
        }
    }
}
