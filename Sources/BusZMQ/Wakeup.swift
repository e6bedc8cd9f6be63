import Glibc

/// A file descriptor that wakes a thread which sleeps in `poll` or `epoll_wait`.
///
/// A pipe and not an eventfd, which Swift's Glibc module does not have.
package final class Wakeup: Sendable {
    package let readEnd: Int32
    private let writeEnd: Int32

    package init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ZMQError("cannot open a pipe", code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    package func ring() {
        var byte: UInt8 = 1
        // A full pipe has rung already.
        _ = write(writeEnd, &byte, 1)
    }

    package func silence() {
        var bytes: (UInt64, UInt64) = (0, 0)
        // A short read has emptied the pipe.
        while read(readEnd, &bytes, 16) == 16 {}
    }
}
