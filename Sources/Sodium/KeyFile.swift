import Foundation

/// A secret key in a file of its own (mode 0600), apart from the data that it protects: whoever steals the database
/// does not have it.
package enum KeyFile {
    package enum KeyFileError: Error, CustomStringConvertible {
        case wrongLength(path: String, bytes: Int)
        case unreadable(path: String, reason: String)

        package var description: String {
            switch self {
            case .wrongLength(let path, let bytes): "the key file \(path) holds \(bytes) bytes instead of 32"
            case .unreadable(let path, let reason): "the key file \(path) cannot be used: \(reason)"
            }
        }
    }

    /// The 32 bytes of the file; a new random key if there is no such file yet.
    package static func open(_ path: String) throws(KeyFileError) -> [UInt8] {
        do {
            let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
            if descriptor >= 0 {
                defer { close(descriptor) }
                let key = Randomness.shared.bytes(32)
                guard write(descriptor, key, key.count) == key.count, fsync(descriptor) == 0 else {
                    unlink(path)
                    throw KeyFileError.unreadable(path: path, reason: String(cString: strerror(errno)))
                }
                return key
            }
            let key = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            guard key.count == 32 else { throw KeyFileError.wrongLength(path: path, bytes: key.count) }
            return key
        } catch let error as KeyFileError {
            throw error
        } catch {
            throw .unreadable(path: path, reason: error.localizedDescription)
        }
    }
}
