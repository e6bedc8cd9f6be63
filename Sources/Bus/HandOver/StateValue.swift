import Contracts
import Primitives
import Wire

/// A value in a row of a service's state, with its form in a message.
package enum StateValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// Longer ones are base64: hex digits would take twice their room in an envelope.
    private static let hexBytesMax = 64

    package var json: JSONValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let text): .string(text)
        case .bytes(let bytes) where bytes.count > Self.hexBytesMax:
            .object([JSONValue.Member("base64", .string(Base64URL.encode(bytes)))])
        case .bytes(let bytes): .string(Self.hex(bytes))
        }
    }

    /// - Parameter kind: of the value's column.
    /// - Returns: nil for JSON that is no value of this kind.
    package init?(_ json: JSONValue, kind: String) {
        switch (json, kind) {
        case (.null, _): self = .null
        case (.integer(let number), "integer"): self = .integer(number)
        case (.string(let text), "text"): self = .text(text)
        case (.string(let digits), "bytes"):
            guard let bytes = Self.bytes(ofHex: digits) else { return nil }
            self = .bytes(bytes)
        case (.object(let members), "bytes"):
            guard members.count == 1, members[0].key == "base64", case .string(let text) = members[0].value,
                let bytes = Base64URL.decode(text)
            else { return nil }
            self = .bytes(bytes)
        default: return nil
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [hexDigit($0 >> 4), hexDigit($0 & 15)] }, as: UTF8.self)
    }

    private static func bytes(ofHex text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

/// A row of a table, or a row's key: values by column.
package typealias StateRow = [String: StateValue]

extension StateTable {
    package var keyColumns: [StateColumn] { columns.filter(\.isKey) }

    /// A row as it is sent. Columns that it has no value for are left out.
    package func json(_ row: StateRow) -> RawJSON {
        var writer = JSONWriter()
        JSONValue.object(columns.compactMap { column in row[column.name].map { .init(column.name, $0.json) } })
            .write(to: &writer)
        return RawJSON(writer.bytes)
    }

    /// - Throws: `StateMismatch` for what is no row of this table.
    package func row(_ json: RawJSON) throws(StateMismatch) -> StateRow {
        let value: JSONValue
        do throws(WireError) {
            value = try JSONReader.read(json.bytes) { reader throws(WireError) in try JSONValue.read(&reader) }
        } catch {
            throw StateMismatch("a row of \(name) is no JSON: \(error)")
        }
        guard case .object(let members) = value else { throw StateMismatch("a row of \(name) is no object") }
        var row: StateRow = [:]
        for member in members {
            guard let column = columns.first(where: { $0.name == member.key }) else {
                throw StateMismatch("a row of \(name) has '\(member.key)', which this program does not know")
            }
            guard let value = StateValue(member.value, kind: column.kind) else {
                throw StateMismatch("'\(column.name)' in a row of \(name) is no \(column.kind)")
            }
            row[column.name] = value
        }
        for column in keyColumns where row[column.name] == nil {
            throw StateMismatch("a row of \(name) lacks '\(column.name)' of its key")
        }
        return row
    }

    /// The values of a row's key, in the order of the columns.
    package func key(of row: StateRow) -> [StateValue] { keyColumns.map { row[$0.name] ?? .null } }
}

/// A state cannot be taken over, because it is not one that this program keeps.
package struct StateMismatch: Error, Equatable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
