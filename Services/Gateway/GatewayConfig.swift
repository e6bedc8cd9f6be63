import Edge
import Foundation
import Primitives
import ServiceKit
import TouchApp

/// What the gateway is told by its environment.
struct GatewayConfig {
    let host: HostConfig
    let edge: Edge.Configuration
    let server: EdgeServer.Configuration
    let loops: Int

    static func fromEnvironment() throws -> GatewayConfig {
        let host = try HostConfig.fromEnvironment()
        var server = EdgeServer.Configuration()
        // BILLFOLD_HTTP: address and port to serve on.
        let address = host.reader.string(forKey: "billfold.http", default: "127.0.0.1:8080")
        guard let colon = address.lastIndex(of: ":"), let port = Int(address[address.index(after: colon)...]),
            (0...65_535).contains(port), colon > address.startIndex
        else { throw ConfigError("BILLFOLD_HTTP is '\(address)'; it has to be address:port, such as 127.0.0.1:8080") }
        server.host = address[..<colon].trimmingCharacters(in: ["[", "]"])
        server.port = port
        // BILLFOLD_HTTP_CONNECTIONS: connections at once.
        server.connectionsMax = try host.integer("billfold.http.connections", default: 4096, in: 1...65_536)
        // BILLFOLD_HTTP_LOOPS: event loops; each answers the requests of its own connections.
        let loops = try host.integer("billfold.http.loops", default: EdgeServer.loopsDefault, in: 1...64)
        var edge = Edge.Configuration()
        // BILLFOLD_DEADLINE_MS: how long a request may take with all that it asks.
        edge.deadline = .milliseconds(try host.integer("billfold.deadline.ms", default: 10_000, in: 500...60_000))
        // BILLFOLD_TRIES_PER_ADDRESS: registrations, log-ins and PINs (each) a minute from one client address.
        edge.rates.perAddress = RatePolicy(
            calls: try host.integer("billfold.tries.per.address", default: 60, in: 1...60_000), per: .seconds(60))
        // BILLFOLD_DEVICES: touch devices open at once.
        edge.devices.countMax = try host.integer("billfold.devices", default: 50_000, in: 1...1_000_000)
        // BILLFOLD_DEVICES_PER_ACCOUNT: of one customer; one more closes the one that was longest unused.
        edge.devices.perAccountMax = try host.integer("billfold.devices.per.account", default: 16, in: 1...1_000_000)
        // BILLFOLD_DEVICE_IDLE_SECONDS: how long a device may be unused before it is closed.
        edge.devices.idleTime = .seconds(
            try host.integer("billfold.device.idle.seconds", default: 1800, in: 1...86_400))
        // BILLFOLD_TOUCH_AMOUNT, BILLFOLD_RELOAD_AMOUNT: what a touch pays and reloads, in minor units (A19, A25).
        edge.devices.app.touchAmount = Money(
            Int64(try host.integer("billfold.touch.amount", default: 150, in: 1...100_000_000)))
        edge.devices.app.reloadAmount = Money(
            Int64(try host.integer("billfold.reload.amount", default: 1000, in: 1...100_000_000)))
        // BILLFOLD_TOUCH_MERCHANT: whom touches pay, 32 hex digits; the set's own shop where nobody is named.
        if let text = host.reader.string(forKey: "billfold.touch.merchant") {
            guard let merchant = PartyID(text) else {
                throw ConfigError("BILLFOLD_TOUCH_MERCHANT is '\(text)'; it has to be an account's id, 32 hex digits")
            }
            edge.devices.merchant = merchant
        }
        // BILLFOLD_EVENT_STREAMS: streams of notices open at once.
        edge.streams.countMax = try host.integer("billfold.event.streams", default: 20_000, in: 1...1_000_000)
        return GatewayConfig(host: host, edge: edge, server: server, loops: loops)
    }
}
