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

    /// Values as a JSON array.
    package static func array(of values: [StateValue]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for value in values { value.write(to: &writer) }
        writer.endArray()
        return writer.bytes
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .integer(let number): writer.integer(number)
        case .text(let text): writer.string(text)
        case .bytes(let bytes) where bytes.count > Self.hexBytesMax:
            writer.beginObject()
            writer.key("base64")
            writer.string(Base64URL.encode(bytes))
            writer.endObject()
        case .bytes(let bytes):
            writer.plainString(countMax: 2 * bytes.count) { digits in
                for (index, byte) in bytes.enumerated() {
                    digits[2 * index] = hexDigit(byte >> 4)
                    digits[2 * index + 1] = hexDigit(byte & 15)
                }
                return 2 * bytes.count
            }
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

    private static func bytes(ofHex text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { digits in
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
}

extension StateTable {
    package var keyColumns: [StateColumn] { columns.filter(\.isKey) }

    /// The values of a row's key, in the order of the columns.
    package func key(of row: StateRow) -> [StateValue] { keyColumns.map { row[$0.name] ?? .null } }

    /// Rows as they are sent.
    ///
    /// - Throws: `StateMismatch` for what is no row of this table.
    package func rows(_ texts: [RawJSON]) throws(StateMismatch) -> [StateRow] {
        let names = columns.map(\.name)
        var rows: [StateRow] = []
        rows.reserveCapacity(texts.count)
        for text in texts { rows.append(try row(text, names)) }
        return rows
    }

    private func row(_ text: RawJSON, _ names: [String]) throws(StateMismatch) -> StateRow {
        var values: [StateValue?] = Array(repeating: nil, count: columns.count)
        var mismatch: String?
        var next = 0
        do throws(WireError) {
            try JSONReader.read(text.bytes) { reader throws(WireError) in
                try reader.object { key, reader throws(WireError) in
                    // A row's columns mostly come in their order.
                    let isNext = next < names.count && key.is(names[next])
                    guard let column = isNext ? next : names.firstIndex(where: { key.is($0) }) else {
                        mismatch = "has '\(key.string)', which this program does not know"
                        _ = try reader.skip()
                        return
                    }
                    guard values[column] == nil else { throw WireError(.duplicateKey, path: names[column]) }
                    next = column + 1
                    guard let value = StateValue(try JSONValue.read(&reader), kind: columns[column].kind) else {
                        mismatch = "has a '\(names[column])' that is no \(columns[column].kind)"
                        return
                    }
                    values[column] = value
                }
            }
        } catch { throw StateMismatch("a row of \(name) cannot be read: \(error)") }
        if let mismatch { throw StateMismatch("a row of \(name) \(mismatch)") }
        for (column, value) in zip(columns, values) where column.isKey && value == nil {
            throw StateMismatch("a row of \(name) lacks '\(column.name)' of its key")
        }
        let given = values.compactMap(\.self)
        if given.count == names.count { return StateRow(columns: names, values: given) }
        return StateRow(columns: names.indices.compactMap { values[$0] == nil ? nil : names[$0] }, values: given)
    }
}

/// A state cannot be taken over, because it is not one that this program keeps.
package struct StateMismatch: Error, Equatable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
