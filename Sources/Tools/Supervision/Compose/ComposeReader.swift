import Yams

/// Reads a compose file. What concerns containers only is passed over by name; what is not known is refused, rather
/// than to run another set than the one described.
package struct ComposeReader {
    /// A compose file has some kilobytes; aliases could blow a small one up.
    package static let bytesMax = 256 * 1024

    private let environment: [String: String]

    package static func read(_ text: String, environment: [String: String]) throws(ComposeError) -> ComposeFile {
        guard text.utf8.count <= bytesMax else { throw ComposeError("it is longer than \(bytesMax) bytes") }
        let root: Node?
        do { root = try Yams.compose(yaml: text) } catch { throw ComposeError("it is no YAML: \(error)") }
        guard let root else { throw ComposeError("it is empty") }
        return try ComposeReader(environment: environment).file(root)
    }

    // MARK: What is passed over

    /// Of the top level: names, networks and volumes are those of containers.
    private static let passedOver: Set<String> = ["version", "name", "networks", "volumes", "configs"]

    /// Of a service: how its container is made, confined and watched.
    private static let passedOverOfService: Set<String> = [
        "annotations", "build", "cap_add", "cap_drop", "container_name", "cpu_count", "cpu_percent", "cpu_shares",
        "cpus",
        "cpuset", "deploy", "domainname", "expose", "group_add", "hostname", "image", "init", "ipc", "labels",
        "logging",
        "mem_limit", "mem_reservation", "mem_swappiness", "memswap_limit", "network_mode", "networks",
        "oom_kill_disable",
        "oom_score_adj", "pids_limit", "platform", "pull_policy", "read_only", "runtime", "security_opt", "shm_size",
        "stdin_open", "stop_grace_period", "stop_signal", "sysctls", "tmpfs", "tty", "ulimits", "user", "userns_mode",
        "working_dir"
    ]

    // MARK: Reading

    private func file(_ root: Node) throws(ComposeError) -> ComposeFile {
        var file = ComposeFile()
        for (key, value) in try members(of: root, "the file") {
            switch key {
            case "services":
                for (name, node) in try members(of: value, "services") { file.services.append(try service(name, node)) }
            case "secrets":
                for (name, node) in try members(of: value, "secrets") {
                    guard let path = try members(of: node, "secrets.\(name)").first(where: { $0.key == "file" }) else {
                        throw refusal("secrets.\(name) has no 'file': only secrets from files can be read here", node)
                    }
                    file.secrets[name] = try text(path.value, "secrets.\(name).file")
                }
            case _ where Self.passedOver.contains(key) || key.hasPrefix("x-"): break
            default: throw refusal("'\(key)' at the top level is not known here", value)
            }
        }
        guard !file.services.isEmpty else { throw ComposeError("it has no services") }
        let names = Set(file.services.map(\.name))
        for service in file.services {
            for dependency in service.dependencies where !names.contains(dependency.service) {
                throw ComposeError(
                    "\(service.name) depends on '\(dependency.service)', which is no service of the file")
            }
            for secret in service.secrets where file.secrets[secret.source] == nil {
                throw ComposeError("\(service.name) has the secret '\(secret.source)', which the file does not name")
            }
        }
        return file
    }

    private func service(_ name: String, _ node: Node) throws(ComposeError) -> ComposeFile.Service {
        var service = ComposeFile.Service(name: name)
        var (entrypoint, command): ([String], [String]) = ([], [])
        for (key, value) in try members(of: node, "services.\(name)") {
            let place = "services.\(name).\(key)"
            switch key {
            case "entrypoint": entrypoint = try words(value, place)
            case "command": command = try words(value, place)
            case "environment": service.environment = try settings(value, place)
            case "depends_on": service.dependencies = try dependencies(value, place)
            case "restart": service.restart = try restart(value, place)
            case "healthcheck": service.healthCheck = try healthCheck(value, place)
            case "volumes":
                for item in try items(value, place) {
                    if let mount = try mount(item, place) { service.mounts.append(mount) }
                }
            case "ports": for item in try items(value, place) { service.ports.append(try port(item, place)) }
            case "profiles": service.profiles = try list(value, place)
            case "secrets": for item in try items(value, place) { service.secrets.append(try secret(item, place)) }
            case "x-billfold": try local(value, place, &service)
            case "scale":
                guard try text(value, place) == "1" else {
                    throw refusal("\(place): one process of each service runs here", value)
                }
            case _ where Self.passedOverOfService.contains(key) || key.hasPrefix("x-"): break
            default: throw refusal("\(place) is not known here", value)
            }
        }
        service.command = entrypoint + command
        return service
    }

    private func local(_ node: Node, _ place: String, _ service: inout ComposeFile.Service) throws(ComposeError) {
        for (key, value) in try members(of: node, place) {
            switch key {
            case "command": service.localCommand = try words(value, "\(place).command")
            case "environment": service.localEnvironment = try settings(value, "\(place).environment")
            default: throw refusal("\(place).\(key) is not known; it can have command and environment", value)
            }
        }
    }

    /// `NAME: value`, or a list of `NAME=value`; a name alone is taken from the environment.
    private func settings(_ node: Node, _ place: String) throws(ComposeError) -> [String: String] {
        var settings: [String: String] = [:]
        if case .mapping = node {
            for (key, value) in try members(of: node, place) {
                if let given = isNull(value) ? environment[key] : try text(value, "\(place).\(key)") {
                    settings[key] = given
                }
            }
            return settings
        }
        for entry in try list(node, place) {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if let given = parts.count == 2 ? parts[1] : environment[parts[0]] { settings[parts[0]] = given }
        }
        return settings
    }

    private func dependencies(_ node: Node, _ place: String) throws(ComposeError) -> [ComposeFile.Dependency] {
        if case .sequence = node {
            return try list(node, place).map { .init(service: $0, condition: .started) }
        }
        var dependencies: [ComposeFile.Dependency] = []
        for (name, value) in try members(of: node, place) {
            var condition = ComposeFile.Dependency.Condition.started
            for (key, value) in try members(of: value, "\(place).\(name)") {
                switch key {
                case "condition":
                    let word = try text(value, "\(place).\(name).condition")
                    guard let known = ComposeFile.Dependency.Condition(rawValue: word) else {
                        throw refusal("\(place).\(name).condition is '\(word)'; it can be \(Self.conditions)", value)
                    }
                    condition = known
                // Whether it is restarted with the other, and whether it may be absent: neither happens here.
                case "restart", "required": break
                default: throw refusal("\(place).\(name).\(key) is not known here", value)
                }
            }
            dependencies.append(.init(service: name, condition: condition))
        }
        return dependencies
    }

    private static let conditions = ComposeFile.Dependency.Condition.allCases.map(\.rawValue).joined(separator: ", ")

    private func restart(_ node: Node, _ place: String) throws(ComposeError) -> ComposeFile.Restart {
        let word = try text(node, place)
        switch word {
        case "no", "false": return .no
        case "always", "unless-stopped": return .always
        case "on-failure": return .onFailure(triesMax: nil)
        default:
            guard word.hasPrefix("on-failure:"), let tries = Int(word.dropFirst("on-failure:".count)), tries > 0 else {
                throw refusal(
                    "\(place) is '\(word)'; it can be no, always, unless-stopped, on-failure or on-failure:3", node)
            }
            return .onFailure(triesMax: tries)
        }
    }

    private func healthCheck(_ node: Node, _ place: String) throws(ComposeError) -> ComposeFile.HealthCheck? {
        for (key, value) in try members(of: node, place) {
            switch key {
            case "disable": if try text(value, place) == "true" { return nil }
            case "test":
                if case .scalar = value { return .init(test: ["/bin/sh", "-c", try text(value, place)]) }
                let test = try list(value, place)
                switch test.first {
                case "NONE"?: return nil
                case "CMD"?: return .init(test: Array(test.dropFirst()))
                case "CMD-SHELL"?: return .init(test: ["/bin/sh", "-c"] + test.dropFirst())
                default: throw refusal("\(place).test begins with CMD, CMD-SHELL or NONE", value)
                }
            // When a container's health is looked at. Here it is looked at until it is there, and when somebody asks.
            case "interval", "timeout", "retries", "start_period", "start_interval": break
            default: throw refusal("\(place).\(key) is not known here", value)
            }
        }
        return nil
    }

    /// `source:target[:ro]`, or its long form; a container's own directory (tmpfs, no source) is none of the host's.
    private func mount(_ node: Node, _ place: String) throws(ComposeError) -> ComposeFile.Mount? {
        if case .scalar = node {
            let parts = try text(node, place).split(separator: ":").map(String.init)
            guard parts.count >= 2 else { return nil }
            return .init(source: parts[0], target: parts[1])
        }
        var fields: [String: String] = [:]
        for (key, value) in try members(of: node, place) {
            guard case .scalar = value else { continue }
            fields[key] = try text(value, "\(place).\(key)")
        }
        guard let source = fields["source"], let target = fields["target"] else { return nil }
        return .init(source: source, target: target)
    }

    /// `[host-address:][host-port:]port`, or its long form.
    private func port(_ node: Node, _ place: String) throws(ComposeError) -> ComposeFile.Port {
        if case .mapping = node {
            var fields: [String: String] = [:]
            for (key, value) in try members(of: node, place) { fields[key] = try text(value, "\(place).\(key)") }
            guard let target = fields["target"].flatMap({ Int($0) }) else {
                throw refusal("\(place) has no target", node)
            }
            return .init(published: "\(fields["host_ip"] ?? "0.0.0.0"):\(fields["published"] ?? "0")", target: target)
        }
        let word = try text(node, place)
        // An address with colons is in brackets.
        let parts =
            word.hasPrefix("[")
            ? [String(word.prefix { $0 != "]" }) + "]"]
                + word.drop { $0 != "]" }.dropFirst(2).split(separator: ":").map(String.init)
            : word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count), let target = parts.last.flatMap({ Int($0.prefix { $0 != "/" }) }) else {
            throw refusal("\(place) has '\(word)'; a port is written 127.0.0.1:8080:8080", node)
        }
        return switch parts.count {
        case 1: .init(published: "0.0.0.0:0", target: target)
        case 2: .init(published: "0.0.0.0:\(parts[0])", target: target)
        default: .init(published: "\(parts[0]):\(parts[1])", target: target)
        }
    }

    private func secret(_ node: Node, _ place: String) throws(ComposeError) -> ComposeFile.Secret {
        if case .scalar = node {
            let name = try text(node, place)
            return .init(source: name, target: "/run/secrets/\(name)")
        }
        var fields: [String: String] = [:]
        for (key, value) in try members(of: node, place) { fields[key] = try text(value, "\(place).\(key)") }
        guard let source = fields["source"] else { throw refusal("\(place) has a secret without a source", node) }
        let target = fields["target"] ?? source
        return .init(source: source, target: target.hasPrefix("/") ? target : "/run/secrets/\(target)")
    }

    // MARK: YAML

    /// Keys and values, those of `<<` merged in behind the mapping's own.
    private func members(of node: Node, _ place: String) throws(ComposeError) -> [(key: String, value: Node)] {
        if isNull(node) { return [] }
        guard case .mapping(let mapping) = node else { throw refusal("\(place) is no mapping", node) }
        var members: [(key: String, value: Node)] = []
        var merged: [Node] = []
        for (key, value) in mapping {
            guard case .scalar(let name) = key else { throw refusal("\(place) has a key that is no text", key) }
            if name.string == "<<" {
                if case .sequence(let several) = value { merged += Array(several) } else { merged.append(value) }
                continue
            }
            // Yams has refused a key that is there twice.
            members.append((name.string, value))
        }
        for node in merged {
            for (key, value) in try self.members(of: node, place) where !members.contains(where: { $0.key == key }) {
                members.append((key, value))
            }
        }
        return members
    }

    private func isNull(_ node: Node) -> Bool {
        guard case .scalar(let scalar) = node, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }

    private func text(_ node: Node, _ place: String) throws(ComposeError) -> String {
        guard case .scalar(let scalar) = node else { throw refusal("\(place) is no text", node) }
        do throws(ComposeError) { return try Interpolation.apply(to: scalar.string, environment) } catch {
            throw refusal("\(place): \(error)", node)
        }
    }

    private func items(_ node: Node, _ place: String) throws(ComposeError) -> [Node] {
        if isNull(node) { return [] }
        guard case .sequence(let sequence) = node else { throw refusal("\(place) is no list", node) }
        return Array(sequence)
    }

    private func list(_ node: Node, _ place: String) throws(ComposeError) -> [String] {
        var texts: [String] = []
        for item in try items(node, place) { texts.append(try text(item, place)) }
        return texts
    }

    /// A command: a list, or words with spaces between them; quotes are for lists.
    private func words(_ node: Node, _ place: String) throws(ComposeError) -> [String] {
        guard case .scalar = node else { return try list(node, place) }
        if isNull(node) { return [] }
        let line = try text(node, place)
        guard !line.contains(where: { "'\"\\".contains($0) }) else {
            throw refusal("\(place) has quotes: write it as a list", node)
        }
        return line.split(separator: " ").map(String.init)
    }

    private func refusal(_ words: String, _ node: Node) -> ComposeError {
        ComposeError(node.mark.map { "line \($0.line): \(words)" } ?? words)
    }
}
