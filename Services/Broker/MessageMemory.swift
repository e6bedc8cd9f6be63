import CZeroMQ
import Majordomo

/// The frames of the message being handled: preallocated, received into, moved out of, used again.
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

    /// The process that sent it, as the kernel says of a Unix socket's peer; `nil` over tcp, and from another container.
    ///
    /// libzmq calls the peer `localhost:uid:gid:pid`.
    var senderProcess: Int32? {
        guard let address = zmq_msg_gets(message(0), "Peer-Address") else { return nil }
        let parts = String(cString: address).split(separator: ":")
        guard parts.count == 4, let process = Int32(parts[3]), process > 0 else { return nil }
        return process
    }

    func message(_ index: Int) -> UnsafeMutablePointer<zmq_msg_t> { messages + 1 + index }
}

/// The bodies of asks that wait, by slot: moved in from a received message and out to a worker, never copied.
final class ParkedBodies {
    private let slots: Int
    /// The first frame of each slot, the only one of nearly all asks.
    private let first: UnsafeMutablePointer<zmq_msg_t>
    /// Frames in a slot; 0: no body is parked.
    private let counts: UnsafeMutablePointer<UInt16>
    /// The other frames of a slot that has more than one.
    private var others: [Int: UnsafeMutablePointer<zmq_msg_t>] = [:]

    init(slots: Int) {
        self.slots = slots
        first = .allocate(capacity: slots)
        counts = .allocate(capacity: slots)
        counts.initialize(repeating: 0, count: slots)
    }

    deinit {
        for slot in 0..<slots { discard(slot) }
        first.deallocate()
        counts.deallocate()
    }

    func park(_ slot: Int, _ frames: ReceivedFrames, from start: Int) {
        discard(slot)
        let count = frames.count - 1 - start
        zmq_msg_init(first + slot)
        zmq_msg_move(first + slot, frames.message(start))
        if count > 1 {
            let rest = UnsafeMutablePointer<zmq_msg_t>.allocate(capacity: count - 1)
            for index in 1..<count {
                zmq_msg_init(rest + index - 1)
                zmq_msg_move(rest + index - 1, frames.message(start + index))
            }
            others[slot] = rest
        }
        counts[slot] = UInt16(count)
    }

    func count(_ slot: Int) -> Int { Int(counts[slot]) }

    func frame(_ slot: Int, _ index: Int) -> UnsafeMutablePointer<zmq_msg_t> {
        index == 0 ? first + slot : others[slot]! + index - 1
    }

    /// Closes what is left of a body; after it was sent whole, that is nothing but empty frames.
    func discard(_ slot: Int) {
        let count = Int(counts[slot])
        guard count > 0 else { return }
        for index in 0..<count { zmq_msg_close(frame(slot, index)) }
        if count > 1 { others.removeValue(forKey: slot)?.deallocate() }
        counts[slot] = 0
    }
}
