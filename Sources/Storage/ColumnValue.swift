import Contracts
import Primitives

/// A value that has a place in a column: an identifier as its 16 bytes, a time as its milliseconds.
package protocol ColumnValue {
    func bind(to statement: Statement)

    /// - Throws: `StoreFailure.damaged` for what the schema does not allow.
    static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> Self
}

extension Int64: ColumnValue {
    package func bind(to statement: Statement) { statement.bind(self) }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> Int64 {
        try row.requireValue(column)
        return row.int64(column)
    }
}

extension Int: ColumnValue {
    package func bind(to statement: Statement) { statement.bind(Int64(self)) }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> Int { Int(try Int64.read(row, column)) }
}

extension Int32: ColumnValue {
    package func bind(to statement: Statement) { statement.bind(Int64(self)) }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> Int32 {
        guard let number = Int32(exactly: try Int64.read(row, column)) else { throw row.damage(column) }
        return number
    }
}

extension Bool: ColumnValue {
    package func bind(to statement: Statement) { statement.bind(self ? 1 : 0 as Int64) }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> Bool {
        try Int64.read(row, column) != 0
    }
}

extension String: ColumnValue {
    package func bind(to statement: Statement) { statement.bind(self) }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> String {
        try row.requireValue(column)
        return row.text(column)
    }
}

extension [UInt8]: ColumnValue {
    package func bind(to statement: Statement) { statement.bind(self) }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> [UInt8] {
        try row.requireValue(column)
        return row.bytes(column)
    }
}

extension Identifier: ColumnValue {
    package func bind(to statement: Statement) { statement.bind(self) }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> Identifier { try row.id(column) }
}

extension Timestamp: ColumnValue {
    package func bind(to statement: Statement) { statement.bind(milliseconds) }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> Timestamp {
        Timestamp(milliseconds: try Int64.read(row, column))
    }
}

extension Currency: ColumnValue {
    package func bind(to statement: Statement) { statement.bind(code) }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> Currency {
        guard let currency = row.withText(column, { Currency(letters: $0) }) else { throw row.damage(column) }
        return currency
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    package func bind(to statement: Statement) {
        if let self { self.bind(to: statement) } else { statement.bindNull() }
    }

    package static func read(_ row: Row, _ column: Int) throws(StoreFailure) -> Wrapped? {
        row.isNull(column) ? nil : try Wrapped.read(row, column)
    }
}

extension Row {
    package subscript<Value: ColumnValue>(_ column: Int) -> Value {
        get throws(StoreFailure) { try Value.read(self, column) }
    }

    package subscript<Value: ColumnValue>(_ name: String) -> Value {
        get throws(StoreFailure) { try Value.read(self, try column(name)) }
    }

    /// Of an enumeration whose raw values are in the column.
    package func choice<Choice: RawRepresentable>(
        _ name: String, _ type: Choice.Type = Choice.self
    ) throws(StoreFailure) -> Choice where Choice.RawValue: ColumnValue { try choice(try column(name)) }

    package func choice<Choice: RawRepresentable>(
        _ column: Int, _ type: Choice.Type = Choice.self
    ) throws(StoreFailure) -> Choice where Choice.RawValue: ColumnValue {
        guard let choice = Choice(rawValue: try self[column]) else { throw damage(column) }
        return choice
    }

    package func choiceIfAny<Choice: RawRepresentable>(
        _ column: Int, _ type: Choice.Type = Choice.self
    ) throws(StoreFailure) -> Choice? where Choice.RawValue: ColumnValue {
        isNull(column) ? nil : try choice(column)
    }

    package func choiceIfAny<Choice: RawRepresentable>(
        _ name: String, _ type: Choice.Type = Choice.self
    ) throws(StoreFailure) -> Choice? where Choice.RawValue: ColumnValue { try choiceIfAny(try column(name)) }

    /// From an amount in minor units and a currency.
    package func money(_ amount: String, _ currency: String = "currency") throws(StoreFailure) -> Money {
        Money(try self[amount], try self[currency])
    }

    fileprivate func requireValue(_ column: Int) throws(StoreFailure) {
        if isNull(column) { throw damage(column) }
    }

    package func damage(_ column: Int) -> StoreFailure { .damaged("column '\(name(column))'") }
}
