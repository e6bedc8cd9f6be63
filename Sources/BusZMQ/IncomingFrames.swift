import CZeroMQ

/// The frames of the message being received: a header and, nearly always, one body. Preallocated, used again.
///
/// A class that owns its memory. A local `~Copyable` owner was freed early in an endless loop that uses it through
/// pointers it handed out.
final class IncomingFrames {
    private let messages: UnsafeMutablePointer<zmq_msg_t>
    private var count = 0

    init() {
        messages = .allocate(capacity: 3)
        for index in 0..<3 { zmq_msg_init(messages + index) }
    }

    deinit {
        for index in 0..<3 { zmq_msg_close(messages + index) }
        messages.deallocate()
    }

    /// Receives one message whole; false when none waits. Frames beyond the third are read and dropped.
    func receive(from socket: UnsafeMutableRawPointer) -> Bool {
        count = 0
        while true {
            let index = min(count, 2)
            if zmq_msg_recv(messages + index, socket, ZMQ_DONTWAIT) < 0 {
                if zmq_errno() == EINTR { continue }
                return false
            }
            count = index + 1
            if zmq_msg_more(messages + index) == 0 { return true }
        }
    }

    var first: UnsafeRawBufferPointer { view(0) }

    var bodyCount: Int { count == 2 ? zmq_msg_size(messages + 1) : 0 }

    /// The one body frame, copied; nil when there is none or more than one.
    var bodyBytes: [UInt8]? { count == 2 ? [UInt8](view(1)) : nil }

    private func view(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: zmq_msg_data(messages + index), count: zmq_msg_size(messages + index))
    }
}
