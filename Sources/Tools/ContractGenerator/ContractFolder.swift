import Foundation

/// `Sources/Contracts` on the disk: declarations, and `Generated/` below them.
package struct ContractFolder: Sendable {
    private let declarations: URL
    private var generated: URL { declarations.appending(path: "Generated") }

    package init(at path: String) { declarations = URL(fileURLWithPath: path, isDirectory: true) }

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

    private func contracts() throws -> Contracts { Contracts(try Self.files(in: declarations)) }

    private static func files(in folder: URL) throws -> [Contracts.File] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .map { Contracts.File(name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
    }
}
