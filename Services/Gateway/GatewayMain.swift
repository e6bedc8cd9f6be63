import Bus
import BusNIO
import Contracts
import Edge
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
        host.samples.set {
            edge.figures.samples + edge.devices.samples + edge.nearby.samples(of: "nearby")
                + edge.notices.samples(of: "notices")
        }
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
        let server = EdgeServer(edge, config.server, on: loops, logger: logger) { port in
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

    /// Handlers ask on connections of their own loops; through the reactor where the broker is on another host.
    private static func asking(of host: ServiceHost, on loops: MultiThreadedEventLoopGroup) throws -> Bus {
        guard let path = try host.config.bus.asksPath else { return host.bus }
        let transport = LoopTransport(loops, path: path, behind: host.bus.transport, clock: host.clock)
        return Bus(name: host.name, transport: transport, clock: host.clock)
    }
}
