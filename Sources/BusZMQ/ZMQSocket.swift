import CZeroMQ

/// What libzmq said when something did not work.
package struct ZMQError: Error, CustomStringConvertible {
    package let what: String
    package let code: Int32

    package init(_ what: String, code: Int32 = zmq_errno()) {
        self.what = what
        self.code = code
    }

    package var description: String { "\(what): \(String(cString: zmq_strerror(code)))" }
}

/// The process's one ZeroMQ context.
///
/// `@unchecked`: libzmq's contexts may be used by any thread; the pointer never changes.
package final class ZMQContext: @unchecked Sendable {
    package let raw: UnsafeMutableRawPointer

    package init() throws {
        guard let context = zmq_ctx_new() else { throw ZMQError("cannot open a ZeroMQ context") }
        raw = context
        zmq_ctx_set(raw, ZMQ_MAX_SOCKETS, 16)
        zmq_ctx_set(raw, ZMQ_BLOCKY, 0)
    }

    /// Waits until every socket is closed and what lingers is sent or late.
    deinit { zmq_ctx_term(raw) }
}

/// One ZeroMQ socket, used by one thread at a time.
package final class ZMQSocket {
    package let raw: UnsafeMutableRawPointer
    /// Kept so that the context outlives its sockets, whatever is released first.
    private let context: ZMQContext

    /// - Parameters:
    ///   - highWaterMark: messages queued per peer and direction; never 0, which means without bound.
    ///   - lingerMilliseconds: how long unsent messages outlive the socket.
    package init(_ context: ZMQContext, _ type: Int32, highWaterMark: Int32, lingerMilliseconds: Int32) throws {
        self.context = context
        guard let socket = zmq_socket(context.raw, type) else { throw ZMQError("cannot open a ZeroMQ socket") }
        raw = socket
        try set(ZMQ_LINGER, lingerMilliseconds)
        try set(ZMQ_SNDHWM, highWaterMark)
        try set(ZMQ_RCVHWM, highWaterMark)
        // A frame above this closes its peer's connection; headers and bodies both stay below.
        var size = Int64(1 << 20)
        guard zmq_setsockopt(raw, ZMQ_MAXMSGSIZE, &size, MemoryLayout<Int64>.size) == 0 else {
            throw ZMQError("cannot set ZMQ_MAXMSGSIZE")
        }
        // A peer that connects and never says who it is holds a file descriptor for so long.
        try set(ZMQ_HANDSHAKE_IVL, 5_000)
        try set(ZMQ_RECONNECT_IVL, 50)
        try set(ZMQ_RECONNECT_IVL_MAX, 1_000)
    }

    deinit { zmq_close(raw) }

    /// For a socket that sends more at once than it receives. To be called before the socket is bound or connected.
    package func setSendHighWaterMark(_ messages: Int32) throws { try set(ZMQ_SNDHWM, messages) }

    package func set(_ option: Int32, _ value: Int32) throws {
        var value = value
        guard zmq_setsockopt(raw, option, &value, MemoryLayout<Int32>.size) == 0 else {
            throw ZMQError("cannot set ZeroMQ option \(option)")
        }
    }

    package func connect(_ endpoint: String) throws {
        guard zmq_connect(raw, endpoint) == 0 else { throw ZMQError("cannot connect to \(endpoint)") }
    }

    package func bind(_ endpoint: String) throws {
        guard zmq_bind(raw, endpoint) == 0 else { throw ZMQError("cannot bind \(endpoint)") }
    }

    /// Where the last `bind` listens, with the port that the kernel chose.
    package var lastEndpoint: String {
        var text = [CChar](repeating: 0, count: 256)
        var size = text.count
        guard zmq_getsockopt(raw, ZMQ_LAST_ENDPOINT, &text, &size) == 0, size > 0 else { return "" }
        return String(decoding: text[..<(size - 1)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What becomes readable when the socket has news: see `Poller` for what that means.
    package var descriptor: Int32 {
        var descriptor: Int32 = -1
        var size = MemoryLayout<Int32>.size
        // Cannot fail on an open socket.
        zmq_getsockopt(raw, ZMQ_FD, &descriptor, &size)
        return descriptor
    }

    /// Sends one frame without waiting; false when it cannot be sent now.
    package func send(_ frame: UnsafeRawBufferPointer, more: Bool) -> Bool {
        while true {
            if zmq_send(raw, frame.baseAddress, frame.count, ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0)) >= 0 {
                return true
            }
            if zmq_errno() != EINTR { return false }
        }
    }
}
