import BusZMQ
import Glibc
import Synchronization

/// Prints lines from a thread of its own. A terminal that does not scroll, or a reader that does not read, holds up
/// this thread only: lines beyond the bound are left out, and counted.
final class Printer: Sendable {
    /// Lines that wait to be printed.
    private static let linesMax = 10_000

    private struct State {
        var lines: [String] = []
        var leftOut = 0
        var isClosed = false
    }
    private let state = Mutex(State())
    private let bell: Wakeup
    private let ended = Atomic(false)

    init() throws {
        bell = try Wakeup()
        OSThread { [self] in run() }.detach()
    }

    func show(_ line: String) {
        state.withLock { state in
            if state.lines.count < Self.linesMax { state.lines.append(line) } else { state.leftOut += 1 }
        }
        bell.ring()
    }

    /// Waits until everything is printed, for a moment at most.
    func close() {
        state.withLock { $0.isClosed = true }
        bell.ring()
        for _ in 0..<50 where !ended.load(ordering: .acquiring) { usleep(2000) }
    }

    private func run() {
        while true {
            let (lines, leftOut, isClosed) = state.withLock { state in
                defer { (state.lines, state.leftOut) = ([], 0) }
                return (state.lines, state.leftOut, state.isClosed)
            }
            for line in lines { put(line) }
            if leftOut > 0 { put("(\(leftOut) lines were left out here; the files have them)") }
            if isClosed, lines.isEmpty { return ended.store(true, ordering: .releasing) }
            guard lines.isEmpty else { continue }
            var descriptor = pollfd(fd: bell.readEnd, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, -1)
            bell.silence()
        }
    }

    private func put(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR || errno == EAGAIN else { return }
            if count < 0, errno == EAGAIN { usleep(1000) }
            sent += max(0, count)
        }
    }
}
