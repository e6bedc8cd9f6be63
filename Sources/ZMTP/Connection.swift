/// One end of a ZMTP connection without its socket: takes the bytes that came in, gives messages and the bytes to send.
///
/// Whoever has the socket drives it: a ``Link`` with system calls, an event loop with its channel. Used by one thread.
package final class Connection {
    private let limits: LinkLimits
    private var session: Session
    /// The beginning of a message whose end has not come yet.
    private let rest = ByteQueue()
    /// What is to be sent.
    package let unsent = ByteQueue()
    /// Whether messages can be sent: the peer has said READY.
    package private(set) var isOpen = false

    /// Greeting and READY are the first bytes to send.
    package init(role: LinkRole, limits: LinkLimits = LinkLimits()) {
        self.limits = limits
        session = Session(role, limits: limits)
        Opening.greeting.withUnsafeBytes { unsent.append($0) }
        Ready.frame(role).withUnsafeBytes { unsent.append($0) }
    }

    /// Takes bytes that came in, and gives each message that is whole now.
    ///
    /// - Throws: why the connection has ended; messages that came before have been given.
    package func receive(
        _ bytes: UnsafeRawBufferPointer, _ table: FrameTable, _ take: (LinkFrames) -> Void
    ) throws(LinkFault) {
        let goesOn = !rest.isEmpty
        if goesOn { rest.append(bytes) }
        let region = goesOn ? rest.bytes : bytes
        while try session.next(in: region, table) {
            isOpen = true
            take(table.frames)
        }
        isOpen = session.isOpen
        let done = session.done
        session.rebase()
        if goesOn { rest.removeFirst(done) } else { rest.append(UnsafeRawBufferPointer(rebasing: region[done...])) }
        guard !session.replies.isEmpty else { return }
        session.replies.withUnsafeBytes { unsent.append($0) }
        session.replies.removeAll()
    }

    /// Whether another message may be added. Asked before its first frame: a message is sent whole or not at all.
    package var hasRoom: Bool { isOpen && unsent.count < limits.unsentBytes }

    /// Adds a frame of a message to what is to be sent.
    package func append(_ frame: UnsafeRawBufferPointer, more: Bool) {
        let room = unsent.room(atLeast: LinkFrame.headBytesMax + frame.count)
        unsent.extend(by: LinkFrame.writeHead(of: frame.count, more: more, to: room))
        unsent.append(frame)
    }

    /// Memory of both buffers.
    package var memoryBytes: Int { rest.memoryBytes + unsent.memoryBytes }

    /// Whether a message has begun to come whose end is not there.
    package var isReceiving: Bool { !rest.isEmpty }

    /// Gives back memory that holds nothing.
    package func trim() {
        rest.trim()
        unsent.trim()
    }
}
