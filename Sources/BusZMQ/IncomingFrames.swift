import CZeroMQ
import ZMTP

/// The frames of the message being received by libzmq: a header and, nearly always, one body. Preallocated, used again.
///
/// A class that owns its memory: a local `~Copyable` owner may be freed while pointers that it gave are in use.
final class IncomingFrames {
    private static let capacity = 3
    private let messages: UnsafeMutablePointer<zmq_msg_t>
    private let views: UnsafeMutablePointer<UnsafeRawBufferPointer>
    private var count = 0

    init() {
        messages = .allocate(capacity: Self.capacity)
        views = .allocate(capacity: Self.capacity)
        for index in 0..<Self.capacity {
            zmq_msg_init(messages + index)
            (views + index).initialize(to: UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    deinit {
        for index in 0..<Self.capacity { zmq_msg_close(messages + index) }
        messages.deallocate()
        views.deallocate()
    }

    /// Receives one message whole; false when none waits. Frames beyond the third are read and dropped.
    func receive(from socket: UnsafeMutableRawPointer) -> Bool {
        count = 0
        while true {
            let index = min(count, Self.capacity - 1)
            if zmq_msg_recv(messages + index, socket, ZMQ_DONTWAIT) < 0 {
                if zmq_errno() == EINTR { continue }
                return false
            }
            views[index] = UnsafeRawBufferPointer(
                start: zmq_msg_data(messages + index), count: zmq_msg_size(messages + index))
            count = index + 1
            if zmq_msg_more(messages + index) == 0 { return true }
        }
    }

    /// Valid until the next message is received.
    var all: LinkFrames { LinkFrames(start: views, count: count) }
}

extension LinkFrames {
    /// The one frame after the header; nil when there is none or more than one.
    package var body: UnsafeRawBufferPointer? { count == 2 ? self[1] : nil }
}
