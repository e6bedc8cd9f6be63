import NATS

/// A set as local processes: what remains of its compose file without containers.
///
/// What a container's volumes, secrets and published ports stand for is put in their place: the run directory, the data
/// directory, the secrets' files, the address to listen on. Everything else stays as the file has it.
package struct LocalSet: Sendable, Equatable {
    /// In the file's order.
    package let processes: [LocalProcess]

    /// Where a set is on this machine.
    package struct Places: Sendable, Equatable {
        /// The directory of the compose file: relative paths begin there.
        package var project: String
        package var run: String
        package var data: String
        /// Where `billfold` itself is: the services' executables are beside it.
        package var executables: String

        package init(project: String, run: String, data: String, executables: String) {
            self.project = project
            self.run = run
            self.data = data
            self.executables = executables
        }
    }

    /// - Parameters:
    ///   - profiles: services of others are left out.
    ///   - environment: what processes have beside what the file says. What the file says wins. Where its BILLFOLD_BUS
    ///     is NATS, the set has no broker.
    /// - Throws: for a set that names no broker, or whose services wait for each other in a circle.
    package init(
        _ file: ComposeFile, at places: Places, profiles: Set<String> = [], environment: [String: String] = [:]
    ) throws(ComposeError) {
        let isOnNATS = NATSServers.areMeant(by: environment["BILLFOLD_BUS"] ?? "")
        let chosen = file.services.filter { $0.profiles.isEmpty || !profiles.isDisjoint(with: $0.profiles) }
            .filter { !isOnNATS || $0.name != Self.broker }
        let names = Set(chosen.map(\.name))
        for service in chosen {
            for dependency in service.dependencies
            where !names.contains(dependency.service) && !(isOnNATS && dependency.service == Self.broker) {
                throw ComposeError(
                    "\(service.name) depends on \(dependency.service), which is of a profile that was not asked for")
            }
        }
        let count = try Self.gateways(environment["BILLFOLD_GATEWAYS"])
        var processes: [LocalProcess] = []
        for service in chosen {
            let process = LocalProcess(service, of: file, at: places, environment, isOnNATS: isOnNATS)
            processes += process.listensOn == nil || count == 1 ? [process] : try process.side(bySide: count)
        }
        self.processes = processes
        if let circle = Self.circle(processes) {
            throw ComposeError("these wait for each other: \(circle.joined(separator: ", "))")
        }
    }

    static let broker = "broker"
    private static let gatewaysMax = 16

    private static func gateways(_ text: String?) throws(ComposeError) -> Int {
        guard let text, !text.isEmpty else { return 1 }
        guard let count = Int(text), (1...gatewaysMax).contains(count) else {
            throw ComposeError("BILLFOLD_GATEWAYS is 1 to \(gatewaysMax), not '\(text)'")
        }
        return count
    }

    package subscript(_ name: String) -> LocalProcess? { processes.first { $0.name == name } }

    /// Services none of which can ever be first.
    private static func circle(_ processes: [LocalProcess]) -> [String]? {
        var left = processes
        while !left.isEmpty {
            let names = Set(left.map(\.name))
            let rest = left.filter { process in process.dependencies.contains { names.contains($0.service) } }
            if rest.count == left.count { return rest.map(\.name) }
            left = rest
        }
        return nil
    }
}

