import Glibc

/// Where a loop sleeps until one of its descriptors has news or the time is up.
///
/// One `poll`. A libzmq socket takes part by its own descriptor (ZMQ_FD): `zmq_poll` makes six to eight system calls of
/// it. The price: such a descriptor tells of news once. A socket of libzmq's may be
/// slept on only when its last call was a receive that found nothing, as any other call may take the news without
/// telling (zmq_getsockopt, "ZMQ_FD").
package final class Poller {
    private let items: UnsafeMutablePointer<pollfd>
    private let count: Int

    /// - Parameter descriptors: watched for something to read, in the order of `isReady`; ``watch(_:_:events:)``
    ///   changes one.
    package init(_ descriptors: [Int32]) {
        count = descriptors.count
        items = .allocate(capacity: count)
        for (index, descriptor) in descriptors.enumerated() {
            (items + index).initialize(to: pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
    }

    deinit { items.deallocate() }

    /// - Parameter descriptor: -1 for none.
    package func watch(_ index: Int, _ descriptor: Int32, events: Int16) {
        items[index].fd = descriptor
        items[index].events = events
    }

    /// - Parameter milliseconds: 0 only looks.
    package func wait(milliseconds: Int64) {
        // Interrupted by a signal: nothing is ready then, and the loop turns once for nothing.
        if poll(items, nfds_t(count), Int32(clamping: max(0, milliseconds))) <= 0 {
            for index in 0..<count { items[index].revents = 0 }
        }
    }

    /// Whether the last `wait` ended by it.
    package func isReady(_ index: Int) -> Bool { items[index].revents != 0 }
}
