import Glibc

/// A ZMTP connection on a stream socket that never blocks, driven with system calls by the thread that needs it.
///
/// Used by one thread. The socket is closed with the link.
package final class Link {
    package let descriptor: Int32
    private let connection: Connection
    /// Whether the kernel took less than there was: to be flushed again when the socket can be written.
    package private(set) var isFull = false

    /// - Parameter descriptor: a connected socket that does not block. Greeting and READY leave with the first flush.
    package init(descriptor: Int32, role: LinkRole, limits: LinkLimits = LinkLimits()) {
        self.descriptor = descriptor
        connection = Connection(role: role, limits: limits)
    }

    deinit { close(descriptor) }

    // MARK: Receiving

    /// Whether messages can be sent: the peer has said READY.
    package var isOpen: Bool { connection.isOpen }

    /// Reads once, and gives each message that is whole.
    ///
    /// - Returns: whether there may be more to read at once.
    /// - Throws: why the connection has ended; messages that came before have been given.
    package func receive(_ memory: LinkMemory, _ take: (LinkFrames) -> Void) throws(LinkFault) -> Bool {
        let chunk = memory.chunk
        let count = read(descriptor, chunk.baseAddress, chunk.count)
        guard count > 0 else {
            if count == 0 { throw .closed }
            if errno == EAGAIN || errno == EINTR { return false }
            throw .system(errno)
        }
        try connection.receive(UnsafeRawBufferPointer(rebasing: chunk[..<count]), memory.table, take)
        return count == chunk.count
    }

    /// Whether a message has begun to come whose end is not there.
    package var isReceiving: Bool { connection.isReceiving }

    // MARK: Sending

    /// Whether another message may be added. Asked before its first frame: a message is sent whole or not at all.
    package var hasRoom: Bool { connection.hasRoom }

    /// Adds a frame of a message to what the next flush sends.
    package func append(_ frame: UnsafeRawBufferPointer, more: Bool) { connection.append(frame, more: more) }

    package var unsentBytes: Int { connection.unsent.count }

    /// Gives the kernel what there is; what it does not take waits.
    ///
    /// - Throws: why the connection has ended.
    package func flush() throws(LinkFault) {
        isFull = false
        let unsent = connection.unsent
        while !unsent.isEmpty {
            let bytes = unsent.bytes
            let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                unsent.removeFirst(count)
            } else if errno == EAGAIN {
                isFull = true
                return
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }

    // MARK: Memory

    /// Memory of what came and is not whole, and of what was not sent.
    package var memoryBytes: Int { connection.memoryBytes }

    /// Gives back memory that holds nothing.
    package func trim() { connection.trim() }
}

/// Memory that all links of one thread use in turn.
package final class LinkMemory {
    /// Read at a time: a Unix socket's buffer on Linux has less.
    static let chunkBytes = 256 << 10

    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 16)
    let table: FrameTable

    /// - Parameter frames: the frames that a message may have; one that has more is given with one more.
    package init(frames: Int) { table = FrameTable(capacity: frames + 1) }

    deinit { chunk.deallocate() }
}
