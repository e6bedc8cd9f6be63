/// The frames of one message: views into memory that is valid during the call they are passed to.
package typealias LinkFrames = UnsafeBufferPointer<UnsafeRawBufferPointer>

/// The frames of the message being read: a table that is used again.
///
/// Of a message with more frames than any may have, the last place holds the last frame: it is read as one that is too
/// long, whatever it says.
package final class FrameTable {
    private let capacity: Int
    private let views: UnsafeMutablePointer<UnsafeRawBufferPointer>
    fileprivate private(set) var count = 0

    /// - Parameter capacity: one more than a message may have.
    package init(capacity: Int) {
        self.capacity = capacity
        views = .allocate(capacity: capacity)
        views.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: capacity)
    }

    deinit { views.deallocate() }

    package var frames: LinkFrames { LinkFrames(start: views, count: count) }

    fileprivate func removeAll() { count = 0 }

    fileprivate func add(_ frame: UnsafeRawBufferPointer) {
        views[min(count, capacity - 1)] = frame
        count = min(count + 1, capacity)
    }
}

/// What one end of a connection makes of the bytes that come in (ZeroMQ RFC 37 with the mechanism NULL): a value that
/// neither reads nor writes.
///
/// Bytes are given as a region that begins at ``done`` of the one before and has more at its end.
package struct Session {
    private enum Phase { case greeting, ready, open }

    private let role: LinkRole
    private let limits: LinkLimits
    private var phase = Phase.greeting
    /// Bytes at the beginning of the region that are not needed any more.
    package private(set) var done = 0
    /// Bytes of the region that have been looked at: beyond `done` those of the message under way.
    private var position = 0
    /// Frames of the message under way, relative to `done`, while it waits for more.
    private var parts: [Range<Int>] = []
    private var messageBytes = 0
    /// PONGs that are due (RFC 37, "Heartbeating"): to be sent and emptied.
    package var replies: [UInt8] = []

    package init(_ role: LinkRole, limits: LinkLimits = LinkLimits()) {
        self.role = role
        self.limits = limits
    }

    /// Whether the peer has said READY: messages may be sent.
    package var isOpen: Bool { phase == .open }

    /// Looks for the next whole message; its frames are in the table until the next call.
    ///
    /// - Returns: false when there is none yet; then `rebase` is due before the next region.
    package mutating func next(
        in region: UnsafeRawBufferPointer, _ table: FrameTable
    ) throws(LinkFault) -> Bool {
        if phase != .open, try !open(region) { return false }
        table.removeAll()
        for part in parts { table.add(region[at: done + part.lowerBound, part.count]) }
        parts.removeAll(keepingCapacity: true)
        while let frame = try frame(in: region) {
            guard frame.flags & LinkFrame.command == 0 else {
                obey(frame.body)
                if table.count == 0 { done = position }
                continue
            }
            messageBytes += frame.body.count + limits.frameOverheadBytes
            guard messageBytes <= limits.messageBytes else { throw .messageTooLarge }
            table.add(frame.body)
            if frame.flags & LinkFrame.more == 0 {
                messageBytes = 0
                done = position
                return true
            }
        }
        for frame in table.frames {
            let start = frame.baseAddress! - region.baseAddress! - done
            parts.append(start..<(start + frame.count))
        }
        return false
    }

    /// The bytes before ``done`` are gone from the region.
    package mutating func rebase() {
        position -= done
        done = 0
    }

    /// - Returns: whether the connection is open.
    private mutating func open(_ region: UnsafeRawBufferPointer) throws(LinkFault) -> Bool {
        if phase == .greeting {
            guard let mechanism = try Opening.readGreeting(region) else { return false }
            guard mechanism == .null else { throw .mechanism }
            position = Opening.greetingBytes
            done = position
            phase = .ready
        }
        guard let ready = try frame(in: region, bytesMax: Opening.readyBytesMax) else { return false }
        guard ready.flags & LinkFrame.command != 0 else { throw .brokenFrame }
        try Ready.check(ready.body, for: role)
        done = position
        phase = .open
        return true
    }

    /// The frame at `position`, when it is there whole.
    private mutating func frame(
        in region: UnsafeRawBufferPointer, bytesMax: Int? = nil
    ) throws(LinkFault) -> (flags: UInt8, body: UnsafeRawBufferPointer)? {
        let left = region.count - position
        guard left >= 2 else { return nil }
        let flags = region[position]
        guard flags & ~(LinkFrame.more | LinkFrame.long | LinkFrame.command) == 0 else { throw .brokenFrame }
        var length = Int(region[position + 1])
        var head = 2
        if flags & LinkFrame.long != 0 {
            guard left >= 9 else { return nil }
            let word = UInt64(bigEndian: region.loadUnaligned(fromByteOffset: position + 1, as: UInt64.self))
            length = Int(clamping: word)
            head = 9
        }
        guard length <= bytesMax ?? limits.frameBytes else { throw .frameTooLarge }
        guard left - head >= length else { return nil }
        position += head + length
        return (flags, region[at: position - length, length])
    }

    private static let ping: StaticString = "\u{4}PING"
    private static let pong = [4] + Array("PONG".utf8)
    /// Time to live, and a context that PONG gives back.
    private static let pingTimeBytes = 2
    private static let pingContextMax = 16
    private static let repliesMax = 4_096

    /// Commands that are not known mean nothing to us (RFC 37).
    private mutating func obey(_ command: UnsafeRawBufferPointer) {
        let start = Self.ping.utf8CodeUnitCount + Self.pingTimeBytes
        guard command.hasPrefix(Self.ping), command.count >= start else { return }
        let context = command[start...].prefix(Self.pingContextMax)
        guard replies.count < Self.repliesMax else { return }
        replies += [LinkFrame.command, UInt8(Self.pong.count + context.count)]
        replies += Self.pong
        replies += context
    }
}

extension UnsafeRawBufferPointer {
    fileprivate subscript(at offset: Int, count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: baseAddress! + offset, count: count)
    }
}
