import Contracts
import Hummingbird
import Wire

/// What a handler found out: the body to answer with, and whether it is the recorded answer to an earlier request.
package struct Given<Reply: WireMessage>: Sendable {
    let reply: Reply
    let replayed: Bool
    /// `Set-Cookie`, of a page's session.
    var cookie: String?

    init(_ reply: Reply, replayed: Bool = false) {
        self.reply = reply
        self.replayed = replayed
    }
}

extension Given where Reply: Fact & Equatable {
    /// The fact alone: its place in the ledger's sequence is between services.
    init(_ recorded: Recorded<Reply>) { self.init(recorded.result, replayed: recorded.replayed) }
}

/// A response before it has headers.
package struct Answer: Sendable {
    package enum Content: String, Sendable {
        case json = "application/json"
        case problem = "application/problem+json"
        /// The Prometheus text format's own name (version 0.0.4).
        case metrics = "text/plain; version=0.0.4; charset=utf-8"
        case none = ""
        case text = "text/plain; charset=utf-8"
        case svg = "image/svg+xml"
        /// Server-sent events.
        case events = "text/event-stream"
        case html = "text/html; charset=utf-8"
        case css = "text/css; charset=utf-8"
        case script = "text/javascript; charset=utf-8"
        case csv = "text/csv; charset=utf-8"
        case markdown = "text/markdown; charset=utf-8"
        /// What makes a page an app that can be installed (W3C Web Application Manifest).
        case manifest = "application/manifest+json"
    }

    /// What goes on writing a body that has no end yet.
    package typealias Writing = @Sendable (inout any ResponseBodyWriter) async throws -> Void

    let status: Int
    let content: Content
    let body: ByteBuffer
    /// Writes the body instead, until it returns.
    var writing: Writing?
    /// Writes the body instead, whenever something comes.
    var events: (any EventFeed)?
    /// The version of a file (RFC 9110 section 8.8.3), with its quotes.
    var etag: String?
    /// Which display of its device this is: the `id` of the event with the same one.
    var displayVersion: Int?
    /// What became of a touch.
    var touchEffect: String?
    var replayed = false
    /// An origin from which a page may get pictures, besides this gateway.
    var picturesFrom: String?
    /// `Set-Cookie`, of a page's session.
    var cookie: String?
    /// Of a refusal.
    private(set) var fault: FaultCode?
    var retryAfterSeconds: Int?
    /// The methods that the path takes, for 405.
    var allow: String?
    /// `RateLimit` and `RateLimit-Policy`, for 429.
    var rate: (limit: String, policy: String)?

    init(status: Int, content: Content, body: ByteBuffer) {
        self.status = status
        self.content = content
        self.body = body
    }

    init(status: Int, content: Content, writing: @escaping Writing) {
        self.init(status: status, content: content, body: ByteBuffer())
        self.writing = writing
    }

    init(events: any EventFeed) {
        self.init(status: 200, content: .events, body: ByteBuffer())
        self.events = events
    }

    init<Reply>(_ given: Given<Reply>, status: Int) {
        if Reply.self == Nothing.self {
            self.init(status: status, content: .none, body: ByteBuffer())
        } else {
            var writer = JSONWriter()
            given.reply.write(to: &writer)
            self.init(status: status, content: .json, body: ByteBuffer(bytes: writer.bytes))
        }
        replayed = given.replayed
        cookie = given.cookie
    }

    init(_ fault: Fault) {
        let fault = fault.atTheEdge.withAdvice
        self.init(status: fault.code.status, content: .problem, body: ByteBuffer(bytes: fault.json))
        self.fault = fault.code
        replayed = fault.replayed
        retryAfterSeconds = fault.retryAfterSeconds
    }

    /// A refusal that a page says.
    init(_ fault: Fault, page: ByteBuffer) {
        self.init(status: fault.code.status, content: .html, body: page)
        self.fault = fault.code
    }
}

/// No body at all: what a 204 answers with, and what a request without a body brings.
package struct Nothing: WireMessage, Equatable {
    package init() {}
}
