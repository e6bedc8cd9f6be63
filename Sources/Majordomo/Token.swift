/// What a worker gets as "client address" and must send back: 16 bytes, the slot and 96 random bits.
///
/// Never a routing id: a worker can answer an ask it was given, once, and can address nobody else.
package struct Token: Equatable, Sendable {
    package let slot: UInt32
    package let high: UInt32
    package let low: UInt64

    init(slot: Int, random: inout any RandomNumberGenerator) {
        self.slot = UInt32(slot)
        high = UInt32(truncatingIfNeeded: random.next())
        low = random.next()
    }

    /// - Precondition: 16 bytes from `offset`.
    init(reading frame: UnsafeRawBufferPointer, at offset: Int) {
        slot = frame.bigEndian(at: offset)
        high = frame.bigEndian(at: offset + 4)
        low = frame.bigEndian(at: offset + 8)
    }

    /// Matches no slot.
    static let none = Token()

    private init() {
        slot = .max
        high = 0
        low = 0
    }
}
