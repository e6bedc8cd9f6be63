import Glibc

/// A secret key in a file of its own (mode 0600), apart from the data that it protects: whoever steals the database
/// does not have it.
package enum KeyFile {
    package enum KeyFileError: Error, CustomStringConvertible {
        case wrongLength(path: String, bytes: Int)
        case unreadable(path: String, reason: String)
        /// The data that it protects is there; a new key would make it worthless.
        case missing(path: String, data: String)
        /// Every secret in the data would be refused, and every try would be counted.
        case other(path: String, data: String)

        package var description: String {
            switch self {
            case .wrongLength(let path, let bytes): "the key file \(path) holds \(bytes) bytes instead of 32"
            case .unreadable(let path, let reason): "the key file \(path) cannot be used: \(reason)"
            case .missing(let path, let data):
                "the key file \(path) is missing, and \(data) was written with it: put its copy there, from 'billfold backup --keys'"
            case .other(let path, let data):
                "the key file \(path) is not the one that \(data) was written with: put that one in its place"
            }
        }
    }

    /// The file that `open` takes its key from: the one that is named, unless it is empty or none is.
    package static func inUse(named: String?, otherwise own: String) -> String {
        guard let named, let given = try? read(named, orEmpty: true) else { return own }
        return given.isEmpty ? own : named
    }

    /// The 32 bytes of the file that is named; where none is, of the service's own, which is made when there is neither
    /// such a file nor any data yet.
    ///
    /// Beside its own file the service keeps a digest of the key that its data is written with, so that another one is
    /// told from it at the start.
    /// - Parameters:
    ///   - named: a file that others look after, such as a container's secret. It is never made here; an empty one
    ///     stands for none, as a description of containers has to name a file whether there is one or not.
    ///   - own: beside the data.
    ///   - data: the path of the database that the key belongs to.
    package static func open(
        named: String?, otherwise own: String, protecting data: String
    ) throws(KeyFileError) -> [UInt8] {
        let (key, source): ([UInt8], String)
        if let named, let given = try read(named, orEmpty: true) {
            (key, source) = (given, named)
        } else {
            (key, source) = (try open(own, protecting: data), own)
        }
        // Both are there while a key is on its way from the one to the other.
        if source != own, access(own, F_OK) == 0, try read(own) != key { throw .other(path: source, data: data) }
        let digest = digest(of: key)
        let path = digestFile(of: own)
        if access(path, F_OK) != 0 { try make(path, holding: digest) }
        guard try read(path) == digest else { throw .other(path: source, data: data) }
        return key
    }

    /// What tells a key from another without telling it: kept beside the data, and copied with it.
    package static func digest(of key: [UInt8]) -> [UInt8] {
        Digest.blake2b(Array("billfold.key.digest".utf8), key: key)
    }

    package static func digestFile(of own: String) -> String { "\(own).digest" }

    /// The 32 bytes of the file; a new random key if there is neither such a file nor any data yet.
    ///
    /// A new file appears whole or not at all: it is written and synced under another name first.
    /// - Parameter data: as above.
    package static func open(_ path: String, protecting data: String? = nil) throws(KeyFileError) -> [UInt8] {
        if access(path, F_OK) != 0 {
            if let data, access(data, F_OK) == 0 { throw .missing(path: path, data: data) }
            try make(path, holding: Randomness.shared.bytes(32))
        }
        return try read(path) ?? []
    }

    /// - Returns: nil for an empty file, where there may be one.
    private static func read(_ path: String, orEmpty: Bool = false) throws(KeyFileError) -> [UInt8]? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        // One byte more than a key has, to see a file that is too long.
        var key = [UInt8](repeating: 0, count: 33)
        let count = Glibc.read(descriptor, &key, key.count)
        guard count >= 0 else { throw failure(path) }
        if orEmpty, count == 0 { return nil }
        guard count == 32 else { throw .wrongLength(path: path, bytes: count) }
        return Array(key[..<32])
    }

    private static func make(_ path: String, holding key: [UInt8]) throws(KeyFileError) {
        // Not by the process's number, which is 1 in each container: a process that was killed here leaves its draft.
        let draft = "\(path).\(UInt32.random(in: 0...(.max))).draft"
        let descriptor = Glibc.open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        defer {
            close(descriptor)
            unlink(draft)
        }
        guard write(descriptor, key, key.count) == key.count, fsync(descriptor) == 0 else { throw failure(path) }
        // Fails when another process was faster; then its key is the key.
        guard link(draft, path) == 0 || errno == EEXIST else { throw failure(path) }
    }

    private static func failure(_ path: String) -> KeyFileError {
        .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
}
