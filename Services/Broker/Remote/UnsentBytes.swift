import CZeroMQ
import Synchronization

/// Bytes that libzmq was given and has not sent: it bounds how many messages wait for a peer, not how large they are.
///
/// A frame carries its count with it, and takes it off when the last connection has sent or dropped it.
final class UnsentBytes: Sendable {
    /// What a frame takes beside its content.
    private static let frameOverhead = 128

    private struct Held {
        var message: zmq_msg_t
        let counted: Unmanaged<UnsentBytes>
        let bytes: Int
    }

    private let total: UnsentBytes?
    private let bytes = Atomic<Int>(0)

    /// - Parameter total: counts the same bytes too.
    init(in total: UnsentBytes? = nil) { self.total = total }

    var count: Int { bytes.load(ordering: .relaxed) }

    private func add(_ count: Int) {
        bytes.add(count, ordering: .relaxed)
        total?.add(count)
    }

    /// Sends a frame that was received; it is empty afterwards.
    func send(_ frame: UnsafeMutablePointer<zmq_msg_t>, to socket: UnsafeMutableRawPointer, _ flags: Int32) {
        let held = hold(zmq_msg_size(frame))
        zmq_msg_init(&held.pointee.message)
        zmq_msg_move(&held.pointee.message, frame)
        send(held, to: socket, flags)
    }

    /// Sends a copy of a frame.
    func send(_ frame: UnsafeRawBufferPointer, to socket: UnsafeMutableRawPointer, _ flags: Int32) {
        let held = hold(frame.count)
        zmq_msg_init_size(&held.pointee.message, frame.count)
        if let start = frame.baseAddress {
            zmq_msg_data(&held.pointee.message).copyMemory(from: start, byteCount: frame.count)
        }
        send(held, to: socket, flags)
    }

    private func hold(_ count: Int) -> UnsafeMutablePointer<Held> {
        let held = UnsafeMutablePointer<Held>.allocate(capacity: 1)
        held.initialize(
            to: Held(message: zmq_msg_t(), counted: .passRetained(self), bytes: count + Self.frameOverhead))
        add(held.pointee.bytes)
        return held
    }

    private func send(_ held: UnsafeMutablePointer<Held>, to socket: UnsafeMutableRawPointer, _ flags: Int32) {
        var frame = zmq_msg_t()
        let content = zmq_msg_data(&held.pointee.message)
        // Called by whichever thread of libzmq is the last to need it.
        zmq_msg_init_data(
            &frame, content, zmq_msg_size(&held.pointee.message),
            { _, hint in
                let held = hint!.assumingMemoryBound(to: Held.self)
                zmq_msg_close(&held.pointee.message)
                let counted = held.pointee.counted.takeRetainedValue()
                counted.add(-held.pointee.bytes)
                held.deallocate()
            }, held)
        if zmq_msg_send(&frame, socket, flags) < 0 { zmq_msg_close(&frame) }
    }
}
