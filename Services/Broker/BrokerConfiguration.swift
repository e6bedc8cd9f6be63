import Configuration
import Foundation
import Majordomo
import ServiceKit

/// Every knob of the broker process, read from the environment.
struct BrokerConfiguration: Sendable {
    /// `BILLFOLD_RUN`, as for every process: the directory of the bus's sockets; they are guarded by its mode, 0770.
    let runDirectory: String
    /// `BILLFOLD_ASKS_TCP`: one more endpoint for asks, such as `tcp://127.0.0.1:5555`. Loopback only: without CURVE,
    /// whoever reaches this endpoint is believed.
    var asksTCP: String?
    /// `BILLFOLD_LISTEN` and `BILLFOLD_KEYS`: for peers on other hosts, `tcp://0.0.0.0:7700` and the broker's keys. It
    /// takes three ports: asks, facts in, facts out.
    var remote: (listen: String, keys: String)?
    /// Of these, `BILLFOLD_QUEUE_MS` sets how long an ask without a deadline waits for a worker: 100 to 300,000.
    var limits = Limits()
    /// What messages may take: of `BILLFOLD_BROKER_MEMORY` MiB, or of the limit that the process runs under.
    let memory: MemoryBudget

    /// Messages of one peer by tcp that have come in; above that libzmq stops reading from it.
    var receiveHighWaterMark: Int32 = 256
    /// Messages waiting for one peer that does not read; above that answers to it are dropped. Twice a queue's
    /// bound: a client that has as many asks open as a queue holds loses none, and memory stays bounded.
    var sendHighWaterMark: Int32 = 20_000
    /// Facts waiting for one slow subscriber; above that it loses some, and asks their owner for them.
    var factsHighWaterMark: Int32 = 10_000

    static func from(_ host: HostConfig) throws -> BrokerConfiguration {
        func value(_ key: ConfigKey) -> String? { host.reader.string(forKey: key) }
        let memory = try memory(value("billfold.broker.memory"))
        var configuration = BrokerConfiguration(runDirectory: host.runDirectory, memory: memory)
        configuration.limits.heldBytes = memory.asks
        configuration.limits.givenBytesPerWorker = memory.asks / 8
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

    /// The smallest of what is set and what the kernel allows. Most of an address space is reserved and never used, so
    /// a quarter of a limit on that counts.
    private static func memory(_ setting: String?) throws -> MemoryBudget {
        // A file that cannot be read is a limit that this machine does not have.
        var limits = [MemoryLimit.ofControlGroup { try? String(contentsOfFile: $0, encoding: .utf8) }].compactMap { $0 }
        var space = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0, space.rlim_cur != rlim_t.max {
            limits.append(Int(clamping: space.rlim_cur / 4))
        }
        if let setting, !setting.isEmpty {
            let range = MemoryBudget.processMin >> 20...MemoryBudget.processMax >> 20
            guard let mebibytes = Int(setting), range.contains(mebibytes) else {
                throw BrokerFailure.badMemory(setting)
            }
            limits.append(mebibytes << 20)
        } else {
            limits.append(MemoryBudget.processDefault)
        }
        return MemoryBudget(process: limits.min() ?? MemoryBudget.processDefault)
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
    case badMemory(String)
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
        case .badMemory(let text): "BILLFOLD_BROKER_MEMORY \(text) is not a number of MiB from 64 to 65536"
        case .system(let what, let errno): "\(what): \(SystemError.text(errno))"
        }
    }
}