/// One process of a set: what to start, and when.
package struct LocalProcess: Sendable, Equatable {
    package let name: String
    /// The name of the first gateway, for a further one; nil for all others.
    package private(set) var instanceOf: String?
    /// Executable and arguments; an executable without a slash is looked for beside `billfold`, then in `PATH`.
    package let command: [String]
    package let environment: [String: String]
    package let dependencies: [ComposeFile.Dependency]
    package let restart: ComposeFile.Restart
    package let health: Health
    /// Where the gateway is to listen, as `127.0.0.1:8080`; nil of all others.
    package let listensOn: String?

    /// How it is found out that the process does its work.
    package enum Health: Sendable, Equatable {
        /// It runs.
        case runs
        /// A service of Billfold of this name: it answers on the bus.
        case bus(String)
        /// Our gateway: it answers over HTTP at the address that it leaves in the run directory.
        case gateway
        /// Another gateway in its place: it answers over HTTP at this address.
        case http(String)
        /// Whatever else: this command's exit status is 0.
        case command([String])
    }

    init(
        _ service: ComposeFile.Service, of file: ComposeFile, at places: LocalSet.Places,
        _ inherited: [String: String], isOnNATS: Bool = false
    ) {
        name = service.name
        instanceOf = nil
        dependencies = service.dependencies.filter { !isOnNATS || $0.service != LocalSet.broker }
        restart = service.restart
        var command = service.localCommand ?? service.command
        if command.isEmpty { command = ["billfold-\(service.name)"] }
        // An image's paths are not this machine's; its executables have the same names.
        if let name = command[0].split(separator: "/").last, name.hasPrefix("billfold-") { command[0] = String(name) }

        var environment = inherited
        for (key, value) in service.environment {
            environment[key] = Self.local(value, of: service, file, places)
        }
        environment.merge(service.localEnvironment) { $1 }
        // The shell may be about a broker elsewhere; this set's is here, unless the file says otherwise.
        if !isOnNATS, service.environment["BILLFOLD_BUS"] == nil { environment["BILLFOLD_BUS"] = nil }
        environment["BILLFOLD_RUN"] = places.run
        environment["BILLFOLD_DATA"] = places.data
        // Where the container listens is nobody's business here. Of a range of ports there is one process for the
        // first.
        if let port = service.ports.first, service.environment["BILLFOLD_HTTP"] != nil {
            environment["BILLFOLD_HTTP"] =
                inherited["BILLFOLD_HTTP"] ?? String(port.published.prefix { $0 != "-" })
        }
        self.command = command
        self.environment = environment

        listensOn = service.name == "gateway" ? environment["BILLFOLD_HTTP"] ?? "127.0.0.1:8080" : nil
        let health = Self.health(service.healthCheck?.test, http: listensOn ?? "127.0.0.1:8080")
        let isOurs = command[0] == "billfold-gateway"
        if case .http = health, isOurs { self.health = .gateway } else { self.health = health }
    }

    /// Several of it, on ports that follow each other. Each is asked at its own address.
    fileprivate func side(bySide count: Int) throws(ComposeError) -> [LocalProcess] {
        var all: [LocalProcess] = []
        for index in 0..<count {
            var environment = environment
            for setting in ["BILLFOLD_HTTP", "BILLFOLD_METRICS_HTTP"] {
                guard let address = setting == "BILLFOLD_HTTP" ? listensOn : environment[setting], !address.isEmpty
                else { continue }
                environment[setting] = try Self.address(address, further: index, setting)
            }
            all.append(
                LocalProcess(
                    name: index == 0 ? name : "\(name)-\(index + 1)", instanceOf: index == 0 ? nil : name,
                    command: command, environment: environment, dependencies: dependencies, restart: restart,
                    listensOn: environment["BILLFOLD_HTTP"] ?? ""))
        }
        return all
    }

    private init(
        name: String, instanceOf: String?, command: [String], environment: [String: String],
        dependencies: [ComposeFile.Dependency], restart: ComposeFile.Restart, listensOn: String
    ) {
        (self.name, self.instanceOf, self.command, self.environment) = (name, instanceOf, command, environment)
        (self.dependencies, self.restart) = (dependencies, restart)
        (self.listensOn, self.health) = (listensOn, .http(listensOn))
    }

    private static func address(_ first: String, further: Int, _ setting: String) throws(ComposeError) -> String {
        guard let colon = first.lastIndex(of: ":"), let port = Int(first[first.index(after: colon)...]), port > 0,
            port + further <= 65_535
        else { throw ComposeError("several gateways need a port in \(setting), not '\(first)'") }
        return "\(first[..<colon]):\(port + further)"
    }

    /// What `billfold-<service> --health` looks at is looked at here without starting it.
    private static func health(_ test: [String]?, http: String) -> Health {
        guard let test, let executable = test.first?.split(separator: "/").last else { return .runs }
        guard test.count == 2, test[1] == "--health", executable.hasPrefix("billfold-") else { return .command(test) }
        let service = executable.dropFirst("billfold-".count)
        return service == "gateway" ? .http(http) : .bus(String(service))
    }

    /// A value that is a path of the container, as the same path here.
    private static func local(
        _ value: String, of service: ComposeFile.Service, _ file: ComposeFile, _ places: LocalSet.Places
    ) -> String {
        guard value.hasPrefix("/") else { return value }
        for secret in service.secrets where value == secret.target {
            return Project.absolute(file.secrets[secret.source] ?? "", in: places.project)
        }
        for mount in service.mounts where value == mount.target || value.hasPrefix(mount.target + "/") {
            let below = value.dropFirst(mount.target.count)
            if service.environment["BILLFOLD_RUN"] == mount.target { return places.run + below }
            return (mount.isVolume ? places.data : Project.absolute(mount.source, in: places.project)) + below
        }
        return value
    }
}
