import ZMTP

/// Follows the frames of one connection (ZMTP 3.1, RFC 37, "Framing") to know how much one message has come to.
///
/// libzmq bounds a frame and counts messages, but keeps the frames of an unfinished message however many they are: one
/// peer that never ends its message would fill the memory. A message that is sent in good faith stays far below.
struct MessageMeter {
    /// Eight times the largest body the router takes; more is not worth a refusal.
    private static let messageBytesMax: UInt64 = 8 << 20
    /// Charged for each frame: a `zmq_msg_t` has 64 bytes.
    private static let frameBytes: UInt64 = 64

    private var flags: UInt8 = 0
    private var length: UInt64 = 0
    /// Bytes of the frame's length that are still to come.
    private var lengthLeft = 0
    /// Bytes of the frame's body that are still to come.
    private var bodyLeft = 0
    private var messageBytes: UInt64 = 0

    /// - Returns: `false` when the message under way is too large.
    mutating func take(_ chunk: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < chunk.count {
            if bodyLeft > 0 {
                let step = min(bodyLeft, chunk.count - index)
                bodyLeft -= step
                index += step
            } else if lengthLeft == 0 {
                flags = chunk[index]
                index += 1
                length = 0
                lengthLeft = flags & LinkFrame.long != 0 ? 8 : 1
            } else {
                length = length << 8 | UInt64(chunk[index])
                index += 1
                lengthLeft -= 1
                if lengthLeft == 0 && !beginBody() { return false }
            }
        }
        return true
    }

    private mutating func beginBody() -> Bool {
        guard length <= Self.messageBytesMax else { return false }
        bodyLeft = Int(length)
        // Commands, such as PING, may come between the frames of a message and belong to none.
        guard flags & LinkFrame.command == 0 else { return true }
        messageBytes += length + Self.frameBytes
        guard messageBytes <= Self.messageBytesMax else { return false }
        if flags & LinkFrame.more == 0 { messageBytes = 0 }
        return true
    }
}

/// What comes in on one accepted connection, from its first byte.
struct InboundStream {
    private var handshake: Handshake? = Handshake()
    private var meter: MessageMeter? = MessageMeter()

    /// - Returns: `false` when libzmq must not see these bytes.
    mutating func take(_ chunk: UnsafeRawBufferPointer) -> Bool {
        guard handshake != nil else { return meter?.take(chunk) ?? true }
        switch handshake!.take(chunk) {
        case .incomplete:
            return true
        case .forbidden:
            return false
        case .sealed:
            // Encrypted from here on: whoever it is has been authenticated, and cannot be followed.
            (handshake, meter) = (nil, nil)
            return true
        case .sound(let rest):
            handshake = nil
            return meter?.take(UnsafeRawBufferPointer(rebasing: chunk[rest...])) ?? true
        }
    }
}
