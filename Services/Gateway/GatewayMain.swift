import Contracts
import Edge
import ServiceKit
import ServiceLifecycle

@main
struct GatewayMain {
    static func main() async { await ServiceHost.main("gateway", health: .http, serve) }

    private static func serve() async throws {
        let config = try GatewayConfig.fromEnvironment()
        let host = try ServiceHost("gateway", config: config.host)
        let fleet = Fleet(bus: host.bus, own: host.stats, spans: host.spans)
        let edge = Edge(
            asking: host.bus, clock: host.clock, configuration: config.edge, pages: try Pages.own(),
            health: fleet.health,
            metrics: fleet.metrics, ops: fleet.ops, spans: host.spans)
        host.samples.set {
            edge.figures.samples + edge.devices.samples + edge.nearby.samples(of: "nearby")
                + edge.notices.samples(of: "notices")
        }
        host.glimpse(Auth.SessionClosed.self) { edge.sessionEnded($0.session, of: $0.account) }
        host.glimpse(Notifications.NoticeAdded.self) { edge.notices.changed($0.account) }
        let bus = host.bus
        edge.devices.whenFirstOpened { DeviceNews.listen(bus, for: edge.devices) }
        host.glimpse(Location.FenceEntered.self) { edge.nearby.changed($0.merchant) }
        host.glimpse(Location.FenceExited.self) { edge.nearby.changed($0.merchant) }
        host.every(.seconds(1)) {
            edge.devices.tick()
            edge.nearby.tick()
            edge.notices.tick()
        }
        let logger = host.logger
        let server = EdgeServer(edge, config.server, logger: logger) { port in
            logger.info("serving", metadata: ["address": "http://\(config.server.host):\(port)"])
        }
        host.serve {
            try await withGracefulShutdownHandler {
                try await server.run()
            } onGracefulShutdown: {
                edge.devices.closeAll()
                edge.nearby.closeAll()
                edge.notices.closeAll()
            }
        }
        try await host.run()
    }
}
