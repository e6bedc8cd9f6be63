import BusZMQ
import Glibc
import ZMTP

/// The directory of the bus's sockets, held by one broker at a time.
///
/// A second `bind` on a Unix socket path steals it silently, so a lock comes first; the kernel gives it back
/// however the holder ends.
final class RunDirectory: Sendable {
    static let asks = "asks.sock"
    static let factsIn = "facts-in.sock"
    static let factsOut = "facts-out.sock"

    /// What operators show to get copies of asks: new at each start, for this user only.
    static let operatorKeyFile = "operator.key"

    let operatorKey: [UInt8]
    private let path: String
    private let lock: Int32

    /// Creates and locks the directory and removes sockets a dead broker left.
    ///
    /// - Throws: ``BrokerFailure`` when another broker, ours or not, serves there.
    init(_ path: String) throws {
        self.path = path
        for name in [Self.asks, Self.factsIn, Self.factsOut] {
            let full = "\(path)/\(name)"
            guard full.utf8.count <= UnixSocket.pathBytesMax else {
                throw BrokerFailure.pathTooLong(full, bytes: full.utf8.count)
            }
        }
        // Sockets get the group's rights too: other services may run under other users of one group.
        umask(0o007)
        try RunDirectoryCheck.verify(path)
        try Self.create(path)
        lock = try Self.lock("\(path)/broker.lock", directory: path)
        // `deinit` gives the lock back, also when this throws.
        for name in [Self.asks, Self.factsIn, Self.factsOut] { try Self.removeStale("\(path)/\(name)") }
        operatorKey = try Self.writeKey("\(path)/\(Self.operatorKeyFile)")
    }

    deinit { close(lock) }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func endpoint(_ name: String) -> String { "ipc://\(path(of: name))" }

    func removeSockets() {
        for name in [Self.asks, Self.factsIn, Self.factsOut, Self.operatorKeyFile] { unlink("\(path)/\(name)") }
    }

    /// Written aside and renamed: whoever reads it finds all of it.
    private static func writeKey(_ path: String) throws -> [UInt8] {
        var key = [UInt8](repeating: 0, count: 32)
        getentropy(&key, key.count)
        unlink("\(path).new")
        let file = open("\(path).new", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BrokerFailure.system("cannot create \(path).new", errno: errno) }
        defer { close(file) }
        guard write(file, key, key.count) == key.count, rename("\(path).new", path) == 0 else {
            throw BrokerFailure.system("cannot write \(path)", errno: errno)
        }
        return key
    }

    private static func create(_ path: String) throws {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/\(part)"
            if mkdir(made, 0o770) != 0 && errno != EEXIST {
                throw BrokerFailure.system("cannot create \(made)", errno: errno)
            }
        }
    }

    private static func lock(_ path: String, directory: String) throws -> Int32 {
        let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o660)
        guard file >= 0 else { throw BrokerFailure.system("cannot open \(path)", errno: errno) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(file)
            if reason == EWOULDBLOCK { throw BrokerFailure.alreadyRunning(directory) }
            throw BrokerFailure.system("cannot lock \(path)", errno: reason)
        }
        return file
    }

    /// Removes a socket nobody listens on. One that accepts belongs to a broker that does not know our lock.
    private static func removeStale(_ path: String) throws {
        do throws(LinkFault) {
            close(try UnixSocket.connect(path))
        } catch {
            if error == .system(ECONNREFUSED) { unlink(path) }
            return
        }
        throw BrokerFailure.alreadyRunning(path)
    }
}

enum SystemError {
    static func text(_ errno: Int32) -> String { String(cString: strerror(errno)) }
}
