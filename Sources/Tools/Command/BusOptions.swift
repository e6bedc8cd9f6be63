import ArgumentParser
import Bus
import BusZMQ
import Glibc
import Primitives
import ServiceKit
import Supervision

/// Where the bus is.
struct BusOptions: ParsableArguments, Sendable {
    @Option(name: .customLong("run"), help: "Directory of the bus's sockets (BILLFOLD_RUN).")
    var runDirectory: String?

    @Option(help: "A broker on another host, as tcp://HOST:PORT, or NATS, as nats://HOST:PORT (BILLFOLD_BUS).")
    var bus: String?

    @Option(name: .customLong("bus-keys"), help: "Directory of the keys which that broker lets in (BILLFOLD_KEYS).")
    var keys: String?

    func validate() throws {
        guard runDirectory == nil || (bus == nil && keys == nil) else {
            throw ValidationError("--run is a bus on this host, --bus one on another: only one of them")
        }
    }

    /// What the options say, or else the environment.
    func address() throws -> BusAddress {
        if let runDirectory { return .directory(runDirectory) }
        let config = try HostConfig.fromEnvironment()
        guard let bus else { return config.bus }
        do {
            return try HostConfig.busAddress(endpoint: bus, named: "--bus", keys: keys, config.reader)
        } catch let error as ConfigError {
            throw ValidationError(error.description)
        }
    }

    func open() throws -> (Reactor, Bus) {
        let address = try address()
        // Else every ask would wait for a broker until its deadline.
        if case .directory(let directory) = address, access("\(directory)/asks.sock", F_OK) != 0 {
            throw CommandFailure.unreachable(
                errno == EACCES
                    ? "\(directory) may not be read by this user: the set there is somebody else's"
                    : "no set runs in \(directory): 'billfold up' starts one, --run or BILLFOLD_RUN says where one is")
        }
        let reactor = try Reactor(Reactor.Settings(bus: address.whenRefused(.ends(ExitStatus.unreachable.rawValue))))
        reactor.start()
        return (reactor, Bus(name: "billfold", transport: reactor))
    }

    /// The run directory of the set on this host, whatever its bus is; nil where another host's bus is meant.
    var ownRun: String? { bus == nil ? try? runDirectory ?? HostConfig.fromEnvironment().runDirectory : nil }

    /// The processes of the set that `billfold up` runs on this host; none where another host's bus is meant.
    var supervised: [SetControl.Listing.Process] {
        guard let ownRun, let client = try? SetClient(run: ownRun) else { return [] }
        return (try? client.list())?.processes ?? []  // the set has ended
    }

    func context(_ bus: Bus) -> AskContext { AskContext(deadline: bus.clock.now() + .seconds(30)) }
}
