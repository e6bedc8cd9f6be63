import CZeroMQ

/// Where the reactor sleeps.
final class Poller {
    private let items: UnsafeMutablePointer<zmq_pollitem_t>

    init(asks: ZMQSocket, facts: ZMQSocket, wakeup: Int32) {
        items = .allocate(capacity: 3)
        items.initialize(repeating: zmq_pollitem_t(), count: 3)
        items[0].socket = asks.raw
        items[1].socket = facts.raw
        items[2].fd = wakeup
        for index in 0..<3 { items[index].events = Int16(ZMQ_POLLIN) }
    }

    deinit { items.deallocate() }

    /// Sleeps until something can be read (or, on request, sent), or the time is up.
    func wait(nanoseconds: UInt64, untilWritable: Bool) {
        items[0].events = Int16(untilWritable ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN)
        // Rounded up: waking a millisecond early would mean another turn for nothing.
        zmq_poll(items, 3, Int((nanoseconds + 999_999) / 1_000_000))
    }
}
