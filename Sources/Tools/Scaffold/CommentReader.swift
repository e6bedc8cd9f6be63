/// The documentation comments of one Swift file of contracts, by the paths of what they stand at.
///
/// A plain reader of lines, which is enough for files that `swift format` has laid out: one declaration a line, and the
/// brace that closes a type in the column where its declaration began.
package struct CommentReader {
    /// `Wallet.PostPayment.memo: What both sides read.`, in the order of the file.
    package private(set) var lines: [String] = []

    private struct Scope {
        let name: String
        let column: Int
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
        if let type = text.firstMatch(of: /^(?:package )?(?:struct|enum|extension|protocol|final class) ([\w.]+)/) {
            let name = String(type.output.1)
            // An extension's comment is about the file.
            if !text.contains("extension ") { note([name[...]]) }
            if !text.hasSuffix("}") { scopes.append(Scope(name: name, column: column)) }
        } else if let field = text.firstMatch(of: /^package let ([\w, ]+):/) {
            note(field.output.1.split(separator: ", "))
        } else if let choice = text.firstMatch(of: /^case ([\w, ]+)/), let scope = scopes.last, scope.column < column {
            note(choice.output.1.split(separator: ", "))
        }
    }

    /// Up to a list of parameters, faults or the like.
    private mutating func note(_ names: [Substring]) {
        let sentence = comment.prefix { !$0.hasPrefix("- ") }.filter { !$0.isEmpty }.joined(separator: " ")
        guard !sentence.isEmpty else { return }
        for name in names {
            lines.append((scopes.map { $0.name[...] } + [name]).joined(separator: ".") + ": " + sentence)
        }
    }
}
