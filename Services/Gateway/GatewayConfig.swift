import Edge
import Foundation
import ServiceKit

/// What the gateway is told by its environment.
struct GatewayConfig {
    let host: HostConfig
    let edge: Edge.Configuration
    let server: EdgeServer.Configuration

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
        server.eventLoops = try host.integer("billfold.http.loops", default: 1, in: 1...64)
        var edge = Edge.Configuration()
        // BILLFOLD_DEADLINE_MS: how long a request may take with all that it asks.
        edge.deadline = .milliseconds(try host.integer("billfold.deadline.ms", default: 10_000, in: 500...60_000))
        return GatewayConfig(host: host, edge: edge, server: server)
    }
}
