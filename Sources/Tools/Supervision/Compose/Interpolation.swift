/// `${NAME}` in the values of a compose file, replaced from the environment.
///
/// As the Compose Specification has it: `$NAME`, `${NAME}`, `${NAME-default}` where it is not set, `${NAME:-default}`
/// where it is not set or empty, `${NAME:?words}` and `${NAME?words}` to refuse, `${NAME:+words}` and `${NAME+words}`
/// for when it is set, and `$$` for a dollar sign. What stands in for a name may have names of its own.
package enum Interpolation {
    /// How deep defaults may lie in defaults.
    private static let depthMax = 8

    package static func apply(to text: String, _ environment: [String: String]) throws(ComposeError) -> String {
        try apply(to: text, environment, depth: 0)
    }

    private static func apply(
        to text: String, _ environment: [String: String], depth: Int
    ) throws(ComposeError) -> String {
        guard text.contains("$") else { return text }
        guard depth <= depthMax else {
            throw ComposeError("'\(text)' has more than \(depthMax) defaults inside each other")
        }
        var result = ""
        var rest = Substring(text)
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            switch rest.first {
            case "$":
                result.append("$")
                rest.removeFirst()
            case "{":
                let inside = try braces(&rest, in: text)
                result += try expand(inside, environment, in: text, depth: depth)
            case let first? where first == "_" || (first.isASCII && first.isLetter):
                let name = rest.prefix(while: isPartOfName)
                rest.removeFirst(name.count)
                result += environment[String(name)] ?? ""
            default: throw ComposeError("'\(text)' has a $ that begins no name; a dollar sign is written $$")
            }
        }
        return result + rest
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character == "_" || (character.isASCII && (character.isLetter || character.isNumber))
    }

    /// What is between the braces that begin here; takes them off.
    private static func braces(_ rest: inout Substring, in text: String) throws(ComposeError) -> Substring {
        var open = 0
        for index in rest.indices {
            if rest[index] == "{" { open += 1 }
            guard rest[index] == "}" else { continue }
            open -= 1
            guard open == 0 else { continue }
            defer { rest = rest[rest.index(after: index)...] }
            return rest[rest.index(after: rest.startIndex)..<index]
        }
        throw ComposeError("'\(text)' has a ${ without its }")
    }

    private static func expand(
        _ inside: Substring, _ environment: [String: String], in text: String, depth: Int
    ) throws(ComposeError) -> String {
        let name = String(inside.prefix(while: isPartOfName))
        guard !name.isEmpty else { throw ComposeError("'\(text)' has a ${ without a name") }
        var rest = inside.dropFirst(name.count)
        var value = environment[name]
        guard !rest.isEmpty else { return value ?? "" }
        if rest.first == ":" {
            rest.removeFirst()
            if value == "" { value = nil }
        }
        let sign = rest.popFirst()
        let words = String(rest)
        switch sign {
        case "-":
            if let value { return value }
            return try apply(to: words, environment, depth: depth + 1)
        case "+": return value == nil ? "" : try apply(to: words, environment, depth: depth + 1)
        case "?":
            guard let value else { throw ComposeError("\(name) has to be set\(words.isEmpty ? "" : ": \(words)")") }
            return value
        default:
            throw ComposeError("'${\(inside)}' cannot be read; it can be ${NAME}, or with :-default, :?words, :+words")
        }
    }
}
