import NIOCore
import NIOPosix
import NIOSSL
import Primitives

/// Hands letters to a mail server.
package final class SMTPProvider: Provider {
    package struct Server: Sendable {
        package let host: String
        package let port: Int
        package let from: MailAddress
        package let tls: SMTPDialogue.TLS
        package let login: SMTPDialogue.Login?

        package init(
            host: String, port: Int, from: MailAddress, tls: SMTPDialogue.TLS, login: SMTPDialogue.Login?
        ) {
            self.host = host
            self.port = port
            self.from = from
            self.tls = tls
            self.login = login
        }

        /// A password may go unencrypted to this very machine only.
        var isHere: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }
    }

    /// How long a whole session may take.
    static let patience = Duration.seconds(30)

    private let server: Server
    private let group: MultiThreadedEventLoopGroup
    private let tls: NIOSSLContext

    /// - Parameter trusting: a file of certificates (PEM) that are trusted besides the system's.
    /// - Throws: when the file cannot be read.
    package init(_ server: Server, trusting path: String?) throws {
        self.server = server
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let path { configuration.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(path))] }
        tls = try NIOSSLContext(configuration: configuration)
    }

    package func shutdown() async { try? await group.shutdownGracefully() }  // the process ends in any case

    package func send(_ delivery: Delivery, at now: Timestamp) async -> DeliveryRules.Attempt {
        guard let to = MailAddress(delivery.address) else { return .refused("address_invalid") }
        let message = MailMessage(
            from: server.from, to: to, subject: delivery.title, text: delivery.text, id: delivery.id.hex,
            time: delivery.created)
        let dialogue = SMTPDialogue(
            from: server.from, to: to, message: message.bytes, tls: server.tls, login: server.login,
            trustsLine: server.isHere)
        return await withTaskGroup(of: DeliveryRules.Attempt.self) { tasks in
            tasks.addTask { [self] in await converse(dialogue) }
            tasks.addTask {
                try? await Task.sleep(for: Self.patience)  // cut short: the conversation was faster
                return .failed("timeout")
            }
            let first = await tasks.next() ?? .failed("timeout")
            tasks.cancelAll()
            return first
        }
    }

    private func converse(_ start: SMTPDialogue) async -> DeliveryRules.Attempt {
        do {
            let channel = try await ClientBootstrap(group: group)
                .connectTimeout(.milliseconds(HTTPSender.connectPatience.wholeMilliseconds))
                .connect(host: server.host, port: server.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ArrivedBytes())
                        return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            return try await channel.executeThenClose { [self] inbound, outbound in
                var dialogue = start
                var replies = SMTPReplies()
                var read = 0
                for try await part in inbound {
                    read += part.readableBytes
                    let found = try replies.take(part.readableBytesView)
                    for (index, reply) in found.enumerated() {
                        var step = dialogue.receive(reply)
                        if step == .startTLS {
                            // Bytes behind the consent are not encrypted, and may be anybody's.
                            guard index == found.count - 1, replies.isEmpty, try await secure(channel.channel, at: read)
                            else { return .failed("starttls") }
                            step = dialogue.secured()
                        }
                        switch step {
                        case .send(let bytes): try await outbound.write(ByteBuffer(bytes: bytes))
                        case .end(let attempt):
                            try? await outbound.write(ByteBuffer(string: "QUIT\r\n"))  // a courtesy
                            return attempt
                        case .startTLS: return .failed("starttls")
                        }
                    }
                }
                return .failed("connection_closed")
            }
        } catch is NIOSSLError {
            return .failed("tls")
        } catch is SMTPReplies.Unreadable {
            return .failed("not_smtp")
        } catch {
            return .failed("no_connection")
        }
    }

    /// Goes on with TLS: whatever comes from now on is encrypted, or ends the connection.
    ///
    /// - Parameter read: the bytes that were read of this connection.
    /// - Returns: false where others have come before.
    private func secure(_ channel: any NIOCore.Channel, at read: Int) async throws -> Bool {
        let (tls, host) = (tls, server.host)
        return try await channel.eventLoop.submit {
            guard try channel.pipeline.syncOperations.handler(type: ArrivedBytes.self).count == read else {
                return false
            }
            // An address is no name that a certificate could be for in SNI.
            let name = IPAddress.bytes(host) == nil ? host : nil
            let handler = try NIOSSLClientHandler(context: tls, serverHostname: name)
            try channel.pipeline.syncOperations.addHandler(handler, position: .first)
            return true
        }.get()
    }
}

/// Counts what comes on a connection, before anybody reads it.
private final class ArrivedBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
    }
}
