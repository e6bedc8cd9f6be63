import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Primitives

/// The HTTP server of an edge.
package struct EdgeServer: Sendable {
    package struct Configuration: Sendable {
        package var host: String
        /// 0 lets the system choose.
        package var port: Int
        /// Connections at once; more wait in the backlog.
        package var connectionsMax: Int
        /// How long a connection may say nothing, between requests or within one.
        package var idleTimeout: Duration
        /// Bytes of all fields of one request.
        package var fieldBytesMax: Int
        /// One runs handlers on the event loop itself. More share them out over Swift's thread pool.
        package var eventLoops: Int

        package init(
            host: String = "127.0.0.1", port: Int = 8080, connectionsMax: Int = 4096,
            idleTimeout: Duration = .seconds(60), fieldBytesMax: Int = 16 * 1024, eventLoops: Int = 1
        ) {
            self.host = host
            self.port = port
            self.connectionsMax = connectionsMax
            self.idleTimeout = idleTimeout
            self.fieldBytesMax = fieldBytesMax
            self.eventLoops = eventLoops
        }
    }

    private let edge: Edge
    private let configuration: Configuration
    private let logger: Logger
    private let onRunning: @Sendable (Int) async -> Void

    /// - Parameter onRunning: called with the port, once connections are taken.
    package init(
        _ edge: Edge, _ configuration: Configuration, logger: Logger,
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.edge = edge
        self.configuration = configuration
        self.logger = logger
        self.onRunning = onRunning
    }

    /// Serves until graceful shutdown is triggered in the surrounding service group, and lets open requests finish.
    package func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: configuration.eventLoops)
        let outcome: Result<Void, any Error>
        do {
            if configuration.eventLoops == 1 {
                try await withTaskExecutorPreference(EventLoopTaskExecutor(group.next())) { try await serve(on: group) }
            } else {
                try await serve(on: group)
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await group.shutdownGracefully()
        try outcome.get()
    }

    /// Hummingbird's server without its `Application`, which makes a logger with an id for every request: 5 % of the
    /// processor's time, for logs that are not written here.
    private func serve(on group: MultiThreadedEventLoopGroup) async throws {
        let channel = HTTP1Channel.Configuration(
            idleTimeout: .milliseconds(configuration.idleTimeout.wholeMilliseconds),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: configuration.fieldBytesMax, maxHeaderListSize: configuration.fieldBytesMax,
                maxHeaderFieldCount: 100))
        let server = try HTTPServerBuilder.http1(configuration: channel).buildServer(
            configuration: ServerConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.connectionsMax)),
            eventLoopGroup: group, logger: logger
        ) { [edge] request, writer, channel in
            let response = try await edge.respond(to: request) { channel.remoteAddress?.ipAddress }
            try await writer.write(response: response.head, body: response.body)
        } onServerRunning: { [configuration, onRunning] channel in
            await onRunning(channel.localAddress?.port ?? configuration.port)
        }
        try await server.run()
    }
}
