import Foundation
import Scaffold

/// The comments in `Sources/Contracts`, read from the source: what a running process cannot know.
enum ContractsSource {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Contracts").standardized

    /// A path, a colon and the comment on each line, sorted.
    static func comments() throws -> [String] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .flatMap { CommentReader(try String(contentsOf: $0, encoding: .utf8)).lines }
            .sorted()
    }
}
