import Foundation

/// The committed golden files: what each message looks like on the wire.
///
/// To write them anew after a change of the samples, run the tests with `BILLFOLD_WRITE_GOLDEN=1` and read the
/// difference before it is committed: what used to be understood has to be understood still.
enum GoldenFolder {
    static let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    static let isWriting = ProcessInfo.processInfo.environment["BILLFOLD_WRITE_GOLDEN"] == "1"

    static func file(_ name: String) -> URL { url.appending(path: name + ".json") }

    static func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: file(name))) }

    /// The names of all files, without `.json`.
    static func names() throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        return Set(files.filter { $0.pathExtension == "json" }.map { $0.deletingPathExtension().lastPathComponent })
    }
}
