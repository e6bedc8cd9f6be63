import Foundation

/// A folder of declarations on the disk, and `Generated/` below them.
package struct ContractFolder: Sendable {
    /// The folders of declarations, from the project's own folder, and what is written for each.
    private static let places: [(path: String, writing: Contracts.Writing)] = [
        ("Sources/Contracts", .messages), ("Services/Gateway/Routes", .codecs), ("Sources/TouchApp", .codecs)
    ]

    /// - Parameter root: the project's folder.
    package static func all(of root: String) -> [ContractFolder] {
        places.map { ContractFolder(path: $0.path, at: "\(root)/\($0.path)", $0.writing) }
    }

    /// From the project's folder.
    package let path: String
    private let declarations: URL
    private let writing: Contracts.Writing
    private var generated: URL { declarations.appending(path: "Generated") }

    private init(path: String, at place: String, _ writing: Contracts.Writing) {
        self.path = path
        self.writing = writing
        declarations = URL(fileURLWithPath: place, isDirectory: true)
    }

    /// The files that are not what follows from the declarations: changed, missing or no longer needed.
    package func stale() throws -> [String] {
        let (wanted, there) = (try contracts().generated, try Self.files(in: generated))
        let texts = Dictionary(uniqueKeysWithValues: there.map { ($0.name, $0.text) })
        let changed = wanted.filter { texts[$0.name] != $0.text }.map(\.name)
        return (changed + Set(there.map(\.name)).subtracting(wanted.map(\.name))).sorted()
    }

    /// Writes what is stale, so that a build compiles no more than it has to.
    package func write() throws {
        try FileManager.default.createDirectory(at: generated, withIntermediateDirectories: true)
        let wanted = Dictionary(uniqueKeysWithValues: try contracts().generated.map { ($0.name, $0.text) })
        for name in try stale() {
            let file = generated.appending(path: name)
            if let text = wanted[name] {
                try Data(text.utf8).write(to: file)
            } else {
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    private func contracts() throws -> Contracts { Contracts(try Self.files(in: declarations), writing: writing) }

    private static func files(in folder: URL) throws -> [Contracts.File] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .map { Contracts.File(name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
    }
}
