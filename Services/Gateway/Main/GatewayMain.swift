import Bus
import BusNIO
import Contracts
import GatewayService
import NIOPosix
import ServiceKit

@main
struct GatewayMain {
    static func main() async { await ServiceHost.main("gateway", health: .http, serve) }

    private static func serve() async throws {
        let config = try GatewayConfig.fromEnvironment()
        let host = try ServiceHost(Gateway.service, config: config.host)
        let bus = host.bus
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: config.loops)
        let fleet = Fleet(bus: bus, own: { await host.stats() }, spans: host.spans)
        let edge = Edge(
            asking: try asking(of: host, on: loops), clock: host.clock, configuration: config.edge,
            pages: try Pages.own(tiles: config.tiles), health: fleet.health, metrics: fleet.metrics, ops: fleet.ops,
            spans: host.spans)
        edge.devices.whenFirstOpened { DeviceNews.listen(bus, for: edge.devices) }
        // Before READY: a gateway without its address is none.
        let servers = try await Servers(edge, config, on: loops, logger: host.logger)

        try await host.run(
            ServiceDefinition(
                asks: nil,
                observes: [
                    ObservedFacts(Notifications.NoticeAdded.self) { edge.notices.changed($0.account) },
                    ObservedFacts(Location.FenceEntered.self) { edge.nearby.changed($0.merchant) },
                    ObservedFacts(Location.FenceExited.self) { edge.nearby.changed($0.merchant) }
                ],
                preparation: { SessionHints.listen(bus, for: edge) },
                background: [
                    .every(.seconds(1)) {
                        edge.devices.tick()
                        edge.watch.tick()
                    },
                    .every(.milliseconds(100)) {
                        edge.nearby.tickPart()
                        edge.notices.tickPart()
                    },
                    .every(.seconds(1)) { servers.tick() }
                ],
                metrics: {
                    edge.figures.samples + edge.devices.samples + edge.nearby.samples(of: "nearby")
                        + edge.notices.samples(of: "notices") + servers.samples
                },
                server: { try await servers.run() },
                ending: { servers.removeAddress() }))
    }

    /// Handlers ask on connections of their own event loops; through the reactor where the broker is on another host.
    private static func asking(of host: ServiceHost, on loops: MultiThreadedEventLoopGroup) throws -> Bus {
        guard let path = try host.config.bus.asksPath else { return host.bus }
        let asks = LoopTransport(loops, path: path, behind: host.bus.transport, clock: host.clock)
        return Bus(name: host.name, transport: host.bus.transport, asks: asks, clock: host.clock)
    }
}
