import Contracts
import Foundation
import Primitives
import ServiceKit
import Sodium

/// Puts a backup's files in the place of a stopped set's.
///
/// Each file is copied beside its place first and looked at; only when all are there and right is any put in place.
/// Whoever may start meanwhile finds a lock, and one left half done keeps a service from starting with nothing
/// (`SQLiteFile`).
package struct BackupRestorer {
    package enum Trouble: Error, CustomStringConvertible {
        case noBackup(String)
        case noService(String)
        case noKeys(String)
        case unusable([String])
        case running(service: String)
        case dataThere([String])
        case keyDiffers(String)
        case keysMissing([MissingKey])
        /// The key that the service would open is not the one that the copy was written with.
        case keyOfOther(String)
        /// Before any file was in place.
        case notBegun(String)
        case failed(String)

        package var description: String {
            switch self {
            case .noBackup(let why): "this is no backup: \(why)"
            case .noService(let name): "nothing was restored: '\(name)' is no service with data"
            case .noKeys(let path): "nothing was restored: there are no keys in \(path)"
            case .unusable(let problems):
                "this backup cannot be used, and nothing was restored: \(problems.joined(separator: "; "))"
            case .running(let service):
                "\(service) is running, and nothing was restored: stop the set ('billfold down') and restore again"
            case .dataThere(let files):
                "nothing was restored: there is data already: \(files.joined(separator: ", ")). --replace sets it aside"
            case .keyDiffers(let path):
                "nothing was restored: \(path) is another key than the one in the backup; set one of them aside first"
            case .keysMissing(let keys):
                "the set could not start without its keys, and nothing was restored. Say --keys with the directory that "
                    + "'billfold backup --keys' wrote, or put them there: "
                    + keys.map(\.description).joined(separator: "; ")
            case .keyOfOther(let path):
                "\(path) is not the key that the backup's data was written with, and nothing was restored; put that one in its "
                    + "place"
            case .notBegun(let what): "\(what). Nothing was restored, and the data is as it was"
            case .failed(let what): "\(what); some files may be in place already: restore again"
            }
        }
    }

    package struct MissingKey: CustomStringConvertible {
        let service: String
        let path: String
        let variable: String

        package var description: String { "\(service)'s in \(path), or in a file that \(variable) names" }
    }

    private static func key(of service: String) -> ServiceKey? {
        Catalogue.dataOwners.first { $0.service == service }?.key
    }

    package struct Restored {
        package let manifest: BackupManifest
        /// The services whose data is restored, and what was put aside for it.
        package let services: [String]
        package let aside: [String]
        /// The newest fact of the ledger that was there, where the restored one ends before it.
        package let forgottenHead: Int64?
    }

    private let directory: String
    private let data: String
    private let keys: String?
    private let services: [String]
    private let replaces: Bool
    private let now: Timestamp
    private let environment: [String: String]

    /// - Parameters:
    ///   - data: the data directory, with a directory of each service in it.
    ///   - keys: a directory with copies of keys; nil where they are in place.
    ///   - services: whose data; empty for all.
    ///   - environment: the set's settings, where they name files of keys.
    package init(
        from directory: String, into data: String, keys: String?, services: [String], replaces: Bool, now: Timestamp,
        environment: [String: String] = [:]
    ) {
        self.environment = environment
        self.directory = directory
        self.data = data
        self.keys = keys
        self.services = services
        self.replaces = replaces
        self.now = now
    }

    @discardableResult
    package func restore(progress: (String) -> Void) throws(Trouble) -> Restored {
        let manifest = try Self.manifest(of: directory)
        let entries = manifest.services.filter { services.isEmpty || services.contains($0.service) }
        try checkFiles(entries)
        let locks = try entries.map { entry throws(Trouble) in try lock(entry) }
        defer { for lock in locks { close(lock) } }
        let there = entries.map { "\(data)/\($0.file)" }.filter(DurableFile.exists)
        guard there.isEmpty || replaces else { throw .dataThere(there) }
        try checkKeys(entries)
        try makeDrafts(entries, progress)
        do throws(DurableFile.Trouble) {
            try copyKeys(entries)
            try copyDigests(entries)
            let ledger = entries.first { $0.service == Wallet.service }
            // Before the ledger: its draft keeps the wallet from starting with the head of another one.
            let forgotten = try ledger.flatMap { entry throws(DurableFile.Trouble) in try putHead(entry) }
            var aside: [String] = []
            for entry in entries { aside += try put("\(data)/\(entry.file)") }
            return Restored(
                manifest: manifest, services: entries.map(\.service), aside: aside, forgottenHead: forgotten)
        } catch { throw .failed("\(error)") }
    }

    private func makeDrafts(_ entries: [BackupManifest.Entry], _ progress: (String) -> Void) throws(Trouble) {
        let drafts = entries.map { Self.draft("\(data)/\($0.file)") }
        // Drafts of an earlier restore that ended half-way say that what is in place may be half of it.
        let isHalf = drafts.contains(where: DurableFile.exists)
        do throws(DurableFile.Trouble) {
            for (entry, draft) in zip(entries, drafts) {
                progress(entry.service)
                try DurableFile.copy("\(directory)/\(entry.file)", to: draft)
            }
        } catch {
            guard !isHalf else { throw .failed("\(error)") }
            for draft in drafts { unlink(draft) }
            throw .notBegun("\(error)")
        }
    }

    /// What a service's store refuses to begin beside.
    private static func draft(_ path: String) -> String { path + ".restoring" }

    // MARK: Looking

    package static func manifest(of directory: String) throws(Trouble) -> BackupManifest {
        let path = "\(directory)/\(BackupManifest.fileName)"
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .noBackup(
                access(path, F_OK) != 0 && errno == ENOENT ? "\(path) is missing" : "\(path) cannot be read")
        }
        let manifest: BackupManifest
        do { manifest = try JSONDecoder().decode(BackupManifest.self, from: bytes) } catch {
            throw .noBackup("\(path) cannot be read")
        }
        guard manifest.problems.isEmpty else { throw .unusable(manifest.problems) }
        return manifest
    }

    private func checkFiles(_ entries: [BackupManifest.Entry]) throws(Trouble) {
        for service in services where !entries.contains(where: { $0.service == service }) { throw .noService(service) }
        var problems: [String] = []
        for entry in entries {
            do throws(Digest.FileError) {
                let found = try Digest.sha256(ofFile: "\(directory)/\(entry.file)")
                let hex = found.digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                if found.bytes != entry.bytes || hex != entry.sha256 {
                    problems.append("\(entry.file) is not what was copied")
                }
            } catch { problems.append("\(error)") }
        }
        guard problems.isEmpty else { throw .unusable(problems) }
    }

    /// The lock that a running service holds (`SQLiteFile`); held until all is in place.
    private func lock(_ entry: BackupManifest.Entry) throws(Trouble) -> Int32 {
        let path = "\(data)/\(entry.file)"
        do {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch { throw .failed("\(path): \(error.localizedDescription)") }
        let descriptor = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .failed("\(path).lock: \(String(cString: strerror(errno)))") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .running(service: entry.service)
        }
        return descriptor
    }

    // MARK: Keys

    private func keyFiles(_ entries: [BackupManifest.Entry]) -> [(source: String, target: String)] {
        guard let keys else { return [] }
        return entries.flatMap { entry in
            let directory = "\(keys)/\(entry.service)"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
            // A key's digest is as long as the key.
            return names.sorted().filter { !$0.hasSuffix(".digest") }
                .map { ("\(directory)/\($0)", "\(data)/\(entry.service)/\($0)") }
                .filter { source, _ in FileManager.default.contents(atPath: source)?.count == Self.keyBytes }
        }
    }

    /// The length by which a key is told from other files in a directory that was named by mistake.
    private static let keyBytes = 32

    private func checkKeys(_ entries: [BackupManifest.Entry]) throws(Trouble) {
        let files = keyFiles(entries)
        if let keys, files.isEmpty { throw .noKeys(keys) }
        for (source, target) in files {
            let present = FileManager.default.contents(atPath: target)
            guard present == nil || present == FileManager.default.contents(atPath: source) else {
                throw .keyDiffers(target)
            }
        }
        try checkKeysInUse(entries)
    }

    /// Whether each service finds the key that its copy was written with, as it will look for it.
    private func checkKeysInUse(_ entries: [BackupManifest.Entry]) throws(Trouble) {
        var missing: [MissingKey] = []
        for entry in entries {
            guard let name = Self.key(of: entry.service) else { continue }
            let own = "\(data)/\(entry.service)/\(name.file)"
            let named = environment[name.setting].flatMap(key)
            let vault = keyFiles([entry]).first { $0.target == own }.flatMap { key(in: $0.source) }
            guard let (path, key) = named ?? key(in: own) ?? vault else {
                missing.append(MissingKey(service: entry.service, path: own, variable: name.setting))
                continue
            }
            let digests = ["\(directory)/\(entry.service)/\(name.file)", own].lazy
                .compactMap { FileManager.default.contents(atPath: KeyFile.digestFile(of: $0)) }
            if let digest = digests.first, Array(digest) != KeyFile.digest(of: key) { throw .keyOfOther(path) }
        }
        guard missing.isEmpty else { throw .keysMissing(missing) }
    }

    private func key(in path: String) -> (path: String, key: [UInt8])? {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count == Self.keyBytes else { return nil }
        return (path, Array(bytes))
    }

    /// So that the restored set knows another key.
    private func copyDigests(_ entries: [BackupManifest.Entry]) throws(DurableFile.Trouble) {
        for entry in entries {
            guard let file = Self.key(of: entry.service)?.file else { continue }
            let source = KeyFile.digestFile(of: "\(directory)/\(entry.service)/\(file)")
            let target = KeyFile.digestFile(of: "\(data)/\(entry.service)/\(file)")
            guard DurableFile.exists(source) else { continue }
            try DurableFile.copy(source, to: target + ".draft")
            try DurableFile.rename(target + ".draft", to: target)
        }
    }

    private func copyKeys(_ entries: [BackupManifest.Entry]) throws(DurableFile.Trouble) {
        for (source, target) in keyFiles(entries) where !DurableFile.exists(target) {
            try DurableFile.copy(source, to: target + ".draft")
            try DurableFile.rename(target + ".draft", to: target)
        }
    }

    // MARK: Putting in place

    /// The old file goes first and its log with it, under names that still belong together: a new file beside an old
    /// log would be a mixture of both. `…restoring` is there until all is done.
    private func put(_ path: String) throws(DurableFile.Trouble) -> [String] {
        var aside: [String] = []
        var old = "\(path).replaced-\(now.rfc3339.filter { $0.isNumber })"
        // Only the log is there: an earlier try ended between the two.
        if !DurableFile.exists(path), let before = Self.newestAside(of: path) { old = before }
        for suffix in ["", "-wal"] where DurableFile.exists(path + suffix) {
            try DurableFile.rename(path + suffix, to: old + suffix)
            if suffix.isEmpty { aside.append(old) }
        }
        unlink(path + "-shm")
        // The restored file has not been moved to PostgreSQL (`PostgresMove`).
        unlink(path + ".moved")
        try DurableFile.rename(Self.draft(path), to: path)
        return aside
    }

    /// The copy of `path` that was set aside last, if it has no log.
    private static func newestAside(of path: String) -> String? {
        let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
        // A folder that cannot be listed has none that could be continued.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let newest = names.filter { $0.hasPrefix("\(name).replaced-") && !$0.hasSuffix("-wal") }.max()
        return newest.map { "\(folder)/\($0)" }.flatMap { DurableFile.exists($0 + "-wal") ? nil : $0 }
    }

    // MARK: The ledger's head

    /// Puts the backup's head of the ledger in the place of the one that was known: the wallet's next start compares
    /// with it.
    ///
    /// - Returns: the head that was known, where the restored ledger ends before it.
    private func putHead(_ entry: BackupManifest.Entry) throws(DurableFile.Trouble) -> Int64? {
        let path = "\(data)/\(entry.file).head.json"
        let known = FileManager.default.contents(atPath: path)
        let head = known.flatMap { try? JSONDecoder().decode(LedgerHead.self, from: $0) }?.services.first?.head
        let forgotten = head.flatMap { $0 > entry.head ? $0 : nil }
        if known != nil { try DurableFile.rename(path, to: "\(path).replaced-\(now.rfc3339.filter { $0.isNumber })") }
        guard let chain = entry.chain, chain.allSatisfy(\.isHexDigit) else { return forgotten }
        // Of digits and hex.
        let text = #"{"services":[{"service":"\#(entry.service)","head":\#(entry.head),"chain":"\#(chain)"}]}"#
        try DurableFile.write(Array(text.utf8), to: path)
        return forgotten
    }

    /// What is read of the form in which the wallet keeps it: a part of a manifest.
    private struct LedgerHead: Decodable {
        struct Entry: Decodable { let head: Int64 }
        let services: [Entry]
    }
}
