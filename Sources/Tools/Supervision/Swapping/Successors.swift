import Foundation
import ServiceKit

/// The program that runs in a service's place.
package struct Substitute: Codable, Equatable {
    package let command: [String]
    package let directory: String
}

/// The programs that have taken a service's state over into stores of their own, by service.
///
/// Kept beside the data: the description's program has the state of before, so the next start of the set begins these.
package struct Successors {
    private let path: String
    package private(set) var programs: [String: Substitute] = [:]

    /// Reads those of a directory of data.
    ///
    /// - Throws: ``Supervisor/Refusal`` for a file that cannot be read.
    package init(in data: String) throws(Supervisor.Refusal) {
        path = Self.path(in: data)
        guard DurableFile.exists(path) else { return }
        do {
            programs = try JSONDecoder().decode(
                [String: Substitute].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw Supervisor.Refusal(
                description: "\(path), which names the programs that have taken the state of services over, cannot be "
                    + "read: \(error); nothing was started")
        }
    }

    private static func path(in data: String) -> String { "\(data)/successors.json" }

    /// Notes which program has a service's state; nil: the description's. Durable when it returns.
    package mutating func note(_ program: Substitute?, of service: String) throws {
        guard programs[service] != program else { return }
        programs[service] = program
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try DurableFile.write(Array(try encoder.encode(programs)) + [UInt8(ascii: "\n")], to: path)
    }
}
