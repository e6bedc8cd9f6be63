import Configuration
import Majordomo
import ServiceKit

/// Every knob of the broker process, read from the environment.
struct BrokerConfiguration: Sendable {
    /// `BILLFOLD_RUN`, as for every process: the directory of the bus's sockets; they are guarded by its mode, 0770.
    let runDirectory: String
    /// `BILLFOLD_ASKS_TCP`: one more endpoint for asks, such as `tcp://127.0.0.1:5555`. Loopback only: without CURVE,
    /// whoever reaches this endpoint is believed.
    var asksTCP: String?
    /// `BILLFOLD_LISTEN` and `BILLFOLD_KEYS`: for peers on other hosts, `tcp://0.0.0.0:7700` and the broker's keys. It takes
    /// three ports: asks, facts in, facts out.
    var remote: (listen: String, keys: String)?
    /// Of these, `BILLFOLD_QUEUE_MS` sets how long an ask without a deadline waits for a worker: 100 to 300,000.
    var limits = Limits()

    /// Messages one peer may have waiting to be read by us; above that libzmq stops reading from it.
    var receiveHighWaterMark: Int32 = 2_000
    /// Messages waiting for one peer that does not read; above that answers to it are dropped. Twice a queue's
    /// bound: a client that has as many asks open as a queue holds loses none, and memory stays bounded.
    var sendHighWaterMark: Int32 = 20_000
    /// Facts waiting for one slow subscriber; above that it loses some, and asks their owner for them.
    var factsHighWaterMark: Int32 = 10_000

    static func from(_ host: HostConfig) throws -> BrokerConfiguration {
        func value(_ key: ConfigKey) -> String? { host.reader.string(forKey: key) }
        var configuration = BrokerConfiguration(runDirectory: host.runDirectory)
        if let endpoint = value("billfold.asks.tcp"), !endpoint.isEmpty {
            guard isLoopback(endpoint) else { throw BrokerFailure.notLoopback(endpoint) }
            configuration.asksTCP = endpoint
        }
        if let listen = value("billfold.listen"), !listen.isEmpty {
            guard let keys = value("billfold.keys"), !keys.isEmpty else { throw BrokerFailure.noKeys }
            configuration.remote = (listen, keys)
        }
        if let text = value("billfold.queue.ms"), !text.isEmpty {
            guard let time = Int64(text), (100...configuration.limits.deadlineMaxMs).contains(time) else {
                throw BrokerFailure.badQueueTime(text)
            }
            configuration.limits.queueTimeMs = time
        }
        return configuration
    }

    /// `tcp://127.0.0.0/8:PORT` or `tcp://[::1]:PORT`; a port of `*` lets the kernel choose.
    private static func isLoopback(_ endpoint: String) -> Bool {
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else { return false }
        let host = endpoint[..<colon].dropFirst("tcp://".count)
        let port = endpoint[endpoint.index(after: colon)...]
        guard port == "*" || UInt16(port) != nil else { return false }
        if host == "[::1]" { return true }
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false)
        return bytes.count == 4 && bytes[0] == "127" && bytes.allSatisfy { UInt8($0) != nil }
    }
}

/// Why the broker does not start.
enum BrokerFailure: Error, Equatable, CustomStringConvertible {
    case alreadyRunning(String)
    case pathTooLong(String, bytes: Int)
    case notLoopback(String)
    case noKeys
    case badQueueTime(String)
    case system(String, errno: Int32)

    var description: String {
        switch self {
        case .alreadyRunning(let path): "another broker holds \(path)"
        case .pathTooLong(let path, let bytes):
            "socket path \(path) has \(bytes) bytes, a Unix socket's may have 107: set BILLFOLD_RUN to a shorter one"
        case .notLoopback(let endpoint):
            "BILLFOLD_ASKS_TCP \(endpoint) is not a loopback endpoint such as tcp://127.0.0.1:5555"
        case .noKeys: "BILLFOLD_LISTEN needs BILLFOLD_KEYS, the broker's directory of keys ('billfold keys' makes it)"
        case .badQueueTime(let text): "BILLFOLD_QUEUE_MS \(text) is not a number of milliseconds from 100 to 300000"
        case .system(let what, let errno): "\(what): \(SystemError.text(errno))"
        }
    }
}
