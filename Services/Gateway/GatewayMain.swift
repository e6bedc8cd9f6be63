import Contracts
import Edge
import ServiceKit

@main
struct GatewayMain {
    static func main() async { await ServiceHost.main("gateway", serve) }

    private static func serve() async throws {
        let config = try GatewayConfig.fromEnvironment()
        let host = try ServiceHost("gateway", config: config.host)
        let fleet = Fleet(bus: host.bus, own: host.stats)
        let edge = Edge(
            asking: host.bus, clock: host.clock, configuration: config.edge, health: fleet.health,
            metrics: fleet.metrics)
        fleet.requests.set { edge.figures.samples }
        host.glimpse(Auth.SessionClosed.self) { edge.sessionEnded($0.session) }
        let logger = host.logger
        let server = EdgeServer(edge, config.server, logger: logger) { port in
            logger.info("serving", metadata: ["address": "http://\(config.server.host):\(port)"])
        }
        host.serve { try await server.run() }
        try await host.run()
    }
}
