import Bus
import BusZMQ
import Contracts
import Foundation
import Logging
import ServiceLifecycle

/// What every process has: its end of the bus, its clock, its log and its figures. `run` serves what a definition
/// declares.
package final class ServiceHost: Sendable {
    package let name: String
    package let config: HostConfig
    package let logger: Logger
    package let clock: WallClock
    package let bus: Bus
    /// The asks answered lately; read through `<service>.spans.read.v1`.
    package let spans = SpanRing()
    let reactor: Reactor
    let figures: ServiceFigures
    let sole: SoleService
    /// Set where this process takes another one's place.
    let succession = SetOnce<Succession>()

    /// - Parameter scheduling: used unless the environment names another.
    /// - Throws: when the bus's sockets cannot be made.
    package init(
        _ name: String, config: HostConfig, scheduling: Scheduling = .batch, clock: WallClock = .system
    ) throws {
        self.name = name
        self.config = config
        self.clock = clock
        let (level, json) = (config.logLevel, config.logsJSON)
        LoggingSystem.bootstrap { _ in LineLog(logLevel: level, service: name, json: json) }
        logger = Logger(label: name)
        Self.warnOfUnknownSettings(logger)
        figures = ServiceFigures(of: name, at: clock.now())
        if config.scheduling ?? scheduling == .batch { useBatchScheduling() }
        signal(SIGPIPE, SIG_IGN)
        if case .directory(let directory) = config.bus { try RunDirectoryCheck.verify(directory) }
        reactor = try Reactor(Reactor.Settings(bus: config.bus), clock: clock)
        bus = Bus(name: name, transport: reactor, clock: clock)
        sole = SoleService(name, instance: figures.instance, on: reactor, clock: clock)
    }

    private static func warnOfUnknownSettings(_ logger: Logger) {
        for unknown in SettingNames.unknown(among: ProcessInfo.processInfo.environment.keys) {
            logger.warning(
                "a setting is not known and has no effect",
                metadata: ["setting": "\(unknown.name)"].merging(
                    unknown.nearest.map { ["nearest": "\($0)"] } ?? [:]
                ) { $1 })
        }
    }

    /// Runs until SIGTERM or SIGINT: then takes no more asks, answers those it has, and takes leave of the broker.
    package func run(_ definition: ServiceDefinition) async throws {
        let runner = ServiceRunner(host: self, definition: definition)
        // Without `maximumGracefulShutdownDuration`: the group would always wait for all of it.
        let configuration = ServiceGroupConfiguration(
            services: [runner], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// This process's own figures.
    package func stats() async -> ServiceStats { await figures.stats() }
}
