import Glibc

/// A secret key in a file of its own (mode 0600), apart from the data that it protects: whoever steals the database
/// does not have it.
package enum KeyFile {
    package enum KeyFileError: Error, CustomStringConvertible {
        case wrongLength(path: String, bytes: Int)
        case unreadable(path: String, reason: String)
        /// The data that it protects is there; a new key would make it worthless.
        case missing(path: String, data: String)

        package var description: String {
            switch self {
            case .wrongLength(let path, let bytes): "the key file \(path) holds \(bytes) bytes instead of 32"
            case .unreadable(let path, let reason): "the key file \(path) cannot be used: \(reason)"
            case .missing(let path, let data): "the key file \(path) is missing, and \(data) was written with it"
            }
        }
    }

    /// The 32 bytes of the file; a new random key if there is neither such a file nor any data yet.
    ///
    /// - Parameter data: the path of the database whose secrets the key protects; nil where a lost key does no harm, as
    ///   with pay codes, which live a minute.
    /// A new file appears whole or not at all: it is written and synced under another name first.
    package static func open(_ path: String, protecting data: String? = nil) throws(KeyFileError) -> [UInt8] {
        if access(path, F_OK) != 0 {
            if let data, access(data, F_OK) == 0 { throw .missing(path: path, data: data) }
            try make(path)
        }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        // One byte more than a key has, to see a file that is too long.
        var key = [UInt8](repeating: 0, count: 33)
        let count = read(descriptor, &key, key.count)
        guard count >= 0 else { throw failure(path) }
        guard count == 32 else { throw .wrongLength(path: path, bytes: count) }
        return Array(key[..<32])
    }

    private static func make(_ path: String) throws(KeyFileError) {
        let draft = "\(path).\(getpid())"
        let descriptor = Glibc.open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        defer {
            close(descriptor)
            unlink(draft)
        }
        let key = Randomness.shared.bytes(32)
        guard write(descriptor, key, key.count) == key.count, fsync(descriptor) == 0 else { throw failure(path) }
        // Fails when another process was faster; then its key is the key.
        guard link(draft, path) == 0 || errno == EEXIST else { throw failure(path) }
    }

    private static func failure(_ path: String) -> KeyFileError {
        .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
}
