import HTTPTypes
import NIOCore
import NIOHTTP1

/// A request as it was read, before any of it is looked at.
package struct IncomingRequest: Sendable {
    package enum Body: Sendable {
        case whole(ByteBuffer)
        /// Not all of it has come yet.
        case late(LateBody.Parts)
    }

    package let method: HTTPRequest.Method
    /// Path and query as they were sent.
    package let target: String
    package let headers: HTTPHeaders
    package let body: Body

    package init(method: HTTPRequest.Method, target: String, headers: HTTPHeaders, body: Body) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

extension IncomingRequest.Body {
    /// All of it. Throws `NIOTooManyBytesError` when there is more, and whatever broke the connection.
    nonisolated(nonsending) func collect(upTo bytesMax: Int) async throws -> ByteBuffer {
        switch self {
        case .whole(let bytes):
            guard bytes.readableBytes <= bytesMax else { throw NIOTooManyBytesError(maxBytes: bytesMax) }
            return bytes
        case .late(let parts): return try await parts.collect(upTo: bytesMax)
        }
    }
}
