import Bus
import Contracts
import Foundation
import Logging
import Sodium

/// Answers operators who want a copy of a service's data.
struct BackupHandler<Service: BusService>: Answering {
    typealias Copy = @Sendable (_ path: String) async throws -> DataCopy

    /// The database, and the files of the keys that its secrets are kept with, by the names that they have beside it.
    let file: String
    let keys: [String: String]
    let copy: Copy
    let logger: Logger

    private static var pathBytesMax: Int { 1024 }

    func answer(_ ask: WriteBackup<Service>, in context: AskContext) async throws(Fault) -> DataCopy {
        let directory = try Self.own(in: ask.directory)
        let vault: String?
        if let keys = ask.keys {
            let apart = (ask.directory as NSString).standardizingPath
            guard (keys as NSString).standardizingPath != apart else {
                throw Fault(.malformed, "keys and data go into different directories")
            }
            vault = try Self.own(in: keys)
        } else {
            vault = nil
        }
        let name = (file as NSString).lastPathComponent
        let made: DataCopy
        do { made = try await copy("\(directory)/\(name)") } catch {
            logger.error("a backup could not be written", metadata: ["error": "\(error)"])
            throw Fault(.unavailable, "no copy could be written: \(error)")
        }
        for name in keys.keys {
            let digest = KeyFile.digestFile(of: "\((file as NSString).deletingLastPathComponent)/\(name)")
            // A service that knows its key otherwise has none.
            guard access(digest, F_OK) == 0 else { continue }
            try Self.copyKey(digest, to: KeyFile.digestFile(of: "\(directory)/\(name)"))
        }
        var copied: [String] = []
        for (name, key) in vault == nil ? [:] : keys {
            try Self.copyKey(key, to: "\(vault ?? "")/\(name)")
            copied.append("\(Service.service)/\(name)")
        }
        logger.info("backup written", metadata: ["bytes": "\(made.bytes)", "head": "\(made.head)"])
        return DataCopy(
            file: "\(Service.service)/\(name)", bytes: made.bytes, sha256: made.sha256, head: made.head,
            cursors: made.cursors, keys: copied, pauseMicroseconds: made.pauseMicroseconds, entries: made.entries,
            hash: made.hash, chain: made.chain)
    }

    /// The service's own directory in one that exists.
    private static func own(in directory: String) throws(Fault) -> String {
        guard directory.hasPrefix("/"), directory.utf8.count <= pathBytesMax, !directory.utf8.contains(0) else {
            throw Fault(.malformed, "a directory is an absolute path of at most \(pathBytesMax) bytes")
        }
        let own = "\(directory)/\(Service.service)"
        guard mkdir(own, 0o700) == 0 || errno == EEXIST else {
            throw Fault(.malformed, "\(own) cannot be made: \(String(cString: strerror(errno)))")
        }
        return own
    }

    /// 32 bytes, for this user only, on the disk before it is told of.
    private static func copyKey(_ source: String, to path: String) throws(Fault) {
        let key = FileManager.default.contents(atPath: source)
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        guard let key, descriptor >= 0,
            key.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == key.count,
            fsync(descriptor) == 0
        else { throw Fault(.unavailable, "\(path) cannot be written") }
    }
}
