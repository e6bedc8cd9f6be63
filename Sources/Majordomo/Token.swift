/// What a worker gets as "client address" and must send back: 16 bytes, the index and 96 random bits.
///
/// Never a routing id: a worker can answer an ask it was given, once, and can address nobody else.
package struct Token: Equatable, Sendable {
    package let index: UInt32
    package let high: UInt32
    package let low: UInt64

    init(index: Int, random: inout any RandomNumberGenerator) {
        self.index = UInt32(index)
        high = UInt32(truncatingIfNeeded: random.next())
        low = random.next()
    }

    /// - Precondition: 16 bytes from `offset`.
    init(reading frame: UnsafeRawBufferPointer, at offset: Int) {
        index = frame.bigEndian(at: offset)
        high = frame.bigEndian(at: offset + 4)
        low = frame.bigEndian(at: offset + 8)
    }

    /// Matches no index.
    static let none = Token()

    private init() {
        index = .max
        high = 0
        low = 0
    }
}
