/// The declarations of one file.
///
/// A reader of lines, which is enough for files that `swift format` has laid out: one declaration a line, members four
/// columns behind their type, and the brace that closes a type in the column where the type began.
package struct DeclarationReader {
    /// In the order of the file.
    package private(set) var declarations: [Declaration] = []
    /// The modules that the file imports.
    private(set) var imports: Set<String> = []

    private struct Scope {
        let path: [String]
        let column: Int
        /// Where its declaration is in the list; nil for an extension.
        let index: Int?
    }

    private var scopes: [Scope] = []
    private var comment: [Substring] = []

    package init(_ file: String) {
        for line in file.split(separator: "\n", omittingEmptySubsequences: false) { read(line) }
    }

    private mutating func read(_ line: Substring) {
        let text = line.drop { $0 == " " }
        let column = line.count - text.count
        if text.hasPrefix("///") {
            comment.append(text.dropFirst(3).drop { $0 == " " })
            return
        }
        // An attribute on a line of its own stands between a declaration and its comment.
        if text.hasPrefix("@"), !text.contains(" ") { return }
        defer { if !text.isEmpty { comment = [] } }
        while let scope = scopes.last, text.hasPrefix("}"), column <= scope.column {
            scopes.removeLast()
            if column == scope.column { return }
        }
        guard column == scopes.last.map({ $0.column + 4 }) ?? 0 else { return }
        if !readType(text, column), let index = scopes.last?.index { readMember(text, of: index) }
    }

    private mutating func readType(_ text: Substring, _ column: Int) -> Bool {
        if let imported = text.wholeMatch(of: /import (\w+)/) {
            imports.insert(String(imported.output.1))
            return true
        }
        let outer = scopes.last?.path ?? []
        if let alias = text.firstMatch(of: /^package typealias (\w+) =/) {
            declarations.append(
                Declaration(
                    kind: .alias, path: outer + [String(alias.output.1)], parameters: [], conformances: [], comment: "")
            )
            return true
        }
        let pattern = /^(?:package )?(struct|enum|extension|protocol|final class) ([\w.]+)(?:<(.+?)>)?(?:: ([^{]+))? \{/
        guard let match = text.firstMatch(of: pattern) else { return false }
        let path = outer + match.output.2.split(separator: ".").map(String.init)
        var index: Int?
        if match.output.1 != "extension" {
            index = declarations.count
            declarations.append(
                Declaration(
                    kind: match.output.1 == "enum" ? .choice : .record, path: path,
                    parameters: list(match.output.3).map { String($0.prefix { $0 != ":" }) },
                    conformances: list(match.output.4), comment: sentence))
        }
        if !text.hasSuffix("}") { scopes.append(Scope(path: path, column: column, index: index)) }
        return true
    }

    private mutating func readMember(_ text: Substring, of index: Int) {
        let pattern = /^package (?:internal\(set\) )?(?:let|var) ([\w, ]+): ([^={]+?)(?: = (.+?))?(?:\s*\/\/.*)?$/
        if let field = text.firstMatch(of: pattern) {
            for name in field.output.1.split(separator: ", ") {
                declarations[index].members.append(
                    .init(
                        name: "\(name)", type: "\(field.output.2)", fallback: field.output.3.map(String.init),
                        comment: sentence))
            }
        } else if declarations[index].kind == .choice, let cases = text.firstMatch(of: /^case ([^\/]+)/) {
            for name in cases.output.1.split(separator: ", ") {
                let name = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                declarations[index].members.append(.init(name: "\(name)", type: "", fallback: nil, comment: sentence))
            }
        } else if let type = text.firstMatch(of: /^package static let type: MessageType = "(.+)"/) {
            declarations[index].messageType = String(type.output.1)
        } else if let service = text.firstMatch(of: /^package static let service = "(.+)"/) {
            declarations[index].serviceName = String(service.output.1)
        } else if text.hasPrefix("package init(") {
            declarations[index].hasInit = true
        } else if text.hasPrefix("package func fastWrite(") {
            declarations[index].hasCodec = true
        } else if text.hasPrefix("package static let limits") || text.hasPrefix("package static var limits") {
            declarations[index].hasLimits = true
        }
    }

    /// The comment up to a list of parameters, faults or the like, on one line.
    private var sentence: String {
        comment.prefix { !$0.hasPrefix("- ") }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func list(_ text: Substring?) -> [String] {
        text?.split(separator: ",").map { String($0.drop { $0 == " " }).replacing(/\s+$/, with: "") } ?? []
    }
}
