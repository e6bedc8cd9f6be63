import Contracts
import Foundation
import GRDB
import Primitives
import Storage

/// How values stand in columns: an identifier as its 16 bytes, a time as its milliseconds.
///
/// Not conformances to GRDB's protocols: a second service with the same ones could not be linked into one test bundle.
extension Identifier {
    var column: Data { Data(bytes) }
}

extension Timestamp {
    var column: Int64 { milliseconds }
}

extension Row {
    /// The schema lets in no blob of another length; a file from elsewhere might hold one.
    func identifier<Subject>(_ column: String) throws -> Identifier<Subject> {
        guard let id = Identifier<Subject>(bytes: self[column] as Data) else { throw StoreFailure.damaged(column) }
        return id
    }

    func time(_ column: String) -> Timestamp { Timestamp(milliseconds: self[column]) }

    func timeIfAny(_ column: String) -> Timestamp? { (self[column] as Int64?).map(Timestamp.init(milliseconds:)) }

    func money(_ amount: String, _ currency: String = "currency") throws -> Money {
        guard let currency = Currency(self[currency] as String) else { throw StoreFailure.damaged(currency) }
        return Money(self[amount], currency)
    }

    func choice<Choice: RawRepresentable<String>>(_ column: String) throws -> Choice {
        guard let choice = Choice(rawValue: self[column]) else { throw StoreFailure.damaged(column) }
        return choice
    }

    func choiceIfAny<Choice: RawRepresentable<String>>(_ column: String) throws -> Choice? {
        try (self[column] as String?) == nil ? nil : choice(column)
    }
}
