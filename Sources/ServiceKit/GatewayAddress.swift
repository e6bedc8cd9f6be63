import Glibc

/// The address at which a set's gateway answers, and the one it listens on: two lines in a file of the set's run
/// directory.
///
/// The gateway keeps the file locked as long as it runs, and removes it at its end. The kernel releases the lock of a
/// process that was killed, so that what it left is not taken for a gateway.
package struct GatewayAddress: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// What a run directory says of its set's gateway.
    package enum Reading: Sendable, Equatable {
        /// Reachable as `127.0.0.1:8080`; `listening` is the same, or `0.0.0.0:8080`.
        case serving(String, listening: String)
        /// A gateway was here and was killed.
        case ended
        case none
    }

    private static let fileName = "gateway.address"
    /// Of the file; an address is far shorter.
    private static let bytesMax = 256

    private let path: String
    private let file: Int32

    /// Leaves the address of this process in a run directory.
    ///
    /// - Returns: nil where another gateway of the same set has left its own, which stays.
    package static func leave(_ address: String, in run: String) throws(Failure) -> GatewayAddress? {
        // Whichever process of a set is first makes it.
        do throws(Directories.Failure) { try Directories.make(run, mode: 0o770) } catch {
            throw Failure(description: error.description)
        }
        let path = "\(run)/\(fileName)"
        while true {
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
            guard file >= 0 else { throw failure("cannot open \(path)") }
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            guard fcntl(file, F_SETLK, &lock) == 0 else {
                let isHeld = errno == EAGAIN || errno == EACCES
                defer { close(file) }
                if isHeld { return nil }
                throw failure("cannot lock \(path)")
            }
            // The gateway before may have removed the file between its opening and its locking.
            var (mine, named) = (stat(), stat())
            guard fstat(file, &mine) == 0, stat(path, &named) == 0, mine.st_ino == named.st_ino else {
                close(file)
                continue
            }
            let lines = Array("\(HealthProbe.reachable(address))\n\(address)\n".utf8)
            // For the group, whatever the umask is: commands of other users of the set read it.
            guard fchmod(file, 0o640) == 0, ftruncate(file, 0) == 0, write(file, lines, lines.count) == lines.count
            else {
                defer { close(file) }
                throw failure("cannot write \(path)")
            }
            return GatewayAddress(path: path, file: file)
        }
    }

    /// At the gateway's end.
    package func remove() {
        unlink(path)
        close(file)
    }

    package static func read(in run: String) -> Reading {
        let file = open("\(run)/\(fileName)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return .none }
        defer { close(file) }
        // A question only: a lock of this process could be in the way of a gateway that starts.
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return .ended }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = Glibc.read(file, &bytes, bytes.count)
        let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        guard text.hasSuffix("\n") else { return .none }  // it is being written
        let lines = text.split(separator: "\n").map(String.init)
        guard let address = lines.first else { return .none }
        // A gateway of an older release has left one line.
        return .serving(address, listening: lines.count > 1 ? lines[1] : address)
    }

    private static func failure(_ words: String) -> Failure {
        Failure(description: "\(words): \(String(cString: strerror(errno)))")
    }
}
