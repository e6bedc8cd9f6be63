import Wire

/// What a running set is asked over its control socket, `RUN/up.sock`: one JSON object a line, answered by one or
/// several.
///
/// Whoever may open the socket may start commands as its owner; its mode is 0600.
package enum SetControl {
    package static let socketName = "up.sock"
    /// Of one line.
    package static let lineBytesMax = 64 * 1024

    package enum Request: Sendable, Equatable {
        /// Which processes there are.
        case list
        /// To end the set; answered when it has ended.
        case stop
        /// Answered when all processes are healthy, or when one cannot be started.
        case awaitHealth
        /// Whether a service could be swapped now.
        case maySwap(service: String)
        /// Another process in a service's place: the command, nil for the compose file's own, and where it is started.
        case swap(
            service: String, command: [String]?, directory: String, isChecked: Bool, continuity: LogContinuity,
            takesOver: Bool)
        /// Another program in the places of a part of a service's processes (percent), which is compared with the
        /// others for so many seconds, and then in the places of all.
        case share(service: String, command: [String], directory: String, share: Int, seconds: Int)

        package var json: JSONValue {
            switch self {
            case .list: ["do": "list"]
            case .stop: ["do": "stop"]
            case .awaitHealth: ["do": "await-health"]
            case .maySwap(let service): ["do": "may-swap", "service": .string(service)]
            case .share(let service, let command, let directory, let share, let seconds):
                [
                    "do": "share", "service": .string(service), "command": .array(command.map { .string($0) }),
                    "directory": .string(directory), "share": .integer(Int64(share)),
                    "seconds": .integer(Int64(seconds))
                ]
            case .swap(let service, let command, let directory, let isChecked, let continuity, let takesOver):
                .object(
                    [.init("do", "swap"), .init("service", .string(service))]
                        + (command.map { [.init("command", .array($0.map { .string($0) }))] } ?? [])
                        + [
                            .init("directory", .string(directory)), .init("check", .bool(isChecked)),
                            .init("log", .string(continuity.rawValue)), .init("takeOver", .bool(takesOver))
                        ])
            }
        }

        package init?(_ json: JSONValue) {
            switch json["do"] {
            case "list": self = .list
            case "stop": self = .stop
            case "await-health": self = .awaitHealth
            case "may-swap":
                guard let service = json["service"]?.string else { return nil }
                self = .maySwap(service: service)
            case "share":
                guard let service = json["service"]?.string, let directory = json["directory"]?.string,
                    let command = json["command"]?.strings, !command.isEmpty,
                    let share = json["share"]?.integer, let seconds = json["seconds"]?.integer
                else { return nil }
                self = .share(
                    service: service, command: command, directory: directory, share: share, seconds: seconds)
            case "swap":
                guard let service = json["service"]?.string, let directory = json["directory"]?.string,
                    case .bool(let isChecked)? = json["check"],
                    let continuity = json["log"]?.string.flatMap(LogContinuity.init(rawValue:)),
                    case .bool(let takesOver)? = json["takeOver"]
                else { return nil }
                var command: [String]?
                if let words = json["command"] {
                    guard case .array(let elements) = words else { return nil }
                    command = elements.compactMap(\.string)
                    guard command?.count == elements.count, command?.isEmpty == false else { return nil }
                }
                self = .swap(
                    service: service, command: command, directory: directory, isChecked: isChecked,
                    continuity: continuity, takesOver: takesOver)
            default: return nil
            }
        }
    }

    /// A set and its processes.
    package struct Listing: Sendable, Equatable {
        package let supervisor: Int
        package let project: String
        package let logs: String
        package let processes: [Process]

        /// The names of those that run and have been healthy.
        package var healthy: [String] { processes.filter { $0.state == SetKeeper.Phase.healthy.rawValue }.map(\.name) }

        package struct Process: Sendable, Equatable {
            package let name: String
            /// A ``SetKeeper/Phase``, or `swapping`.
            package let state: String
            package let id: Int?
            package let seconds: Int
            package let restarts: Int
            /// Exit status of the last end.
            package let status: Int?
            /// Whether another command than the compose file's runs.
            package let isSwapped: Bool
            package let command: [String]
            /// The directory in which that command was given, and runs; nil for the compose file's.
            package let directory: String?
            /// The last lines of its log, unless it is healthy.
            package let tail: [String]

            package var json: JSONValue {
                var members: [JSONValue.Member] = [.init("name", .string(name)), .init("state", .string(state))]
                if let id { members.append(.init("pid", .integer(Int64(id)))) }
                members.append(.init("seconds", .integer(Int64(seconds))))
                members.append(.init("restarts", .integer(Int64(restarts))))
                if let status { members.append(.init("status", .integer(Int64(status)))) }
                members.append(.init("swapped", .bool(isSwapped)))
                members.append(.init("command", .array(command.map { .string($0) })))
                if let directory { members.append(.init("directory", .string(directory))) }
                members.append(.init("tail", .array(tail.map { .string($0) })))
                return .object(members)
            }

            init?(_ json: JSONValue) {
                guard let name = json["name"]?.string, let state = json["state"]?.string,
                    let seconds = json["seconds"]?.integer, let restarts = json["restarts"]?.integer,
                    case .bool(let isSwapped)? = json["swapped"]
                else { return nil }
                (self.name, self.state, self.seconds, self.restarts) = (name, state, seconds, restarts)
                (id, status, self.isSwapped) = (json["pid"]?.integer, json["status"]?.integer, isSwapped)
                (command, tail) = (json["command"]?.strings ?? [], json["tail"]?.strings ?? [])
                directory = json["directory"]?.string
            }

            init(
                name: String, state: String, id: Int?, seconds: Int, restarts: Int, status: Int?, isSwapped: Bool,
                command: [String], directory: String?, tail: [String]
            ) {
                (self.name, self.state, self.id, self.seconds, self.restarts) = (name, state, id, seconds, restarts)
                (self.status, self.isSwapped, self.command, self.tail) = (status, isSwapped, command, tail)
                self.directory = directory
            }
        }

        package var json: JSONValue {
            [
                "supervisor": .integer(Int64(supervisor)), "project": .string(project), "logs": .string(logs),
                "processes": .array(processes.map(\.json))
            ]
        }

        package init?(_ json: JSONValue) {
            guard let supervisor = json["supervisor"]?.integer, let project = json["project"]?.string,
                let logs = json["logs"]?.string, case .array(let processes)? = json["processes"]
            else { return nil }
            (self.supervisor, self.project, self.logs) = (supervisor, project, logs)
            self.processes = processes.compactMap(Process.init)
        }

        init(supervisor: Int, project: String, logs: String, processes: [Process]) {
            (self.supervisor, self.project, self.logs, self.processes) = (supervisor, project, logs, processes)
        }
    }

    /// A line of an answer that takes its time.
    package enum Report: Sendable, Equatable {
        /// What is going on.
        case step(String)
        /// It is done, in so long; of a swap: how long asks waited.
        case done(milliseconds: Int)
        /// It was refused, or failed.
        case failed(step: String, reason: String)

        package var json: JSONValue {
            switch self {
            case .step(let text): ["step": .string(text)]
            case .done(let milliseconds): ["done": true, "milliseconds": .integer(Int64(milliseconds))]
            case .failed(let step, let reason): ["failed": .string(step), "reason": .string(reason)]
            }
        }

        package init?(_ json: JSONValue) {
            if let text = json["step"]?.string {
                self = .step(text)
            } else if let milliseconds = json["milliseconds"]?.integer {
                self = .done(milliseconds: milliseconds)
            } else if let step = json["failed"]?.string, let reason = json["reason"]?.string {
                self = .failed(step: step, reason: reason)
            } else {
                return nil
            }
        }
    }
}

extension JSONValue {
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return Int(number)
    }

    var strings: [String]? {
        guard case .array(let elements) = self else { return nil }
        return elements.compactMap(\.string)
    }
}
