import Primitives

/// Values of a row of a hand-over, for memory that grows from them.
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
