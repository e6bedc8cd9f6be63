import Contracts
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization

/// The status line and header fields of an answer as they go out, and how its body is told from what follows it (RFC
/// 9112 section 6).
struct ResponseHead: Sendable {
    enum Framing: Sendable {
        /// Head and body leave in one piece; the body may be empty, as for HEAD.
        case whole
        /// The body's length is told, and the body comes in parts.
        case length
        case chunked
        /// The connection's end is the body's: all that HTTP/1.0 has.
        case untilClose
    }

    /// Bytes of a body that is sent in one piece. Longer ones are written in parts, each when the last has left.
    private static let wholeBytesMax = 256 * 1024

    let framing: Framing
    /// Whether the connection can take another request.
    let keepsAlive: Bool
    let bytes: ByteBuffer

    /// - Parameter closing: whether the connection is closed behind this answer, whatever the client wants.
    init(_ response: Response, to request: HTTPRequestHead, closing: Bool) {
        let status = response.status.code
        let hasNoBody = request.method == .HEAD || status == 204 || status == 304
        let length = response.body.contentLength
        framing =
            if hasNoBody || length.map({ $0 <= Self.wholeBytesMax }) == true { .whole } else if length != nil {
                .length
            } else if !request.isHTTP10 { .chunked } else { .untilClose }
        keepsAlive = !closing && framing != .untilClose && request.isKeepAlive && !request.leavesHTTP

        var bytes = ByteBufferAllocator().buffer(capacity: 512 + (framing == .whole ? length ?? 0 : 0))
        bytes.writeStaticString("HTTP/1.1 ")
        bytes.writeString(String(status))
        bytes.writeStaticString(" ")
        bytes.writeString(HTTPResponseStatus(statusCode: status).reasonPhrase)
        bytes.writeStaticString("\r\n")
        for field in response.headers {
            bytes.writeString(field.name.rawName)
            bytes.writeStaticString(": ")
            bytes.writeString(field.value)
            bytes.writeStaticString("\r\n")
        }
        if framing == .chunked { bytes.writeStaticString("Transfer-Encoding: chunked\r\n") }
        if !keepsAlive {
            bytes.writeStaticString("Connection: close\r\n")
        } else if request.isHTTP10 {
            bytes.writeStaticString("Connection: keep-alive\r\n")
        }
        bytes.writeStaticString("\r\n")
        self.bytes = bytes
    }

    var isStreamed: Bool { framing != .whole }

    /// Head and body of an answer that is not streamed.
    func bytes(with body: ResponseBody) async throws -> ByteBuffer {
        let writer = WholeBody(behind: bytes)
        try await body.write(writer)
        return writer.bytes.withLock { $0 }
    }
}

/// A refusal behind which the connection is closed. It is given before the request's path and key are looked at.
struct LastAnswer: Sendable, Error {
    private let head, body: ByteBuffer

    private init(_ fault: Fault) {
        let answer = Answer(fault)
        var fields = commonFields
        fields[.connection] = "close"
        fields[.contentType] = answer.content.rawValue
        fields[.contentLength] = "\(answer.body.readableBytes)"
        fields[.retryAfter] = answer.retryAfterSeconds.map { "\($0)" }
        let reason = HTTPResponseStatus(statusCode: answer.status).reasonPhrase
        var head = ByteBuffer(string: "HTTP/1.1 \(answer.status) \(reason)\r\n")
        for field in fields { head.writeString("\(field.name.rawName): \(field.value)\r\n") }
        head.writeString("\r\n")
        (self.head, body) = (head, answer.body)
    }

    /// - Parameter request: what is known of the request. The answer to HEAD has no content (RFC 9110 section 9.3.2).
    func bytes(to request: HTTPRequestHead?) -> ByteBuffer {
        guard request?.method != .HEAD else { return head }
        var bytes = head
        bytes.writeImmutableBuffer(body)
        return bytes
    }

    static let unreadable = LastAnswer(
        Fault(.requestUnreadable, "it is not HTTP/1.1, or can be read in more than one way"))

    /// A head over the limits.
    static let headTooLarge = LastAnswer(
        Fault(
            .headTooLarge,
            "a request's line and fields may have \(EdgeServer.Configuration.fieldBytesUsual) bytes together, and "
                + "\(EdgeChannel.fieldsMax) fields"))

    /// The rest of a request does not come.
    static let late = LastAnswer(Fault(.requestLate))

    /// There is no place for a connection, or for what it sends.
    static let noRoom = LastAnswer(Fault(.tooManyConnections, retryAfterSeconds: 1))
}

/// Takes a body that is sent in one piece.
private final class WholeBody: ResponseBodyWriter, Sendable {
    let bytes: Mutex<ByteBuffer>

    init(behind head: ByteBuffer) { bytes = Mutex(head) }

    func write(_ buffer: ByteBuffer) async throws { bytes.withLock { _ = $0.writeImmutableBuffer(buffer) } }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension HTTPRequestHead {
    /// Whether the client wants another protocol behind this request: NIO's parser reads no further then (RFC 9110
    /// section 7.8 and 9.3.6).
    fileprivate var leavesHTTP: Bool { method == .CONNECT || headers.contains(name: "Upgrade") }
}
