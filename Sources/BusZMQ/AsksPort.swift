import Bus
import CZeroMQ
import Glibc
import Primitives
import ZMTP

/// A DEALER's way to the broker's asks socket, for one thread. It keeps nothing for a broker that is away: what cannot
/// be sent now stays with the caller, where it can expire.
package protocol AsksPort: AnyObject {
    /// What to poll, and for what; -1: nothing.
    var descriptor: Int32 { get }
    var events: Int16 { get }
    /// Monotonic nanoseconds at which ``turn(_:)`` is due though nothing comes in.
    var nextTurn: UInt64 { get }
    /// Whether there is a connection.
    var isOpen: Bool { get }
    /// Why messages cannot be sent, where that is known.
    var trouble: String? { get }

    /// Sends one message of one or two frames with the next ``turn(_:)`` at the latest; false when that cannot be.
    func send(_ header: [UInt8], body: [UInt8]?) -> Bool

    /// Connects where that is due, and gives the kernel what was sent.
    ///
    /// - Parameter now: monotonic nanoseconds.
    func turn(_ now: UInt64)

    /// Takes what has come in, message by message; of a message with more than three frames, the last ones are dropped.
    /// False: nothing had come in, and the descriptor may be polled.
    func receive(_ take: (LinkFrames) -> Void) -> Bool

    /// Waits until what was sent is on its way, at most so long.
    func close(lingerMilliseconds: Int32)
}

extension AsksPort {
    package var trouble: String? { nil }
}

/// Over a Unix socket: a ``Link``, made again whenever it is lost.
package final class LinkPort: AsksPort {
    /// Sent before the turn is over, so that the other end can begin.
    private static let eagerBytes = 64 << 10

    private let path: String
    private let memory = LinkMemory(frames: 2)
    private var link: Link?
    private var pauses = ConnectPauses()
    /// When the next connection is tried, or the one that is not open yet is given up.
    private var due: UInt64 = 0

    package init(path: String) { self.path = path }

    package var descriptor: Int32 { link?.descriptor ?? -1 }
    package var events: Int16 { Int16(link?.isFull == true ? POLLIN | POLLOUT : POLLIN) }
    package var nextTurn: UInt64 { isOpen ? .max : due }
    package var isOpen: Bool { link?.isOpen ?? false }

    package func send(_ header: [UInt8], body: [UInt8]?) -> Bool {
        guard let link, link.hasRoom else { return false }
        header.withUnsafeBytes { link.append($0, more: body != nil) }
        body?.withUnsafeBytes { link.append($0, more: false) }
        if link.unsentBytes > Self.eagerBytes, !link.isFull { flush(link) }
        return true
    }

    package func turn(_ now: UInt64) {
        if !isOpen, now >= due { connect(now) }
        if let link { flush(link) }
    }

    package func receive(_ take: (LinkFrames) -> Void) -> Bool {
        guard let link else { return false }
        var hasTaken = false
        do throws(LinkFault) {
            repeat {
                let mayBeMore = try link.receive(memory) {
                    hasTaken = true
                    take($0)
                }
                if hasTaken || !mayBeMore { break }
            } while true
            if link.isOpen { pauses.reset() }
        } catch {
            lose()
        }
        return hasTaken
    }

    package func close(lingerMilliseconds: Int32) {
        let end = monotonicNanoseconds() + UInt64(lingerMilliseconds) * 1_000_000
        while let link, link.isOpen, link.unsentBytes > 0 {
            flush(link)
            let now = monotonicNanoseconds()
            guard link.isFull, now < end else { break }
            var item = pollfd(fd: link.descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&item, 1, Int32((end - now) / 1_000_000) + 1)
        }
        link = nil
    }

    private func connect(_ now: UInt64) {
        link = nil
        do throws(LinkFault) {
            link = Link(descriptor: try UnixSocket.connect(path), role: .dealer)
            due = now + UInt64(ConnectPauses.patience.wholeMilliseconds) * 1_000_000
        } catch {
            // No broker listens: it is tried again.
            due = now + pauses.next()
        }
    }

    private func flush(_ link: Link) {
        do throws(LinkFault) { try link.flush() } catch { lose() }
    }

    /// The connection takes along what was not sent, and the answers to what was.
    private func lose() {
        link = nil
        due = monotonicNanoseconds() + pauses.next()
    }
}

/// Over tcp, authenticated and encrypted by CURVE: libzmq's.
final class ZMQPort: AsksPort {
    /// Messages taken at a time.
    private static let batch = 256

    /// Nanoseconds between two looks at what has become of the connection.
    private static let pause: UInt64 = 50_000_000

    private let socket: ZMQSocket
    private let monitor: ConnectionMonitor
    private let frames = ReceivedFrames(capacity: 3)
    private var nextLook: UInt64 = 0
    let descriptor: Int32
    private(set) var isOpen = false

    /// - Parameter monitor: of this socket, from before it was connected.
    init(_ socket: ZMQSocket, _ monitor: ConnectionMonitor) {
        self.socket = socket
        self.monitor = monitor
        descriptor = socket.descriptor
    }

    var events: Int16 { Int16(POLLIN) }
    var nextTurn: UInt64 { nextLook }

    func send(_ header: [UInt8], body: [UInt8]?) -> Bool {
        guard header.withUnsafeBytes({ socket.send($0, more: body != nil) }) else { return false }
        return body?.withUnsafeBytes { socket.send($0, more: false) } ?? true
    }

    /// libzmq's own thread connects and sends. One change at a time: a connection that was lost and is there again has
    /// been closed for a turn.
    func turn(_ now: UInt64) {
        guard now >= nextLook else { return }
        guard let change = monitor.next() else {
            nextLook = now + Self.pause
            return
        }
        isOpen = change
    }

    func receive(_ take: (LinkFrames) -> Void) -> Bool {
        var count = 0
        while count < Self.batch, frames.receive(from: socket.raw) {
            count += 1
            take(frames.all)
        }
        return count > 0
    }

    /// As the socket lingers when it is closed.
    func close(lingerMilliseconds: Int32) {}
}
