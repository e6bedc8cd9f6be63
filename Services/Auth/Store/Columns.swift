import Foundation
import GRDB
import Primitives

/// How values stand in columns: an identifier as its 16 bytes, a time as its milliseconds.
///
/// Not conformances to GRDB's protocols: a second service with the same ones could not be linked into one test bundle.
extension Identifier {
    var column: Data { Data(bytes) }
}

extension Timestamp {
    var column: Int64 { milliseconds }
}

struct UnreadableColumn: Error, CustomStringConvertible {
    let description = "a column of the database has a value that cannot be read"
}

extension Row {
    /// The schema lets in no blob of another length; a file from elsewhere might hold one.
    func identifier<Subject>(_ index: Int) throws -> Identifier<Subject> {
        guard let id = Identifier<Subject>(bytes: self[index] as Data) else { throw UnreadableColumn() }
        return id
    }

    func time(_ index: Int) -> Timestamp { Timestamp(milliseconds: self[index]) }

    func optionalTime(_ index: Int) -> Timestamp? { (self[index] as Int64?).map(Timestamp.init(milliseconds:)) }
}
