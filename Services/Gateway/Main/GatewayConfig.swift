import Foundation
import GatewayService
import Primitives
import ServiceKit
import TouchApp

/// What the gateway is told by its environment.
struct GatewayConfig {
    let host: HostConfig
    let edge: Edge.Configuration
    let server: EdgeServer.Configuration
    let loops: Int
    /// The listener for figures alone; nil where nobody wants one.
    let metrics: EdgeServer.Configuration?
    /// Tiles of the maps; nil where nobody has named a tile server.
    let tiles: MapTiles?

    static func fromEnvironment() throws -> GatewayConfig {
        let host = try HostConfig.fromEnvironment()
        var server = EdgeServer.Configuration()
        // BILLFOLD_HTTP: address and port to serve on.
        (server.host, server.port) = try listening(
            on: host.reader.string(forKey: "billfold.http", default: "127.0.0.1:8080"), "BILLFOLD_HTTP")
        // The set's commands and its health check would wait in vain.
        guard !server.host.contains(":") || server.host == "::" else {
            throw ConfigError(
                "BILLFOLD_HTTP names \(server.host), and the set's commands know IPv4 only: [::] listens on both")
        }
        // BILLFOLD_HTTP_CONNECTIONS: connections at once.
        let connectionsMax = try host.integer("billfold.http.connections", default: 4096, in: 1...65_536)
        server.connectionsMax = OpenFiles.makeRoom(for: connectionsMax)
        // BILLFOLD_HTTP_CONNECTIONS_PER_ADDRESS: of one client address. Half of all: a company behind one address has
        // hundreds of phones, and no address takes all places.
        server.connectionsPerClientMax = try host.integer(
            "billfold.http.connections.per.address", default: max(1, server.connectionsMax / 2), in: 1...65_536)
        // BILLFOLD_HTTP_HEAD_SECONDS, BILLFOLD_HTTP_REQUEST_SECONDS, BILLFOLD_HTTP_IDLE_SECONDS: how long a head, a
        // whole request and the next request may take to come.
        server.headTimeout = .seconds(try host.integer("billfold.http.head.seconds", default: 10, in: 1...300))
        server.requestTimeout = .seconds(try host.integer("billfold.http.request.seconds", default: 10, in: 1...300))
        server.idleTimeout = .seconds(try host.integer("billfold.http.idle.seconds", default: 60, in: 1...3600))
        // BILLFOLD_HTTP_HELD_MIB: bytes of unanswered requests, of all connections.
        server.heldBytesMax = try host.integer("billfold.http.held.mib", default: 16, in: 1...4096) << 20
        server.proxies = try proxies(host)
        // BILLFOLD_HTTP_LOOPS: event loops; each answers the requests of its own connections.
        let loops = try host.integer("billfold.http.loops", default: EdgeServer.loopsDefault, in: 1...64)
        var edge = Edge.Configuration()
        // BILLFOLD_REQUESTS_PER_ACCOUNT: of one account at once.
        edge.requestsPerAccountMax = try host.integer("billfold.requests.per.account", default: 256, in: 1...65_536)
        edge.metricsToken = try metricsToken(host)
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
        // BILLFOLD_TOUCH_AMOUNT, BILLFOLD_RELOAD_AMOUNT: what a touch pays and reloads, in minor units.
        edge.devices.app.touchAmount = Money(
            Int64(try host.integer("billfold.touch.amount", default: 150, in: 1...100_000_000)))
        edge.devices.app.reloadAmount = Money(
            Int64(try host.integer("billfold.reload.amount", default: 1000, in: 1...100_000_000)))
        // BILLFOLD_TOUCH_MERCHANT: whom touches pay, 32 hex digits; the set's own shop where nobody is named.
        if let text = host.reader.string(forKey: "billfold.touch.merchant"), !text.isEmpty {
            guard let merchant = PartyID(text) else {
                throw ConfigError("BILLFOLD_TOUCH_MERCHANT is '\(text)'; it has to be an account's id, 32 hex digits")
            }
            edge.devices.merchant = merchant
        }
        // BILLFOLD_EVENT_STREAMS: streams of notices open at once.
        edge.streams.countMax = try host.integer("billfold.event.streams", default: 20_000, in: 1...1_000_000)
        // BILLFOLD_EVENT_STREAMS_PER_ACCOUNT: of one account, of each kind.
        edge.streams.perAccountMax = try host.integer("billfold.event.streams.per.account", default: 8, in: 1...10_000)
        // Each stream holds a connection: some are left for requests.
        edge.streamsOfAllMax = max(1, server.connectionsMax - min(256, server.connectionsMax / 8))
        return GatewayConfig(
            host: host, edge: edge, server: server, loops: loops, metrics: try metrics(host), tiles: try tiles(host))
    }

