import CZeroMQ
import Majordomo

/// The frames of the message that libzmq has received: preallocated, received into, moved out of, used again.
///
/// A class that owns its memory. A local `~Copyable` owner was freed early in an endless loop that uses it
/// through pointers it handed out.
final class ReceivedFrames {
    private let capacity: Int
    private let messages: UnsafeMutablePointer<zmq_msg_t>
    private let views: UnsafeMutablePointer<UnsafeRawBufferPointer>
    private(set) var count = 0

    init(capacity: Int) {
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
    /// `capacity`: more than the router takes, so it is refused like one that is a little too long.
    func receive(from socket: UnsafeMutableRawPointer) -> Bool {
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

    /// The first frame of what a ROUTER receives: who sent it.
    var routingID: UnsafeRawBufferPointer { views[0] }

    /// The others.
    var content: Frames { Frames(start: views + 1, count: count - 1) }

    func message(_ index: Int) -> UnsafeMutablePointer<zmq_msg_t> { messages + 1 + index }
}
