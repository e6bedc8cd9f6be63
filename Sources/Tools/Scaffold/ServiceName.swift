/// The name of a new service: its process, its part of every type, and, with a capital, its name in Swift.
package struct ServiceName: Sendable, Equatable {
    package enum Wrong: Error, Equatable, CustomStringConvertible {
        case malformed(String)
        case reserved(String)

        package var description: String {
            switch self {
            case .malformed(let text):
                "'\(text)' cannot be a service's name: it has \(lengths.lowerBound) to \(lengths.upperBound) letters from a to z"
            case .reserved(let text): "'\(text)' means something else already"
            }
        }
    }

    /// Letters. Longer names make types that are hard to read.
    private static let lengths = 2...24

    /// What is a service to others, a part of the bus, or a word of Swift with a capital.
    private static let reserved: Set = [
        "any", "array", "billfold", "bool", "bus", "character", "codable", "data", "date", "decodable", "decoder",
        "dictionary", "encodable", "encoder", "equatable", "error", "float", "hashable", "identifiable", "int", "main",
        "mmi", "never", "optional", "protocol", "result", "row", "self", "sendable", "sequence", "set", "string",
        "substring", "suite", "tag", "task", "test", "testing", "trait", "try", "type", "void"
    ]

    package let text: String

    package init(_ text: String) throws(Wrong) {
        guard Self.lengths.contains(text.utf8.count), text.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            throw .malformed(text)
        }
        guard !Self.reserved.contains(text) else { throw .reserved(text) }
        self.text = text
    }

    /// `ordering` → `Ordering`.
    package var capitalised: String { text.prefix(1).uppercased() + text.dropFirst() }

    /// A template's text, or path, with this name in it.
    package func filled(into template: String) -> String {
        template.replacing("__NAME__", with: text.uppercased()).replacing("__Name__", with: capitalised)
            .replacing("__name__", with: text)
    }
}
