import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Primitives
import ServiceLifecycle

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

        package init(
            host: String = "127.0.0.1", port: Int = 8080, connectionsMax: Int = 4096,
            idleTimeout: Duration = .seconds(60), fieldBytesMax: Int = 16 * 1024
        ) {
            self.host = host
            self.port = port
            self.connectionsMax = connectionsMax
            self.idleTimeout = idleTimeout
            self.fieldBytesMax = fieldBytesMax
        }
    }

    /// Answers one request; told how to find out the client's address. Throws when the connection broke meanwhile.
    package typealias Responder =
        nonisolated(nonsending) @Sendable (IncomingRequest, () -> String?) async throws -> Response

    /// One event loop for each core, so that a burst of answers does not go through one thread while a core has nothing to do;
    /// four at most, as behind all of them is one wallet.
    package static var loopsDefault: Int { min(System.coreCount, 4) }

    private let respond: Responder
    private let configuration: Configuration
    private let loops: MultiThreadedEventLoopGroup
    private let logger: Logger
    private let onRunning: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - loops: each answers the requests of its connections by itself. Shut down at the end of ``run()``.
    ///   - onRunning: called with the port, once connections are taken.
    package init(
        _ edge: Edge, _ configuration: Configuration,
        on loops: MultiThreadedEventLoopGroup = .init(numberOfThreads: loopsDefault), logger: Logger,
        onRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.init(configuration, on: loops, logger: logger, onRunning: onRunning) { request, address in
            try await edge.respond(to: request, from: address)
        }
    }

    package init(
        _ configuration: Configuration, on loops: MultiThreadedEventLoopGroup = .init(numberOfThreads: loopsDefault),
        logger: Logger, onRunning: @escaping @Sendable (_ port: Int) async -> Void, respond: @escaping Responder
    ) {
        self.respond = respond
        self.configuration = configuration
        self.loops = loops
        self.logger = logger
        self.onRunning = onRunning
    }

    /// Serves until graceful shutdown is triggered in the surrounding service group, and lets open requests finish.
    package func run() async throws {
        let connections = EdgeChannel(respond, configuration, loops)
        let outcome: Result<Void, any Error>
        do {
            try await serve(connections)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await loops.shutdownGracefully()
        try outcome.get()
    }

    /// Hummingbird's server takes the connections and counts them; what is on them is ours (ADR 15).
    private func serve(_ connections: EdgeChannel) async throws {
        let server = Server(
            childChannelSetup: connections,
            configuration: ServerConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.connectionsMax)),
            onServerRunning: { [configuration, onRunning] channel in
                await onRunning(channel.localAddress?.port ?? configuration.port)
            },
            eventLoopGroup: loops, logger: logger)
        // Detached, as the server would else hear of the shutdown by itself, and stop in a task that nobody waits for and that
        // may find its event loop gone. Also what accepts connections stays off Swift's thread pool.
        let serving = Task.detached(executorPreference: connections.executor(of: loops.next())) {
            try await server.run()
        }
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await serving.value }
                tasks.addTask {
                    try await gracefulShutdown()
                    try await server.shutdownGracefully()
                }
                // Left at the first error, as of a port that is taken: the other is cancelled then.
                for try await _ in tasks {}
            }
        } onCancel: {
            serving.cancel()
        }
    }
}

/// Sets up a connection's pipeline, and answers its requests on its event loop.
private struct EdgeChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let connection: NIOLoopBound<HTTPConnection>
    }

    private static let fieldsMax = 100

    private let respond: EdgeServer.Responder
    private let configuration: EdgeServer.Configuration
    private let executors: [ObjectIdentifier: EventLoopTaskExecutor]

    init(
        _ respond: @escaping EdgeServer.Responder, _ configuration: EdgeServer.Configuration,
        _ loops: MultiThreadedEventLoopGroup
    ) {
        self.respond = respond
        self.configuration = configuration
        executors = Dictionary(
            uniqueKeysWithValues: loops.makeIterator().map { (ObjectIdentifier($0), EventLoopTaskExecutor($0)) })
    }

    func executor(of loop: any EventLoop) -> EventLoopTaskExecutor {
        guard let executor = executors[ObjectIdentifier(loop)] else {
            preconditionFailure("an event loop of another group")
        }
        return executor
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = configuration.fieldBytesMax
            limits.maxHeaderListSize = configuration.fieldBytesMax
            limits.maxHeaderFieldCount = Self.fieldsMax
            let connection = HTTPConnection(
                idleTimeout: .milliseconds(configuration.idleTimeout.wholeMilliseconds),
                executor: executor(of: channel.eventLoop))
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: limits)))
            try pipeline.addHandler(connection)
            return Value(channel: channel, connection: NIOLoopBound(connection, eventLoop: channel.eventLoop))
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(executor(of: value.channel.eventLoop)) {
            await withTaskCancellationHandler {
                await value.connection.value.serve(respond)
            } onCancel: {
                value.channel.close(promise: nil)
            }
        }
    }
}
