import Contracts
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
        /// Connections at once. One more closes the least useful.
        package var connectionsMax: Int
        /// Of one client address; loopback and trusted proxies have no share of their own.
        package var connectionsPerClientMax: Int
        /// How long a head may take from its first byte, and a new connection until that.
        package var headTimeout: Duration
        /// How long a whole request may take from its first byte: its body too.
        package var requestTimeout: Duration
        /// How long a connection may be idle between requests, and how long a client may not take its answer.
        package var idleTimeout: Duration
        package static let fieldBytesUsual = 16 * 1024
        /// Bytes of all fields of one request.
        package var fieldBytesMax: Int
        /// Bytes of unanswered requests, of all connections, beyond 4 KiB of each.
        package var heldBytesMax: Int
        /// Whose word about a client's address counts.
        package var proxies: TrustedProxies

        /// As in a URL (RFC 3986 section 3.2.2).
        package func address(port: Int) -> String {
            host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }

        package init(
            host: String = "127.0.0.1", port: Int = 8080, connectionsMax: Int = 4096,
            connectionsPerClientMax: Int = 2048, headTimeout: Duration = .seconds(10),
            requestTimeout: Duration = .seconds(10), idleTimeout: Duration = .seconds(60),
            fieldBytesMax: Int = fieldBytesUsual, heldBytesMax: Int = 16 << 20,
            proxies: TrustedProxies = TrustedProxies()
        ) {
            self.host = host
            self.port = port
            self.connectionsMax = connectionsMax
            self.connectionsPerClientMax = connectionsPerClientMax
            self.headTimeout = headTimeout
            self.requestTimeout = requestTimeout
            self.idleTimeout = idleTimeout
            self.fieldBytesMax = fieldBytesMax
            self.heldBytesMax = heldBytesMax
            self.proxies = proxies
        }
    }

    /// Nothing can be served at the address that the server was given.
    package struct ListenError: Error, CustomStringConvertible {
        package let description: String
    }

    /// Connections that are being closed, beyond the most that there may be: an eighth of those, 1024 at most.
    static func closingMax(of connections: Int) -> Int { min(connections / 8, 1024) }

    /// Answers one request; told how to find out the client's address. Throws when the connection broke meanwhile.
    package typealias Responder =
        nonisolated(nonsending) @Sendable (IncomingRequest, () -> IPAddress?) async throws -> EdgeResponse

    /// One event loop for each core, so that a burst of answers does not go through one thread while a core has nothing
    /// to do; four at most, as behind all of them is one wallet.
    package static var loopsDefault: Int { min(System.coreCount, 4) }

    private let respond: Responder
    private let configuration: Configuration
    private let loops: MultiThreadedEventLoopGroup
    private let logger: Logger
    private let connections: Connections

    /// - Parameter loops: each answers the requests of its connections by itself. Shut down at the end of ``run(_:)``.
    package init(
        _ edge: Edge, _ configuration: Configuration,
        on loops: MultiThreadedEventLoopGroup = .init(numberOfThreads: loopsDefault), logger: Logger
    ) {
        self.init(configuration, on: loops, logger: logger) { request, address in
            try await edge.respond(to: request, from: address)
        }
    }

    package init(
        _ configuration: Configuration, on loops: MultiThreadedEventLoopGroup = .init(numberOfThreads: loopsDefault),
        logger: Logger, respond: @escaping Responder
    ) {
        self.respond = respond
        self.configuration = configuration
        self.loops = loops
        self.logger = logger
        connections = Connections(configuration)
    }

    /// What the gateway tells of its connections.
    package var samples: [ServiceStats.Sample] { connections.samples }

    /// To be called every second.
    package func tick() { connections.tick() }

    /// A server that takes connections.
    package struct Listening: Sendable {
        package let port: Int
        fileprivate let server: Server<EdgeChannel>
        fileprivate let serving: Task<Void, any Error>
    }

    /// Takes connections from now on.
    /// - Throws: `ListenError` when the address cannot be had.
    package func listen() async throws -> Listening {
        let channel = EdgeChannel(configuration, on: loops, connections, respond: respond)
        let (ports, bound) = AsyncThrowingStream.makeStream(of: Int.self)
        // Hummingbird's server takes the connections and counts them; what is on them is ours (ADR 15).
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    configuration.connectionsMax + Self.closingMax(of: configuration.connectionsMax) + 16)),
            onServerRunning: { [configuration] channel in
                bound.yield(channel.localAddress?.port ?? configuration.port)
            },
            eventLoopGroup: loops, logger: logger)
        // Detached, as the server would else hear of the shutdown by itself, and stop in a task that nobody waits for
        // and that may find its event loop gone. Also what accepts connections stays off Swift's thread pool.
        let serving = Task.detached(executorPreference: channel.executor(of: loops.next())) {
            do { try await server.run() } catch {
                bound.finish(throwing: error)
                throw error
            }
        }
        do {
            for try await port in ports { return Listening(port: port, server: server, serving: serving) }
            throw CancellationError()  // the stream has no other end
        } catch let error as IOError {
            throw ListenError(description: String(cString: strerror(error.errnoCode)))
        }
    }

    /// Serves until graceful shutdown is triggered in the surrounding service group, and lets open requests finish.
    package func run(_ listening: Listening) async throws {
        let outcome: Result<Void, any Error>
        do {
            try await serve(listening)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await loops.shutdownGracefully()
        try outcome.get()
    }

    private func serve(_ listening: Listening) async throws {
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await listening.serving.value }
                tasks.addTask {
                    try await gracefulShutdown()
                    try await listening.server.shutdownGracefully()
                }
                // Left at the first error: the other is cancelled then.
                for try await _ in tasks {}
            }
        } onCancel: {
            listening.serving.cancel()
        }
    }
}

