import NIOCore

/// A request's body that had not all come when its handler began. Lives on the connection's event loop.
package final class LateBody {
    /// Bytes kept for a handler that does not ask for them yet; the client has to wait with more.
    private static let bytesMax = Edge.bodyBytesMax

    private enum End {
        case whole
        case broken(any Error)
    }

    private weak var connection: HTTPConnection?
    private let loop: any EventLoop
    private var waiting: CircularBuffer<ByteBuffer> = []
    private var waitingBytes = 0
    private var reader: CheckedContinuation<Void, Never>?
    private var end: End?
    /// Whether the client waits for a word before it sends the body.
    private(set) var isHeldBack: Bool

    init(_ part: ByteBuffer, isHeldBack: Bool, connection: HTTPConnection, on loop: any EventLoop) {
        self.isHeldBack = isHeldBack && part.readableBytes == 0
        self.connection = connection
        self.loop = loop
        if part.readableBytes > 0 { append(part) }
    }

    var isFull: Bool { waitingBytes >= Self.bytesMax }

    func append(_ part: ByteBuffer) {
        isHeldBack = false
        waiting.append(part)
        waitingBytes += part.readableBytes
        wake()
    }

    func finish() { end(.whole) }

    func fail(_ error: any Error) { end(.broken(error)) }

    private func end(_ end: End) {
        if self.end == nil { self.end = end }
        wake()
    }

    private func wake() {
        reader?.resume()
        reader = nil
    }

    private nonisolated(nonsending) func next() async throws -> ByteBuffer? {
        while true {
            if let part = waiting.popFirst() {
                waitingBytes -= part.readableBytes
                connection?.readOn()
                return part
            }
            switch end {
            case .whole: return nil
            case .broken(let error): throw error
            case nil: break
            }
            if isHeldBack {
                isHeldBack = false
                connection?.sendContinue()
            }
            await withCheckedContinuation { reader = $0 }
        }
    }

    // MARK: For the handler

    /// The parts as they come, for one reader on the connection's event loop.
    var parts: Parts { Parts(body: NIOLoopBound(self, eventLoop: loop)) }

    package struct Parts: AsyncSequence, Sendable {
        let body: NIOLoopBound<LateBody>

        package func makeAsyncIterator() -> Iterator { Iterator(body: body) }

        package struct Iterator: AsyncIteratorProtocol, Sendable {
            let body: NIOLoopBound<LateBody>

            package func next() async throws -> ByteBuffer? { try await body.value.next() }
        }
    }
}
