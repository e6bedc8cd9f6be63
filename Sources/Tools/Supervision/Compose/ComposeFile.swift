/// What `docker-compose.yml` says of a set, as far as it concerns processes: the part of the Compose Specification that
/// the set is described with.
package struct ComposeFile: Sendable, Equatable {
    /// In the order written.
    package var services: [Service] = []
    /// Top-level secrets: where the file of each is, from the compose file's directory on.
    package var secrets: [String: String] = [:]

    package struct Service: Sendable, Equatable {
        package let name: String
        /// `entrypoint` and `command`, put together; empty where the image decides.
        package var command: [String] = []
        package var environment: [String: String] = [:]
        package var dependencies: [Dependency] = []
        package var restart = Restart.no
        package var healthCheck: HealthCheck?
        package var mounts: [Mount] = []
        package var ports: [Port] = []
        package var profiles: [String] = []
        /// By name; each is at `/run/secrets/NAME` in its container.
        package var secrets: [Secret] = []
        /// `x-billfold: {command: […], environment: {…}}`: what a local process has otherwise than the container.
        package var localCommand: [String]?
        package var localEnvironment: [String: String] = [:]

        package init(name: String) { self.name = name }
    }

    package struct Dependency: Sendable, Equatable {
        package enum Condition: String, Sendable, CaseIterable {
            case started = "service_started"
            case healthy = "service_healthy"
            case completed = "service_completed_successfully"
        }
        package let service: String
        package let condition: Condition

        package init(service: String, condition: Condition) {
            self.service = service
            self.condition = condition
        }
    }

    package enum Restart: Sendable, Equatable {
        case no
        case always
        /// After a status other than 0; nil: as often as it takes.
        case onFailure(triesMax: Int?)
    }

    package struct HealthCheck: Sendable, Equatable {
        /// Executable and arguments.
        package let test: [String]

        package init(test: [String]) { self.test = test }
    }

    /// A directory of the container that lies elsewhere: on a named volume, or bound to one of the host.
    package struct Mount: Sendable, Equatable {
        package let source: String
        package let target: String

        package init(source: String, target: String) {
            self.source = source
            self.target = target
        }

        /// Named volumes have no slash.
        package var isVolume: Bool { !source.contains("/") && source != "." }
    }

    package struct Port: Sendable, Equatable {
        /// Where the host listens, as `127.0.0.1:8080`.
        package let published: String
        package let target: Int

        package init(published: String, target: Int) {
            self.published = published
            self.target = target
        }
    }

    package struct Secret: Sendable, Equatable {
        package let source: String
        /// Absolute path in the container.
        package let target: String

        package init(source: String, target: String) {
            self.source = source
            self.target = target
        }
    }
}

/// Why a description of a set cannot be used.
package struct ComposeError: Error, Equatable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
