/// A statement's text, taken apart as far as its translation needs: words, literals, and what stands in parentheses.
indirect enum SQLNode: Equatable {
    case word(String)
    /// `"name"`
    case name(String)
    /// `'text'`, without its quotes, with doubled ones single.
    case text(String)
    /// `x'00'`, the digits.
    case blob(String)
    case number(String)
    /// `?` or `?1`; nil for the next one.
    case parameter(Int?)
    case symbol(String)
    case group([SQLNode])

    /// Whether it is this keyword.
    func isWord(_ keyword: String) -> Bool {
        guard case .word(let word) = self else { return false }
        return word == keyword
    }

    func isSymbol(_ symbol: String) -> Bool { self == .symbol(symbol) }

    /// The name of a table or a column, where one has to be.
    var identifier: String? {
        switch self {
        case .word(let name), .name(let name): name
        default: nil
        }
    }
}

/// Reads the SQL that stores are written in. Comments are left out.
package struct SQLReader {
    private let text: [UInt8]
    private var place = 0

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    static func read(_ sql: String) throws(Failure) -> [SQLNode] {
        var reader = SQLReader(text: Array(sql.utf8))
        let nodes = try reader.nodes()
        guard reader.place == reader.text.count else { throw Failure(description: "a ')' too many in: \(sql)") }
        return nodes
    }

    private mutating func nodes() throws(Failure) -> [SQLNode] {
        var nodes: [SQLNode] = []
        while place < text.count, text[place] != UInt8(ascii: ")") {
            if let node = try node() { nodes.append(node) }
        }
        return nodes
    }

    /// Nil for a space or a comment.
    private mutating func node() throws(Failure) -> SQLNode? {
        let byte = text[place]
        let next = place + 1 < text.count ? text[place + 1] : 0
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"):
            place += 1
            return nil
        case UInt8(ascii: "-") where next == byte:
            while place < text.count, text[place] != UInt8(ascii: "\n") { place += 1 }
            return nil
        case UInt8(ascii: "("):
            place += 1
            let inner = try nodes()
            guard place < text.count else { throw Failure(description: "a ')' is missing") }
            place += 1
            return .group(inner)
        case UInt8(ascii: "'"): return .text(try quoted())
        case UInt8(ascii: "\""): return .name(try quoted())
        case UInt8(ascii: "x") where next == UInt8(ascii: "'"):
            place += 1
            return .blob(try quoted())
        case UInt8(ascii: "?"):
            place += 1
            return .parameter(Int(taken { $0.isDigit }))
        case _ where byte.isDigit: return .number(taken { $0.isDigit || $0 == UInt8(ascii: ".") })
        case _ where byte.isLetter: return .word(taken { $0.isLetter || $0.isDigit })
        default:
            let pair = String(decoding: [byte, next], as: UTF8.self)
            let symbol = Self.pairs.contains(pair) ? pair : String(decoding: [byte], as: UTF8.self)
            place += symbol.utf8.count
            return .symbol(symbol)
        }
    }

    private static let pairs: Set = ["<>", "<=", ">=", "||", "==", "!=", "->", "<<", ">>"]

    private mutating func taken(_ isPart: (UInt8) -> Bool) -> String {
        let start = place
        while place < text.count, isPart(text[place]) { place += 1 }
        return String(decoding: text[start..<place], as: UTF8.self)
    }

    private mutating func quoted() throws(Failure) -> String {
        let quote = text[place]
        place += 1
        var bytes: [UInt8] = []
        while place < text.count {
            let byte = text[place]
            place += 1
            if byte != quote {
                bytes.append(byte)
            } else if place < text.count, text[place] == quote {
                bytes.append(quote)
                place += 1
            } else {
                return String(decoding: bytes, as: UTF8.self)
            }
        }
        throw Failure(description: "a quotation does not end")
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isLetter: Bool {
        self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self >= 0x80
    }
}
