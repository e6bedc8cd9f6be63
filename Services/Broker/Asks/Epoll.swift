import CLinux
import Glibc

/// What the asks thread sleeps on: descriptors, each with a word that names it (epoll(7), level-triggered).
final class Epoll {
    /// Descriptors heard of at a time; the others are heard of the next time.
    private static let batch: Int32 = 256

    private let descriptor: Int32
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Int(batch))

    init() throws {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw BrokerFailure.system("cannot open an epoll", errno: errno) }
    }

    deinit {
        close(descriptor)
        events.deallocate()
    }

    func watch(_ watched: Int32, _ word: UInt64, writing: Bool = false) {
        control(EPOLL_CTL_ADD, watched, word, writing)
    }

    func change(_ watched: Int32, _ word: UInt64, writing: Bool) { control(EPOLL_CTL_MOD, watched, word, writing) }

    func forget(_ watched: Int32) { control(EPOLL_CTL_DEL, watched, 0, false) }

    /// Sleeps until something is ready or the time is up.
    ///
    /// - Returns: how many words are ready for ``subscript(_:)``; 0 also after a signal.
    func wait(milliseconds: Int64) -> Int {
        Int(max(0, epoll_wait(descriptor, events, Self.batch, Int32(clamping: max(0, milliseconds)))))
    }

    subscript(index: Int) -> UInt64 { events[index].data.u64 }

    /// Fails for a descriptor that is closed already, of which there is nothing to hear, and for one more than the
    /// kernel has room for: its peer then waits until it gives the connection up.
    private func control(_ operation: Int32, _ watched: Int32, _ word: UInt64, _ isWriting: Bool) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (isWriting ? EPOLLOUT.rawValue : 0)
        event.data.u64 = word
        epoll_ctl(descriptor, operation, watched, &event)
    }
}
