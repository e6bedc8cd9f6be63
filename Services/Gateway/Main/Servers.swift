import Contracts
import GatewayService
import Logging
import NIOPosix
import ServiceKit
import ServiceLifecycle

/// The gateway's HTTP servers: the public one, and the one for metrics where these have an address of their own.
struct Servers: Sendable {
    private let edge: Edge
    private let server: EdgeServer
    private let listening: EdgeServer.Listening
    private let metrics: (server: EdgeServer, listening: EdgeServer.Listening)?
    /// Where commands find this gateway; nil where the bus has no run directory.
    private let address: GatewayAddress?

    /// Listens.
    ///
    /// - Throws: what to do when an address cannot be had.
    init(_ edge: Edge, _ config: GatewayConfig, on loops: MultiThreadedEventLoopGroup, logger: Logger) async throws {
        self.edge = edge
        server = EdgeServer(edge, config.server, on: loops, logger: logger)
        listening = try await Self.listen(server, config.server, "BILLFOLD_HTTP", logger)
        address = Self.leaveAddress(config.server.address(port: listening.port), config, logger)
        guard let configuration = config.metrics else {
            metrics = nil
            return
        }
        let own = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = EdgeServer(configuration, on: own, logger: logger) { request, _ in
            EdgeResponse(await edge.respondToOperator(request))
        }
        metrics = (server, try await Self.listen(server, configuration, "BILLFOLD_METRICS_HTTP", logger))
    }

    /// Serves until graceful shutdown, and then until all that is open has been answered.
    func run() async throws {
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run(listening) }
                if let metrics { group.addTask { try await metrics.server.run(metrics.listening) } }
                try await group.waitForAll()
            }
        } onGracefulShutdown: {
            edge.devices.closeAll()
            edge.nearby.closeAll()
            edge.notices.closeAll()
        }
    }

    /// To be called every second.
    func tick() { server.tick() }

    var samples: [ServiceStats.Sample] { server.samples }

    func removeAddress() { address?.remove() }

    private static func listen(
        _ server: EdgeServer, _ configuration: EdgeServer.Configuration, _ setting: String, _ logger: Logger
    ) async throws -> EdgeServer.Listening {
        do {
            let listening = try await server.listen()
            logger.info(
                "serving",
                metadata: [
                    "address": "http://\(configuration.address(port: listening.port))", "setting": "\(setting)"
                ])
            return listening
        } catch {
            throw ConfigError(
                """
                cannot listen on \(configuration.address(port: configuration.port)): \(error). Stop what listens there, \
                such as another set, or give another address in \(setting)
                """)
        }
    }

    /// Writes the address into the run directory, for commands.
    private static func leaveAddress(_ address: String, _ config: GatewayConfig, _ logger: Logger) -> GatewayAddress? {
        // A gateway of a broker on another host belongs to no set of this one.
        if case .host = config.host.bus { return nil }
        do throws(GatewayAddress.Failure) {
            return try GatewayAddress.leave(address, in: config.host.runDirectory)
        } catch {
            logger.warning("commands do not find this gateway by itself", metadata: ["error": "\(error)"])
            return nil
        }
    }
}
