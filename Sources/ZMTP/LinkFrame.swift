/// Frames on the wire (ZeroMQ RFC 37, "Framing"): flags, length in one byte or in eight, body.
package enum LinkFrame {
    package static let more: UInt8 = 1
    package static let long: UInt8 = 2
    package static let command: UInt8 = 4
    private static let shortBytesMax = 255
    package static let headBytesMax = 9

    /// Writes what goes before a frame's body.
    ///
    /// - Parameters:
    ///   - count: bytes of the body.
    ///   - room: at least ``headBytesMax`` bytes.
    /// - Returns: how many of them it took.
    package static func writeHead(of count: Int, more: Bool, to room: UnsafeMutableRawBufferPointer) -> Int {
        let flags = more ? Self.more : 0
        guard count > shortBytesMax else {
            room[0] = flags
            room[1] = UInt8(count)
            return 2
        }
        room[0] = flags | long
        room.storeBytes(of: UInt64(count).bigEndian, toByteOffset: 1, as: UInt64.self)
        return headBytesMax
    }
}

/// What one connection may cost. Sizes in bytes.
package struct LinkLimits: Sendable {
    /// One frame: headers and bodies both stay below.
    package var frameBytes = 1 << 20
    /// One message with all its frames: eight times the largest body that the broker takes; more is not worth a
    /// refusal.
    package var messageBytes = 8 << 20
    /// Charged for each frame beside its bytes, so that endlessly many empty ones are too many.
    package var frameOverheadBytes = 64
    /// What may wait for a peer that does not read. More than the answers to all asks that one client may have open.
    package var unsentBytes = 64 << 20

    package init() {}
}
