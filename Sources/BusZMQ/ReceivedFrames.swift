import CZeroMQ
import ZMTP

/// The frames of the message that libzmq has received: preallocated, received into, moved out of, used again.
///
/// A class that owns its memory: a local `~Copyable` owner may be freed while pointers that it gave are in use.
package final class ReceivedFrames {
    private let capacity: Int
    private let messages: UnsafeMutablePointer<zmq_msg_t>
    private let views: UnsafeMutablePointer<UnsafeRawBufferPointer>
    package private(set) var count = 0

    /// - Parameter capacity: one more than the frames of the longest message that is taken.
    package init(capacity: Int) {
        self.capacity = capacity
        messages = .allocate(capacity: capacity)
        views = .allocate(capacity: capacity)
        for index in 0..<capacity {
            zmq_msg_init(messages + index)
            (views + index).initialize(to: UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    deinit {
        for index in 0..<capacity { zmq_msg_close(messages + index) }
        messages.deallocate()
        views.deallocate()
    }

    /// Receives one message whole; `false` when none waits.
    ///
    /// Of a message with more frames than any may have, the last place holds the last frame and `count` is
    /// `capacity`, so it is refused like one that is a little too long.
    package func receive(from socket: UnsafeMutableRawPointer) -> Bool {
        count = 0
        while true {
            let index = min(count, capacity - 1)
            let size = zmq_msg_recv(messages + index, socket, ZMQ_DONTWAIT)
            if size < 0 {
                if zmq_errno() == EINTR { continue }
                return false
            }
            views[index] = UnsafeRawBufferPointer(start: zmq_msg_data(messages + index), count: Int(size))
            count = index + 1
            if zmq_msg_more(messages + index) == 0 { return true }
        }
    }

    /// All of them, valid until the next message is received.
    package var all: LinkFrames { LinkFrames(start: views, count: count) }

    /// The first frame of what a ROUTER receives: who sent it.
    package var routingID: UnsafeRawBufferPointer { views[0] }

    /// The frames behind the first.
    package var content: LinkFrames { LinkFrames(start: views + 1, count: count - 1) }

    /// A frame, to be sent on. The first one has the index 0.
    package func message(_ index: Int) -> UnsafeMutablePointer<zmq_msg_t> { messages + index }
}

extension LinkFrames {
    /// The one frame after the header; nil when there is none or more than one.
    package var body: UnsafeRawBufferPointer? { count == 2 ? self[1] : nil }
}
