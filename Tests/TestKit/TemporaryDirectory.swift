import Foundation

/// A directory that goes when the test does.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/billfold-test-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// A store that closes meanwhile removes files of its own, and a removal that misses one leaves the rest.
    deinit {
        for _ in 0..<100 where FileManager.default.fileExists(atPath: path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    package func file(_ name: String) -> String { path + "/" + name }

    package var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).map(file) }
    }
}
