import Bus
import BusNIO
import Contracts
import GatewayService
import Logging
import NIOPosix
import ServiceKit
import ServiceLifecycle

@main
struct GatewayMain {
    static func main() async { await ServiceHost.main("gateway", health: .http, serve) }

    private static func serve() async throws {
        let config = try GatewayConfig.fromEnvironment()
        let host = try ServiceHost("gateway", config: config.host)
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: config.loops)
        let fleet = Fleet(bus: host.bus, own: host.stats, spans: host.spans)
        let edge = Edge(
            asking: try asking(of: host, on: loops), clock: host.clock, configuration: config.edge,
            pages: try Pages.own(),
            health: fleet.health,
            metrics: fleet.metrics, ops: fleet.ops, spans: host.spans)
        host.beforeReady { [bus = host.bus] in SessionHints.listen(bus, for: edge) }
        host.glimpse(Notifications.NoticeAdded.self) { edge.notices.changed($0.account) }
        let bus = host.bus
        edge.devices.whenFirstOpened { DeviceNews.listen(bus, for: edge.devices) }
        host.glimpse(Location.FenceEntered.self) { edge.nearby.changed($0.merchant) }
        host.glimpse(Location.FenceExited.self) { edge.nearby.changed($0.merchant) }
        host.every(.seconds(1)) {
            edge.devices.tick()
            edge.nearby.tick()
            edge.notices.tick()
            edge.watch.tick()
        }
        let logger = host.logger
        let server = EdgeServer(edge, config.server, on: loops, logger: logger)
        host.samples.set {
            edge.figures.samples + edge.devices.samples + edge.nearby.samples(of: "nearby")
                + edge.notices.samples(of: "notices") + server.samples
        }
        let metrics = config.metrics.map { configuration in
            EdgeServer(configuration, on: MultiThreadedEventLoopGroup(numberOfThreads: 1), logger: logger) {
                request, _ in
                await edge.respondToOperator(request)
            }
        }
        host.every(.seconds(1)) { server.tick() }
        // Before anyone is told that this process is ready.
        let listening = try await listen(server, config.server, "BILLFOLD_HTTP", logger)
        let left = leaveAddress("\(config.server.host):\(listening.port)", config, logger)
        host.atEnd { left?.remove() }
        let scraped =
            if let metrics, let configuration = config.metrics {
                try await listen(metrics, configuration, "BILLFOLD_METRICS_HTTP", logger)
            } else { EdgeServer.Listening?.none }
        host.serve {
            try await withGracefulShutdownHandler {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await server.run(listening) }
                    if let metrics, let scraped { group.addTask { try await metrics.run(scraped) } }
                    try await group.waitForAll()
                }
            } onGracefulShutdown: {
                edge.devices.closeAll()
                edge.nearby.closeAll()
                edge.notices.closeAll()
            }
        }
        try await host.run()
    }

    /// - Throws: what to do when the address cannot be had.
    private static func listen(
        _ server: EdgeServer, _ configuration: EdgeServer.Configuration, _ setting: String, _ logger: Logger
    ) async throws -> EdgeServer.Listening {
        do {
            let listening = try await server.listen()
            logger.info(
                "serving",
                metadata: ["address": "http://\(configuration.host):\(listening.port)", "setting": "\(setting)"])
            return listening
        } catch {
            throw ConfigError(
                """
                cannot listen on \(configuration.host):\(configuration.port): \(error). Stop what listens there, \
                such as another set, or give another address in \(setting)
                """)
        }
    }

    /// Writes where this gateway listens into the run directory, for commands. Nil where the bus has no run directory.
    private static func leaveAddress(_ address: String, _ config: GatewayConfig, _ logger: Logger) -> GatewayAddress? {
        guard case .directory(let run) = config.host.bus else { return nil }
        do throws(GatewayAddress.Failure) {
            return try GatewayAddress.leave(address, in: run)
        } catch {
            logger.warning("commands do not find this gateway by itself", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Handlers ask on connections of their own loops; through the reactor where the broker is on another host.
    private static func asking(of host: ServiceHost, on loops: MultiThreadedEventLoopGroup) throws -> Bus {
        guard let path = try host.config.bus.asksPath else { return host.bus }
        let transport = LoopTransport(loops, path: path, behind: host.bus.transport, clock: host.clock)
        return Bus(
            name: host.name, transport: transport, clock: host.clock, needs: ServiceOrder.needs(of: Gateway.service))
    }
}