    private static func listening(on address: String, _ setting: String) throws -> (host: String, port: Int) {
        guard let colon = address.lastIndex(of: ":"), let port = Int(address[address.index(after: colon)...]),
            (0...65_535).contains(port), colon > address.startIndex
        else { throw ConfigError("\(setting) is '\(address)'; it has to be address:port, such as 127.0.0.1:8080") }
        return (address[..<colon].trimmingCharacters(in: ["[", "]"]), port)
    }

    /// BILLFOLD_TRUSTED_PROXIES: addresses and ranges, separated by commas. BILLFOLD_FORWARDED_FIELD: the field in
    /// which they write the client's address.
    private static func proxies(_ host: HostConfig) throws -> TrustedProxies {
        let name = host.path("billfold.forwarded.field") ?? TrustedProxies.Field.xForwardedFor.rawValue
        guard let field = TrustedProxies.Field(rawValue: name.lowercased()) else {
            throw ConfigError("BILLFOLD_FORWARDED_FIELD is '\(name)'; it can be x-forwarded-for or forwarded")
        }
        let texts = (host.path("billfold.trusted.proxies") ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let ranges = try texts.filter { !$0.isEmpty }.map { text in
            guard let range = IPAddress.Range(text) else {
                throw ConfigError(
                    "BILLFOLD_TRUSTED_PROXIES has '\(text)'; it has to be addresses or ranges, such as 10.1.0.0/16"
                )
            }
            return range
        }
        return TrustedProxies(ranges, field: field)
    }

    /// BILLFOLD_MAP_TILES: where a map's tiles are. BILLFOLD_MAP_CREDIT: the credit that the map's owner demands.
    private static func tiles(_ host: HostConfig) throws -> MapTiles? {
        guard let address = host.path("billfold.map.tiles") else { return nil }
        guard let tiles = MapTiles(address, credit: host.path("billfold.map.credit") ?? "") else {
            throw ConfigError(
                "BILLFOLD_MAP_TILES is '\(address)'; it has to be an address such as "
                    + "https://tiles.example.com/{z}/{x}/{y}.png")
        }
        return tiles
    }

    /// BILLFOLD_METRICS_HTTP: address and port for `/metrics` alone, without a token.
    private static func metrics(_ host: HostConfig) throws -> EdgeServer.Configuration? {
        guard let address = host.path("billfold.metrics.http") else { return nil }
        var server = EdgeServer.Configuration(connectionsMax: 64, connectionsPerClientMax: 64)
        (server.host, server.port) = try listening(on: address, "BILLFOLD_METRICS_HTTP")
        return server
    }

    /// BILLFOLD_METRICS_TOKEN_FILE or BILLFOLD_METRICS_TOKEN: with it `/metrics` can be read from other machines.
    private static func metricsToken(_ host: HostConfig) throws -> TokenDigest? {
        var text = host.path("billfold.metrics.token") ?? ""
        if let path = host.path("billfold.metrics.token.file") {
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw ConfigError("BILLFOLD_METRICS_TOKEN_FILE is '\(path)'; this file cannot be read")
            }
            text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        if text.isEmpty { return nil }
        guard text.utf8.count >= 16, let digest = TokenDigest(authorization: "Bearer \(text)") else {
            throw ConfigError("the metrics token has to be 16 to 2,000 visible ASCII characters, without spaces")
        }
        return digest
    }
}