/// Sets up a connection's pipeline, and answers its requests on its event loop.
package struct EdgeChannel: ServerChildChannel {
    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
        fileprivate let connection: NIOLoopBound<HTTPConnection>
    }

    static let fieldsMax = 100
    /// Bytes read at once. Each connection keeps a buffer of this size while it is open; most requests are smaller.
    private static let readBytesMax = 8 * 1024

    private let respond: EdgeServer.Responder
    private let configuration: EdgeServer.Configuration
    private let connections: Connections
    private let executors: [ObjectIdentifier: EventLoopTaskExecutor]

    package init(
        _ configuration: EdgeServer.Configuration, on loops: MultiThreadedEventLoopGroup,
        respond: @escaping EdgeServer.Responder
    ) {
        self.init(configuration, on: loops, Connections(configuration), respond: respond)
    }

    fileprivate init(
        _ configuration: EdgeServer.Configuration, on loops: MultiThreadedEventLoopGroup, _ connections: Connections,
        respond: @escaping EdgeServer.Responder
    ) {
        self.respond = respond
        self.configuration = configuration
        self.connections = connections
        executors = Dictionary(
            uniqueKeysWithValues: loops.makeIterator().map { (ObjectIdentifier($0), EventLoopTaskExecutor($0)) })
    }

    fileprivate func executor(of loop: any EventLoop) -> EventLoopTaskExecutor {
        guard let executor = executors[ObjectIdentifier(loop)] else {
            preconditionFailure("an event loop of another group")
        }
        return executor
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = configuration.fieldBytesMax
            limits.maxHeaderListSize = configuration.fieldBytesMax
            limits.maxHeaderFieldCount = Self.fieldsMax
            let options = channel.syncOptions
            try options?.setOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: Self.readBytesMax))
            try options?.setOption(.maxMessagesPerRead, value: 1)
            // A client that is gone without a word takes nothing off the connection: the kernel would try for a quarter
            // of an hour, and a stream's place would be taken as long.
            let unread = Int(configuration.idleTimeout.wholeMilliseconds)
            try options?.setOption(.tcpOption(.init(rawValue: TCP_USER_TIMEOUT)), value: unread)
            let connection = HTTPConnection(
                HTTPConnection.Patience(
                    head: .milliseconds(configuration.headTimeout.wholeMilliseconds),
                    request: .milliseconds(configuration.requestTimeout.wholeMilliseconds),
                    idle: .milliseconds(configuration.idleTimeout.wholeMilliseconds)),
                of: connections, from: channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) },
                executor: executor(of: channel.eventLoop), respond: respond)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(ArrivalMeter(connection))
            try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: limits)))
            try pipeline.addHandler(connection)
            return Value(channel: channel, connection: NIOLoopBound(connection, eventLoop: channel.eventLoop))
        }
    }

    package func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(executor(of: value.channel.eventLoop)) {
            await withTaskCancellationHandler {
                guard await value.connection.value.serve() else { return }
                try? await value.channel.closeFuture.get()  // closed is closed, whatever the reason
            } onCancel: {
                value.channel.close(promise: nil)
            }
        }
    }
}
