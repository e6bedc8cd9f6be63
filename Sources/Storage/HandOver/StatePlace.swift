import Bus
import Contracts
import Wire

/// A reader's place in a table of the file: behind a row, in the order of keys, and behind a change.
///
/// Its text is the reader's to give back, not to read.
struct StatePlace: Equatable {
    /// The last row's; nil before the first row.
    var key: [StateValue]?
    var change: Int64

    static let start = StatePlace(key: nil, change: 0)

    init(key: [StateValue]?, change: Int64) { (self.key, self.change) = (key, change) }

    /// - Throws: `bus.malformed`.
    init(_ text: String?, in table: StateTable) throws(Fault) {
        guard let text else {
            self = .start
            return
        }
        let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
        guard parts.count == 3, parts[0] == "rows", let change = Int64(parts[1]), change >= 0,
            let key = Self.key(parts[2], of: table)
        else { throw Fault(.malformed, "'\(text)' is no place in \(table.name)") }
        self.init(key: key.isEmpty ? nil : key, change: change)
    }

    /// - Returns: no values for a place before the first row; nil for what is no key.
    private static func key(_ text: String, of table: StateTable) -> [StateValue]? {
        let columns = table.keyColumns
        guard case .array(let elements)? = try? JSONValue(parsing: text.utf8),
            elements.isEmpty || elements.count == columns.count
        else { return nil }
        let key = zip(elements, columns).compactMap { StateValue($0, kind: $1.kind) }
        return key.count == elements.count ? key : nil
    }

    var text: String { "rows:\(change):" + String(decoding: StateValue.array(of: key ?? []), as: UTF8.self) }
}

/// A reader's place in a table that is in memory: among its rows, or behind a change.
enum MemoryPlace: Equatable {
    case rows(from: Int)
    case changes(after: Int64)

    /// - Throws: `bus.malformed`.
    init(_ text: String?, in table: StateTable) throws(Fault) {
        guard let text else {
            self = .rows(from: 0)
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1)
        if parts.count == 2, let number = Int64(parts[1]), number >= 0 {
            switch parts[0] {
            case "memory":
                self = .rows(from: Int(number))
                return
            case "changes":
                self = .changes(after: number)
                return
            default: break
            }
        }
        throw Fault(.malformed, "'\(text)' is no place in \(table.name)")
    }

    var text: String {
        switch self {
        case .rows(let number): "memory:\(number)"
        case .changes(let number): "changes:\(number)"
        }
    }
}
