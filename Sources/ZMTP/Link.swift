import Glibc

/// One end of a ZMTP connection on a stream socket that never blocks: what libzmq does in a thread of its own, done by the
/// thread that needs it, for as many messages at a time as there are.
///
/// Used by one thread. The socket is closed with the link.
package final class Link {
    package let descriptor: Int32
    private let limits: LinkLimits
    private var session: Session
    /// The beginning of a message whose end has not come yet.
    private let rest = ByteQueue()
    private let unsent = ByteQueue()
    /// Whether messages can be sent: the peer has said who it is.
    package private(set) var isOpen = false
    /// Whether the kernel took less than there was: to be flushed again when the socket can be written.
    package private(set) var isFull = false

    /// - Parameter descriptor: a connected socket that does not block. Greeting and READY are on their way with the first flush.
    package init(descriptor: Int32, role: LinkRole, limits: LinkLimits = LinkLimits()) {
        self.descriptor = descriptor
        self.limits = limits
        session = Session(role, limits: limits)
        Opening.greeting.withUnsafeBytes { unsent.append($0) }
        Ready.frame(role).withUnsafeBytes { unsent.append($0) }
    }

    deinit { close(descriptor) }

    // MARK: Receiving

    /// Reads once, and gives each message that is whole.
    ///
    /// - Returns: whether there may be more to read at once.
    /// - Throws: why the connection has ended; messages that came before have been given.
    package func receive(_ memory: LinkMemory, _ take: (LinkFrames) -> Void) throws(LinkFault) -> Bool {
        // A message that goes on is collected in memory of the link's own; everything else passes through the shared one.
        let goesOn = !rest.isEmpty
        let room = goesOn ? rest.room(atLeast: LinkMemory.restBytes) : memory.chunk
        let count = read(descriptor, room.baseAddress, room.count)
        guard count > 0 else {
            if count == 0 { throw .closed }
            if errno == EAGAIN || errno == EINTR { return false }
            throw .system(errno)
        }
        if goesOn { rest.extend(by: count) }
        let region = goesOn ? rest.bytes : UnsafeRawBufferPointer(rebasing: memory.chunk[..<count])
        while try session.next(in: region, memory.table) {
            isOpen = true
            take(memory.table.frames)
        }
        isOpen = session.isOpen
        let done = session.done
        session.rebase()
        if goesOn { rest.removeFirst(done) } else { rest.append(UnsafeRawBufferPointer(rebasing: region[done...])) }
        if !session.replies.isEmpty {
            session.replies.withUnsafeBytes { unsent.append($0) }
            session.replies.removeAll()
        }
        return count == room.count
    }

    // MARK: Sending

    /// Whether another message may be added. Asked before its first frame: a message is sent whole or not at all.
    package var hasRoom: Bool { isOpen && unsent.count < limits.unsentBytes }

    /// Adds a frame of a message to what the next flush sends.
    package func append(_ frame: UnsafeRawBufferPointer, more: Bool) {
        let room = unsent.room(atLeast: LinkFrame.headBytesMax + frame.count)
        unsent.extend(by: LinkFrame.writeHead(of: frame.count, more: more, to: room))
        unsent.append(frame)
    }

    package var unsentBytes: Int { unsent.count }

    /// Memory of what came and is not whole, and of what was not sent.
    package var memoryBytes: Int { rest.memoryBytes + unsent.memoryBytes }

    /// Whether a message has begun to come whose end is not there.
    package var isReceiving: Bool { !rest.isEmpty }

    /// Gives back memory that holds nothing.
    package func trim() {
        rest.trim()
        unsent.trim()
    }

    /// Gives the kernel what there is; what it does not take waits.
    ///
    /// - Throws: why the connection has ended.
    package func flush() throws(LinkFault) {
        isFull = false
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
}

/// Memory that all links of one thread use in turn.
package final class LinkMemory {
    /// Read at a time: a Unix socket's buffer on Linux has less.
    static let chunkBytes = 256 << 10
    /// The same for a message that goes on, in memory that its link keeps until it is whole.
    static let restBytes = 64 << 10

    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 16)
    let table: FrameTable

    /// - Parameter frames: the frames that a message may have; one that has more is given with one more.
    package init(frames: Int) { table = FrameTable(capacity: frames + 1) }

    deinit { chunk.deallocate() }
}
