import BusZMQ
import CZeroMQ

/// Where the relay sleeps: `zmq_poll` on a fixed set of sockets and descriptors. Slower than `Poller`, which may not be
/// used here: the relay sends on a socket that it also sleeps on, and stops receiving before there is nothing left.
final class RelayPoller {
    enum Source {
        case socket(ZMQSocket)
        case descriptor(Int32)
    }

    private let items: UnsafeMutablePointer<zmq_pollitem_t>
    private let count: Int

    init(_ sources: [Source]) {
        count = sources.count
        items = .allocate(capacity: count)
        for (index, source) in sources.enumerated() {
            var item = zmq_pollitem_t()
            item.events = Int16(ZMQ_POLLIN)
            switch source {
            case .socket(let socket): item.socket = socket.raw
            case .descriptor(let descriptor): item.fd = descriptor
            }
            (items + index).initialize(to: item)
        }
    }

    deinit { items.deallocate() }

    /// Sleeps until one of them is ready or the time is up.
    func wait(ms: Int64) {
        // On an error, such as a signal, nothing is ready: what `revents` said before must not be believed.
        for index in 0..<count { items[index].revents = 0 }
        zmq_poll(items, Int32(count), Int(max(0, ms)))
    }

    func isReady(_ index: Int) -> Bool { items[index].revents != 0 }
}
