import Bus
import BusZMQ
import Configuration
import Foundation
import Logging
import NATS
import Sodium

/// A setting that cannot be used, and why.
package struct ConfigError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// What every process is told by its environment. The names are public: scripts and foreign services use them.
package struct HostConfig: Sendable {
    /// `BILLFOLD_RUN`: directory of the bus's sockets.
    package var runDirectory: String
    /// `BILLFOLD_BUS` and `BILLFOLD_KEYS`: a broker on another host, `tcp://HOST:PORT`, and the directory of the keys
    /// that it lets in; or a NATS cluster, `nats://HOST:PORT` or `tls://HOST:PORT`. Absent: the sockets in the run
    /// directory.
    package var bus: BusAddress
    /// `BILLFOLD_DATA`, or `DB_DATABASE`: directory under which each service keeps a directory of its own.
    package var dataDirectory: String
    /// `BILLFOLD_STORE`: a PostgreSQL database in which each service has a schema, as
    /// `postgres://USER@HOST1,HOST2/NAME`. Nil: each service has a file.
    package var store: String?
    /// `BILLFOLD_LOG`: trace, debug, info, notice, warning, error or critical.
    package var logLevel: Logger.Level
    /// `BILLFOLD_LOG_FORMAT`: `json` or `text`; text on a terminal, JSON elsewhere.
    package var logsJSON: Bool
    /// `BILLFOLD_SCHED`: `batch` or `other`; nil where each service has its own.
    package var scheduling: Scheduling?

    package let reader: ConfigReader

    /// Where `BILLFOLD_RUN` names no other.
    package static var runDirectoryUsual: String { "/tmp/billfold-\(getuid())" }

    package static func fromEnvironment() throws -> HostConfig {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider())
        let level = reader.string(forKey: "billfold.log", default: "info")
        guard let logLevel = Logger.Level(rawValue: level) else {
            throw ConfigError(
                "BILLFOLD_LOG is '\(level)'; it can be trace, debug, info, notice, warning, error or critical")
        }
        let format = reader.string(forKey: "billfold.log.format", default: isatty(STDERR_FILENO) == 1 ? "text" : "json")
        guard ["json", "text"].contains(format) else {
            throw ConfigError("BILLFOLD_LOG_FORMAT is '\(format)'; it can be json or text")
        }
        let scheduling = try reader.string(forKey: "billfold.sched").map { name in
            guard let scheduling = Scheduling(rawValue: name) else {
                throw ConfigError("BILLFOLD_SCHED is '\(name)'; it can be batch or other")
            }
            return scheduling
        }
        // Foundation looks into the password file only.
        let home = reader.string(forKey: "home", default: NSHomeDirectory())
        let names = try DatabaseNames(reader, shared: "\(home)/.local/share")
        let runDirectory = path("billfold.run", reader) ?? runDirectoryUsual
        return HostConfig(
            runDirectory: runDirectory, bus: try busAddress(reader, runDirectory: runDirectory),
            dataDirectory: path("billfold.data", reader) ?? names.dataDirectory,
            store: try storeAddress(reader.string(forKey: "billfold.store"), named: "BILLFOLD_STORE"),
            logLevel: logLevel, logsJSON: format == "json", scheduling: scheduling, reader: reader)
    }

    /// An address of PostgreSQL; nil where none is named.
    ///
    /// - Parameter name: of the setting that has it.
    /// - Throws: `ConfigError` for anything else.
    package static func storeAddress(_ address: String?, named name: String) throws -> String? {
        guard let address, !address.isEmpty else { return nil }
        guard address.hasPrefix("postgres://") || address.hasPrefix("postgresql://") else {
            // Not the value: it may hold a password.
            throw ConfigError("\(name) is no address of PostgreSQL, which begins with postgres://")
        }
        return address
    }

    /// Where a service's state is: its schema in PostgreSQL where one is named, its file otherwise.
    ///
    /// - Parameter keys: those that the data cannot be used without, by their names in a copy.
    package func place(of service: String, file: String, keys: [String: [UInt8]] = [:]) -> StorePlace {
        guard let store else { return .file(file) }
        return .postgres(address: store, schema: service, keys: keys.mapValues(KeyFile.digest(of:)), file: file)
    }

    private static func busAddress(_ reader: ConfigReader, runDirectory: String) throws -> BusAddress {
        guard let endpoint = reader.string(forKey: "billfold.bus"), !endpoint.isEmpty else {
            return .directory(runDirectory)
        }
        return try busAddress(endpoint: endpoint, named: "BILLFOLD_BUS", keys: nil, reader)
    }

    /// - Parameters:
    ///   - endpoint: `tcp://HOST:PORT` of a broker, or servers of NATS as ``NATSServers`` reads them.
    ///   - name: of the setting that has it.
    ///   - keys: the directory of a peer's keys; nil: what the environment says.
    /// - Throws: `ConfigError`, `KeyError`.
    package static func busAddress(
        endpoint: String, named name: String, keys: String?, _ reader: ConfigReader
    ) throws -> BusAddress {
        guard NATSServers.areMeant(by: endpoint) else {
            guard (try? BusAddress.hostAndPort(endpoint)) != nil else {
                // Not the value: it may hold a password.
                throw ConfigError(
                    "\(name) names neither a broker, tcp://HOST:PORT with a port of 1 to 65533, nor servers of NATS, "
                        + "nats://HOST:PORT or tls://HOST:PORT")
            }
            let keys = keys ?? reader.string(forKey: "billfold.keys", default: "")
            return try BusAddress(endpoint: endpoint, keys: keys)
        }
        let servers: NATSServers
        do { servers = try NATSServers(endpoint) } catch {
            throw ConfigError("\(name) cannot be read: \(error)")
        }
        var access = NATSAccess(servers: servers)
        access.credentialsFile = path("billfold.nats.credentials", reader)
        access.authorityFile = path("billfold.nats.ca.file", reader)
        access.certificateFile = path("billfold.nats.cert.file", reader)
        access.keyFile = path("billfold.nats.key.file", reader)
        return .nats(access)
    }

    /// The service's own directory, made if need be, for this user only.
    package func dataDirectory(of service: String) throws -> String {
        let path = "\(dataDirectory)/\(service)"
        try Directories.make(path, mode: 0o700)
        return path
    }

    /// The path that the environment names; nil where it names none. An empty one is none.
    package func path(_ key: String) -> String? { Self.path(key, reader) }

    private static func path(_ key: String, _ reader: ConfigReader) -> String? {
        reader.string(forKey: ConfigKey(key)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A whole number from the environment, within bounds.
    package func integer(_ key: String, default value: Int, in range: ClosedRange<Int>) throws -> Int {
        let name = key.uppercased().replacingOccurrences(of: ".", with: "_")
        guard let text = reader.string(forKey: ConfigKey(key)) else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw ConfigError("\(name) is '\(text)'; it has to be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
