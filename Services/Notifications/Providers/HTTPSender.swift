import AsyncHTTPClient
import Contracts
import Dispatch
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Primitives
import Synchronization

/// What a receiver answered.
struct HTTPAnswer: Sendable {
    let status: Int
    /// `Retry-After` in seconds; its form as a date is not looked at.
    let retryAfter: Duration?
    /// At most `HTTPSender.answerBytesMax`.
    let body: [UInt8]
}

/// Why there was no answer. Both texts are ours: nothing that a receiver said gets into a reason.
enum SendTrouble: Error, Sendable {
    /// Worth another try.
    case passing(String)
    /// Nothing may be sent there, ever.
    case forbidden(String)

    var attempt: DeliveryRules.Attempt {
        switch self {
        case .passing(let reason): .failed(reason)
        case .forbidden(let reason): .refused(reason)
        }
    }
}

/// Posts over HTTP/1.1 or HTTP/2, to receivers of users' choice without letting them choose one inside the house.
package final class HTTPSender: Sendable {
    /// How long a connection may take.
    static let connectPatience = Duration.seconds(5)
    /// How long a whole request may take: a receiver that hangs holds up itself only, and for so long.
    static let patience = Duration.seconds(15)
    /// The longest that is read of an answer.
    static let answerBytesMax = 16 * 1024
    /// The longest wait that a receiver may ask for.
    static let retryAfterMax: Int64 = 86_400

    /// What it takes to send: with TLS some megabytes, and a thread.
    private struct Means {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let configuration: HTTPClient.Configuration
        /// For receivers of the operator's choice: its connections are kept.
        let fixed: HTTPClient

        init(trusting roots: [NIOSSLCertificate]) {
            var tls = TLSConfiguration.makeClientConfiguration()
            if !roots.isEmpty { tls.additionalTrustRoots = [.certificates(roots)] }
            var configuration = HTTPClient.Configuration(
                tlsConfiguration: tls, redirectConfiguration: .disallow,
                timeout: .init(connect: .milliseconds(HTTPSender.connectPatience.wholeMilliseconds)))
            configuration.httpVersion = .automatic
            self.configuration = configuration
            fixed = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
        }
    }

    /// All addresses of a name. Blocks.
    package typealias Resolve = @Sendable (_ name: String) -> [[UInt8]]

    private let resolve: Resolve
    private let roots: [NIOSSLCertificate]
    private let allowsPrivate: Bool
    private let patience: Duration
    /// Made when there is something to be sent.
    private let made = Mutex<Means?>(nil)

    /// - Parameters:
    ///   - trusting: a file of certificates (PEM) that are trusted besides the system's.
    ///   - allowsPrivate: whether users' URLs may lead to private addresses.
    ///   - resolve: looks up a user's host, once a message.
    /// - Throws: when the file cannot be read.
    package init(
        trusting path: String?, allowsPrivate: Bool, patience: Duration = HTTPSender.patience,
        resolving resolve: @escaping Resolve = HTTPSender.systemResolver
    ) throws {
        self.resolve = resolve
        roots = try path.map { try NIOSSLCertificate.fromPEMFile($0) } ?? []
        self.allowsPrivate = allowsPrivate
        self.patience = patience
    }

    private var means: Means {
        made.withLock { made in
            let means = made ?? Means(trusting: roots)
            made = means
            return means
        }
    }

    package func shutdown() async {
        guard let means = made.withLock({ $0 }) else { return }
        // The process ends; a connection that does not close by itself is closed by that.
        try? await means.fixed.shutdown()
        try? await means.group.shutdownGracefully()
    }

    /// Posts to an address that the operator has configured.
    func post(
        _ url: String, _ headers: [(String, String)], _ body: [UInt8]
    ) async throws(SendTrouble) -> HTTPAnswer {
        try await post(url, headers, body, by: means.fixed)
    }

    /// Posts to a URL that a user gave: only to a public address, the very one that was looked at, and no other by way
    /// of a redirect.
    func post(
        toUsers text: String, _ headers: [(String, String)], _ body: [UInt8]
    ) async throws(SendTrouble) -> HTTPAnswer {
        guard let url = WebAddress(text), url.isSecure || allowsPrivate else { throw .forbidden("url_invalid") }
        if let bytes = IPAddress.bytes(url.host) {
            guard allowsPrivate || PublicAddress.contains(bytes) else { throw .forbidden("address_not_public") }
            return try await post(url, at: nil, headers, body)
        }
        let found = await addresses(of: url.host)
        // Reject if any address is private: the sender could make us connect to that one.
        guard allowsPrivate || found.allSatisfy(PublicAddress.contains) else { throw .forbidden("address_not_public") }
        var trouble = SendTrouble.passing("no_address")
        for address in found.prefix(Self.addressesMax) {
            do throws(SendTrouble) { return try await post(url, at: address, headers, body) } catch {
                guard case .passing(Self.unreachable) = error else { throw error }
                trouble = error
            }
        }
        throw trouble
    }

    /// Addresses of one name that are tried.
    private static let addressesMax = 3
    /// Nothing was sent: there is no connection.
    private static let unreachable = "no_connection"

    private func post(
        _ url: WebAddress, at address: [UInt8]?, _ headers: [(String, String)], _ body: [UInt8]
    ) async throws(SendTrouble) -> HTTPAnswer {
        let means = means
        var configuration = means.configuration
        if let address = address.flatMap(IPAddress.text) { configuration.dnsOverride = [url.host: address] }
        let client = HTTPClient(eventLoopGroupProvider: .shared(means.group), configuration: configuration)
        let result: Result<HTTPAnswer, SendTrouble>
        do throws(SendTrouble) { result = .success(try await post(url.text, headers, body, by: client)) } catch {
            result = .failure(error)
        }
        try? await client.shutdown()  // its one connection; nothing to lose
        return try result.get()
    }

    private func post(
        _ url: String, _ headers: [(String, String)], _ body: [UInt8], by client: HTTPClient
    ) async throws(SendTrouble) -> HTTPAnswer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let deadline = NIODeadline.now() + .milliseconds(patience.wholeMilliseconds)
            let response = try await client.execute(request, deadline: deadline)
            // Longer ones are of no use to anybody, and a body that never ends ends with the deadline.
            var read: [UInt8] = []
            for try await part in response.body {
                read += part.readableBytesView.prefix(Self.answerBytesMax - read.count)
                if read.count >= Self.answerBytesMax { break }
            }
            let seconds = response.headers.first(name: "retry-after").flatMap { Int64($0) }
            return HTTPAnswer(
                status: Int(response.status.code),
                retryAfter: seconds.map { .seconds(min(max(0, $0), Self.retryAfterMax)) }, body: read)
        } catch let error as HTTPClientError {
            throw .passing(Self.reason(error))
        } catch is NIOSSLError {
            throw .passing("tls")
        } catch is CancellationError {
            throw .passing("cancelled")
        } catch {
            throw .passing(Self.unreachable)
        }
    }

    private static func reason(_ error: HTTPClientError) -> String {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout: unreachable
        case .deadlineExceeded, .readTimeout: "timeout"
        case .tlsHandshakeTimeout: "tls"
        case .remoteConnectionClosed: "connection_closed"
        default: "no_answer"
        }
    }

    private func addresses(of name: String) async -> [[UInt8]] {
        await withCheckedContinuation { [resolve] continuation in
            DispatchQueue.global().async { continuation.resume(returning: resolve(name)) }
        }
    }

    package static let systemResolver: Resolve = { IPAddress.resolve($0) }
}
