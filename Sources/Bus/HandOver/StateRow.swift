import Contracts
import Primitives
import Wire

/// A row of a table, or a row's key: values by column. Columns that it has no value for are left out.
package struct StateRow: Equatable, Sendable {
    package let columns: [String]
    package let values: [StateValue]

    package init(columns: [String], values: [StateValue]) { (self.columns, self.values) = (columns, values) }

    package subscript(_ column: String) -> StateValue? { columns.firstIndex(of: column).map { values[$0] } }

    /// The row as it is sent.
    package var json: RawJSON {
        var writer = JSONWriter()
        writer.beginObject()
        for (column, value) in zip(columns, values) {
            writer.key(column)
            value.write(to: &writer)
        }
        writer.endObject()
        return RawJSON(writer.bytes)
    }
}

extension StateRow: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, StateValue)...) {
        self.init(columns: elements.map(\.0), values: elements.map(\.1))
    }
}

// Values for memory that grows from rows.
extension StateRow {
    /// - Throws: `StateMismatch` for no number.
    package func number(_ column: String) throws(StateMismatch) -> Int64 {
        guard case .integer(let number)? = self[column] else { throw StateMismatch("'\(column)' is no number") }
        return number
    }

    /// - Returns: nil for NULL.
    package func numberIfAny(_ column: String) throws(StateMismatch) -> Int64? {
        isNull(column) ? nil : try number(column)
    }

    /// - Throws: `StateMismatch` for no text.
    package func text(_ column: String) throws(StateMismatch) -> String {
        guard case .text(let text)? = self[column] else { throw StateMismatch("'\(column)' is no text") }
        return text
    }

    /// - Returns: nil for NULL.
    package func textIfAny(_ column: String) throws(StateMismatch) -> String? {
        isNull(column) ? nil : try text(column)
    }

    /// - Throws: `StateMismatch` for no bytes.
    package func bytes(_ column: String) throws(StateMismatch) -> [UInt8] {
        guard case .bytes(let bytes)? = self[column] else { throw StateMismatch("'\(column)' is no bytes") }
        return bytes
    }

    /// - Returns: nil for NULL.
    package func bytesIfAny(_ column: String) throws(StateMismatch) -> [UInt8]? {
        isNull(column) ? nil : try bytes(column)
    }

    /// - Throws: `StateMismatch` for no number of milliseconds.
    package func time(_ column: String) throws(StateMismatch) -> Timestamp {
        Timestamp(milliseconds: try number(column))
    }

    /// - Returns: nil for NULL.
    package func timeIfAny(_ column: String) throws(StateMismatch) -> Timestamp? {
        isNull(column) ? nil : try time(column)
    }

    /// - Throws: `StateMismatch` for a text that is none of the choices.
    package func choice<Choice: RawRepresentable<String>>(_ column: String) throws(StateMismatch) -> Choice {
        guard let choice = Choice(rawValue: try text(column)) else {
            throw StateMismatch("'\(column)' is none of its values")
        }
        return choice
    }

    /// - Returns: nil for NULL.
    package func choiceIfAny<Choice: RawRepresentable<String>>(_ column: String) throws(StateMismatch) -> Choice? {
        isNull(column) ? nil : try choice(column)
    }

    private func isNull(_ column: String) -> Bool { self[column] == .null }
}

extension Identifier {
    /// - Throws: `StateMismatch` for no identifier.
    package init(_ row: StateRow, _ column: String) throws(StateMismatch) {
        guard let id = Self(bytes: try row.bytes(column)) else { throw StateMismatch("'\(column)' is no identifier") }
        self = id
    }
}
